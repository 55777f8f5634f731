#pragma once
#include <etlantic/contract/judge.hpp>

#include <array>
#include <cstddef>
#include <string_view>

namespace etlantic::detail {

template <auto Pointer>
struct constant_pointer {
  static constexpr auto value = Pointer;
};

template <std::size_t I, auto First, auto... Rest>
consteval auto pick_pointer() {
  if constexpr (I == 0)
    return constant_pointer<First>{};
  else
    return pick_pointer<I - 1, Rest...>();
}

template <class Class, class Member>
Member type_behind(Member Class::*);

/// The members of a class by pointer; their names are the text between the commas of the macro.
template <auto... Pointers>
struct member_list {
  static constexpr std::size_t count = sizeof...(Pointers);

  template <std::size_t I>
  using picked = decltype(pick_pointer<I, Pointers...>());
  template <std::size_t I>
  static constexpr auto pointer = picked<I>::value;
  template <std::size_t I>
  using member_type = decltype(type_behind(picked<I>::value));  // clang 19 does not deduce from pointer<I> here

  static consteval std::array<std::string_view, count> split(std::string_view list) {
    std::array<std::string_view, count> names{};
    for (std::string_view& name : names) {
      const std::size_t comma = list.find(',');
      name = list.substr(0, comma);
      while (!name.empty() && name.front() == ' ') name.remove_prefix(1);
      while (!name.empty() && name.back() == ' ') name.remove_suffix(1);
      list.remove_prefix(comma == std::string_view::npos ? list.size() : comma + 1);
    }
    return names;
  }
};

}  // namespace etlantic::detail

// For structs that cannot be reflected: constructors, bases, private members, more than 100 fields. Used at global
// scope: ETLANTIC_DESCRIBE(shop::Order, id, total). A class with private members makes
// `template <class> friend struct etlantic::described_members;` its friend. The type must be default-constructible.
#define ETLANTIC_DESCRIBE(type_, ...)                                                 \
  template <>                                                                         \
  struct etlantic::described_members<type_>                                           \
      : etlantic::detail::member_list<ETLANTIC_DETAIL_POINTERS(type_, __VA_ARGS__)> { \
    static constexpr auto names = split(#__VA_ARGS__);                                \
  }

#define ETLANTIC_DETAIL_PARENTHESES ()
#define ETLANTIC_DETAIL_EXPAND(...) \
  ETLANTIC_DETAIL_EXPAND4(ETLANTIC_DETAIL_EXPAND4(ETLANTIC_DETAIL_EXPAND4(ETLANTIC_DETAIL_EXPAND4(__VA_ARGS__))))
#define ETLANTIC_DETAIL_EXPAND4(...) \
  ETLANTIC_DETAIL_EXPAND3(ETLANTIC_DETAIL_EXPAND3(ETLANTIC_DETAIL_EXPAND3(ETLANTIC_DETAIL_EXPAND3(__VA_ARGS__))))
#define ETLANTIC_DETAIL_EXPAND3(...) \
  ETLANTIC_DETAIL_EXPAND2(ETLANTIC_DETAIL_EXPAND2(ETLANTIC_DETAIL_EXPAND2(ETLANTIC_DETAIL_EXPAND2(__VA_ARGS__))))
#define ETLANTIC_DETAIL_EXPAND2(...) \
  ETLANTIC_DETAIL_EXPAND1(ETLANTIC_DETAIL_EXPAND1(ETLANTIC_DETAIL_EXPAND1(ETLANTIC_DETAIL_EXPAND1(__VA_ARGS__))))
#define ETLANTIC_DETAIL_EXPAND1(...) __VA_ARGS__
#define ETLANTIC_DETAIL_POINTERS(type_, ...) ETLANTIC_DETAIL_EXPAND(ETLANTIC_DETAIL_POINTER(type_, __VA_ARGS__))
#define ETLANTIC_DETAIL_POINTER(type_, first, ...) \
  &type_::first __VA_OPT__(, ETLANTIC_DETAIL_AGAIN ETLANTIC_DETAIL_PARENTHESES(type_, __VA_ARGS__))
#define ETLANTIC_DETAIL_AGAIN() ETLANTIC_DETAIL_POINTER
