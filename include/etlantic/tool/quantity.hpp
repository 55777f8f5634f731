#pragma once
#include <etlantic/core/time.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace etlantic {

/// `250us 250ms 10s 5min 1h 1d`: a whole number and its unit, nothing else.
std::optional<duration> parse_duration(std::string_view text);

/// `4096 64MiB 1GB 100k`: units of 1000 (k M G T, with or without B) or 1024 (Ki Mi Gi Ti, with or without B).
std::optional<std::int64_t> parse_size(std::string_view text);

/// `100000 100k 2M`: a number of things, units of 1000.
std::optional<std::int64_t> parse_count(std::string_view text);

inline constexpr std::string_view duration_help = "write a whole number and a unit: 250ms, 10s, 5min, 1h, 1d";
inline constexpr std::string_view size_help =
    "write a whole number of bytes, with a unit if you like: 4096, 100k, 64MiB, 1GB";
inline constexpr std::string_view count_help = "write a whole number: 100000, 100k, 2M";

/// In the greatest unit that says it exactly: `90s`, `1h`.
std::string to_text(duration length);
/// In the greatest unit of 1024 that says it exactly; `no limit` for the greatest number.
std::string size_text(std::int64_t bytes);
/// For people, rounded: `812 bytes`, `1.5 KiB`, `23.4 GiB`.
std::string short_size(std::int64_t bytes);
/// `12,345,678`.
std::string grouped(std::int64_t number);
/// RFC 3339 in UTC, with a fraction only where there is one: `2026-03-01T12:00:00Z`, `...00.250Z`.
std::string to_text(timestamp when);

}  // namespace etlantic
