#pragma once
#include <etlantic/connect/json/line_index.hpp>
#include <etlantic/connect/json/syntax.hpp>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace etlantic::detail {

/// Where 64 lines have the values of their members, by field, and room for finding that out.
struct member_places {
  static constexpr std::size_t lines = 64;

  /// The place of a value's first character, a quote included; whether that is a quote; and the place behind its last
  /// character, a quote excluded: all in one word.
  using packed_places = std::array<std::uint32_t, lines>;
  static constexpr std::uint32_t first_mask = 0x7fff;
  static constexpr std::uint32_t quoted = 0x8000;
  static constexpr int end_shift = 16;
  static constexpr std::uint32_t absent = ~std::uint32_t{0};
  static_assert(line_index::most_bytes < first_mask);

  explicit member_places(std::size_t field_count) : fields(field_count) {}

  std::vector<packed_places> fields;
  /// Members with a name that the contract has. More than there are places in use where one comes twice in a line.
  std::uint32_t known = 0;
  std::uint32_t gap = 0;  ///< blanks behind each colon and comma

  std::array<std::int32_t, lines + 16> ends;  // of the lines, without carriage returns; read by whole registers
  // Of each pair of quotes, one behind the line before the first one.
  std::array<std::uint8_t, line_index::most_bytes / 2 + 1 + 64> line_of;
};

/// Those of some places, given as bits, where a value stands that is not JSON. None is in quotes.
inline std::uint32_t no_scalars(const char* text, const std::array<std::uint32_t, 16>& places, std::uint32_t wanted) {
  std::uint32_t found = 0;
  for (; wanted != 0; wanted &= wanted - 1) {
    const auto i = static_cast<std::size_t>(std::countr_zero(wanted));
    json_token ignored;
    const char* const begin = text + (places[i] & member_places::first_mask);
    const char* const end = text + (places[i] >> member_places::end_shift);
    found |= std::uint32_t{!is_json_scalar(begin, end, ignored)} << i;
  }
  return found;
}

}  // namespace etlantic::detail
