#pragma once
#include <etlantic/connect/json/batch_values.hpp>
#include <etlantic/connect/json/batch_values_avx512.inl.hpp>

namespace etlantic::detail {

/// For every machine.
namespace batch_baseline {

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

inline constexpr batch_kernels kernels = {place,      differences, integers, decimals,
                                          timestamps, enumerators, texts,    outside};

}  // namespace batch_baseline

[[gnu::used]] inline const batch_kernels& batch_kernels_for(instruction_set instructions) {
#if defined(__x86_64__)
  if (instructions == instruction_set::avx512) return batch_avx512::kernels;
#endif
  static_cast<void>(instructions);
  return batch_baseline::kernels;
}

}  // namespace etlantic::detail
