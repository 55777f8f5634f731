#pragma once
#include <etlantic/core/utf8.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

// Parts of UTF-8 text by characters, which are code points, as SQL counts them.

namespace etlantic {

constexpr bool continues_character(char byte) { return (static_cast<unsigned char>(byte) & 0xc0) == 0x80; }

/// The text without its first `count` characters; empty if it has no more.
constexpr std::string_view skip_characters(std::string_view text, std::int64_t count) {
  std::size_t at = 0;
  for (; count > 0 && at < text.size(); --count) {
    ++at;
    while (at < text.size() && continues_character(text[at])) ++at;
  }
  return text.substr(at);
}

constexpr std::string_view first_characters(std::string_view text, std::int64_t count) {
  return text.substr(0, text.size() - skip_characters(text, count).size());
}

/// SQL's substring: `start` counts from 1, or from the end if it is negative; 0 means 1. A part that would begin before
/// the text loses what lies there, as in Spark: substring("abc", -5, 3) is "a".
constexpr std::string_view part_of(std::string_view text, std::int64_t start, std::int64_t count) {
  if (count <= 0 || text.empty()) return {};
  std::int64_t skipped = start > 0 ? start - 1 : 0;
  if (start < 0) {
    skipped = static_cast<std::int64_t>(count_code_points(text)) + start;
    if (skipped < 0) {
      if (count <= -skipped) return {};
      count += skipped;
      skipped = 0;
    }
  }
  return first_characters(skip_characters(text, skipped), count);
}

/// How many parts a text has between separators, which are looked for from its begin and do not overlap. An empty
/// separator separates nothing.
constexpr std::int64_t count_parts(std::string_view text, std::string_view separator) {
  std::int64_t count = 1;
  if (separator.empty()) return count;
  for (std::size_t at = text.find(separator); at != std::string_view::npos; ++count)
    at = text.find(separator, at + separator.size());
  return count;
}

/// SQL's split_part: the first part is 1, the last -1; empty where there is none.
constexpr std::string_view part_between(std::string_view text, std::string_view separator, std::int64_t part) {
  if (part < 0) part += count_parts(text, separator) + 1;
  if (part <= 0) return {};
  for (; !separator.empty(); --part) {
    const std::size_t end = std::min(text.find(separator), text.size());
    if (part == 1) return text.substr(0, end);
    if (end == text.size()) return {};
    text.remove_prefix(end + separator.size());
  }
  return part == 1 ? text : std::string_view{};
}

constexpr std::string_view without_spaces_in_front(std::string_view text) {
  return text.substr(std::min(text.find_first_not_of(' '), text.size()));
}
constexpr std::string_view without_spaces_behind(std::string_view text) {
  return text.substr(0, text.find_last_not_of(' ') + 1);
}

}  // namespace etlantic
