#pragma once
#include <etlantic/connect/json/batch_values.hpp>
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

/// Eight or sixteen lines at a time. Lanes that are not in the usual form are dealt with one by one.
namespace batch_avx512 {

[[ETLANTIC_AVX512]] inline std::uint64_t frame(const line_index& lines, std::size_t first, std::uint32_t quotes,
                                               line_places& places) {
  const std::uint32_t* const begins = lines.line_begins() + first;
  const std::uint32_t* const first_quotes = lines.first_quotes() + first;
  const __m512i wanted = _mm512_set1_epi32(static_cast<int>(quotes));
  const __m512i one = _mm512_set1_epi32(1);
  std::uint64_t fitting = 0;
  for (std::size_t i = 0; i < batch_lines; i += 16) {
    const __m512i quote = _mm512_loadu_si512(first_quotes + i);
    const __m512i next_quote = _mm512_loadu_si512(first_quotes + i + 1);
    const __mmask16 same = _mm512_cmpeq_epi32_mask(_mm512_sub_epi32(next_quote, quote), wanted);
    fitting |= std::uint64_t{static_cast<std::uint16_t>(same)} << i;
    _mm512_storeu_si512(places.first_quote.data() + i, quote);
    _mm512_storeu_si512(places.begin.data() + i, _mm512_loadu_si512(begins + i));
    _mm512_storeu_si512(places.end.data() + i, _mm512_sub_epi32(_mm512_loadu_si512(begins + i + 1), one));
  }
  return fitting;
}

[[ETLANTIC_AVX512]] inline void shift(const batch_places& places, std::int32_t by, batch_places& shifted) {
  const __m512i distance = _mm512_set1_epi32(by);
  for (std::size_t i = 0; i < batch_lines; i += 16)
    _mm512_storeu_si512(shifted.data() + i, _mm512_add_epi32(_mm512_loadu_si512(places.data() + i), distance));
}

[[ETLANTIC_AVX512]] inline std::uint64_t unequal(const batch_places& left, const batch_places& right) {
  std::uint64_t found = 0;
  for (std::size_t i = 0; i < batch_lines; i += 16) {
    const __mmask16 other =
        _mm512_cmpneq_epi32_mask(_mm512_loadu_si512(left.data() + i), _mm512_loadu_si512(right.data() + i));
    found |= std::uint64_t{static_cast<std::uint16_t>(other)} << i;
  }
  return found;
}

[[ETLANTIC_AVX512]] inline void place(const std::uint32_t* quotes, const batch_places& first,
                                      const layout_literal& literal, batch_places& begins) {
  const __m512i offset = _mm512_set1_epi32(literal.offset);
  for (std::size_t i = 0; i < batch_lines; i += 16) {
    const __m512i number = _mm512_loadu_si512(first.data() + i);
    const __m512i quote = _mm512_i32gather_epi32(number, quotes + literal.quote, 4);
    _mm512_storeu_si512(begins.data() + i, _mm512_sub_epi32(quote, offset));
  }
}

[[ETLANTIC_AVX512]] inline std::uint64_t differences(const char* text, const batch_places& begins,
                                                     const layout_literal& literal) {
  // Mostly all lines are the same; which ones are not is asked only if some are not.
  std::uint64_t any = 0;
  if (literal.size() <= 32) {
    const __mmask32 used = static_cast<__mmask32>(low_bits(static_cast<std::size_t>(literal.size())));
    const __m256i wanted = _mm256_maskz_loadu_epi8(used, literal.text.data());
    __m256i found = _mm256_setzero_si256();
    for (std::size_t i = 0; i < batch_lines; ++i) {
      const __m256i bytes = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(text + begins[i]));
      found = _mm256_ternarylogic_epi64(found, bytes, wanted, 0xf6);  // found | (bytes ^ wanted)
    }
    any = _mm256_mask_test_epi8_mask(used, found, found);
  } else {
    for (std::size_t i = 0; i < batch_lines; ++i) any |= literal.difference(text + begins[i]);
  }
  if (any == 0) return 0;
  return lines_without(~std::uint64_t{0}, [&](std::size_t i) { return literal.difference(text + begins[i]) == 0; });
}

/// The numbers that eight digits each make, the first one in the lowest byte.
[[ETLANTIC_AVX512, gnu::always_inline]] inline __m512i join_digits_of(__m512i digits) {
  const __m512i pairs = _mm512_maddubs_epi16(digits, _mm512_set1_epi16(0x010a));  // first * 10 + second
  const __m512i fours = _mm512_madd_epi16(pairs, _mm512_set1_epi32(0x00010064));  // * 100
  const __m512i high = _mm512_mul_epu32(fours, _mm512_set1_epi64(10'000));
  return _mm512_add_epi64(high, _mm512_srli_epi64(fours, 32));
}

/// Eight words at `text` + place + `offset`.
[[ETLANTIC_AVX512, gnu::always_inline]] inline __m512i words_at(const char* text, __m256i places, int offset) {
  return _mm512_i32gather_epi64(places, text + offset, 1);
}

struct digit_words {
  __m512i digits;
  __mmask8 sound;
};

/// The last `count` of eight characters each as digits, the others zero, and whether they are digits. No count is zero
/// or above eight.
[[ETLANTIC_AVX512, gnu::always_inline]] inline digit_words last_digits_of(__m512i characters, __m512i count) {
  const __m512i unused = _mm512_srlv_epi64(_mm512_set1_epi64(-1), _mm512_slli_epi64(count, 3));
  const __m512i digits = _mm512_andnot_si512(unused, _mm512_xor_si512(characters, _mm512_set1_epi8('0')));
  const std::uint64_t others = _mm512_cmpgt_epu8_mask(digits, _mm512_set1_epi8(9));
  const __mmask8 sound = _mm512_testn_epi64_mask(_mm512_movm_epi8(others), _mm512_set1_epi64(-1));
  return {digits, sound};
}

/// Whether the first of the last `count` digits is zero.
[[ETLANTIC_AVX512, gnu::always_inline]] inline __mmask8 begins_with_zero(__m512i digits, __m512i count) {
  const __m512i before = _mm512_slli_epi64(_mm512_sub_epi64(_mm512_set1_epi64(8), count), 3);
  return _mm512_testn_epi64_mask(_mm512_srlv_epi64(digits, before), _mm512_set1_epi64(0xff));
}

[[ETLANTIC_AVX512]] inline std::uint64_t integers(const value_places& places, batch_numbers& values) {
  std::uint64_t unusual = 0;
  for (std::size_t i = 0; i < batch_lines; i += 8) {
    const __m256i begin = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(places.begin.data() + i));
    const __m256i end = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(places.end.data() + i));
    const __m512i count = _mm512_cvtepi32_epi64(_mm256_sub_epi32(end, begin));
    const __m512i one = _mm512_set1_epi64(1);
    const __mmask8 fits = _mm512_cmple_epu64_mask(_mm512_sub_epi64(count, one), _mm512_set1_epi64(7));
    const digit_words last = last_digits_of(words_at(places.text, end, -8), count);
    const __mmask8 padded = begins_with_zero(last.digits, count) & _mm512_cmpgt_epi64_mask(count, one);
    _mm512_storeu_si512(values.data() + i, join_digits_of(last.digits));
    unusual |= std::uint64_t{static_cast<std::uint8_t>(~(fits & last.sound & ~padded))} << i;
  }
  return lines_without(
      unusual, [&](std::size_t i) { return read_counted_integer(places.begin_of(i), places.end_of(i), values[i]); });
}

[[ETLANTIC_AVX512]] inline std::uint64_t decimals(const value_places& places, int scale, std::int64_t unit,
                                                  batch_numbers& values) {
  std::uint64_t unusual = ~std::uint64_t{0};
  if (scale >= 1 && scale <= 6) {
    unusual = 0;
    const __m512i behind_point = _mm512_set1_epi64(static_cast<long long>(~(~std::uint64_t{0} >> (8 * scale))));
    const __m512i point_place = _mm512_set1_epi64(static_cast<long long>(std::uint64_t{0xff} << (8 * (7 - scale))));
    const __m512i point = _mm512_set1_epi64(static_cast<long long>(std::uint64_t{'.'} << (8 * (7 - scale))));
    const __m512i one = _mm512_set1_epi64(1);
    const __m512i shortest = _mm512_set1_epi64(scale + 1);  // of the digits
    for (std::size_t i = 0; i < batch_lines; i += 8) {
      const __m256i begin = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(places.begin.data() + i));
      const __m256i end = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(places.end.data() + i));
      const __m512i count = _mm512_sub_epi64(_mm512_cvtepi32_epi64(_mm256_sub_epi32(end, begin)), one);
      const __m512i last_word = words_at(places.text, end, -8);
      // The digits before the point move up to close the gap that the point leaves.
      const __m512i characters =
          _mm512_ternarylogic_epi64(behind_point, last_word, words_at(places.text, end, -9), 0xca);
      const __mmask8 fits = _mm512_cmpge_epi64_mask(count, shortest) &
                            _mm512_cmple_epi64_mask(count, _mm512_set1_epi64(8)) &
                            _mm512_cmpeq_epi64_mask(_mm512_and_si512(last_word, point_place), point);
      const digit_words last = last_digits_of(characters, count);
      const __mmask8 padded = begins_with_zero(last.digits, count) & _mm512_cmpgt_epi64_mask(count, shortest);
      _mm512_storeu_si512(values.data() + i, join_digits_of(last.digits));
      unusual |= std::uint64_t{static_cast<std::uint8_t>(~(fits & last.sound & ~padded))} << i;
    }
  }
  return lines_without(unusual, [&](std::size_t i) {
    return read_counted_decimal(places.begin_of(i), places.end_of(i), scale, unit, values[i]);
  });
}

[[ETLANTIC_AVX512]] inline std::uint64_t timestamps(const value_places& places, fast_timestamps& times,
                                                    batch_numbers& values) {
  const auto word_of = [](const char* text) { return static_cast<long long>(load_word(text)); };
  const __m512i colons = _mm512_set1_epi64(word_of("00:00:00"));
  const __m512i most_time = _mm512_set1_epi64(word_of("\x02\x09\x00\x05\x09\x00\x05\x09"));
  const __m512i frame = _mm512_set1_epi64(word_of(".000000Z"));
  const __m512i most_fraction = _mm512_set1_epi64(word_of("\x00\x09\x09\x09\x09\x09\x09\x00"));
  std::uint64_t unusual = 0;
  for (std::size_t i = 0; i < batch_lines; i += 8) {
    const __m256i begin = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(places.begin.data() + i));
    const __m256i end = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(places.end.data() + i));
    const __mmask8 long_enough = _mm256_cmpeq_epi32_mask(_mm256_sub_epi32(end, begin), _mm256_set1_epi32(27));
    const __mmask8 same_day = _mm512_cmpeq_epi64_mask(words_at(places.text, begin, 0),
                                                      _mm512_set1_epi64(static_cast<long long>(times.head()))) &
                              _mm512_cmpeq_epi64_mask(words_at(places.text, begin, 3),
                                                      _mm512_set1_epi64(static_cast<long long>(times.tail())));
    const __m512i time = _mm512_xor_si512(words_at(places.text, begin, 11), colons);
    const __m512i fraction = _mm512_xor_si512(words_at(places.text, begin, 19), frame);
    const std::uint64_t others =
        _mm512_cmpgt_epu8_mask(time, most_time) | _mm512_cmpgt_epu8_mask(fraction, most_fraction);
    const __mmask8 sound = _mm512_testn_epi64_mask(_mm512_movm_epi8(others), _mm512_set1_epi64(-1));
    // Hours are the first two bytes, minutes bytes three and four, seconds the last two.
    const __m512i byte = _mm512_set1_epi64(0xff);
    const __m512i tens = _mm512_add_epi64(_mm512_slli_epi64(time, 3), _mm512_slli_epi64(time, 1));
    const __m512i pairs = _mm512_add_epi64(tens, _mm512_srli_epi64(time, 8));
    const __m512i hour = _mm512_and_si512(pairs, byte);
    const __m512i minute = _mm512_and_si512(_mm512_srli_epi64(pairs, 24), byte);
    const __m512i second = _mm512_and_si512(_mm512_srli_epi64(pairs, 48), byte);
    const __mmask8 in_day = _mm512_cmplt_epi64_mask(hour, _mm512_set1_epi64(24));
    const __m512i seconds = _mm512_add_epi64(_mm512_add_epi64(_mm512_mul_epu32(hour, _mm512_set1_epi64(3600)),
                                                              _mm512_mul_epu32(minute, _mm512_set1_epi64(60))),
                                             second);
    // The six digits become the last six of eight.
    const __m512i digits = _mm512_slli_epi64(_mm512_and_si512(fraction, _mm512_set1_epi64(0x00ffffffffffff00)), 8);
    const __m512i whole =
        _mm512_add_epi64(_mm512_mul_epu32(seconds, _mm512_set1_epi64(1'000'000)), _mm512_set1_epi64(times.midnight()));
    _mm512_storeu_si512(values.data() + i, _mm512_add_epi64(whole, join_digits_of(digits)));
    unusual |= std::uint64_t{static_cast<std::uint8_t>(~(long_enough & same_day & sound & in_day))} << i;
  }
  return lines_without(unusual,
                       [&](std::size_t i) { return times.read(places.begin_of(i), values[i]) == places.end_of(i); });
}

[[ETLANTIC_AVX512]] inline std::uint64_t enumerators(const value_places& places, std::span<const short_literal> known,
                                                     std::array<std::uint8_t, batch_lines>& values) {
  const __m512i all = _mm512_set1_epi64(-1);
  const __m512i eight = _mm512_set1_epi64(8);
  std::uint64_t wrong = 0;
  for (std::size_t i = 0; i < batch_lines; i += 8) {
    const __m256i begin = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(places.begin.data() + i));
    const __m256i end = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(places.end.data() + i));
    const __m512i size = _mm512_cvtepi32_epi64(_mm256_sub_epi32(end, begin));
    // Bytes of each word that belong to the text; shifts by 64 bits or more give zero.
    const __m512i bits = _mm512_slli_epi64(size, 3);
    const __m512i low_unused = _mm512_sllv_epi64(all, bits);
    const __m512i high_used = _mm512_maskz_mov_epi64(_mm512_cmpgt_epi64_mask(size, eight), all);
    const __m512i high_unused = _mm512_sllv_epi64(all, _mm512_sub_epi64(bits, _mm512_set1_epi64(64)));
    const __m512i low = _mm512_andnot_si512(low_unused, words_at(places.text, begin, 0));
    const __m512i high = _mm512_and_si512(high_used, _mm512_andnot_si512(high_unused, words_at(places.text, begin, 8)));
    __m512i code = _mm512_setzero_si512();
    __mmask8 matched = 0;
    for (std::size_t k = 0; k < known.size(); ++k) {
      const short_literal& each = known[k];
      const __m512i difference =
          _mm512_or_si512(_mm512_xor_si512(low, _mm512_set1_epi64(static_cast<long long>(each.low))),
                          _mm512_xor_si512(high, _mm512_set1_epi64(static_cast<long long>(each.high))));
      const __mmask8 same =
          _mm512_testn_epi64_mask(difference, difference) & _mm512_cmpeq_epi64_mask(size, _mm512_set1_epi64(each.size));
      code = _mm512_mask_mov_epi64(code, same, _mm512_set1_epi64(static_cast<long long>(k)));
      matched = static_cast<__mmask8>(matched | same);
    }
    _mm_storel_epi64(reinterpret_cast<__m128i*>(values.data() + i), _mm512_cvtepi64_epi8(code));
    wrong |= std::uint64_t{static_cast<std::uint8_t>(~matched)} << i;
  }
  return wrong;
}

[[ETLANTIC_AVX512]] inline void texts(const value_places& places, const char* borrowed, text_view* values) {
  for (std::size_t i = 0; i < batch_lines; ++i) {
    const char* const text = places.begin_of(i);
    const std::uint32_t size = places.size_of(i);
    const __mmask16 used = static_cast<__mmask16>(_bzhi_u32(0xffff, (size > 12 ? 4 : size) + 4));
    const std::uint64_t place =
        size > 12 ? std::uint64_t{static_cast<std::uint32_t>(text - borrowed)} << 32 : std::uint64_t{0};
    const __m128i characters = _mm_maskz_loadu_epi8(static_cast<__mmask16>(used & 0xfff0), text - 4);
    const __m128i rest = _mm_set_epi64x(static_cast<long long>(place), static_cast<long long>(size));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(values + i), _mm_or_si128(characters, rest));
  }
}

[[ETLANTIC_AVX512]] inline std::uint64_t outside(const batch_numbers& values, std::int64_t least,
                                                 std::int64_t greatest) {
  std::uint64_t found = 0;
  for (std::size_t i = 0; i < batch_lines; i += 8) {
    const __m512i value = _mm512_loadu_si512(values.data() + i);
    const unsigned below = _mm512_cmplt_epi64_mask(value, _mm512_set1_epi64(least));
    const unsigned above = _mm512_cmpgt_epi64_mask(value, _mm512_set1_epi64(greatest));
    found |= std::uint64_t{below | above} << i;
  }
  return found;
}

}  // namespace batch_avx512

}  // namespace etlantic::detail
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
#endif
