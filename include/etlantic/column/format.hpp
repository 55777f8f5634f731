#pragma once
#include <etlantic/column/column.hpp>
#include <etlantic/core/integer128.hpp>
#include <etlantic/core/time.hpp>

#include <charconv>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace etlantic {

/// Room that is enough for the text of any number, day or time.
inline constexpr std::size_t scalar_text_size = 64;

/// The `write_` functions put a value's text at `to`, without a terminating zero, and return its end.
template <std::integral T>
char* write_integer(char* to, T value) {
  return std::to_chars(to, to + scalar_text_size, value).ptr;
}

inline char* write_characters(char* to, std::string_view characters) {
  std::memcpy(to, characters.data(), characters.size());
  return to + characters.size();
}

namespace detail {

/// Exactly `digits` digits, with zeros in front.
inline char* write_padded(char* to, std::uint64_t value, int digits) {
  for (int i = digits - 1; i >= 0; --i) {
    to[i] = static_cast<char>('0' + value % 10);
    value /= 10;
  }
  return to + digits;
}

inline char* write_unsigned(char* to, uint128 value) {
  constexpr std::uint64_t chunk = 10'000'000'000'000'000'000u;  // 10^19, the greatest power that fits
  if (value < chunk) return write_integer(to, static_cast<std::uint64_t>(value));
  return write_padded(write_unsigned(to, value / chunk), static_cast<std::uint64_t>(value % chunk), 19);
}

inline char* write_two(char* to, unsigned value) {
  to[0] = static_cast<char>('0' + value / 10);
  to[1] = static_cast<char>('0' + value % 10);
  return to + 2;
}

/// Years beyond four digits get a sign, as ISO 8601's expanded form does; RFC 3339 has no text for them.
inline char* write_civil_day(char* to, civil_day day) {
  if (day.year < 0 || day.year > 9999) *to++ = day.year < 0 ? '-' : '+';
  const auto year = static_cast<std::uint64_t>(day.year < 0 ? -day.year : day.year);
  to = year > 9999 ? write_integer(to, year) : write_padded(to, year, 4);
  *to++ = '-';
  to = write_two(to, day.month);
  *to++ = '-';
  return write_two(to, day.day);
}

}  // namespace detail

/// `scaled / 10^scale` with all its digits: `12.30`, `-0.05`, `7`.
inline char* write_decimal(char* to, int128 scaled, int scale) {
  if (scaled < 0) *to++ = '-';
  const uint128 magnitude = scaled < 0 ? ~static_cast<uint128>(scaled) + 1 : static_cast<uint128>(scaled);
  char digits[scalar_text_size];
  const auto count = static_cast<int>(detail::write_unsigned(digits, magnitude) - digits);
  if (count <= scale) {
    *to++ = '0';
    if (scale == 0) return to;
    *to++ = '.';
    std::memset(to, '0', static_cast<std::size_t>(scale - count));
    to += scale - count;
    return write_characters(to, {digits, static_cast<std::size_t>(count)});
  }
  to = write_characters(to, {digits, static_cast<std::size_t>(count - scale)});
  if (scale == 0) return to;
  *to++ = '.';
  return write_characters(to, {digits + count - scale, static_cast<std::size_t>(scale)});
}

/// The shortest text that reads back to the same bits; `NaN`, `Infinity`, `-Infinity` for what has no number.
template <std::floating_point T>
char* write_real(char* to, T value) {
  if (std::isnan(value)) return write_characters(to, "NaN");
  if (std::isinf(value)) return write_characters(to, value < 0 ? "-Infinity" : "Infinity");
  // "-0" is an integer to many readers, and so loses its sign.
  if (value == 0) return write_characters(to, std::signbit(value) ? "-0.0" : "0.0");
  return std::to_chars(to, to + scalar_text_size, value).ptr;
}

/// `2026-01-31`
inline char* write_date(char* to, date day) { return detail::write_civil_day(to, civil_from_days(day.days)); }

/// `2026-01-31T08:00:00.000000Z`: always six digits, so that the order of the texts is the order of the times.
inline char* write_timestamp(char* to, timestamp time) {
  constexpr std::int64_t day = 86'400'000'000;
  const std::int64_t days = floor_divide(time.microseconds, day);
  // Not `time - days * day`: the product leaves the range on the first day there is.
  const std::int64_t rest = time.microseconds % day;
  const auto within = static_cast<std::uint64_t>(rest < 0 ? rest + day : rest);
  to = detail::write_civil_day(to, civil_from_days(days));
  const auto seconds = static_cast<unsigned>(within / 1'000'000);
  *to++ = 'T';
  to = detail::write_two(to, seconds / 3600);
  *to++ = ':';
  to = detail::write_two(to, seconds / 60 % 60);
  *to++ = ':';
  to = detail::write_two(to, seconds % 60);
  *to++ = '.';
  to = detail::write_padded(to, within % 1'000'000, 6);
  *to++ = 'Z';
  return to;
}

/// The time as the contract's data has it: RFC 3339, or a count of the unit since 1970 (with a fraction only where
/// the value has one, because cutting it would change the value).
inline char* write_timestamp(char* to, timestamp time, time_form form) {
  if (form == time_form::rfc3339) return write_timestamp(to, time);
  const int scale = form == time_form::epoch_seconds ? 6 : form == time_form::epoch_milliseconds ? 3 : 0;
  char* end = write_decimal(to, time.microseconds, scale);
  if (scale == 0) return end;
  while (end[-1] == '0') --end;
  return end[-1] == '.' ? end - 1 : end;
}

/// The scaled integer of a decimal column's row.
inline int128 scaled_at(const column& from, std::size_t row) {
  return from.field->precision <= 18 ? int128{from.value<std::int64_t>(row)} : from.value<int128>(row);
}

inline std::string_view enumerator_at(const column& from, std::size_t row) {
  const auto index = value_width(*from.field) == 1 ? static_cast<std::size_t>(from.value<std::uint8_t>(row))
                                                   : static_cast<std::size_t>(from.value<std::uint16_t>(row));
  return index < from.field->enumerators.size() ? from.field->enumerators[index] : std::string_view("?");
}

/// The text of a present value that is a bool, number, day, time or duration (in microseconds).
inline char* write_scalar(char* to, const column& from, std::size_t row) {
  switch (from.field->type) {
    case logical_type::boolean: return write_characters(to, from.is_true(row) ? "true" : "false");
    case logical_type::int8: return write_integer(to, from.value<std::int8_t>(row));
    case logical_type::int16: return write_integer(to, from.value<std::int16_t>(row));
    case logical_type::int32: return write_integer(to, from.value<std::int32_t>(row));
    case logical_type::int64:
    case logical_type::duration: return write_integer(to, from.value<std::int64_t>(row));
    case logical_type::uint8: return write_integer(to, from.value<std::uint8_t>(row));
    case logical_type::uint16: return write_integer(to, from.value<std::uint16_t>(row));
    case logical_type::uint32: return write_integer(to, from.value<std::uint32_t>(row));
    case logical_type::uint64: return write_integer(to, from.value<std::uint64_t>(row));
    case logical_type::float32: return write_real(to, from.value<float>(row));
    case logical_type::float64: return write_real(to, from.value<double>(row));
    case logical_type::decimal: return write_decimal(to, scaled_at(from, row), from.field->scale);
    case logical_type::date: return write_date(to, date{from.value<std::int32_t>(row)});
    case logical_type::timestamp:
      return write_timestamp(to, timestamp{from.value<std::int64_t>(row)}, from.field->form);
    case logical_type::text:
    case logical_type::binary:
    case logical_type::enumeration:
    case logical_type::structure:
    case logical_type::list: break;
  }
  return to;
}

/// RFC 4648 with padding.
inline void append_base64(std::string& to, std::string_view bytes) {
  constexpr std::string_view alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const auto byte = [&](std::size_t i) { return static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[i])); };
  const auto put = [&](std::uint32_t group, int characters) {
    for (int i = 0; i < characters; ++i) to.push_back(alphabet[group >> (18 - 6 * i) & 63u]);
  };
  std::size_t i = 0;
  for (; i + 3 <= bytes.size(); i += 3) put(byte(i) << 16 | byte(i + 1) << 8 | byte(i + 2), 4);
  if (i + 1 == bytes.size()) {
    put(byte(i) << 16, 2);
    to += "==";
  } else if (i + 2 == bytes.size()) {
    put(byte(i) << 16 | byte(i + 1) << 8, 3);
    to += '=';
  }
}

}  // namespace etlantic
