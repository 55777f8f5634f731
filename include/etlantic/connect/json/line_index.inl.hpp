#pragma once
#include <etlantic/connect/json/line_index.hpp>
#include <etlantic/core/vector_instructions.hpp>

namespace etlantic::detail {

/// The places of a block's quotes, behind those before; at most 64 are written.
inline void store_quotes(std::uint64_t quotes, std::uint32_t place, std::uint32_t* to) {
  for (; quotes != 0; quotes &= quotes - 1) *to++ = place + static_cast<std::uint32_t>(std::countr_zero(quotes));
}

// ---- eight bytes at a time, for machines that nothing below is for -----------------------------------------------

inline std::uint64_t gather_high_bits(std::uint64_t marks) {
  // Every byte's high bit moves to the byte at the top, each to its own bit.
  return ((marks & 0x8080808080808080) >> 7) * 0x0102040810204080 >> 56;
}

inline std::uint64_t bytes_below(std::uint64_t word, std::uint64_t limit) {
  // Exact for every byte: the high bits take no part in the subtraction, so nothing is borrowed across bytes.
  constexpr std::uint64_t high = 0x8080808080808080;
  return ~((word & ~high) + (0x80 - limit) * 0x0101010101010101) & ~word & high;
}

inline byte_masks masks_of_block(const char* at, std::uint64_t& high_bits) {
  byte_masks found;
  for (int i = 0; i < 8; ++i) {
    const std::uint64_t word = load_word(at + 8 * i);
    high_bits |= word;
    const auto equal = [&](char c) {
      return gather_high_bits(
                 bytes_below(word ^ (static_cast<unsigned char>(c) * std::uint64_t{0x0101010101010101}), 1))
             << (8 * i);
    };
    found.quotes |= equal('"');
    found.feeds |= equal('\n');
    found.backslashes |= equal('\\');
    found.controls |= gather_high_bits(bytes_below(word, 0x20)) << (8 * i);
  }
  found.controls &= ~found.feeds;
  return found;
}

// Processors fetch ahead by themselves, but not into the next page of memory.
inline constexpr std::uint32_t prefetch_distance = 2048;

// The loops over blocks differ in the functions that they are made of and in the instructions that these may use. They
// are spelled out, because the compilers do not inline across different instruction sets.

[[gnu::always_inline]] inline void keep_inside(byte_masks& found, std::uint32_t bytes) {
  const std::uint64_t inside = low_bits(bytes);
  found.quotes &= inside;
  found.feeds &= inside;
  found.backslashes &= inside;
  found.controls &= inside;
}

struct indexed_blocks {
  line_index::counters counted;
  bool ascii = true;
};

[[gnu::always_inline]] inline bool is_rare(const byte_masks& found) {
  return (found.backslashes | found.controls) != 0;
}

inline indexed_blocks index_blocks_baseline(line_index& into, const char* begin, std::uint32_t size) {
  std::uint64_t high_bits = 0;
  line_index::counters counted;
  for (std::uint32_t place = 0; place < size; place += 64) {
    byte_masks found = masks_of_block(begin + place, high_bits);
    if (size - place < 64) keep_inside(found, size - place);
    into.take(found, place, is_rare(found), counted);
    store_quotes(found.quotes, place, into.quotes_from(counted));
    counted.quotes += static_cast<std::uint32_t>(std::popcount(found.quotes));
  }
  return {counted, (high_bits & 0x8080808080808080) == 0};
}

#if defined(__x86_64__)

[[ETLANTIC_AVX2]] inline indexed_blocks index_blocks_avx2(line_index& into, const char* begin, std::uint32_t size) {
  const __m256i quote = _mm256_set1_epi8('"');
  const __m256i feed = _mm256_set1_epi8('\n');
  const __m256i backslash = _mm256_set1_epi8('\\');
  const __m256i control = _mm256_set1_epi8(0x1f);
  __m256i all = _mm256_setzero_si256();
  line_index::counters counted;
  for (std::uint32_t place = 0; place < size; place += 64) {
    _mm_prefetch(begin + place + prefetch_distance, _MM_HINT_T0);
    const __m256i low = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(begin + place));
    const __m256i high = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(begin + place + 32));
#define ETLANTIC_BITS(condition_low, condition_high)                                             \
  (static_cast<std::uint64_t>(static_cast<std::uint32_t>(_mm256_movemask_epi8(condition_low))) | \
   static_cast<std::uint64_t>(static_cast<std::uint32_t>(_mm256_movemask_epi8(condition_high))) << 32)
    byte_masks found;
    found.quotes = ETLANTIC_BITS(_mm256_cmpeq_epi8(low, quote), _mm256_cmpeq_epi8(high, quote));
    found.feeds = ETLANTIC_BITS(_mm256_cmpeq_epi8(low, feed), _mm256_cmpeq_epi8(high, feed));
    found.backslashes = ETLANTIC_BITS(_mm256_cmpeq_epi8(low, backslash), _mm256_cmpeq_epi8(high, backslash));
    // Unsigned comparison: a byte is at most 0x1f when the larger of the two is 0x1f.
    found.controls = ETLANTIC_BITS(_mm256_cmpeq_epi8(_mm256_max_epu8(low, control), control),
                                   _mm256_cmpeq_epi8(_mm256_max_epu8(high, control), control)) &
                     ~found.feeds;
    all = _mm256_or_si256(all, _mm256_or_si256(low, high));
#undef ETLANTIC_BITS
    if (size - place < 64) keep_inside(found, size - place);
    into.take(found, place, is_rare(found), counted);
    std::uint32_t* to = into.quotes_from(counted);
    counted.quotes += static_cast<std::uint32_t>(std::popcount(found.quotes));
    for (std::uint64_t rest = found.quotes; rest != 0; rest = _blsr_u64(rest))
      *to++ = place + static_cast<std::uint32_t>(_tzcnt_u64(rest));
  }
  return {counted, _mm256_movemask_epi8(all) == 0};
}

[[ETLANTIC_AVX512]] inline indexed_blocks index_blocks_avx512(line_index& into, const char* begin, std::uint32_t size) {
  const __m512i quote = _mm512_set1_epi8('"');
  const __m512i feed = _mm512_set1_epi8('\n');
  const __m512i backslash = _mm512_set1_epi8('\\');
  const __m512i space = _mm512_set1_epi8(' ');
  alignas(64) static constexpr std::array<unsigned char, 64> numbers = [] {
    std::array<unsigned char, 64> bytes{};
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<unsigned char>(i);
    return bytes;
  }();
  const __m512i places = _mm512_load_si512(numbers.data());
  __m512i all = _mm512_setzero_si512();
  line_index::counters counted;
  for (std::uint32_t place = 0; place < size; place += 64) {
    _mm_prefetch(begin + place + prefetch_distance, _MM_HINT_T0);
    // Spaces stand for what lies behind the end.
    const __m512i bytes = size - place >= 64 ? _mm512_loadu_si512(begin + place)
                                             : _mm512_mask_loadu_epi8(space, low_bits(size - place), begin + place);
    const __mmask64 feeds = _mm512_cmpeq_epi8_mask(bytes, feed);
    const __mmask64 controls = _mm512_cmplt_epu8_mask(bytes, space);
    const __mmask64 backslashes = _mm512_cmpeq_epi8_mask(bytes, backslash);
    byte_masks found;
    found.quotes = _mm512_cmpeq_epi8_mask(bytes, quote);
    found.feeds = feeds;
    found.backslashes = backslashes;
    found.controls = controls & ~feeds;
    all = _mm512_or_si512(all, bytes);
    into.take(found, place, is_rare(found), counted);
    std::uint32_t* const quotes = into.quotes_from(counted);
    const auto count = static_cast<std::uint32_t>(_mm_popcnt_u64(found.quotes));
    counted.quotes += count;
    // The places in the block, packed in a register; the compress that writes to memory itself is slow on Zen 4.
    const __m512i packed = _mm512_maskz_compress_epi8(found.quotes, places);
    const __m512i base = _mm512_set1_epi32(static_cast<int>(place));
    _mm512_storeu_si512(quotes, _mm512_add_epi32(_mm512_cvtepu8_epi32(_mm512_castsi512_si128(packed)), base));
    if (count > 16) [[unlikely]] {
      _mm512_storeu_si512(quotes + 16,
                          _mm512_add_epi32(_mm512_cvtepu8_epi32(_mm512_extracti32x4_epi32(packed, 1)), base));
      _mm512_storeu_si512(quotes + 32,
                          _mm512_add_epi32(_mm512_cvtepu8_epi32(_mm512_extracti32x4_epi32(packed, 2)), base));
      _mm512_storeu_si512(quotes + 48,
                          _mm512_add_epi32(_mm512_cvtepu8_epi32(_mm512_extracti32x4_epi32(packed, 3)), base));
    }
  }
  return {counted, _mm512_movepi8_mask(all) == 0};
}

#endif

[[gnu::used]] inline void line_index::build(const char* begin, const char* end, bool is_last,
                                            instruction_set instructions) {
  begin_ = begin;
  size_ = static_cast<std::uint32_t>(end - begin);
  escapes_next_ = 0;
  has_returns_ = false;
  odd_lines_.clear();
  escaped_lines_.clear();
  begins_[0] = 0;
  first_quotes_[0] = 0;
#if defined(__x86_64__)
  const indexed_blocks found = instructions == instruction_set::avx512 ? index_blocks_avx512(*this, begin, size_)
                               : instructions == instruction_set::avx2 ? index_blocks_avx2(*this, begin, size_)
                                                                       : index_blocks_baseline(*this, begin, size_);
#else
  static_cast<void>(instructions);
  const indexed_blocks found = index_blocks_baseline(*this, begin, size_);
#endif
  lines_ = found.counted.lines;
  ascii_ = found.ascii;
  if (is_last && begins_[lines_] < size_) {
    begins_[++lines_] = size_ + 1;
    first_quotes_[lines_] = found.counted.quotes;
  }
}

}  // namespace etlantic::detail
