#pragma once
#include <etlantic/connect/json/syntax.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace etlantic::detail {

/// One member of an object as it stands in a line; `field` is its place in the contract, or -1.
struct seen_member {
  std::ptrdiff_t field = -1;
  json_token value{};
};

/// Up to sixteen bytes to compare with, as two words whose unused bytes are masked out.
struct short_literal {
  std::uint64_t low = 0;
  std::uint64_t low_mask = 0;
  std::uint64_t high = 0;
  std::uint64_t high_mask = 0;
  std::ptrdiff_t size = 0;

  static constexpr std::size_t most = 16;

  short_literal() = default;
  explicit short_literal(std::string_view text) : size(static_cast<std::ptrdiff_t>(text.size())) {
    char bytes[most] = {};
    text.copy(bytes, most);
    std::memcpy(&low, bytes, 8);
    std::memcpy(&high, bytes + 8, 8);
    low_mask = mask_of(std::min<std::size_t>(text.size(), 8));
    high_mask = mask_of(text.size() < 8 ? 0 : text.size() - 8);
  }

  /// Sixteen bytes at `at` are readable.
  bool is_at(const char* at) const {
    std::uint64_t first;
    std::uint64_t second;
    std::memcpy(&first, at, 8);
    std::memcpy(&second, at + 8, 8);
    return (((first ^ low) & low_mask) | ((second ^ high) & high_mask)) == 0;
  }

 private:
  static constexpr std::uint64_t mask_of(std::size_t bytes) {
    return bytes == 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << (8 * bytes)) - 1;
  }
};

/// Bytes to compare with; nearly all of them are short.
struct literal_bytes {
  short_literal head;
  std::string tail;
  std::ptrdiff_t size = 0;

  literal_bytes() = default;
  explicit literal_bytes(std::string_view text)
      : head(text.substr(0, short_literal::most)),
        tail(text.substr(std::min(text.size(), short_literal::most))),
        size(static_cast<std::ptrdiff_t>(text.size())) {}

  /// Whether it stands at `at`, not beyond `end`. Sixteen bytes behind `end` are readable.
  bool is_at(const char* at, const char* end) const {
    return end - at >= size && head.is_at(at) &&
           (tail.empty() || std::memcmp(at + short_literal::most, tail.data(), tail.size()) == 0);
  }
};

#if defined(__GNUC__) && !defined(__clang__)  // gcc 12 takes a scoped enumerator for a shadow of a name outside
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
#endif
/// How the value of a segment is decoded. `any` values go through the same code as in rows without a known layout.
enum class segment_kind : std::uint8_t { integer, decimal, text, timestamp, enumeration, ignored_text, any };
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif

/// The bytes before a value, and what the value must be.
struct layout_segment {
  literal_bytes before;
  segment_kind kind = segment_kind::any;
  bool in_quotes = false;  // of a nullable field: the quotes are part of the value, not of the literals
  bool nullable = false;
  bool checks_more = false;  // constraints that `least` and `greatest` do not say
  std::ptrdiff_t field = -1;
  std::uint8_t width = 8;  // of the value in its column
  std::int64_t least = 0;  // bounds of the type and of the constraints, in the unit of the column
  std::int64_t greatest = 0;
  std::int64_t unit = 1;  // of a decimal: 10^scale; of a count of seconds or milliseconds: microseconds
  int scale = 0;
  std::vector<short_literal> enumerators{};  // with the closing quote
};

/// What a line looked like, apart from its values: lines made by one program mostly look alike.
struct row_layout {
  std::vector<layout_segment> segments;
  literal_bytes end;                         // behind the last value
  std::vector<std::ptrdiff_t> absent;  // optional fields that the line does not have
  bool has_any = false;                // a segment of kind `any`
};

}  // namespace etlantic::detail
