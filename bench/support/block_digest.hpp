#pragma once
#include <support/digest.hpp>

#include <etlantic/column/block.hpp>
#include <etlantic/core/integer128.hpp>

#include <cstdint>
#include <cstdlib>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bench {

/// A text key counts as the number behind its last dash.
inline std::int64_t number_in(std::string_view text) {
  return std::strtoll(std::string(text.substr(text.rfind('-') + 1)).c_str(), nullptr, 10);
}

inline std::int64_t whole_value(const etlantic::column& values, std::size_t row) {
  using etlantic::logical_type;
  switch (values.field->type) {
    case logical_type::text: return number_in(values.text_at(row));
    case logical_type::int32: return values.value<std::int32_t>(row);
    case logical_type::enumeration: return values.value<std::int8_t>(row);
    case logical_type::int64:
    case logical_type::timestamp: return values.value<std::int64_t>(row);
    case logical_type::decimal:
      return etlantic::value_width(*values.field) == 8 ? values.value<std::int64_t>(row)
                                                       : static_cast<std::int64_t>(values.value<etlantic::int128>(row));
    default: throw std::runtime_error("a result has a type that no digest is made of");
  }
}

inline void add_value(digest& into, std::size_t& reals, const etlantic::column& values, std::size_t row) {
  const bool is_real = values.field->type == etlantic::logical_type::float64;
  const bool is_float = values.field->type == etlantic::logical_type::float32;
  if (is_real || is_float) {
    const std::size_t place = reals++;
    if (values.is_valid(row))
      into.add_real(place, is_real ? values.value<double>(row) : static_cast<double>(values.value<float>(row)));
  } else {
    into.add(values.is_valid(row) ? whole_value(values, row) : digest::null);
  }
}

inline void add_row(digest& into, const etlantic::block& rows, std::size_t row) {
  std::size_t reals = 0;
  into.begin_row();
  for (const etlantic::column& values : rows.columns) add_value(into, reals, values, row);
  into.end_row();
}

inline std::string digest_of(const std::vector<etlantic::block>& blocks) {
  digest made;
  for (const etlantic::block& each : blocks)
    for (std::size_t row = 0; row < each.rows; ++row) add_row(made, each, row);
  return made.to_json();
}

/// Of the last row of each key, which is what update mode leaves in a table.
inline std::string digest_of_newest(const std::vector<etlantic::block>& blocks) {
  std::set<std::vector<std::int64_t>> seen;
  digest made;
  for (auto each = blocks.rbegin(); each != blocks.rend(); ++each)
    for (std::size_t row = each->rows; row-- > 0;) {
      std::vector<std::int64_t> key;
      for (const etlantic::column& values : each->columns)
        if (values.field->key_position >= 0) key.push_back(whole_value(values, row));
      if (seen.insert(std::move(key)).second) add_row(made, *each, row);
    }
  return made.to_json();
}

}  // namespace bench
