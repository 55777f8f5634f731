#pragma once
#include "support/rows.hpp"

#include <etlantic/connect/json/decoder.hpp>
#include <etlantic/core/format_decimal.hpp>
#include <etlantic/core/format_number.hpp>

#include <cstring>
#include <map>
#include <string>
#include <string_view>

namespace etlantic::test {

inline const schema& rejected_schema() {
  static const field_description fields[] = {
      plain_field("split", logical_type::text),     plain_field("position", logical_type::int64),
      plain_field("code", logical_type::text),      plain_field("field", logical_type::text),
      plain_field("reason", logical_type::text),    plain_field("violations", logical_type::text),
      plain_field("payload", logical_type::binary), plain_field("observed_time", logical_type::timestamp),
      plain_field("pipeline", logical_type::text),  plain_field("contract", logical_type::text)};
  static const schema described{.id = "rejected", .version = "1.0.0", .fields = fields};
  return described;
}

/// A value as text that differs whenever the value or its place in memory says something else.
inline std::string value_text(const column& values, std::size_t row) {
  if (!values.is_valid(row)) return "null";
  switch (values.field->type) {
    case logical_type::boolean: return values.is_true(row) ? "true" : "false";
    case logical_type::text:
    case logical_type::binary: return "'" + std::string(values.text_at(row)) + "'";
    case logical_type::decimal:
      return format_decimal(
          value_width(*values.field) == 8 ? values.value<std::int64_t>(row) : values.value<int128>(row),
          values.field->scale);
    case logical_type::float32: return format_floating(values.value<float>(row));
    case logical_type::float64: return format_floating(values.value<double>(row));
    case logical_type::structure: {
      std::string text = "{";
      for (const column& child : values.children) text += value_text(child, row) + " ";
      return text + "}";
    }
    case logical_type::list: {
      std::string text = "[";
      for (std::int32_t i = values.list_begin(row); i < values.list_end(row); ++i)
        text += value_text(values.children[0], static_cast<std::size_t>(i)) + " ";
      return text + "]";
    }
    case logical_type::uint64: return std::to_string(values.value<std::uint64_t>(row));
    default: break;
  }
  std::int64_t number = 0;
  const bool is_unsigned = values.field->type == logical_type::enumeration ||
                           values.field->type == logical_type::uint8 || values.field->type == logical_type::uint16 ||
                           values.field->type == logical_type::uint32;
  switch (value_width(*values.field)) {
    case 1: number = is_unsigned ? values.value<std::uint8_t>(row) : values.value<std::int8_t>(row); break;
    case 2: number = is_unsigned ? values.value<std::uint16_t>(row) : values.value<std::int16_t>(row); break;
    case 4:
      number =
          is_unsigned ? static_cast<std::int64_t>(values.value<std::uint32_t>(row)) : values.value<std::int32_t>(row);
      break;
    default: number = values.value<std::int64_t>(row);
  }
  return std::to_string(number);
}

/// Every row that a decoder hands over, as text by its place in the input: `valid 7 'a' null` or
/// `PMSTREAM202 id=missing <payload>`.
struct decoded_rows final : row_receiver {
  std::map<std::int64_t, std::string> rows;
  std::size_t blocks = 0;
  std::size_t largest_block = 0;
  std::string split;
  bool in_order = true;  ///< the valid rows came in the order of their places, and so did the others

  result<void> valid(const block& given) override {
    note(given, last_valid_);
    for (std::size_t row = 0; row < given.rows; ++row) {
      std::string text = "valid";
      for (const column& each : given.columns) text += " " + value_text(each, row);
      add(given.positions.at(row), text);
    }
    return {};
  }

  result<void> invalid(const block& given) override {
    note(given, last_invalid_);
    for (std::size_t row = 0; row < given.rows; ++row) {
      const auto text = [&](std::size_t i) { return std::string(given.columns[i].text_at(row)); };
      const std::string wrong = text(2) == "PMSTREAM202" ? text(5) : text(4);
      add(given.positions.at(row), text(2) + " " + wrong + " " + text(6));
    }
    return {};
  }

 private:
  void note(const block& given, std::int64_t& last) {
    for (std::size_t row = 0; row < given.rows; ++row) {
      in_order = in_order && given.positions.at(row) > last;
      last = given.positions.at(row);
    }
    ++blocks;
    largest_block = std::max(largest_block, given.rows);
    split = given.split;
  }

  std::int64_t last_valid_ = -1;
  std::int64_t last_invalid_ = -1;

  // Two rows from one place would hide one of them.
  void add(std::int64_t position, const std::string& text) {
    const auto [place, is_new] = rows.emplace(position, text);
    if (!is_new) place->second += " AND " + text;
  }
};

/// A copy of the bytes with the padding that decoders ask for, filled with what would mislead them most.
class padded_bytes {
 public:
  explicit padded_bytes(std::string_view bytes) : size_(bytes.size()), bytes_(bytes) {
    bytes_ += "}\n{\"id\":1,\"name\":\"\"}\n";
    bytes_.resize(size_ + 64, '0');
  }
  std::string_view view() const { return {bytes_.data(), size_}; }

 private:
  std::size_t size_;
  std::string bytes_;
};

}  // namespace etlantic::test
