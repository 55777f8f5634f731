#pragma once
#include <etlantic/column/block.hpp>
#include <etlantic/connect/json/encoding_check.hpp>
#include <etlantic/connect/json/fast_values.hpp>
#include <etlantic/connect/json/row_layout.hpp>
#include <etlantic/connect/json/value_writer.hpp>

#include <cstdint>
#include <cstring>
#include <vector>

namespace etlantic::detail {

#if defined(__GNUC__) && !defined(__clang__)  // gcc 12 takes a scoped enumerator for a shadow of a name outside
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
#endif
enum class fast_outcome : std::uint8_t {
  decoded,
  other_layout,  ///< the bytes around the values differ
  other_value,   ///< a value is wrong, or right in a form that only the general code knows
};
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif

/// Decodes rows of a known layout. Accepts no row that the general code would not accept, and never decides that one
/// is wrong.
class fast_rows {
 public:
  fast_rows(encoding_check& encoding, value_writer& writer) : encoding_(encoding), writer_(writer) {}

  /// Writes the row that starts at `at`. Moves `at` to the end of its line, which is a line feed or `end`. Sixty-four
  /// bytes behind `end` are readable.
  fast_outcome decode(const row_layout& layout, block& into, std::size_t row, const char*& at, const char* end) {
    if (!layout.has_any) return decode_values(layout, into, row, at, end);
    if (!encoding_.is_all_utf8()) return fast_outcome::other_value;
    const fast_outcome outcome = decode_values(layout, into, row, at, end);
    if (outcome != fast_outcome::decoded)
      for (column& each : into.columns) forget_from(each, row);
    return outcome;
  }

 private:
  fast_outcome decode_values(const row_layout& layout, block& into, std::size_t row, const char*& at, const char* end) {
    const char* place = at;
    for (const layout_segment& segment : layout.segments) {
      if (!segment.before.is_at(place, end)) return fast_outcome::other_layout;
      place = read_value(segment, into, row, place + segment.before.size, end);
      if (place == nullptr) return fast_outcome::other_value;
    }
    if (!layout.end.is_at(place, end)) return fast_outcome::other_layout;
    place += layout.end.size;
    if (end - place >= 2 && place[0] == '\r' && place[1] == '\n') ++place;
    if (place != end && *place != '\n') return fast_outcome::other_layout;
    for (const std::ptrdiff_t field : layout.absent) write_null(into.columns[static_cast<std::size_t>(field)], row);
    at = place;
    return fast_outcome::decoded;
  }

  // These read from `at`, which is not behind `end`, and give the place behind the value, or null.

  [[gnu::always_inline]] inline const char* read_value(const layout_segment& segment, block& into, std::size_t row,
                                                       const char* at, const char* end) {
    if (segment.kind == segment_kind::ignored_text) return skip_text(at, end);
    if (segment.kind == segment_kind::any) return read_any(segment, into, row, at, end);
    column& values = into.columns[static_cast<std::size_t>(segment.field)];
    if (segment.nullable) return read_nullable(segment, values, row, at, end);
    at = read_present(segment, values, row, at, end);
    return segment.checks_more && at != nullptr && broken_constraint(values, row) ? nullptr : at;
  }

  const char* read_nullable(const layout_segment& segment, column& values, std::size_t row, const char* at,
                            const char* end) {
    if (std::memcmp(at, "null", 4) == 0) {
      write_null(values, row);
      return at + 4;
    }
    mark_present(values, row);
    if (segment.in_quotes && *at++ != '"') return nullptr;
    at = read_present(segment, values, row, at, end);
    if (at == nullptr || (segment.in_quotes && *at++ != '"')) return nullptr;
    return segment.checks_more && broken_constraint(values, row) ? nullptr : at;
  }

  [[gnu::always_inline]] inline const char* read_present(const layout_segment& segment, column& values, std::size_t row,
                                                         const char* at, const char* end) {
    std::int64_t value = 0;
    switch (segment.kind) {
      case segment_kind::text: return read_text(values, row, at, end);
      case segment_kind::enumeration: return read_enumerator(segment, values, row, at);
      case segment_kind::integer:
        at = read_fast_integer(at, value);
        if (segment.unit != 1 && __builtin_mul_overflow(value, segment.unit, &value)) return nullptr;
        break;
      case segment_kind::decimal: at = read_fast_decimal(at, segment.scale, segment.unit, value); break;
      case segment_kind::timestamp: at = timestamps_.read(at, value); break;
      case segment_kind::ignored_text:
      case segment_kind::any: return nullptr;
    }
    if ((value < segment.least) | (value > segment.greatest)) return nullptr;
    store(values, row, segment.width, value);
    return at;
  }

  // The low bytes of a two's complement number are the number in every narrower width.
  static void store(column& values, std::size_t row, std::size_t width, std::int64_t value) {
    std::byte* const to = values.values.data() + row * width;
    switch (width) {
      case 8: std::memcpy(to, &value, 8); break;
      case 4: std::memcpy(to, &value, 4); break;
      case 2: std::memcpy(to, &value, 2); break;
      default: std::memcpy(to, &value, 1); break;
    }
  }

  [[gnu::always_inline]] inline const char* skip_text(const char* at, const char* end) {
    const kernel::text_end found = kernel::scan_text(at, end);
    const bool ends_well = found.at != end && *found.at == '"' && (found.ascii || encoding_.is_all_utf8());
    return ends_well ? found.at : nullptr;
  }

  [[gnu::always_inline]] inline const char* read_text(column& values, std::size_t row, const char* at,
                                                      const char* end) {
    const char* const quote = skip_text(at, end);
    if (quote == nullptr) return nullptr;
    const auto size = static_cast<std::size_t>(quote - at);
    text_view& view = values.data<text_view>()[row];
    if (size > 12) {
      view = text_view::of_place({at, size}, 0, static_cast<std::int32_t>(at - values.borrowed));
      return quote;
    }
    // Twelve bytes are readable, and cheaper to mask than to copy by length.
    std::uint64_t head = load_word(at);
    std::uint32_t tail;
    std::memcpy(&tail, at + 8, 4);
    head &= size >= 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << (8 * size)) - 1;
    tail &= size == 12 ? ~std::uint32_t{0} : size <= 8 ? 0 : (std::uint32_t{1} << (8 * (size - 8))) - 1;
    view.size = static_cast<std::int32_t>(size);
    std::memcpy(view.characters, &head, 8);
    std::memcpy(view.characters + 8, &tail, 4);
    return quote;
  }

  // All of them are compared: as fast as stopping at the first match where one is frequent, and faster where none is.
  [[gnu::always_inline]] inline static const char* read_enumerator(const layout_segment& segment, column& values,
                                                                   std::size_t row, const char* at) {
    std::size_t found = 0;
    std::ptrdiff_t size = 0;
    std::size_t index = 0;
    for (const short_literal& each : segment.enumerators) {
      const bool matches = each.is_at(at);
      found = matches ? index : found;
      size = matches ? each.size : size;
      ++index;
    }
    values.values.data()[row] = static_cast<std::byte>(found);
    return size == 0 ? nullptr : at + size - 1;  // the quote belongs to what comes next
  }

  const char* read_any(const layout_segment& segment, block& into, std::size_t row, const char* at, const char* end) {
    const auto* feed = static_cast<const char*>(std::memchr(at, '\n', static_cast<std::size_t>(end - at)));
    json_token token;
    json_fault fault;
    at = read_json_value(at, feed == nullptr ? end : feed, 1, token, fault);
    if (at == nullptr || segment.field < 0) return at;
    violations_.clear();
    const bool fits = writer_.write(into.columns[static_cast<std::size_t>(segment.field)], row, token, violations_);
    return fits ? at : nullptr;
  }

  encoding_check& encoding_;
  value_writer& writer_;
  fast_timestamps timestamps_;
  std::vector<violation> violations_;
};

}  // namespace etlantic::detail
