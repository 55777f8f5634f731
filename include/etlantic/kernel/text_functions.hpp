#pragma once
#include <etlantic/core/characters.hpp>
#include <etlantic/core/like_pattern.hpp>
#include <etlantic/core/write_text.hpp>
#include <etlantic/expression/text_functions.hpp>
#include <etlantic/kernel/call.hpp>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>

namespace etlantic::kernel {

template <>
struct meaning<etlantic::detail::length_function> {
  explicit meaning(const etlantic::detail::length_function&) {}
  std::int32_t operator()(std::string_view of) const { return static_cast<std::int32_t>(count_code_points(of)); }
};

template <>
struct meaning<etlantic::detail::substring_function> {
  explicit meaning(const etlantic::detail::substring_function&) {}
  std::string_view operator()(std::string_view of, std::int64_t start, std::int64_t count) const {
    return part_of(of, start, count);
  }
};

template <>
struct meaning<etlantic::detail::split_part_function<true>> {
  explicit meaning(const etlantic::detail::split_part_function<true>&) {}
  std::string_view operator()(std::string_view of, std::string_view separator, std::int64_t part) const {
    return part_between(of, separator, part);
  }
};
template <>
struct meaning<etlantic::detail::split_part_function<false>> {
  static constexpr bool can_fail = true;
  explicit meaning(const etlantic::detail::split_part_function<false>&) {}
  std::optional<std::string_view> operator()(std::string_view of, std::string_view separator, std::int64_t part) const {
    if (part == 0) return std::nullopt;
    return part_between(of, separator, part);
  }
};

namespace detail {

/// A text with each byte from First to First + 25 in the other case; one without such bytes is the operand itself.
template <char First>
std::string_view change_case(text_room& room, std::string_view of) {
  const auto changes = [](char c) { return static_cast<unsigned char>(c - First) < 26; };
  if (std::none_of(of.begin(), of.end(), changes)) return of;
  char* const begin = room.begin(of.size());
  char* const end =
      std::transform(of.begin(), of.end(), begin, [&](char c) { return changes(c) ? static_cast<char>(c ^ 0x20) : c; });
  return room.keep(begin, end);
}

}  // namespace detail

template <>
struct meaning<etlantic::detail::upper_function> {
  explicit meaning(const etlantic::detail::upper_function&) {}
  std::string_view operator()(text_room& room, std::string_view of) const { return detail::change_case<'a'>(room, of); }
};
template <>
struct meaning<etlantic::detail::lower_function> {
  explicit meaning(const etlantic::detail::lower_function&) {}
  std::string_view operator()(text_room& room, std::string_view of) const { return detail::change_case<'A'>(room, of); }
};

template <>
struct meaning<etlantic::detail::trim_function> {
  explicit meaning(const etlantic::detail::trim_function&) {}
  std::string_view operator()(std::string_view of) const { return without_spaces_behind(without_spaces_in_front(of)); }
};
template <>
struct meaning<etlantic::detail::ltrim_function> {
  explicit meaning(const etlantic::detail::ltrim_function&) {}
  std::string_view operator()(std::string_view of) const { return without_spaces_in_front(of); }
};
template <>
struct meaning<etlantic::detail::rtrim_function> {
  explicit meaning(const etlantic::detail::rtrim_function&) {}
  std::string_view operator()(std::string_view of) const { return without_spaces_behind(of); }
};

template <>
struct meaning<etlantic::detail::contains_function> {
  explicit meaning(const etlantic::detail::contains_function&) {}
  bool operator()(std::string_view of, std::string_view part) const { return of.find(part) != std::string_view::npos; }
};
template <>
struct meaning<etlantic::detail::starts_with_function> {
  explicit meaning(const etlantic::detail::starts_with_function&) {}
  bool operator()(std::string_view of, std::string_view part) const { return of.starts_with(part); }
};
template <>
struct meaning<etlantic::detail::ends_with_function> {
  explicit meaning(const etlantic::detail::ends_with_function&) {}
  bool operator()(std::string_view of, std::string_view part) const { return of.ends_with(part); }
};

template <>
struct meaning<etlantic::detail::concat_function> {
  explicit meaning(const etlantic::detail::concat_function&) {}
  template <class... Texts>
  std::string_view operator()(text_room& room, const Texts&... texts) const {
    char* const begin = room.begin((texts.size() + ...));
    char* end = begin;
    ((end = write_characters(end, texts)), ...);
    return room.keep(begin, end);
  }
};

template <>
struct meaning<etlantic::detail::like_function> {
  like_pattern pattern;
  explicit meaning(const etlantic::detail::like_function& of) : pattern(of.pattern, of.escape) {}
  bool operator()(std::string_view of) const { return pattern.matches(of); }
};

}  // namespace etlantic::kernel
