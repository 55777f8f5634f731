#pragma once
#include <etlantic/column/column.hpp>
#include <etlantic/core/format_decimal.hpp>
#include <etlantic/core/format_number.hpp>
#include <etlantic/core/rfc3339.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace etlantic {

/// The time as the contract's data has it: RFC 3339 in UTC, or a count of the unit since 1970 (with a fraction only
/// where the value has one, because cutting it would change the value).
inline char* write_timestamp(char* to, timestamp time, time_form form) {
  if (is_text(form)) return write_timestamp(to, time);
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
    case logical_type::float32: return write_floating(to, from.value<float>(row));
    case logical_type::float64: return write_floating(to, from.value<double>(row));
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

}  // namespace etlantic
