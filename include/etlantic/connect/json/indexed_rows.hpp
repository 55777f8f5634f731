#pragma once
#include <etlantic/column/block.hpp>
#include <etlantic/column/check.hpp>
#include <etlantic/connect/json/column_rows.hpp>
#include <etlantic/connect/json/fast_values.hpp>
#include <etlantic/connect/json/line_index.hpp>
#include <etlantic/connect/json/member_lookup.hpp>
#include <etlantic/connect/json/value_plan.hpp>
#include <etlantic/connect/json/value_writer.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace etlantic::detail {

/// Decodes lines of any layout with the help of a `line_index`, which says where names and texts end. Accepts no line
/// that the general code would not accept, and never decides that one is wrong. For lines without control characters.
class indexed_rows {
 public:
  indexed_rows(std::span<const value_plan> plans, const member_lookup& names, value_writer& writer)
      : plans_(plans), names_(names), writer_(writer), seen_(plans.size()) {
    for (const value_plan& each : plans) has_lists_ |= !each.is_leaf;
  }

  /// Writes the line as row `row`, or gives false. `is_escaped`: there are backslashes in it.
  bool decode(const line_index& lines, std::size_t line, bool is_escaped, block& into, std::size_t row) {
    is_escaped_ = is_escaped;
    place_ = {lines.begin(), lines.begin() + lines.line_begin(line), lines.begin() + lines.line_end(line),
              lines.quotes() + lines.first_quote(line), lines.quotes() + lines.first_quote(line + 1)};
    if (place_.end != place_.at && place_.end[-1] == '\r') --place_.end;
    const bool decoded = read_object(into, row);
    if (!decoded && has_lists_)
      for (column& each : into.columns) forget_from(each, row);
    return decoded;
  }

 private:
  /// Where the reader stands: on a byte and on the first quote at or behind it.
  struct reading_place {
    const char* base = nullptr;
    const char* at = nullptr;
    const char* end = nullptr;
    const std::uint32_t* quote = nullptr;
    const std::uint32_t* quotes_end = nullptr;

    void skip_blanks() {
      while (at < end && is_json_blank(*at)) ++at;
    }
    bool is_on(char c) const { return at < end && *at == c; }
    /// Takes the string that begins here: its text, without the quotes. False if there is none.
    bool take_string(std::string_view& text) {
      if (quotes_end - quote < 2 || base + quote[0] != at) return false;
      text = {at + 1, quote[1] - quote[0] - 1};
      at = base + quote[1] + 1;
      quote += 2;
      return true;
    }
  };

  bool read_object(block& into, std::size_t row) {
    place_.skip_blanks();
    if (!place_.is_on('{')) return false;
    ++place_.at;
    place_.skip_blanks();
    std::fill(seen_.begin(), seen_.end(), std::uint8_t{0});
    std::size_t seen = 0;
    if (!place_.is_on('}')) {
      for (;;) {
        std::string_view name;
        if (!place_.take_string(name) || has_escapes(name)) return false;
        place_.skip_blanks();
        if (!place_.is_on(':')) return false;
        ++place_.at;
        place_.skip_blanks();
        const std::ptrdiff_t field = names_.find(name.data(), name.size());
        if (field >= 0) {
          const auto known = static_cast<std::size_t>(field);
          if (std::exchange(seen_[known], 1) != 0) return false;  // which of them counts is not decided here
          ++seen;
          if (!read_value(plans_[known], into.columns[known], row)) return false;
        } else if (json_token ignored; !take_token(ignored)) {
          return false;
        }
        place_.skip_blanks();
        if (place_.at >= place_.end) return false;
        const char separator = *place_.at++;
        if (separator == '}') break;
        if (separator != ',') return false;
        place_.skip_blanks();
      }
    } else {
      ++place_.at;
    }
    place_.skip_blanks();
    return place_.at == place_.end && (seen == seen_.size() || write_absent(into, row));
  }

  bool write_absent(block& into, std::size_t row) {
    for (std::size_t i = 0; i < seen_.size(); ++i) {
      if (seen_[i] != 0) continue;
      if (!plans_[i].nullable) return false;
      write_null(into.columns[i], row);
    }
    return true;
  }

  bool read_value(const value_plan& plan, column& values, std::size_t row) {
    const char* const begin = place_.at;
    std::int64_t value = 0;
    const char* behind = nullptr;
    switch (plan.form) {
      case value_form::text: {
        if (is_escaped_) return read_any(values, row);
        std::string_view text;
        if (!place_.take_string(text)) return read_any(values, row);
        if (plan.nullable) mark_present(values, row);
        values.data<text_view>()[row] = view_of(text.data(), static_cast<std::uint32_t>(text.size()), values.borrowed);
        return !plan.checks_more || !broken_constraint(values, row);
      }
      case value_form::enumeration: {
        std::string_view text;
        if (!place_.take_string(text)) return read_any(values, row);
        const std::size_t found = find_enumerator(plan.enumerators, text.data(), text.size());
        if (found == plan.enumerators.size()) return false;
        if (plan.nullable) mark_present(values, row);
        values.values.data()[row] = static_cast<std::byte>(found);
        return !plan.checks_more || !broken_constraint(values, row);
      }
      case value_form::timestamp: {
        if (!place_.is_on('"') || (behind = timestamps_.read(begin + 1, value)) == nullptr)
          return read_any(values, row);
        std::string_view text;
        if (!place_.take_string(text) || behind != text.data() + text.size()) return false;
        break;
      }
      case value_form::integer:
        behind = read_fast_integer(begin, value);
        if (behind == nullptr || (plan.unit != 1 && __builtin_mul_overflow(value, plan.unit, &value)))
          return read_any(values, row);
        place_.at = behind;
        break;
      case value_form::decimal:
        behind = read_fast_decimal(begin, plan.scale, plan.unit, value);
        if (behind == nullptr) return read_any(values, row);
        place_.at = behind;
        break;
      case value_form::any: return read_any(values, row);
    }
    if ((value < plan.least) | (value > plan.greatest)) return false;
    if (plan.nullable) mark_present(values, row);
    store_integer(values.values.data() + row * plan.width, plan.width, value);
    return !plan.checks_more || !broken_constraint(values, row);
  }

  // The general way, for one value.
  bool read_any(column& values, std::size_t row) {
    json_token token;
    if (!take_token(token)) return false;
    violations_.clear();
    return writer_.write(values, row, token, violations_);
  }

  bool take_token(json_token& token) {
    if (place_.is_on('"')) {
      token.kind = json_kind::string;
      if (!place_.take_string(token.text)) return false;
      token.escaped = has_escapes(token.text);
      return !token.escaped || has_sound_escapes(token.text);
    }
    json_fault fault;
    const char* const behind = read_json_value(place_.at, place_.end, 1, token, fault);
    if (behind == nullptr) return false;
    place_.at = behind;
    while (place_.quote != place_.quotes_end && place_.base + *place_.quote < behind) ++place_.quote;
    return true;
  }

  bool has_escapes(std::string_view text) const { return is_escaped_ && text.find('\\') != std::string_view::npos; }

  static bool has_sound_escapes(std::string_view text) {
    const char* const end = text.data() + text.size();
    for (const char* at = text.data(); at != end;) {
      at = static_cast<const char*>(std::memchr(at, '\\', static_cast<std::size_t>(end - at)));
      if (at == nullptr) return true;
      at = skip_json_escape(at, end);
      if (at == nullptr) return false;
    }
    return true;
  }

  std::span<const value_plan> plans_;
  const member_lookup& names_;
  value_writer& writer_;
  fast_timestamps timestamps_;
  reading_place place_;
  std::vector<std::uint8_t> seen_;  // by place in the contract
  std::vector<violation> violations_;
  bool has_lists_ = false;
  bool is_escaped_ = false;
};

}  // namespace etlantic::detail
