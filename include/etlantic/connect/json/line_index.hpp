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

  std::uint32_t line_begin(std::size_t line) const { return begins_[line]; }
  /// Of the line feed, or of the end of the text.
  std::uint32_t line_end(std::size_t line) const { return begins_[line + 1] - 1; }
  /// Which of `quotes` is the first one behind the lines before; `line` may be `lines()`.
  std::uint32_t first_quote(std::size_t line) const { return first_quotes_[line]; }
  const std::uint32_t* quotes() const { return quotes_.data(); }
  /// As `line_begin` and `first_quote` of all lines, with room to read 64 more.
  const std::uint32_t* line_begins() const { return begins_.data(); }
  const std::uint32_t* first_quotes() const { return first_quotes_.data(); }
  /// Whether a line ends with a carriage return and a line feed.
  bool has_returns() const { return has_returns_; }

  /// Lines with control characters, which no text may have.
  line_list<most_bytes>& odd_lines() { return odd_lines_; }
  line_list<most_bytes>& escaped_lines() { return escaped_lines_; }

  /// What the loops over blocks count. They keep it in registers, because nothing that they store can change it.
  struct counters {
    std::uint32_t lines = 0;
    std::uint32_t quotes = 0;
  };

  /// Called by the loops over blocks before they store quotes; inlined by force, to be compiled for the instructions of
  /// each. Takes the escaped ones out of the quotes. `is_rare`: there are backslashes or control characters.
  [[gnu::always_inline]] void take(byte_masks& found, std::uint32_t place, bool is_rare, counters& counted) {
    if (is_rare | (escapes_next_ != 0)) [[unlikely]]
      take_rare(found, place, counted.lines);
    // Whether a block has a line feed cannot be predicted; that it has two is rare. Without one, what is written is
    // written over by the next one.
    std::uint64_t rest = found.feeds;
    do {
      begins_[counted.lines + 1] = place + static_cast<std::uint32_t>(std::countr_zero(rest)) + 1;
      first_quotes_[counted.lines + 1] =
          counted.quotes + static_cast<std::uint32_t>(std::popcount(found.quotes & ((rest & -rest) - 1)));
      counted.lines += rest != 0;
      rest &= rest - 1;
    } while (rest != 0);
  }
  /// Where the quotes behind those that were counted go.
  std::uint32_t* quotes_from(const counters& counted) { return quotes_.data() + counted.quotes; }

 private:
  void take_rare(byte_masks& found, std::uint32_t place, std::uint32_t lines) {
    const auto line_of = [&](std::uint32_t bit) {
      return lines + static_cast<std::uint32_t>(std::popcount(found.feeds & low_bits(bit)));
    };
    for (std::uint64_t rest = found.controls; rest != 0; rest &= rest - 1) {
      const auto bit = static_cast<std::uint32_t>(std::countr_zero(rest));
      // A carriage return that belongs to the line feed behind it is nothing odd.
      if (begin_[place + bit] == '\r' && place + bit + 1 < size_ && begin_[place + bit + 1] == '\n') {
        has_returns_ = true;
        continue;
      }
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
  std::uint64_t escapes_next_ = 0;  // whether the first character of the next block is escaped
  bool ascii_ = true;
  bool has_returns_ = false;
  // Sixty-four more than there can be, because a block's quotes are stored by whole registers.
  std::array<std::uint32_t, most_bytes + 64> quotes_;
  std::array<std::uint32_t, most_bytes + 2 + 64> begins_;  // of each line, and where one behind the last would begin
  std::array<std::uint32_t, most_bytes + 2 + 64> first_quotes_;
  line_list<most_bytes> odd_lines_;
  line_list<most_bytes> escaped_lines_;
};

}  // namespace etlantic::detail
