#pragma once
#include <etlantic/connect/json/batch_values_avx512.inl.hpp>
#include <etlantic/connect/json/syntax.hpp>
#include <etlantic/core/vector_instructions.hpp>

#if defined(__x86_64__)
#if defined(__GNUC__) && \
    !defined(__clang__)  // gcc 12 warns about its own header (its bug 105593), and about its macros
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#endif

namespace etlantic::detail {

/// Sixteen pairs of quotes at a time, whatever lines they are in: each is around a name or around a text.
namespace batch_avx512 {

/// Those of the lines that may be looked at by pairs of quotes; where lines end goes into `into`.
[[ETLANTIC_AVX512]] inline std::uint64_t frame_members(const line_index& lines, std::size_t first, std::uint64_t wanted,
                                                       member_places& into) {
  const std::uint32_t* const begins = lines.line_begins() + first;
  const std::uint32_t* const first_quotes = lines.first_quotes() + first;
  const __m512i one = _mm512_set1_epi32(1);
  const __m512i low_byte = _mm512_set1_epi32(0xff);
  const __mmask16 returns = lines.has_returns() ? 0xffff : 0;
  std::uint64_t found = 0;
  for (std::size_t i = 0; i < batch_lines; i += 16) {
    const __m512i count =
        _mm512_sub_epi32(_mm512_loadu_si512(first_quotes + i + 1), _mm512_loadu_si512(first_quotes + i));
    __mmask16 sound = static_cast<__mmask16>(wanted >> i);
    sound = _mm512_mask_testn_epi32_mask(sound, count, one);
    sound = _mm512_mask_test_epi32_mask(sound, count, count);
    __m512i end = _mm512_sub_epi32(_mm512_loadu_si512(begins + i + 1), one);
    const __m512i tail = _mm512_mask_i32gather_epi32(_mm512_setzero_si512(), sound, end, lines.begin() - 2, 1);
    const __m512i last = _mm512_and_si512(_mm512_srli_epi32(tail, 8), low_byte);
    const __mmask16 has_return = _mm512_mask_cmpeq_epi32_mask(returns, last, _mm512_set1_epi32('\r'));
    end = _mm512_mask_sub_epi32(end, has_return, end, one);
    const __m512i brace = _mm512_mask_and_epi32(last, has_return, tail, low_byte);
    sound = _mm512_mask_cmpeq_epi32_mask(sound, brace, _mm512_set1_epi32('}'));
    _mm512_storeu_si512(into.ends.data() + i, end);
    found |= std::uint64_t{static_cast<std::uint16_t>(sound)} << i;
  }
  return found;
}

/// Finds the members of some lines that follow one another, the first one number `at` of the batch. Gives the lines
/// that it does not understand.
[[ETLANTIC_AVX512]] inline std::uint64_t find_members_of_run(const line_index& lines, std::size_t first, std::size_t at,
                                                             std::size_t count, const member_table& names,
                                                             member_places& into) {
  const char* const text = lines.begin();
  const std::uint32_t* const first_quotes = lines.first_quotes() + first + at;
  const std::uint32_t* const quotes = lines.quotes() + first_quotes[0];
  const std::uint32_t pairs = (first_quotes[count] - first_quotes[0]) / 2;
  std::uint8_t* const line_of = into.line_of.data() + 1;
  line_of[-1] = 0xff;
  for (std::size_t i = 0; i < count; ++i) {
    const __m512i number = _mm512_set1_epi8(static_cast<char>(at + i));
    const std::uint32_t end = (first_quotes[i + 1] - first_quotes[0]) / 2;
    std::uint32_t pair = (first_quotes[i] - first_quotes[0]) / 2;
    do {
      _mm512_storeu_si512(line_of + pair, number);
      pair += 64;
    } while (pair < end);
  }
  line_of[pairs] = 0xff;

  const __m512i even = _mm512_set_epi32(30, 28, 26, 24, 22, 20, 18, 16, 14, 12, 10, 8, 6, 4, 2, 0);
  const __m512i odd = _mm512_set_epi32(31, 29, 27, 25, 23, 21, 19, 17, 15, 13, 11, 9, 7, 5, 3, 1);
  const __m512i one = _mm512_set1_epi32(1);
  const __m512i gap = _mm512_set1_epi32(static_cast<int>(into.gap));
  const __m512i gap_and_one = _mm512_add_epi32(gap, one);
  const __m512i gap_and_two = _mm512_add_epi32(gap_and_one, one);
  // Behind a name, and before one: as four characters each.
  const __m512i behind_mask = _mm512_set1_epi32(into.gap == 0 ? 0xff00 : 0xffff00);
  const __m512i behind_name = _mm512_set1_epi32(into.gap == 0 ? ':' << 8 : ':' << 8 | ' ' << 16);
  const __m512i before_mask = _mm512_set1_epi32(into.gap == 0 ? 0xff0000 : 0xffff00);
  const __m512i before_name = _mm512_set1_epi32(into.gap == 0 ? ',' << 16 : ',' << 8 | ' ' << 16);
  const __m512i before_first_mask = _mm512_set1_epi32(0xff0000);
  const __m512i before_first_name = _mm512_set1_epi32('{' << 16);
  const __m512i factor = _mm512_set1_epi32(static_cast<int>(names.factor()));
  const __m512i rotation = _mm512_set1_epi32(names.rotation());
  const __m128i shift = _mm_cvtsi32_si128(names.shift());
  const std::uint32_t* const slots = names.slots();
  const bool fits_registers = names.fits_registers();
  const __m512i slots_low = _mm512_loadu_si512(slots);
  const __m512i slots_high = _mm512_loadu_si512(slots + 16);
  member_places::packed_places* const fields = into.fields.data();
  const __m512i some_open = _mm512_set1_epi32(static_cast<int>(quotes[0]));
  const __m512i some_close = _mm512_set1_epi32(static_cast<int>(quotes[1]));

  const std::uint32_t* begins = lines.line_begins() + first + at;
  const std::int32_t* ends = into.ends.data() + at;
  std::uint64_t wrong = 0;
  std::uint32_t known_names = 0;
  std::uint32_t expects_text = 0;  // whether the name of the pair before says that this one is around a text
  for (std::uint32_t pair = 0; pair < pairs; pair += 16) {
    const auto inside = static_cast<__mmask16>(pairs - pair >= 16 ? 0xffff : (1u << (pairs - pair)) - 1);
    const std::uint32_t* const here = quotes + 2 * pair;
    const __m512i low = _mm512_loadu_si512(here);
    const __m512i high = _mm512_loadu_si512(here + 16);
    const __m512i next_low = _mm512_loadu_si512(here + 2);
    const __m512i next_high = _mm512_loadu_si512(here + 18);
    // What lies behind the last pair is nonsense.
    const __m512i open = _mm512_mask_mov_epi32(some_open, inside, _mm512_permutex2var_epi32(low, even, high));
    const __m512i close = _mm512_mask_mov_epi32(some_close, inside, _mm512_permutex2var_epi32(low, odd, high));
    const __m512i next_open = _mm512_permutex2var_epi32(next_low, even, next_high);
    const __m512i next_close = _mm512_permutex2var_epi32(next_low, odd, next_high);

    const __m128i line = _mm_loadu_si128(reinterpret_cast<const __m128i*>(line_of + pair));
    const __m128i line_before = _mm_loadu_si128(reinterpret_cast<const __m128i*>(line_of + pair - 1));
    const __m128i line_behind = _mm_loadu_si128(reinterpret_cast<const __m128i*>(line_of + pair + 1));
    const __mmask16 is_first = _mm_mask_cmpneq_epu8_mask(inside, line, line_before);
    const __mmask16 is_last = _mm_mask_cmpneq_epu8_mask(inside, line, line_behind);
    const __m512i line_begin = _mm512_maskz_expand_epi32(is_first, _mm512_loadu_si512(begins));
    const __m512i line_end = _mm512_maskz_expand_epi32(is_last, _mm512_loadu_si512(ends));
    begins += _mm_popcnt_u32(is_first);
    ends += _mm_popcnt_u32(is_last);

    // Four characters before each closing quote and four from it on, four before the first character and four behind.
    const __m512i tails_low = words_at(text, _mm512_castsi512_si256(close), -4);
    const __m512i tails_high = words_at(text, _mm512_extracti64x4_epi64(close, 1), -4);
    const __m512i heads_low = words_at(text, _mm512_castsi512_si256(open), -3);
    const __m512i heads_high = words_at(text, _mm512_extracti64x4_epi64(open, 1), -3);
    const __m512i last_characters = _mm512_permutex2var_epi32(tails_low, even, tails_high);
    const __m512i behind = _mm512_permutex2var_epi32(tails_low, odd, tails_high);
    const __m512i before = _mm512_permutex2var_epi32(heads_low, even, heads_high);
    const __m512i first_characters = _mm512_permutex2var_epi32(heads_low, odd, heads_high);

    const __mmask16 is_name = _mm512_mask_cmpeq_epi32_mask(inside, _mm512_and_si512(behind, behind_mask), behind_name);
    const auto is_text = static_cast<__mmask16>(inside & ~is_name);
    const __m512i value = _mm512_add_epi32(close, gap_and_two);
    const __mmask16 touches_next = _mm512_cmpeq_epi32_mask(next_open, value);
    const auto in_quotes = static_cast<__mmask16>(is_name & ~is_last & touches_next);
    const auto misplaced = is_text ^ ((static_cast<std::uint32_t>(in_quotes) << 1 | expects_text) & inside);
    expects_text = static_cast<std::uint32_t>(in_quotes) >> 15;

    // Between a text and the next name there is nothing but a comma, which is looked at from there.
    const __mmask16 touches_end = _mm512_cmpeq_epi32_mask(_mm512_sub_epi32(value, gap), line_end);
    const __mmask16 continues = static_cast<__mmask16>((is_last & touches_end) | (~is_last & touches_next));
    const __mmask16 has_comma = _mm512_cmpeq_epi32_mask(_mm512_and_si512(before, before_mask), before_name);
    const __mmask16 has_brace =
        _mm512_mask_cmpeq_epi32_mask(_mm512_cmpeq_epi32_mask(_mm512_sub_epi32(open, one), line_begin),
                                     _mm512_and_si512(before, before_first_mask), before_first_name);
    const __mmask16 separated = static_cast<__mmask16>((is_first & has_brace) | (~is_first & has_comma));
    const std::uint32_t bad = misplaced | (is_text & ~static_cast<std::uint32_t>(continues)) |
                              (is_name & ~static_cast<std::uint32_t>(separated));

    __m512i value_end = _mm512_sub_epi32(next_open, gap_and_one);
    value_end = _mm512_mask_sub_epi32(value_end, is_last, line_end, one);
    value_end = _mm512_mask_mov_epi32(value_end, in_quotes, next_close);
    const __m512i places =
        _mm512_or_si512(_mm512_mask_or_epi32(value, in_quotes, value, _mm512_set1_epi32(member_places::quoted)),
                        _mm512_slli_epi32(value_end, member_places::end_shift));

    // The size of a name is the place of a slot's name from the beginning.
    const __m512i size = _mm512_sub_epi32(_mm512_sub_epi32(close, open), one);
    const __m512i unused = _mm512_subs_epu16(_mm512_set1_epi32(32), _mm512_slli_epi32(size, 3));
    const __m512i kept_first = _mm512_sllv_epi32(first_characters, unused);
    const __m512i kept_last = _mm512_rolv_epi32(_mm512_srlv_epi32(last_characters, unused), rotation);
    const __m512i mixed = _mm512_ternarylogic_epi32(kept_first, kept_last, size, 0x96);  // all three by exclusive or
    const __m512i slot = _mm512_srl_epi32(_mm512_mullo_epi32(mixed, factor), shift);
    const __m512i entry = fits_registers ? _mm512_permutex2var_epi32(slots_low, slot, slots_high)
                                         : _mm512_i32gather_epi32(slot, slots, 4);
    const __mmask16 is_known =
        _mm512_mask_cmpeq_epi32_mask(is_name, _mm512_srli_epi32(entry, member_table::size_shift), size);
    const __m512i field = _mm512_and_si512(entry, _mm512_set1_epi32((1 << member_table::size_shift) - 1));
    const __m512i index = _mm512_add_epi32(_mm512_slli_epi32(field, 6), _mm512_cvtepu8_epi32(line));
    _mm512_mask_i32scatter_epi32(fields, is_known, index, places, 4);
    known_names += static_cast<std::uint32_t>(_mm_popcnt_u32(is_known));

    const std::uint32_t unknown = is_name & ~is_known & ~in_quotes;
    if ((bad | unknown) == 0) [[likely]]
      continue;
    std::array<std::uint32_t, 16> each;
    _mm512_storeu_si512(each.data(), places);
    const std::uint32_t unsound = bad | no_scalars(text, each, unknown & ~bad);
    for (std::uint32_t rest = unsound; rest != 0; rest &= rest - 1)
      wrong |= std::uint64_t{1} << line_of[pair + static_cast<std::uint32_t>(std::countr_zero(rest))];
  }
  into.known += known_names;
  return wrong;
}

[[ETLANTIC_AVX512]] inline std::uint64_t find_members(const line_index& lines, std::size_t first, std::uint64_t wanted,
                                                      const member_table& names, member_places& into) {
  const __m512i absent = _mm512_set1_epi32(-1);
  for (member_places::packed_places& each : into.fields)
    for (std::size_t i = 0; i < batch_lines; i += 16) _mm512_storeu_si512(each.data() + i, absent);
  into.known = 0;
  const std::uint64_t found = frame_members(lines, first, wanted, into);
  std::uint64_t wrong = 0;
  for (std::uint64_t rest = found; rest != 0;) {
    const auto at = static_cast<std::size_t>(std::countr_zero(rest));
    const auto count = static_cast<std::size_t>(std::countr_one(rest >> at));
    wrong |= find_members_of_run(lines, first, at, count, names, into);
    rest &= ~(low_bits(count) << at);
  }
  return found & ~wrong;
}

[[ETLANTIC_AVX512]] inline std::uint32_t open_members(const member_places::packed_places& packed, std::uint64_t lines,
                                                      std::int32_t name_size, member_values& into) {
  std::uint64_t present = 0;
  for (std::size_t i = 0; i < batch_lines; i += 16) {
    const __mmask16 here = _mm512_cmpneq_epi32_mask(_mm512_loadu_si512(packed.data() + i), _mm512_set1_epi32(-1));
    present |= std::uint64_t{static_cast<std::uint16_t>(here)} << i;
  }
  into.seen = present & lines;
  into.in_quotes = 0;
  if (into.seen != 0) {
    // Lines without a place get one that can be read.
    const std::uint32_t readable = packed[static_cast<std::size_t>(std::countr_zero(into.seen))];
    for (std::size_t i = 0; i < batch_lines; i += 16) {
      const auto seen = static_cast<__mmask16>(into.seen >> i);
      const __m512i each =
          _mm512_mask_loadu_epi32(_mm512_set1_epi32(static_cast<int>(readable)), seen, packed.data() + i);
      const __mmask16 in_quotes = _mm512_test_epi32_mask(each, _mm512_set1_epi32(member_places::quoted));
      const __m512i first = _mm512_and_si512(each, _mm512_set1_epi32(member_places::first_mask));
      into.in_quotes |= std::uint64_t{static_cast<std::uint16_t>(in_quotes & seen)} << i;
      _mm512_storeu_si512(into.name.data() + i, _mm512_sub_epi32(first, _mm512_set1_epi32(name_size)));
      _mm512_storeu_si512(into.begin.data() + i, _mm512_mask_add_epi32(first, in_quotes, first, _mm512_set1_epi32(1)));
      _mm512_storeu_si512(into.end.data() + i, _mm512_srli_epi32(each, member_places::end_shift));
    }
  }
  return static_cast<std::uint32_t>(std::popcount(present));
}

}  // namespace batch_avx512

}  // namespace etlantic::detail
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
#endif
