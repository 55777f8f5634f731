#pragma once
#include <etlantic/connect/json/batch_values.hpp>
#include <etlantic/connect/json/line_index.hpp>
#include <etlantic/connect/json/member_lookup.hpp>
#include <etlantic/connect/json/syntax.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

namespace etlantic::detail {

/// Finds the members of a flat line without escapes, with any blanks and in any order.
class line_members {
 public:
  explicit line_members(const member_lookup& names) : names_(names) {}

  /// Line `line` as line `i` of those in `into`. False where it is not such a line; then some of its members may be in
  /// `into`.
  bool find(const line_index& lines, std::size_t line, std::size_t i, std::span<member_values> into) const {
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
    const std::uint64_t bit = std::uint64_t{1} << i;
    member_values* const fields = into.data();
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
        if (in_quotes == 0 && !is_json_scalar(text + value, text + value_end, ignored)) return false;
      } else {
        member_values& found = fields[field];
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

 private:
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

  const member_lookup& names_;
};

}  // namespace etlantic::detail
