#pragma once
#include <etlantic/connect/delta/failure.hpp>
#include <etlantic/connect/delta/partition.hpp>
#include <etlantic/connect/delta/schema_match.inl.hpp>
#include <etlantic/core/format_decimal.hpp>
#include <etlantic/core/format_number.hpp>
#include <etlantic/core/parse_double.hpp>
#include <etlantic/core/rfc3339.hpp>

#include <cmath>
#include <limits>

namespace etlantic::delta {

namespace detail {

template <class T>
std::string floating_text(T value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "Infinity" : "-Infinity";
  return format_floating(value);
}

template <class T>
std::optional<T> floating_of(const std::string& text) {
  if (text == "NaN") return std::numeric_limits<T>::quiet_NaN();
  if (text == "Infinity") return std::numeric_limits<T>::infinity();
  if (text == "-Infinity") return -std::numeric_limits<T>::infinity();
  const auto parsed = parse_floating<T>(text);
  return parsed.ok() ? std::optional<T>(parsed.value) : std::nullopt;
}

/// `2026-01-31T08:00:00.5Z`, `2026-01-31 08:00:00` (in UTC): logs have both.
inline std::optional<std::int64_t> time_of(std::string text) {
  if (text.size() > 10 && text[10] == ' ') text[10] = 'T';
  auto parsed = parse_rfc3339(text);
  if (!parsed) parsed = parse_rfc3339(text + 'Z');
  return parsed ? std::optional(parsed->microseconds) : std::nullopt;
}

inline bool set_from_text(column& to, std::size_t row, const std::string& text) {
  switch (to.field->type) {
    case logical_type::boolean: to.set_bool(row, text == "true"); return text == "true" || text == "false";
    case logical_type::float32: {
      const auto value = floating_of<float>(text);
      if (value) to.set(row, *value);
      return value.has_value();
    }
    case logical_type::float64: {
      const auto value = floating_of<double>(text);
      if (value) to.set(row, *value);
      return value.has_value();
    }
    case logical_type::text:
    case logical_type::binary: to.set_text(row, text); return true;
    case logical_type::date: {
      const auto value = parse_date(text);
      if (value) to.set(row, value->days);
      return value.has_value();
    }
    case logical_type::timestamp: {
      const auto value = time_of(text);
      if (value) to.set(row, *value);
      return value.has_value();
    }
    default: {
      const auto value =
          parse_decimal(text, to.field->type == logical_type::decimal ? to.field->precision : 38, to.field->scale);
      return value.ok() && set_integer(to, row, value.value);
    }
  }
}

}  // namespace detail

[[gnu::used]] inline bool can_partition(const field_description& field) {
  return field.type != logical_type::structure && field.type != logical_type::list &&
         field.type != logical_type::binary;
}

[[gnu::used]] inline std::optional<std::string> partition_text(const column& of, std::size_t row) {
  if (!of.is_valid(row)) return {};
  switch (of.field->type) {
    case logical_type::boolean: return of.is_true(row) ? "true" : "false";
    case logical_type::float32: return detail::floating_text(of.value<float>(row));
    case logical_type::float64: return detail::floating_text(of.value<double>(row));
    case logical_type::text:
    case logical_type::binary: return std::string(of.text_at(row));
    case logical_type::date: return format_date({of.value<std::int32_t>(row)});
    case logical_type::timestamp: return format_rfc3339({of.value<std::int64_t>(row)});
    default: return format_decimal(detail::integer_at(of, row), of.field->scale);
  }
}

[[gnu::used]] inline bool is_sayable(const std::optional<std::string>& value) { return !value || !value->empty(); }

[[gnu::used]] inline std::optional<std::string> partition_value(const partition_values& values,
                                                                const field_description& field,
                                                                const std::string& name) {
  auto value = values.find(std::string(field.data_name));
  if (value == values.end()) value = values.find(name);
  return value == values.end() ? std::nullopt : value->second;
}

[[gnu::used]] inline result<void> fill_partition(column& to, const std::optional<std::string>& value,
                                                 const std::string& where) {
  const bool is_null = !value || value->empty();
  if (is_null && !to.field->nullable)
    return damaged_log(
        "a file has null in the partition column `" + std::string(to.field->name) + "`, which cannot be null", where);
  for (std::size_t row = 0; row < to.rows; ++row) {
    if (is_null)
      to.set_null(row);
    else if (!detail::set_from_text(to, row, *value))
      return damaged_log("a file has the partition value `" + *value + "` for the column `" +
                             std::string(to.field->name) + "`, which is not of its type",
                         where);
  }
  return {};
}

[[gnu::used]] inline std::string decoded_path(std::string_view path) {
  const auto digit = [](char c) {
    return c >= '0' && c <= '9' ? c - '0' : (c | 0x20) >= 'a' && (c | 0x20) <= 'f' ? (c | 0x20) - 'a' + 10 : -1;
  };
  std::string made;
  for (std::size_t i = 0; i < path.size(); ++i) {
    const int high = path[i] == '%' && i + 2 < path.size() ? digit(path[i + 1]) : -1;
    const int low = high >= 0 ? digit(path[i + 2]) : -1;
    if (low < 0) {
      made += path[i];
      continue;
    }
    made += static_cast<char>(high * 16 + low);
    i += 2;
  }
  if (made.starts_with("file://"))
    made.erase(0, 7);
  else if (made.starts_with("file:/"))
    made.erase(0, 5);
  return made;
}

[[gnu::used]] inline std::string encoded_path(std::string_view path) {
  constexpr std::string_view stays = "-_.~/=:@!$&'()*+,;", hexadecimal = "0123456789ABCDEF";
  std::string made;
  for (const char c : path) {
    const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (is_plain || stays.find(c) != std::string_view::npos) {
      made += c;
      continue;
    }
    made += '%';
    made += hexadecimal[static_cast<unsigned char>(c) >> 4];
    made += hexadecimal[static_cast<unsigned char>(c) & 15u];
  }
  return made;
}

}  // namespace etlantic::delta
