#pragma once
#include <etlantic/core/fixed_string.hpp>

#include <cstddef>
#include <string_view>

namespace etlantic {

namespace detail {
/// A member of a set as a template argument: a number, or text.
template <class T, std::size_t Size>
struct set_member {
  T value{};
  constexpr set_member(T given) : value(given) {}
};
template <std::size_t Size>
struct set_member<char, Size> {
  char value[Size]{};
  constexpr set_member(const char (&characters)[Size]) {
    for (std::size_t i = 0; i < Size; ++i) value[i] = characters[i];
  }
};
template <class T>
set_member(T) -> set_member<T, 0>;
template <std::size_t Size>
set_member(const char (&)[Size]) -> set_member<char, Size>;
}  // namespace detail

/// Greater than. The bound is an integer, a decimal or a floating-point number.
template <auto Bound>
struct gt {};
/// Greater or equal.
template <auto Bound>
struct ge {};
/// Less than.
template <auto Bound>
struct lt {};
/// Less or equal.
template <auto Bound>
struct le {};
/// One of some integers, or one of some texts: `one_of<"EUR", "USD">`.
template <detail::set_member... Values>
struct one_of {};
/// At least so many characters (code points).
template <std::size_t Length>
struct min_length {};
/// At most so many characters (code points).
template <std::size_t Length>
struct max_length {};

/// A different name in the data: `checked<std::int64_t, named_as<"orderId">> order_id;`.
template <fixed_string Name>
struct named_as {
  static constexpr auto name = Name;
};
/// What the field means, for people.
template <fixed_string Text>
struct described_as {
  static constexpr auto words = Text;
};

/// The name that the field had in an earlier version of the contract, so that a checkpoint of then goes on:
/// `checked<std::int64_t, renamed_from<"qty">> quantity;`. In the data it has its new name, or that of `named_as`.
template <fixed_string Name>
struct renamed_from {
  static constexpr auto name = Name;
};

/// A field with constraints: `checked<std::int64_t, gt<0>> order_id;`. Converts to and from its value; rows are
/// checked when they enter a pipeline and when results leave it, not when the value is assigned.
template <class T, class... Attributes>
struct checked {
  T value{};

  constexpr checked() = default;
  constexpr checked(T given) : value(static_cast<T&&>(given)) {}
  constexpr operator const T&() const { return value; }
  friend constexpr bool operator==(const checked&, const checked&) = default;
};

/// The fields that identify a row, in order: `using key = primary_key<"customer_id", "window_start">;`.
template <fixed_string... Names>
struct primary_key {};

/// Identity of a contract. A contract may have `static constexpr contract_identity identity{...};`; without it the id
/// is the struct's name and the version 0.0.0.
struct contract_identity {
  std::string_view id{};
  std::string_view version{"0.0.0"};
  std::string_view description{};
};

}  // namespace etlantic
