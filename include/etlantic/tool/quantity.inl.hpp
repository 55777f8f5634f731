#pragma once
#include <etlantic/core/rfc3339.hpp>
#include <etlantic/tool/quantity.hpp>

#include <charconv>
#include <cstdio>
#include <span>

namespace etlantic {

namespace detail {

struct quantity_unit {
  std::string_view name;
  std::int64_t factor;
};

// A whole number that is not negative, followed by one of the units.
inline std::optional<std::int64_t> parse_quantity(std::string_view text, std::span<const quantity_unit> units) {
  std::int64_t number = 0;
  if (text.empty() || text.front() == '-') return std::nullopt;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (problem != std::errc{}) return std::nullopt;
  std::string_view rest(end, static_cast<std::size_t>(text.data() + text.size() - end));
  while (!rest.empty() && rest.front() == ' ') rest.remove_prefix(1);
  for (const quantity_unit& each : units) {
    if (each.name != rest) continue;
    if (number > INT64_MAX / each.factor) return std::nullopt;
    return number * each.factor;
  }
  return std::nullopt;
}

inline constexpr quantity_unit duration_units[] = {{"us", 1},
                                                   {"ms", 1'000},
                                                   {"s", 1'000'000},
                                                   {"min", 60'000'000},
                                                   {"h", std::int64_t{3'600'000'000}},
                                                   {"d", std::int64_t{86'400'000'000}}};

inline constexpr std::int64_t kibi = 1024;
inline constexpr std::int64_t kilo = 1000;
inline constexpr quantity_unit size_units[] = {{"", 1},
                                               {"B", 1},
                                               {"k", kilo},
                                               {"K", kilo},
                                               {"kB", kilo},
                                               {"KB", kilo},
                                               {"M", kilo* kilo},
                                               {"MB", kilo* kilo},
                                               {"G", kilo* kilo* kilo},
                                               {"GB", kilo* kilo* kilo},
                                               {"T", kilo* kilo* kilo* kilo},
                                               {"TB", kilo* kilo* kilo* kilo},
                                               {"Ki", kibi},
                                               {"KiB", kibi},
                                               {"Mi", kibi* kibi},
                                               {"MiB", kibi* kibi},
                                               {"Gi", kibi* kibi* kibi},
                                               {"GiB", kibi* kibi* kibi},
                                               {"Ti", kibi* kibi* kibi* kibi},
                                               {"TiB", kibi* kibi* kibi* kibi}};
inline constexpr quantity_unit count_units[] = {
    {"", 1}, {"k", kilo}, {"K", kilo}, {"M", kilo* kilo}, {"G", kilo* kilo* kilo}};

}  // namespace detail

[[gnu::used]] inline std::optional<duration> parse_duration(std::string_view text) {
  const auto microseconds = detail::parse_quantity(text, detail::duration_units);
  if (!microseconds) return std::nullopt;
  return duration{*microseconds};
}

[[gnu::used]] inline std::optional<std::int64_t> parse_size(std::string_view text) {
  return detail::parse_quantity(text, detail::size_units);
}

[[gnu::used]] inline std::optional<std::int64_t> parse_count(std::string_view text) {
  return detail::parse_quantity(text, detail::count_units);
}

[[gnu::used]] inline std::string to_text(duration length) {
  const std::int64_t microseconds = length.count();
  if (microseconds == 0) return "0s";
  const detail::quantity_unit* greatest = &detail::duration_units[0];
  for (const detail::quantity_unit& each : detail::duration_units)
    if (microseconds % each.factor == 0) greatest = &each;
  return std::to_string(microseconds / greatest->factor) + std::string(greatest->name);
}

[[gnu::used]] inline std::string size_text(std::int64_t bytes) {
  if (bytes == INT64_MAX) return "no limit";
  constexpr detail::quantity_unit units[] = {{"B", 1},
                                             {"KiB", detail::kibi},
                                             {"MiB", detail::kibi * detail::kibi},
                                             {"GiB", detail::kibi * detail::kibi * detail::kibi}};
  const detail::quantity_unit* greatest = &units[0];
  for (const detail::quantity_unit& each : units)
    if (bytes != 0 && bytes % each.factor == 0) greatest = &each;
  return std::to_string(bytes / greatest->factor) + std::string(greatest->name);
}

[[gnu::used]] inline std::string short_size(std::int64_t bytes) {
  if (bytes < detail::kibi) return std::to_string(bytes) + (bytes == 1 ? " byte" : " bytes");
  constexpr const char* units[] = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  std::size_t unit = 0;
  auto size = static_cast<double>(bytes) / 1024;
  for (; size >= 1023.95; size /= 1024) ++unit;  // what would be told as 1024.0
  char text[32];
  std::snprintf(text, sizeof text, "%.1f %s", size, units[unit]);
  return text;
}

[[gnu::used]] inline std::string grouped(std::int64_t number) {
  std::string digits = std::to_string(number);
  const std::size_t first = number < 0 ? 1 : 0;
  for (std::size_t place = digits.size(); place > first + 3;) digits.insert(place -= 3, 1, ',');
  return digits;
}

[[gnu::used]] inline std::string to_text(timestamp when) {
  std::string text = format_rfc3339(when);
  text.pop_back();
  // a watermark is a whole number of milliseconds, and mostly of seconds
  if (text.ends_with(".000000"))
    text.resize(text.size() - 7);
  else if (text.ends_with("000"))
    text.resize(text.size() - 3);
  return text + "Z";
}

}  // namespace etlantic
