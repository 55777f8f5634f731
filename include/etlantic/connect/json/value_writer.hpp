#pragma once
#include <etlantic/column/check.hpp>
#include <etlantic/connect/json/column_rows.hpp>
#include <etlantic/connect/json/members.hpp>
#include <etlantic/connect/json/time_guard.hpp>
#include <etlantic/connect/json/time_units.hpp>
#include <etlantic/core/base64.hpp>
#include <etlantic/core/local_times.hpp>
#include <etlantic/core/parse_double.hpp>
#include <etlantic/core/rfc3339.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace etlantic::detail {

/// Turns checked JSON values into values of columns, and tells what the contract does not allow.
class value_writer {
 public:
  /// Both outlive this.
  value_writer(std::span<const field_description> fields, const time_guard& guard) : fields_(fields), guard_(guard) {}

  /// Writes one field of one row. False when it is wrong; then `violations` has grown.
  bool write(column& into, std::size_t row, const json_token& token, std::vector<violation>& violations) {
    path_ = into.field->name;
    return write_field(into, row, token, violations) && !lies_ahead(into, row, violations);
  }

  /// Where the buffer begins that text may point into; strings with escapes are copied.
  static void borrow_from(column& into, const char* bytes) {
    into.borrowed = bytes;
    for (column& child : into.children) borrow_from(child, bytes);
  }

 private:
  bool lies_ahead(const column& written, std::size_t row, std::vector<violation>& violations) const {
    if (guard_.fields().empty() || written.field->type != logical_type::timestamp || !written.is_valid(row))
      return false;
    if (!guard_.refuses(written, static_cast<std::size_t>(written.field - fields_.data()), row)) return false;
    violations.push_back({path_, violation_reason::future});
    return true;
  }

  using fault = std::optional<violation_reason>;

  bool write_field(column& into, std::size_t row, const json_token& token, std::vector<violation>& violations) {
    const bool absent = token.kind == json_kind::nothing;
    if (absent || token.kind == json_kind::null) {
      if (into.field->nullable) {
        write_null(into, row);
        return true;
      }
      violations.push_back({path_, absent ? violation_reason::missing : violation_reason::null});
      return false;
    }
    mark_present(into, row);
    const std::size_t before = violations.size();
    if (into.field->type == logical_type::structure && token.kind == json_kind::object) {
      write_struct(into, row, token, violations);
    } else if (into.field->type == logical_type::list && token.kind == json_kind::array) {
      write_list(into, row, token, violations);
    } else {
      fault found = write_leaf(into, row, token);
      if (!found) found = broken_constraint(into, row);
      if (found) violations.push_back({path_, *found});
    }
    return violations.size() == before;
  }

  void write_struct(column& into, std::size_t row, const json_token& token, std::vector<violation>& violations) {
    const auto fields = into.field->children;
    const std::size_t first = tokens_.size();
    tokens_.resize(first + fields.size());
    json_fault ignored;
    read_json_object(token.text.data(), token.text.data() + token.text.size(), 0, fields, scratch_, ignored,
                     [&](std::ptrdiff_t field, const json_token& value) {
                       if (field >= 0) tokens_[first + static_cast<std::size_t>(field)] = value;
                     });
    const std::size_t size = path_.size();
    if (const fault found = broken_constraint(into, row)) violations.push_back({path_, *found});
    for (std::size_t i = 0; i < fields.size(); ++i) {
      path_.append(".").append(fields[i].name);
      write_field(into.children[i], row, json_token(tokens_[first + i]), violations);
      path_.resize(size);
    }
    tokens_.resize(first);
  }

  void write_list(column& into, std::size_t row, const json_token& token, std::vector<violation>& violations) {
    const std::size_t size = path_.size();
    const std::size_t place = violations.size();
    column& elements = into.children[0];
    const char* const end = token.text.data() + token.text.size();
    const char* at = skip_json_blanks(token.text.data() + 1, end);
    for (std::size_t index = 0; *at != ']'; ++index) {
      json_token element;
      json_fault ignored;
      at = skip_json_blanks(read_json_value(at, end, 0, element, ignored), end);
      if (*at == ',') at = skip_json_blanks(at + 1, end);
      const std::size_t element_row = elements.rows;
      elements.resize(element_row + 1);
      path_.append("[").append(std::to_string(index)).append("]");
      write_field(elements, element_row, element, violations);
      path_.resize(size);
    }
    offsets_of(into)[row + 1] = detail::place_in_column(elements.rows, 0);
    if (const fault found = broken_constraint(into, row))
      violations.insert(violations.begin() + static_cast<std::ptrdiff_t>(place), {path_, *found});
  }

  fault write_leaf(column& into, std::size_t row, const json_token& token) {
    switch (into.field->type) {
      case logical_type::boolean:
        if (token.kind != json_kind::boolean) return violation_reason::wrong_type;
        into.set_bool(row, token.text == "true");
        return {};
      case logical_type::int8: return write_integer<std::int8_t>(into, row, token);
      case logical_type::int16: return write_integer<std::int16_t>(into, row, token);
      case logical_type::int32: return write_integer<std::int32_t>(into, row, token);
      case logical_type::int64:
      case logical_type::duration: return write_integer<std::int64_t>(into, row, token);
      case logical_type::uint8: return write_integer<std::uint8_t>(into, row, token);
      case logical_type::uint16: return write_integer<std::uint16_t>(into, row, token);
      case logical_type::uint32: return write_integer<std::uint32_t>(into, row, token);
      case logical_type::uint64: return write_integer<std::uint64_t>(into, row, token);
      case logical_type::float32: return write_floating<float>(into, row, token);
      case logical_type::float64: return write_floating<double>(into, row, token);
      case logical_type::decimal: return write_decimal(into, row, token);
      case logical_type::timestamp:
        return is_text(into.field->form) ? write_time_text(into, row, token) : write_epoch(into, row, token);
      case logical_type::text:
      case logical_type::binary:
      case logical_type::date:
      case logical_type::enumeration:
        if (token.kind != json_kind::string) return violation_reason::wrong_type;
        return write_string(into, row, token);
      case logical_type::structure:
      case logical_type::list: break;
    }
    return violation_reason::wrong_type;
  }

  template <class T>
  static fault write_integer(column& into, std::size_t row, const json_token& token) {
    if (token.kind != json_kind::number) return violation_reason::wrong_type;
    const auto parsed = parse_integer<T>(token.text);
    if (parsed.fault == number_fault::out_of_range) return violation_reason::out_of_range;
    if (!parsed.ok()) return violation_reason::wrong_type;
    into.set(row, parsed.value);
    return {};
  }

  template <class T>
  static fault write_floating(column& into, std::size_t row, const json_token& token) {
    if (token.kind != json_kind::number) return violation_reason::wrong_type;
    const auto parsed = parse_floating<T>(token.text);
    if (!parsed.ok()) return violation_reason::out_of_range;
    into.set(row, parsed.value);
    return {};
  }

  fault write_decimal(column& into, std::size_t row, const json_token& token) {
    if (token.kind != json_kind::number && token.kind != json_kind::string) return violation_reason::wrong_type;
    const field_description& field = *into.field;
    const auto parsed = parse_decimal(unescaped(token, scratch_), field.precision, field.scale,
                                      field.rounds ? excess_digits::round_half_up : excess_digits::refuse);
    switch (parsed.fault) {
      case number_fault::none: break;
      case number_fault::not_a_number: return violation_reason::bad_text;
      case number_fault::out_of_range: return violation_reason::out_of_range;
      case number_fault::excess_digits: return violation_reason::scale;
    }
    if (value_width(field) == 8)
      into.set(row, static_cast<std::int64_t>(parsed.value));
    else
      into.set(row, parsed.value);
    return {};
  }

  fault write_time_text(column& into, std::size_t row, const json_token& token) {
    if (token.kind != json_kind::string) return violation_reason::wrong_type;
    const std::string_view text = unescaped(token, scratch_);
    const auto parsed =
        into.field->form == time_form::local ? local_times_.parse(text, into.field->zone) : parse_rfc3339(text);
    if (!parsed) return violation_reason::bad_text;
    into.set(row, parsed->microseconds);
    return {};
  }

  static fault write_epoch(column& into, std::size_t row, const json_token& token) {
    if (token.kind != json_kind::number) return violation_reason::wrong_type;
    const auto parsed = parse_integer<std::int64_t>(token.text);
    if (parsed.fault == number_fault::not_a_number) return violation_reason::wrong_type;
    std::int64_t microseconds = 0;
    if (!parsed.ok() || __builtin_mul_overflow(parsed.value, microseconds_of(into.field->form), &microseconds))
      return violation_reason::out_of_range;
    into.set(row, microseconds);
    return {};
  }

  fault write_string(column& into, std::size_t row, const json_token& token) {
    const std::string_view text = unescaped(token, scratch_);
    switch (into.field->type) {
      case logical_type::date: {
        const auto parsed = parse_date(text);
        if (!parsed) return violation_reason::bad_text;
        into.set(row, parsed->days);
        return {};
      }
      case logical_type::binary: {
        const auto bytes = decode_base64(text);
        if (!bytes) return violation_reason::bad_text;
        into.set_text(row, *bytes);
        return {};
      }
      case logical_type::enumeration: return write_enumerator(into, row, text);
      default: break;
    }
    if (token.escaped)
      into.set_text(row, text);
    else
      into.borrow_text(row, text);
    return {};
  }

  static fault write_enumerator(column& into, std::size_t row, std::string_view text) {
    const auto names = into.field->enumerators;
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (names[i] != text) continue;
      if (value_width(*into.field) == 1)
        into.set(row, static_cast<std::uint8_t>(i));
      else
        into.set(row, static_cast<std::uint16_t>(i));
      return {};
    }
    return violation_reason::not_in_set;
  }

  std::span<const field_description> fields_;  // of the contract
  const time_guard& guard_;
  std::string path_;
  std::string scratch_;
  local_times local_times_;
  std::vector<json_token> tokens_;  // of the objects that are being written, the innermost last
};

}  // namespace etlantic::detail
