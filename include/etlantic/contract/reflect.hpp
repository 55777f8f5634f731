#pragma once
#include <etlantic/contract/judge.hpp>

#include <boost/pfr/core.hpp>

#include <array>
#include <cstddef>
#include <string_view>
#include <type_traits>
#include <utility>

// The only file that knows Boost.PFR. Pipelines, transformations and contracts are reflected through it.

namespace etlantic {

namespace detail {

template <class T>
struct never_made {
  T value;
};
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wundefined-var-template"
#pragma clang diagnostic ignored "-Wundefined-internal"
#endif
template <class T>
extern const never_made<T> never_made_object;

template <class Pointer>
struct pointer_argument {
  Pointer pointer;
};
template <class Pointer>
pointer_argument(Pointer) -> pointer_argument<Pointer>;

template <auto Argument>
consteval std::string_view spelled_by_compiler() {
  return __PRETTY_FUNCTION__;
}

// gcc ends in `...value.S::name)}]`, clang in `...{&never_made_object.value.name}]`.
consteval std::string_view last_identifier(std::string_view spelling) {
  std::string_view text = spelling.substr(0, spelling.rfind('}'));
  while (!text.empty() && (text.back() == ')' || text.back() == '}')) text.remove_suffix(1);
  std::size_t begin = text.size();
  while (begin > 0) {
    const char c = text[begin - 1];
    const bool in_name = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    if (!in_name) break;
    --begin;
  }
  return text.substr(begin);
}

template <class T, std::size_t I>
consteval std::string_view reflected_name() {
  return last_identifier(spelled_by_compiler<pointer_argument{&boost::pfr::get<I>(never_made_object<T>.value)}>());
}
#if defined(__clang__)
#pragma clang diagnostic pop
#endif

template <class T>
consteval std::size_t count_members() {
  if constexpr (Described<T>)
    return described_members<T>::count;
  else
    return boost::pfr::tuple_size_v<T>;
}

template <class T, std::size_t... I>
consteval auto names_of_members(std::index_sequence<I...>) {
  if constexpr (Described<T>)
    return described_members<T>::names;
  else
    return std::array<std::string_view, sizeof...(I)>{reflected_name<T, I>()...};
}

template <class T, std::size_t I>
struct type_of_member {
  static auto pick() {
    if constexpr (Described<T>)
      return std::type_identity<typename described_members<T>::template member_type<I>>{};
    else
      return std::type_identity<boost::pfr::tuple_element_t<I, T>>{};
  }
  using type = typename decltype(pick())::type;
};

}  // namespace detail

/// Number of members of a reflected struct.
template <class T>
inline constexpr std::size_t member_count = detail::count_members<T>();

/// Names of its members, in order.
template <class T>
inline constexpr std::array<std::string_view, member_count<T>> member_names =
    detail::names_of_members<T>(std::make_index_sequence<member_count<T>>{});

template <class T, std::size_t I>
using member_type = typename detail::type_of_member<T, I>::type;

template <std::size_t I, class T>
constexpr auto& member(T& object) {
  using plain = std::remove_const_t<T>;
  if constexpr (detail::Described<plain>)
    return object.*(described_members<plain>::template pointer<I>);
  else
    return boost::pfr::get<I>(object);
}

/// Index of a member by name, or member_count when there is none.
template <class T>
constexpr std::size_t member_index(std::string_view name) {
  std::size_t i = 0;
  while (i < member_count<T> && member_names<T>[i] != name) ++i;
  return i;
}

/// The name of a type as the program spells it, without namespaces.
template <class T>
consteval std::string_view short_type_name() {
  std::string_view text = __PRETTY_FUNCTION__;
  const std::size_t begin = text.find("T = ") + 4;
  std::size_t end = begin;
  int depth = 0;
  while (end < text.size() && !(depth == 0 && (text[end] == ']' || text[end] == ';'))) {
    if (text[end] == '<' || text[end] == '(' || text[end] == '{') ++depth;
    if (text[end] == '>' || text[end] == ')' || text[end] == '}') --depth;
    ++end;
  }
  text = text.substr(begin, end - begin);
  const std::string_view head = text.substr(0, text.find('<'));
  const std::size_t colons = head.rfind("::");
  return colons == std::string_view::npos ? text : text.substr(colons + 2);
}

namespace detail {
struct reflection_probe {
  int first;
  double second_;
};
static_assert(reflected_name<reflection_probe, 0>() == "first" && reflected_name<reflection_probe, 1>() == "second_",
              "etlantic: this compiler spells member names in a way that contract/reflect.hpp does not read");
}  // namespace detail

}  // namespace etlantic
