#pragma once
#include <etlantic/column/block.hpp>
#include <etlantic/connect/json/column_batch.hpp>
#include <etlantic/connect/json/line_index.hpp>
#include <etlantic/connect/json/member_lookup.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

namespace etlantic::detail {

/// Decodes flat lines with their members in any order: finds the places of the values line by line, and then decodes
/// them column by column. Accepts no line that the general code would not accept, and never decides that one is wrong.
class member_rows {
 public:
  member_rows(std::span<const value_plan> plans, const member_lookup& names, column_batch& batch)
      : plans_(plans), names_(names), batch_(batch), found_(plans.size()) {}

  /// As layout_rows::decode, for lines without escapes.
  std::uint64_t decode(const line_index& lines, std::size_t first_line, std::uint64_t wanted, bool keeps_others,
                       block& into, std::size_t row) {
    for (field_places& each : found_) each.seen = each.in_quotes = 0;
    batch_.set_step(0);  // line by line instead
    std::uint64_t found = 0;
    for (std::uint64_t rest = wanted; rest != 0; rest &= rest - 1) {
      const auto i = static_cast<std::size_t>(std::countr_zero(rest));
      found |= std::uint64_t{find_values(lines, first_line + i, i)} << i;
      batch_.ahead().fetch(lines.line_end(first_line + i) - lines.line_begin(first_line + i));
    }
    if (found == 0) return 0;
    batch_.begin(found, static_cast<std::size_t>(64 - std::countl_zero(wanted)), keeps_others, row);
    for (const value_plan& plan : plans_) read(plan, lines.begin(), into.columns[plan.field]);
    return batch_.left();
  }

 private:
  struct field_places {
    batch_places begin{};
    batch_places end{};
    // Lines, as bits.
    std::uint64_t seen = 0;
    std::uint64_t in_quotes = 0;
  };

  void read(const value_plan& plan, const char* text, column& values) {
    field_places& found = found_[plan.field];
    const std::uint64_t absent = batch_.left() & ~found.seen;
    std::uint64_t nulls = nulls_of(found, text);
    if (plan.nullable)
      nulls |= absent;
    else
      batch_.drop(absent | nulls);
    const value_places places = places_of(found, nulls, text);
    if (plan.form == value_form::any) return batch_.read_any(found.in_quotes, nulls, places, values);
    batch_.drop((plan.is_quoted() ? ~found.in_quotes : found.in_quotes) & ~nulls);
    if (batch_.left() != 0) batch_.read_usual(plan, nulls, places, values);
  }

  // The lines whose value is the word null.
  std::uint64_t nulls_of(const field_places& found, const char* text) const {
    std::uint64_t nulls = 0;
    for (std::uint64_t rest = batch_.left() & found.seen & ~found.in_quotes; rest != 0; rest &= rest - 1) {
      const auto i = static_cast<std::size_t>(std::countr_zero(rest));
      const char* const value = text + found.begin[i];
      nulls |= std::uint64_t{*value == 'n' && found.end[i] - found.begin[i] == 4 && std::memcmp(value, "null", 4) == 0}
               << i;
    }
    return nulls;
  }

  // Every line needs places that can be read, also those without a value.
  value_places places_of(field_places& found, std::uint64_t nulls, const char* text) const {
    const std::uint64_t sound = batch_.left() & found.seen & ~nulls;
    const auto first = static_cast<std::size_t>(sound == 0 ? 0 : std::countr_zero(sound));
    for (std::uint64_t others = ~sound; others != 0; others &= others - 1) {
      const auto i = static_cast<std::size_t>(std::countr_zero(others));
      found.begin[i] = sound == 0 ? safe_place_ : found.begin[first];
      found.end[i] = sound == 0 ? safe_place_ : found.end[first];
    }
    return {text, found.begin, found.end};
  }

  bool find_values(const line_index& lines, std::size_t line, std::size_t i) {
    const char* const text = lines.begin();
    const std::uint32_t* quote = lines.quotes() + lines.first_quote(line);
    const std::uint32_t* const quotes_end = lines.quotes() + lines.first_quote(line + 1);
    const std::uint32_t begin = lines.line_begin(line);
    std::uint32_t end = lines.line_end(line);
    while (end > begin && is_json_blank(text[end - 1])) --end;
    std::uint32_t at = skip_blanks(text, begin, end);
    // An even number of quotes stays even, so that where there is one there are two.
    if (at == end || text[at] != '{' || quote == quotes_end || ((quotes_end - quote) & 1) != 0) return false;
    at = skip_blanks(text, at + 1, end);
    safe_place_ = static_cast<std::int32_t>(at);
    const std::uint64_t bit = std::uint64_t{1} << i;
    field_places* const fields = found_.data();
    // Written so that nothing but the style of the text decides where branches go: values of other kinds come in other
    // places in every line.
    for (;;) {
      if (quote[0] != at) [[unlikely]]
        return false;
      const std::uint32_t name = quote[0] + 1;
      const std::uint32_t name_end = quote[1];
      quote += 2;
      std::uint32_t value = name_end + 1;
      if (text[value] != ':') [[unlikely]] {
        value = skip_blanks(text, value, end);
        if (value == end || text[value] != ':') return false;
      }
      ++value;
      if (text[value] <= ' ') [[unlikely]]
        value = skip_blanks(text, value, end);
      const std::uint32_t in_quotes = std::uint32_t{text[value] == '"'} & std::uint32_t{value < end};
      const std::uint32_t closing = quote[1];
      quote += 2 * in_quotes;
      const bool is_last = quote == quotes_end;
      const std::uint32_t bound = is_last ? end : *quote;  // where the next name or the end of the line is
      const std::uint32_t if_quoted = 0 - in_quotes;
      std::uint32_t separator = ((closing + 1) & if_quoted) | ((bound - 1) & ~if_quoted);
      std::uint32_t value_end = separator - in_quotes;
      const char expected = is_last ? '}' : ',';
      if ((separator + 1 != bound) | (text[separator] != expected)) [[unlikely]] {
        if (!find_separator(text, in_quotes != 0, expected, bound, separator, value_end)) return false;
      }
      const std::ptrdiff_t field = names_.find(text + name, name_end - name);
      if (field < 0) [[unlikely]] {
        json_token ignored;
        if (in_quotes == 0 && !column_batch::is_scalar(text + value, text + value_end, ignored)) return false;
      } else {
        field_places& found = fields[field];
        if ((found.seen & bit) != 0) [[unlikely]]
          return false;  // which of them counts is not decided here
        found.seen |= bit;
        found.in_quotes |= std::uint64_t{in_quotes} << i;
        found.begin[i] = static_cast<std::int32_t>(value + in_quotes);
        found.end[i] = static_cast<std::int32_t>(value_end);
      }
      if (is_last) return true;
      at = bound;
    }
  }

  static std::uint32_t skip_blanks(const char* text, std::uint32_t at, std::uint32_t end) {
    while (at < end && is_json_blank(text[at])) ++at;
    return at;
  }

  // Where there are blanks around the comma or brace behind a value.
  static bool find_separator(const char* text, bool in_quotes, char expected, std::uint32_t bound,
                             std::uint32_t& separator, std::uint32_t& value_end) {
    if (in_quotes) {
      while (separator < bound && is_json_blank(text[separator])) ++separator;
    } else {
      while (is_json_blank(text[separator])) --separator;  // a colon stands before the value
      value_end = separator;
      while (is_json_blank(text[value_end - 1])) --value_end;
    }
    if (separator >= bound || text[separator] != expected) return false;
    std::uint32_t behind = separator + 1;
    while (behind < bound && is_json_blank(text[behind])) ++behind;
    return behind == bound;
  }

  std::span<const value_plan> plans_;
  const member_lookup& names_;
  column_batch& batch_;
  std::vector<field_places> found_;
  std::int32_t safe_place_ = 0;
};

}  // namespace etlantic::detail
