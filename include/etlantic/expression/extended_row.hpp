#pragma once
#include <etlantic/expression/infer.hpp>
#include <etlantic/expression/mentions.hpp>
#include <etlantic/expression/row.hpp>

#include <cstddef>
#include <string_view>
#include <type_traits>

// Rows as a stage gives them on with columns of its own behind those that came in.

namespace etlantic {

/// A column that a stage computes. A hidden one is there, and nothing can be said about it by name.
template <fixed_string Name, class Value, bool Nullable, bool Hidden = false>
struct added_column {
  using value = Value;
  static constexpr auto name = Name;
  static constexpr bool nullable = Nullable;
  static constexpr bool is_named(std::string_view wanted) { return !Hidden && Name.view() == wanted; }
};

/// The row before, and columns that stand behind those of the contract that it comes from.
template <class Row, class... Added>
struct extended_row {
  Row before;
};

namespace detail {

/// The contract whose columns a block of these rows has.
template <class Row>
struct contract_beneath;
template <class C>
struct contract_beneath<contract_row<C>> {
  using type = C;
};
template <class Row, fixed_string Name, class E>
struct contract_beneath<derived_row<Row, Name, E>> : contract_beneath<Row> {};
template <class Row, class C, class... Assignments>
struct contract_beneath<selected_row<Row, C, Assignments...>> : contract_beneath<Row> {};

template <class Row>
inline constexpr std::size_t columns_beneath = member_count<typename contract_beneath<Row>::type>;

/// Which of some columns has a name; -1 if none has.
template <class... Added>
constexpr int added_index([[maybe_unused]] std::string_view name) {
  int found = -1, at = 0;
  ((found = found < 0 && Added::is_named(name) ? at : found, ++at), ...);
  return found;
}

template <int I, class First, class... Rest>
struct added_at : added_at<I - 1, Rest...> {};
template <class First, class... Rest>
struct added_at<0, First, Rest...> {
  using type = First;
};

template <class Row, class... Added, fixed_string Name>
struct find_field<extended_row<Row, Added...>, Name> {
  static constexpr auto pick() {
    constexpr int at = added_index<Added...>(Name.view());
    if constexpr (at >= 0) {
      using found = typename added_at<at, Added...>::type;
      return typed<typename found::value, found::nullable>{};
    } else
      return typename find_field<Row, Name>::type{};
  }
  using type = decltype(pick());
};

template <class Row, class... Added, fixed_string Name>
struct plain_field_of<extended_row<Row, Added...>, Name> {
  static constexpr int index = [] {
    constexpr int at = added_index<Added...>(Name.view());
    if constexpr (at >= 0)
      return static_cast<int>(columns_beneath<Row>) + at;
    else
      return plain_field_of<Row, Name>::index;
  }();
};

}  // namespace detail
}  // namespace etlantic
