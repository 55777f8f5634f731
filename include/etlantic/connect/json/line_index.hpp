#pragma once
#include <etlantic/connect/json/short_literal.hpp>
#include <etlantic/core/instruction_set.hpp>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace etlantic::detail {

/// Sixty-four bytes of text as bits, the first byte lowest.
struct byte_masks {
  std::uint64_t quotes = 0;
  std::uint64_t feeds = 0;
  std::uint64_t backslashes = 0;
  std::uint64_t controls = 0;  ///< other control characters than line feeds
};

/// The numbers of some lines, in order; a line may come more than once.
template <std::size_t Most>
class line_list {
 public:
  void clear() { size_ = taken_ = 0; }
  void add(std::uint32_t line) { lines_[size_++] = line; }
  /// Those of the `count` lines from `first` on that are in the list, as bits. Lines before `first` are done with.
  std::uint64_t take(std::size_t first, std::size_t count) {
    std::uint64_t found = 0;
    for (; taken_ < size_ && lines_[taken_] < first + count; ++taken_)
      found |= std::uint64_t{1} << (lines_[taken_] - first);
    return found;
  }

 private:
  std::size_t size_ = 0;
  std::size_t taken_ = 0;
  std::array<std::uint32_t, Most> lines_;
};

/// Where the lines of a stretch of text end and where its quotes stand, but for those that a backslash escapes: enough
/// to find every name and text of a line without looking at the bytes between. Places count from the beginning of the
/// stretch. Backslashes outside of texts are taken for escapes too; a reader sees them and refuses the line.
class line_index {
 public:
  /// Short enough for what is found in it to stay in the first and second level of the cache until it is used.
  static constexpr std::size_t most_bytes = std::size_t{16} << 10;

  /// Looks at the bytes from `begin` to `end`, no more than `most_bytes`. Sixty-four bytes behind `end` are readable.
  /// `is_last`: the text ends at `end`, so that a line needs no line feed there.
  void build(const char* begin, const char* end, bool is_last, instruction_set instructions);

  const char* begin() const { return begin_; }
  std::size_t lines() const { return lines_; }
  bool ascii() const { return ascii_; }

  std::uint32_t line_begin(std::size_t line) const { return line == 0 ? 0 : ends_[line - 1] + 1; }
  /// Of the line feed, or of the end of the text.
  std::uint32_t line_end(std::size_t line) const { return ends_[line]; }
  /// Which of `quotes` is the first one behind the lines before; `line` may be `lines()`.
  std::uint32_t first_quote(std::size_t line) const { return first_quotes_[line]; }
  const std::uint32_t* quotes() const { return quotes_.data(); }

  /// Lines with control characters, which no text may have.
  line_list<most_bytes>& odd_lines() { return odd_lines_; }
  line_list<most_bytes>& escaped_lines() { return escaped_lines_; }

  /// Called by the loops over blocks before they store quotes; inlined by force, to be compiled for the instructions of
  /// each. Takes the escaped ones out of the quotes.
  [[gnu::always_inline]] void take(byte_masks& found, std::uint32_t place) {
    if ((found.backslashes | found.controls | escapes_next_) != 0) [[unlikely]]
      take_rare(found, place);
    // Whether a block has a line feed cannot be predicted; that it has two is rare. Without one, what is written is
    // written over by the next one.
    std::uint64_t rest = found.feeds;
    do {
      ends_[lines_] = place + static_cast<std::uint32_t>(std::countr_zero(rest));
      first_quotes_[lines_ + 1] =
          quote_count_ + static_cast<std::uint32_t>(std::popcount(found.quotes & ((rest & -rest) - 1)));
      lines_ += rest != 0;
      rest &= rest - 1;
    } while (rest != 0);
    quote_count_ += static_cast<std::uint32_t>(std::popcount(found.quotes));
  }
  std::uint32_t* quotes_end() { return quotes_.data() + quote_count_; }

 private:
  void take_rare(byte_masks& found, std::uint32_t place) {
    const auto line_of = [&](std::uint32_t bit) {
      return lines_ + static_cast<std::uint32_t>(std::popcount(found.feeds & low_bits(bit)));
    };
    for (std::uint64_t rest = found.controls; rest != 0; rest &= rest - 1) {
      const auto bit = static_cast<std::uint32_t>(std::countr_zero(rest));
      // A carriage return that belongs to the line feed behind it is nothing odd.
      if (begin_[place + bit] == '\r' && place + bit + 1 < size_ && begin_[place + bit + 1] == '\n') continue;
      odd_lines_.add(line_of(bit));
    }
    std::uint64_t escaped = escapes_next_;
    escapes_next_ = 0;
    for (std::uint64_t rest = found.backslashes & ~escaped; rest != 0;) {
      const auto bit = static_cast<std::uint32_t>(std::countr_zero(rest));
      escaped_lines_.add(line_of(bit));
      // A backslash takes the character behind it, which may be a backslash itself.
      if (bit == 63) escapes_next_ = 1;
      const std::uint64_t taken = bit == 63 ? 0 : std::uint64_t{2} << bit;
      escaped |= taken;
      rest &= ~(std::uint64_t{1} << bit | taken);
    }
    found.quotes &= ~escaped;
  }

  const char* begin_ = nullptr;
  std::uint32_t size_ = 0;
  std::uint32_t lines_ = 0;
  std::uint32_t quote_count_ = 0;
  std::uint64_t escapes_next_ = 0;  // whether the first character of the next block is escaped
  bool ascii_ = true;
  // Sixty-four more than there can be, because a block's quotes are stored by whole registers.
  std::array<std::uint32_t, most_bytes + 64> quotes_;
  std::array<std::uint32_t, most_bytes + 2> ends_;
  std::array<std::uint32_t, most_bytes + 2> first_quotes_;
  line_list<most_bytes> odd_lines_;
  line_list<most_bytes> escaped_lines_;
};

}  // namespace etlantic::detail
