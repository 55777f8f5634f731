#pragma once
#include <etlantic/column/buffer.hpp>
#include <etlantic/connect/file/source_file.hpp>
#include <etlantic/runtime/source.hpp>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

namespace etlantic::detail {

/// Sizes of what is in memory at once.
struct line_sizes {
  std::size_t chunk = std::size_t{256} << 10;  // stays in the second-level cache between reading and decoding
  std::size_t longest_line = std::size_t{16} << 20;
};

#if defined(__GNUC__) && !defined(__clang__)  // gcc 12 takes a scoped enumerator for a shadow of a name outside
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
#endif
/// What bytes behind the last line feed of a file are.
enum class last_line : std::uint8_t { is_a_row, is_still_written };
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif

/// How far a batch may read: the end of the last line that keeps within the limits, and the number of lines.
struct planned_lines {
  std::int64_t end = 0;
  std::int64_t lines = 0;
  bool limited = false;  ///< a line was left out because of a limit
};

/// The end of the last whole line of [begin, end), or `begin` if there is none. Reads backwards from the end.
inline result<std::int64_t> end_of_last_line(const source_file& file, std::int64_t begin, std::int64_t end,
                                             buffer& chunk) {
  constexpr std::int64_t chunk_bytes = 64 << 10;
  for (std::int64_t behind = end; behind > begin;) {
    const std::int64_t place = std::max(begin, behind - chunk_bytes);
    const auto count = static_cast<std::size_t>(behind - place);
    chunk.reserve(count);
    if (auto got = file.read(place, chunk.data(), count); !got) return got.error();
    const auto* feed = static_cast<const std::byte*>(::memrchr(chunk.data(), '\n', count));
    if (feed != nullptr) return place + (feed - chunk.data()) + 1;
    behind = place;
  }
  return begin;
}

/// The same as plan_lines without a limit of rows: finds the end without looking at every line, and counts no more
/// than whether there are any. A line that alone is over the limit of bytes gives an empty range.
inline result<planned_lines> plan_bytes(const source_file& file, std::int64_t begin, std::int64_t end, last_line tail,
                                        std::int64_t max_bytes, buffer& chunk) {
  const bool limited = end - begin > max_bytes;
  if (!limited && tail == last_line::is_a_row) return planned_lines{end, end > begin ? 1 : 0, false};
  auto found = end_of_last_line(file, begin, limited ? begin + max_bytes : end, chunk);
  if (!found) return found.error();
  return planned_lines{*found, *found > begin ? 1 : 0, limited};
}

/// Counts the lines of [begin, end) up to the limits. A line that alone is over the limit of bytes is taken when
/// `nothing_yet`, because it would never fit.
inline result<planned_lines> plan_lines(const source_file& file, std::int64_t begin, std::int64_t end, last_line tail,
                                        const intake_limits& limits, bool nothing_yet, buffer& chunk) {
  if (limits.max_rows == no_limit) {
    auto planned = plan_bytes(file, begin, end, tail, limits.max_bytes, chunk);
    if (!planned || planned->end > begin || !planned->limited || !nothing_yet) return planned;
  }
  planned_lines planned{begin, 0, false};
  const std::int64_t last = end - begin <= limits.max_bytes ? end : begin + limits.max_bytes;
  const auto must_take = [&] { return nothing_yet && planned.lines == 0; };
  const auto take = [&](std::int64_t line_end) {
    planned.limited = planned.lines == limits.max_rows || (line_end > last && !must_take());
    if (!planned.limited) planned = {line_end, planned.lines + 1, false};
    return !planned.limited;
  };
  constexpr std::int64_t chunk_bytes = 256 << 10;
  for (std::int64_t place = begin; place < end;) {
    if (place > last && !must_take()) {
      planned.limited = true;
      return planned;
    }
    const auto count = static_cast<std::size_t>(std::min(end - place, chunk_bytes));
    chunk.reserve(count);
    if (auto got = file.read(place, chunk.data(), count); !got) return got.error();
    const std::byte* at = chunk.data();
    const std::byte* const chunk_end = at + count;
    while (const void* feed = std::memchr(at, '\n', static_cast<std::size_t>(chunk_end - at))) {
      at = static_cast<const std::byte*>(feed) + 1;
      if (!take(place + (at - chunk.data()))) return planned;
    }
    place += static_cast<std::int64_t>(count);
  }
  if (tail == last_line::is_a_row && planned.end < end) take(end);
  return planned;
}

/// Cuts a range into parts that end with a line and are mostly a little shorter than `most` bytes.
inline result<std::vector<split_range>> cut_at_lines(const source_file& file, const split_range& range,
                                                     std::int64_t most, buffer& chunk) {
  constexpr std::int64_t look = 4 << 10;
  constexpr std::int64_t first_look = 512;  // nobody reads meanwhile, and most lines are short
  chunk.reserve(look);
  std::vector<split_range> parts;
  std::int64_t begin = range.begin;
  const std::int64_t distance = std::max(most - look, most / 2);
  for (std::int64_t place = begin + distance; place < range.end;) {
    const bool is_first = place == begin + distance;
    const auto count = static_cast<std::size_t>(std::min(is_first ? first_look : look, range.end - place));
    if (auto got = file.read(place, chunk.data(), count); !got) return got.error();
    const auto* feed = static_cast<const std::byte*>(std::memchr(chunk.data(), '\n', count));
    if (feed == nullptr) {
      place += static_cast<std::int64_t>(count);
      continue;
    }
    const std::int64_t end = place + (feed - chunk.data()) + 1;
    parts.push_back({range.split, begin, end});
    begin = end;
    place = begin + distance;
  }
  if (begin < range.end) parts.push_back({range.split, begin, range.end});
  return parts;
}

/// Delivers [begin, end) in chunks of whole lines. Of a line longer than the limit only a beginning is delivered, a
/// little longer than the limit and without a line feed, so that whoever reads it sees that it is too long; the rest
/// is skipped without being held.
inline result<void> read_lines(const source_file& file, const split_range& range, const line_sizes& sizes,
                               buffer& chunk, intake& into) {
  // Room for a byte order mark and a carriage return, which do not count as the line's length.
  const std::size_t enough = sizes.longest_line + 8;
  std::int64_t place = range.begin;  // of the first byte in the chunk
  std::size_t held = 0;
  bool skipping = false;
  const auto deliver = [&](std::size_t count) {
    const std::string_view bytes(reinterpret_cast<const char*>(chunk.data()), count);
    return into.lines(range.split, place, bytes);
  };
  const auto drop = [&](std::size_t count) {
    std::memmove(chunk.data(), chunk.data() + count, held - count);
    held -= count;
    place += static_cast<std::int64_t>(count);
  };

  while (place + static_cast<std::int64_t>(held) < range.end) {
    const std::int64_t next = place + static_cast<std::int64_t>(held);
    const auto count =
        static_cast<std::size_t>(std::min<std::int64_t>(range.end - next, static_cast<std::int64_t>(sizes.chunk)));
    chunk.resize_for_overwrite(held + count);
    if (auto got = file.read(next, chunk.data() + held, count); !got) return got;
    held += count;

    if (skipping) {
      const auto* feed = static_cast<const std::byte*>(std::memchr(chunk.data(), '\n', held));
      skipping = feed == nullptr;
      drop(skipping ? held : static_cast<std::size_t>(feed - chunk.data()) + 1);
    }
    const auto* last_feed = static_cast<const std::byte*>(::memrchr(chunk.data(), '\n', held));
    if (last_feed != nullptr) {
      const auto whole = static_cast<std::size_t>(last_feed - chunk.data()) + 1;
      if (auto taken = deliver(whole); !taken) return taken;
      drop(whole);
    }
    if (held >= enough) {
      if (auto taken = deliver(enough); !taken) return taken;
      drop(held);
      skipping = true;
    }
  }
  return held == 0 ? result<void>() : deliver(held);
}

}  // namespace etlantic::detail
