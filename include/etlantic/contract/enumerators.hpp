#pragma once
#include <array>
#include <cstddef>
#include <string_view>
#include <type_traits>
#include <utility>

namespace etlantic {

/// The values of an enumeration that are looked for by name. Specialise for enumerators beyond 0 to 63:
/// `template <> struct etlantic::enumerator_range<Code> { static constexpr int first = -1, last = 200; };`
template <class Enumeration>
struct enumerator_range {
  static constexpr int first = 0;
  static constexpr int last = 63;
};

/// An enumeration whose type is fixed: `enum class`, or `enum name : type`. Others have no value for every integer in
/// the range that is searched, so that asking for its name would be undefined.
template <class T>
concept FixedEnumeration = std::is_enum_v<T> && requires { T{0}; };

namespace detail {

// One instantiation spells all candidates: names for enumerators, casts such as `(status)7` for the rest.
template <class Enumeration, Enumeration... Candidates>
consteval std::string_view spell_candidates() {
  return __PRETTY_FUNCTION__;
}

template <class Enumeration, std::size_t... I>
consteval std::string_view candidates(std::index_sequence<I...>) {
  constexpr int first = enumerator_range<Enumeration>::first;
  using number = std::underlying_type_t<Enumeration>;
  return spell_candidates<Enumeration, static_cast<Enumeration>(static_cast<number>(first + static_cast<int>(I)))...>();
}

template <class Enumeration>
struct enumerator_table {
  static constexpr std::size_t width =
      static_cast<std::size_t>(enumerator_range<Enumeration>::last - enumerator_range<Enumeration>::first + 1);
  std::array<std::string_view, width> names{};
  std::array<Enumeration, width> values{};
  std::size_t count = 0;
};

// Length of the first element of a list: up to a comma or the list's end, whatever stands in brackets, as in
// `(anonymous namespace)::status::paid` or `<unnamed>::status::paid`.
consteval std::size_t element_length(std::string_view list) {
  int depth = 0;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const char c = list[i];
    if (depth == 0 && (c == ',' || c == '}' || c == '>' || c == ']')) return i;
    if (c == '(' || c == '<' || c == '{') ++depth;
    if (c == ')' || c == '>' || c == '}') --depth;
  }
  return list.size();
}

// The identifier at the end of an element; a cast such as `(status)7` or `(status)-1` ends in a number instead.
consteval std::string_view name_at_end(std::string_view element) {
  std::size_t begin = element.size();
  while (begin > 0) {
    const char c = element[begin - 1];
    if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_')) break;
    --begin;
  }
  const std::string_view word = element.substr(begin);
  return word.empty() || (word.front() >= '0' && word.front() <= '9') ? std::string_view{} : word;
}

template <class Enumeration>
consteval enumerator_table<Enumeration> find_enumerators() {
  enumerator_table<Enumeration> found;
  std::string_view text = candidates<Enumeration>(std::make_index_sequence<enumerator_table<Enumeration>::width>{});
  // gcc: `... Candidates = {status::paid, (status)1}; std::...]`  clang: `... Candidates = <status::paid, (status)1>]`
  text.remove_prefix(text.find("Candidates = ") + 14);
  for (std::size_t i = 0; i < enumerator_table<Enumeration>::width; ++i) {
    const std::size_t length = element_length(text);
    const std::string_view name = name_at_end(text.substr(0, length));
    const int number = enumerator_range<Enumeration>::first + static_cast<int>(i);
    const auto value = static_cast<Enumeration>(static_cast<std::underlying_type_t<Enumeration>>(number));
    const bool is_value = static_cast<int>(value) == number;  // not cut to a small type
    if (is_value && !name.empty()) {
      found.names[found.count] = name;
      found.values[found.count] = value;
      ++found.count;
    }
    text.remove_prefix(length < text.size() ? length + 1 : length);
  }
  return found;
}

template <class Enumeration>
inline constexpr enumerator_table<Enumeration> enumerators_found = find_enumerators<Enumeration>();

template <class Enumeration, std::size_t... I>
consteval auto first_names(std::index_sequence<I...>) {
  return std::array<std::string_view, sizeof...(I)>{enumerators_found<Enumeration>.names[I]...};
}

}  // namespace detail

/// The names of an enumeration's values, in the order of the values; columns hold the index into this list.
template <class Enumeration>
inline constexpr auto enumerator_names =
    detail::first_names<Enumeration>(std::make_index_sequence<detail::enumerators_found<Enumeration>.count>{});

/// Index of a value in enumerator_names, or the number of names if it has none.
template <class Enumeration>
constexpr std::size_t enumerator_index(Enumeration value) {
  const auto& found = detail::enumerators_found<Enumeration>;
  std::size_t i = 0;
  while (i < found.count && found.values[i] != value) ++i;
  return i;
}

template <class Enumeration>
constexpr Enumeration enumerator_at(std::size_t index) {
  return detail::enumerators_found<Enumeration>.values[index];
}

}  // namespace etlantic
