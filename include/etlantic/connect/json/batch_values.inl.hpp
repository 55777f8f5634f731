#pragma once
#include <etlantic/connect/json/batch_values.hpp>
#include <etlantic/connect/json/batch_values_avx512.inl.hpp>
#include <etlantic/connect/json/member_places_avx512.inl.hpp>

namespace etlantic::detail {

/// For every machine.
namespace batch_baseline {

inline std::uint64_t frame(const line_index& lines, std::size_t first, std::uint32_t quotes, line_places& places) {
  const std::uint32_t* const begins = lines.line_begins() + first;
  const std::uint32_t* const first_quotes = lines.first_quotes() + first;
  std::uint64_t fitting = 0;
  for (std::size_t i = 0; i < batch_lines; ++i) {
    fitting |= std::uint64_t{first_quotes[i + 1] - first_quotes[i] == quotes} << i;
    places.first_quote[i] = static_cast<std::int32_t>(first_quotes[i]);
    places.begin[i] = static_cast<std::int32_t>(begins[i]);
    places.end[i] = static_cast<std::int32_t>(begins[i + 1] - 1);
  }
  return fitting;
}

// Compilers that must look whether the two overlap leave the loop as it is.
inline void shift_places(const std::int32_t* __restrict__ from, std::int32_t by, std::int32_t* __restrict__ to) {
  for (std::size_t i = 0; i < batch_lines; ++i) to[i] = from[i] + by;
}

inline void shift(const batch_places& places, std::int32_t by, batch_places& shifted) {
  shift_places(places.data(), by, shifted.data());
}

inline std::uint64_t unequal(const batch_places& left, const batch_places& right) {
  std::uint32_t any = 0;
  for (std::size_t i = 0; i < batch_lines; ++i) any |= static_cast<std::uint32_t>(left[i] ^ right[i]);
  if (any == 0) return 0;
  return lines_without(~std::uint64_t{0}, [&](std::size_t i) { return left[i] == right[i]; });
}

inline void place(const std::uint32_t* quotes, const batch_places& first, const layout_literal& literal,
                  batch_places& begins) {
  for (std::size_t i = 0; i < batch_lines; ++i)
    begins[i] =
        static_cast<std::int32_t>(quotes[static_cast<std::uint32_t>(first[i]) + literal.quote]) - literal.offset;
}

inline std::uint64_t differences(const char* text, const batch_places& begins, const layout_literal& literal) {
  // Mostly all lines are the same; which ones are not is asked only if some are not.
  std::uint64_t any = 0;
  for (std::size_t i = 0; i < batch_lines; ++i) any |= literal.difference(text + begins[i]);
  if (any == 0) return 0;
  return lines_without(~std::uint64_t{0}, [&](std::size_t i) { return literal.difference(text + begins[i]) == 0; });
}

inline std::uint64_t integers(const value_places& places, batch_numbers& values) {
  std::uint64_t wrong = 0;
  for (std::size_t i = 0; i < batch_lines; ++i)
    wrong |= std::uint64_t{!read_counted_integer(places.begin_of(i), places.end_of(i), values[i])} << i;
  return wrong;
}

inline std::uint64_t decimals(const value_places& places, int scale, std::int64_t unit, batch_numbers& values) {
  std::uint64_t wrong = 0;
  for (std::size_t i = 0; i < batch_lines; ++i)
    wrong |= std::uint64_t{!read_counted_decimal(places.begin_of(i), places.end_of(i), scale, unit, values[i])} << i;
  return wrong;
}

inline std::uint64_t timestamps(const value_places& places, fast_timestamps& times, batch_numbers& values) {
  std::uint64_t wrong = 0;
  for (std::size_t i = 0; i < batch_lines; ++i)
    wrong |= std::uint64_t{times.read(places.begin_of(i), values[i]) != places.end_of(i)} << i;
  return wrong;
}

inline std::uint64_t enumerators(const value_places& places, std::span<const short_literal> known,
                                 std::array<std::uint8_t, batch_lines>& values) {
  std::uint64_t wrong = 0;
  for (std::size_t i = 0; i < batch_lines; ++i) {
    const std::size_t found = find_enumerator(known, places.begin_of(i), places.size_of(i));
    values[i] = static_cast<std::uint8_t>(found);
    wrong |= std::uint64_t{found == known.size()} << i;
  }
  return wrong;
}

inline void texts(const value_places& places, const char* borrowed, text_view* values) {
  for (std::size_t i = 0; i < batch_lines; ++i) values[i] = view_of(places.begin_of(i), places.size_of(i), borrowed);
}

inline std::uint64_t outside(const batch_numbers& values, std::int64_t least, std::int64_t greatest) {
  std::uint64_t found = 0;
  for (std::size_t i = 0; i < batch_lines; ++i) found |= std::uint64_t{values[i] < least || values[i] > greatest} << i;
  return found;
}

inline constexpr batch_kernels kernels = {frame,      shift,       unequal, place,   differences, integers, decimals,
                                          timestamps, enumerators, texts,   outside, nullptr,     nullptr};

}  // namespace batch_baseline

#if defined(__x86_64__)
namespace batch_avx512 {

inline constexpr batch_kernels kernels = {frame,    shift,        unequal,     place,       differences,
                                          integers, decimals,     timestamps,  enumerators, texts,
                                          outside,  find_members, open_members};

}  // namespace batch_avx512
#endif

[[gnu::used]] inline const batch_kernels& batch_kernels_for(instruction_set instructions) {
#if defined(__x86_64__)
  if (instructions == instruction_set::avx512) return batch_avx512::kernels;
#endif
  static_cast<void>(instructions);
  return batch_baseline::kernels;
}

}  // namespace etlantic::detail
