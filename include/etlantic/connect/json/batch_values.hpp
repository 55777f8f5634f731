#pragma once
#include <etlantic/connect/json/counted_values.hpp>
#include <etlantic/connect/json/fast_values.hpp>
#include <etlantic/connect/json/line_index.hpp>
#include <etlantic/connect/json/member_places.hpp>
#include <etlantic/connect/json/member_table.hpp>
#include <etlantic/connect/json/row_layout.hpp>
#include <etlantic/core/instruction_set.hpp>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

/// The values of one field in 64 lines at once. As their ends are known, no value waits for the one before it.
namespace etlantic::detail {

inline constexpr std::size_t batch_lines = 64;

using batch_places = std::array<std::int32_t, batch_lines>;
using batch_numbers = std::array<std::int64_t, batch_lines>;

/// Where values begin and end in a text. There are always 64 of them. They may be nonsense for lines that turned out to
/// look different, but lie within the text or 128 bytes around it.
struct value_places {
  const char* text = nullptr;
  const batch_places& begin;
  const batch_places& end;

  const char* begin_of(std::size_t i) const { return text + begin[i]; }
  const char* end_of(std::size_t i) const { return text + end[i]; }
  std::uint32_t size_of(std::size_t i) const { return static_cast<std::uint32_t>(end[i] - begin[i]); }
};

/// Where 64 lines begin and end, and which quote is the first one of each.
struct line_places {
  batch_places begin{};
  batch_places end{};
  batch_places first_quote{};
};

/// Where 64 lines have the values of one field.
struct member_values {
  batch_places name{};   ///< of the quote before the member's name
  batch_places begin{};  ///< of the value, without its quotes
  batch_places end{};
  std::uint64_t seen = 0;       ///< lines that have it
  std::uint64_t in_quotes = 0;  ///< those that have it in quotes
};

/// Those of the lines, given as bits, for which `holds` says no.
template <class Holds>
std::uint64_t lines_without(std::uint64_t lines, Holds&& holds) {
  std::uint64_t found = 0;
  for (; lines != 0; lines &= lines - 1) {
    const auto i = static_cast<std::size_t>(std::countr_zero(lines));
    found |= std::uint64_t{!holds(i)} << i;
  }
  return found;
}

/// The loops over a batch, in versions for several instruction sets. Those that decode give the lines whose value they
/// cannot decode, as bits; what they write for them is of no use.
struct batch_kernels {
  /// Of the lines from `first` on; gives those with so many quotes. For lines behind the last one all of it is
  /// nonsense.
  std::uint64_t (*frame)(const line_index& lines, std::size_t first, std::uint32_t quotes, line_places& places);
  void (*shift)(const batch_places& places, std::int32_t by, batch_places& shifted);
  /// The lines for which the two are not the same.
  std::uint64_t (*unequal)(const batch_places& left, const batch_places& right);
  /// Where each line's literal begins: its quote is number `first[i] + literal.quote`.
  void (*place)(const std::uint32_t* quotes, const batch_places& first, const layout_literal& literal,
                batch_places& begins);
  /// The lines that have other bytes where the literal should be.
  std::uint64_t (*differences)(const char* text, const batch_places& begins, const layout_literal& literal);
  std::uint64_t (*integers)(const value_places& places, batch_numbers& values);
  std::uint64_t (*decimals)(const value_places& places, int scale, std::int64_t unit, batch_numbers& values);
  std::uint64_t (*timestamps)(const value_places& places, fast_timestamps& times, batch_numbers& values);
  std::uint64_t (*enumerators)(const value_places& places, std::span<const short_literal> enumerators,
                               std::array<std::uint8_t, batch_lines>& values);
  /// Any text will do. `borrowed` is what long texts point into.
  void (*texts)(const value_places& places, const char* borrowed, text_view* values);
  /// The numbers that are not between two bounds.
  std::uint64_t (*outside)(const batch_numbers& values, std::int64_t least, std::int64_t greatest);
  /// Finds the members of those lines from `first` on that `wanted` names. Gives the ones that it understands: flat
  /// objects with the blanks that `into` says. Names may turn out to be others, and members may come twice. Null where
  /// one line at a time is as fast.
  std::uint64_t (*find_members)(const line_index& lines, std::size_t first, std::uint64_t wanted,
                                const member_table& names, member_places& into);
  /// The places of one field in some of the lines, where its name and what is behind that are so many characters. Gives
  /// how many lines have it, the other ones included.
  std::uint32_t (*open_members)(const member_places::packed_places& packed, std::uint64_t lines, std::int32_t name_size,
                                member_values& into);
};

const batch_kernels& batch_kernels_for(instruction_set instructions);

}  // namespace etlantic::detail
