#pragma once
#include <etlantic/column/text_view.hpp>
#include <etlantic/connect/json/short_literal.hpp>
#include <etlantic/core/json_number.hpp>
#include <etlantic/core/rfc3339.hpp>

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <string_view>

/// The usual forms of values, eight bytes at a time. Each function reads at `at` and gives the place behind the value,
/// or null for any other form, right or wrong: the general code decides about those. Thirty-two bytes are readable.
/// Called once per value; as calls they would cost a third of the time of a row, so they are inlined by force.
namespace etlantic::detail {

inline constexpr std::int64_t powers_of_ten[] = {
    1,
    10,
    100,
    1'000,
    10'000,
    100'000,
    1'000'000,
    10'000'000,
    100'000'000,
    1'000'000'000,
    10'000'000'000,
    100'000'000'000,
    1'000'000'000'000,
    10'000'000'000'000,
    100'000'000'000'000,
    1'000'000'000'000'000,
    10'000'000'000'000'000,
    100'000'000'000'000'000,
    1'000'000'000'000'000'000,
};

struct leading_digits {
  std::int64_t value = 0;
  int count = 0;
};

/// The number that eight digits make, the first one in the lowest byte: pairs, then fours, then eights (D. Lemire,
/// "Quickly parsing eight digits", 2018).
[[gnu::always_inline]] inline std::int64_t join_digits(std::uint64_t digits) {
  digits = digits * 10 + (digits >> 8);
  constexpr std::uint64_t pairs = 0x000000ff000000ff;
  digits = ((digits & pairs) * (100 + (std::uint64_t{1'000'000} << 32)) +
            ((digits >> 16) & pairs) * (1 + (std::uint64_t{10'000} << 32))) >>
           32;
  return static_cast<std::int64_t>(digits & 0xffffffff);
}

/// The digits at `at`, at most eight of them.
[[gnu::always_inline]] inline leading_digits read_leading_digits(const char* at) {
  const std::uint64_t digits = load_word(at) ^ 0x3030303030303030;
  // A byte above 9 gets its high bit; a carry can only mark bytes behind it.
  const std::uint64_t others = ((digits + 0x7676767676767676) | digits) & 0x8080808080808080;
  const int count = std::countr_zero(others) / 8;
  if (count == 0) return {};  // a shift by all 64 bits is not defined
  return {join_digits(digits << (64 - 8 * count)), count};
}

/// Digits without a sign and without a zero in front, at most eighteen.
[[gnu::always_inline]] inline const char* read_fast_digits(const char* at, std::int64_t& value) {
  const leading_digits first = read_leading_digits(at);
  if (first.count == 0 || (first.count > 1 && *at == '0')) return nullptr;
  value = first.value;
  at += first.count;
  if (first.count < 8) return at;
  const leading_digits second = read_leading_digits(at);
  value = value * powers_of_ten[second.count] + second.value;
  at += second.count;
  if (second.count < 8) return at;
  const leading_digits third = read_leading_digits(at);
  if (third.count > 2) return nullptr;
  value = value * powers_of_ten[third.count] + third.value;
  return at + third.count;
}

[[gnu::always_inline]] inline const char* read_fast_integer(const char* at, std::int64_t& value) {
  // A branch and not a sum: the guess lets the processor go on before it has seen the byte.
  if (*at == '-') [[unlikely]] {
    at = read_fast_digits(at + 1, value);
    value = -value;
    return at;
  }
  return read_fast_digits(at, value);
}

/// A plain number with at most eight digits behind the point, none of them beyond the scale, as a scaled integer.
[[gnu::always_inline]] inline const char* read_fast_decimal(const char* at, int scale, std::int64_t unit,
                                                            std::int64_t& value) {
  bool negative = false;
  if (*at == '-') [[unlikely]] {
    negative = true;
    ++at;
  }
  std::int64_t whole = 0;
  at = read_fast_digits(at, whole);
  if (at == nullptr || __builtin_mul_overflow(whole, unit, &value)) return nullptr;
  if (*at == '.') {
    const leading_digits fraction = read_leading_digits(at + 1);
    if (fraction.count == scale) [[likely]] {
      at += 1 + scale;
      if (__builtin_add_overflow(value, fraction.value, &value)) return nullptr;
    } else {
      if (fraction.count > scale) return nullptr;
      at += 1 + fraction.count;
      if (__builtin_add_overflow(value, fraction.value * powers_of_ten[scale - fraction.count], &value)) return nullptr;
    }
    if (fraction.count == 0) return nullptr;
  }
  if (negative) value = -value;
  return at;
}

/// The low bytes of a two's complement number are the number in every narrower width.
[[gnu::always_inline]] inline void store_integer(std::byte* to, std::size_t width, std::int64_t value) {
  switch (width) {
    case 8: std::memcpy(to, &value, 8); break;
    case 4: std::memcpy(to, &value, 4); break;
    case 2: std::memcpy(to, &value, 2); break;
    default: std::memcpy(to, &value, 1); break;
  }
}

/// A text that stands in the buffer that begins at `borrowed`. Twelve bytes at `text` are readable: they are cheaper to
/// mask than to copy by length.
[[gnu::always_inline]] inline text_view view_of(const char* text, std::uint32_t size, const char* borrowed) {
  if (size > 12) return text_view::of_place({text, size}, 0, static_cast<std::int32_t>(text - borrowed));
  std::uint32_t head;
  std::memcpy(&head, text, 4);
  const std::uint64_t first = std::uint64_t{head & static_cast<std::uint32_t>(low_bytes(size))} << 32 | size;
  const std::uint64_t second = load_word(text + 4) & (size <= 4 ? 0 : low_bytes(size - 4));
  return std::bit_cast<text_view>(std::array{first, second});
}

/// The enumerator that the text is, or the number of enumerators. All of them are compared: as fast as stopping at the
/// first match where one is frequent, and faster where none is. Sixteen bytes at `text` are readable.
[[gnu::always_inline]] inline std::size_t find_enumerator(std::span<const short_literal> enumerators, const char* text,
                                                          std::size_t size) {
  const std::uint64_t low = load_word(text) & low_bytes(size);
  const std::uint64_t high = load_word(text + 8) & (size <= 8 ? 0 : low_bytes(size - 8));
  std::size_t found = enumerators.size();
  for (std::size_t i = 0; i < enumerators.size(); ++i) {
    const short_literal& each = enumerators[i];
    found = ((each.low ^ low) | (each.high ^ high) | (each.size ^ size)) == 0 ? i : found;
  }
  return found;
}

/// `YYYY-MM-DDThh:mm:ss[.fraction]Z`. Times come mostly in order, so the day is worked out once for many.
class fast_timestamps {
 public:
  [[gnu::always_inline]] inline const char* read(const char* at, std::int64_t& microseconds) {
    // The eleven bytes up to and with the T, in two words that overlap.
    const std::uint64_t head = load_word(at);
    const std::uint64_t tail = load_word(at + 3);
    if (((head != head_) | (tail != tail_)) && !learn_day(at)) return nullptr;
    const std::uint64_t time = load_word(at + 11) ^ word_of("00:00:00");
    // In places of digits more than 9, in places of colons more than 0 sets the high bit.
    const std::uint64_t limits = word_of("\x76\x76\x7f\x76\x76\x7f\x76\x76");
    if ((((time + limits) | time) & 0x8080808080808080) != 0) return nullptr;
    const std::uint64_t pairs = time * 10 + (time >> 8);
    const std::uint64_t hour = pairs & 0xff;
    const std::uint64_t minute = pairs >> 24 & 0xff;
    const std::uint64_t second = pairs >> 48 & 0xff;
    if ((hour > 23) | (minute > 59) | (second > 59)) return nullptr;
    at += 19;

    std::int64_t fraction = 0;
    if (*at == '.') {
      const leading_digits digits = read_leading_digits(at + 1);
      if (digits.count == 6) [[likely]] {
        fraction = digits.value;
        at += 7;
      } else {
        if (digits.count == 0) return nullptr;
        fraction = digits.count < 6 ? digits.value * powers_of_ten[6 - digits.count]
                                    : digits.value / powers_of_ten[digits.count - 6];
        at += 1 + digits.count;
      }
    }
    if (*at != 'Z') return nullptr;
    microseconds = midnight_ + static_cast<std::int64_t>((hour * 60 + minute) * 60 + second) * 1'000'000 + fraction;
    return at + 1;
  }

  /// The first eleven characters of a time of the day that was read last, in two words that overlap, and its midnight.
  std::uint64_t head() const { return head_; }
  std::uint64_t tail() const { return tail_; }
  std::int64_t midnight() const { return midnight_; }

 private:
  static std::uint64_t word_of(const char* text) { return load_word(text); }

  [[gnu::noinline]] bool learn_day(const char* at) {
    const auto day = parse_date({at, 10});
    if (!day || at[10] != 'T') return false;
    head_ = load_word(at);
    tail_ = load_word(at + 3);
    midnight_ = day->days * microseconds_per_day;
    return true;
  }

  std::uint64_t head_ = 0;
  std::uint64_t tail_ = 0;
  std::int64_t midnight_ = 0;
};

}  // namespace etlantic::detail
