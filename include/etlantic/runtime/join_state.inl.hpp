#pragma once
#include <etlantic/column/block_io.hpp>
#include <etlantic/column/block_io.inl.hpp>
#include <etlantic/column/gather.inl.hpp>
#include <etlantic/kernel/hash.hpp>
#include <etlantic/runtime/join_state.hpp>

#include <algorithm>
#include <array>
#include <utility>

namespace etlantic {

namespace detail {

inline std::size_t bytes_of(const column& of) {
  std::size_t bytes = of.values.capacity() + of.validity.capacity() + of.offsets.capacity() + of.owned.capacity();
  for (const column& child : of.children) bytes += bytes_of(child);
  return bytes;
}

template <class T>
std::size_t bytes_of(const std::vector<T>& of) {
  return of.capacity() * sizeof(T);
}

}  // namespace detail

/// How many of these rows the last piece takes, at least one: a new piece begins where it is full.
[[gnu::used]] inline std::size_t join_state::room_for(std::span<const row_place> rows) {
  if (pieces_.empty() || pieces_.back().rows == piece_rows || bytes_in_last_ >= most_bytes_) {
    pieces_.emplace_back(*contract_);
    first_rows_.push_back(static_cast<std::uint32_t>(times_.size()));
    bytes_in_last_ = 0;
  }
  const std::size_t most = std::min(rows.size(), piece_rows - pieces_.back().rows);
  if (variable_.empty()) return most;
  std::size_t count = 0;
  while (count < most && bytes_in_last_ < most_bytes_) {
    bytes_in_last_ += variable_.bytes(*rows[count].rows, rows[count].row);
    ++count;
  }
  return count;
}

[[gnu::used]] inline std::uint32_t join_state::append(std::span<const row_place> rows,
                                                      std::span<const std::int64_t> times) {
  const auto first = static_cast<std::uint32_t>(times_.size());
  for (std::size_t done = 0; done < rows.size();) {
    const std::size_t count = room_for(rows.subspan(done));
    block& piece = pieces_.back();
    for (std::size_t i = 0; i < piece.columns.size(); ++i) gather(piece.columns[i], rows.subspan(done, count), i);
    piece.rows += count;
    piece_of_.resize(times_.size() + count, static_cast<std::uint32_t>(pieces_.size() - 1));
    times_.insert(times_.end(), times.begin() + static_cast<std::ptrdiff_t>(done),
                  times.begin() + static_cast<std::ptrdiff_t>(done + count));
    done += count;
  }
  for (std::int64_t time : times) least_time_ = std::min(least_time_, time);
  links_.resize(times_.size());
  matched_.resize(times_.size());
  there_.resize(times_.size(), 1);
  live_ += rows.size();
  return first;
}

[[gnu::used]] inline std::uint32_t join_state::find(std::string_view key, std::uint64_t hash) const {
  if (index_.empty()) return none;
  const std::size_t mask = index_.size() - 1;
  for (std::size_t at = hash & mask; index_[at] != 0; at = (at + 1) & mask) {
    const entry& seen = entries_[index_[at] - 1];
    if (seen.hash == hash && key_of(seen) == key) return index_[at] - 1;
  }
  return none;
}

[[gnu::used]] inline std::uint32_t join_state::find_or_add(std::string_view key, std::uint64_t hash) {
  if (const std::uint32_t found = find(key, hash); found != none) return found;
  entries_.push_back({hash, keys_.size(), key.size()});
  keys_.insert(keys_.end(), key.begin(), key.end());
  if (entries_.size() * 2 > index_.size()) {
    grow_index();
  } else {
    const std::size_t mask = index_.size() - 1;
    std::size_t at = hash & mask;
    while (index_[at] != 0) at = (at + 1) & mask;
    index_[at] = static_cast<std::uint32_t>(entries_.size());
  }
  return static_cast<std::uint32_t>(entries_.size() - 1);
}

[[gnu::used]] inline void join_state::grow_index() {
  std::vector<std::uint32_t> index(std::max<std::size_t>(64, index_.size() * 2));
  const std::size_t mask = index.size() - 1;
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    std::size_t at = entries_[i].hash & mask;
    while (index[at] != 0) at = (at + 1) & mask;
    index[at] = static_cast<std::uint32_t>(i + 1);
  }
  index_ = std::move(index);
}

[[gnu::used]] inline void join_state::link(std::uint32_t row, std::string_view key, std::uint64_t hash) {
  const std::uint32_t found = find_or_add(key, hash);
  entry& of = entries_[found];
  links_[row] = {of.last, none, found};
  if (of.last == none)
    of.first = row;
  else
    links_[of.last].next = row;
  of.last = row;
}

[[gnu::used]] inline void join_state::find_before(int128 end, std::vector<std::uint32_t>& into) {
  into.clear();
  if (int128{least_time_} >= end) return;
  // The time of removed rows lies before no end.
  const auto before = static_cast<std::int64_t>(std::min(end, int128{gone}));
  std::int64_t least = gone;
  for (std::size_t row = 0; row < times_.size(); ++row) {
    if (times_[row] < before)
      into.push_back(static_cast<std::uint32_t>(row));
    else
      least = std::min(least, times_[row]);
  }
  least_time_ = least;
}

[[gnu::used]] inline void join_state::remove(std::uint32_t row) {
  there_[row] = 0;
  times_[row] = gone;
  --live_;
  const chain_link& of = links_[row];
  if (of.entry == none) return;
  entry& chain = entries_[of.entry];
  if (of.previous == none)
    chain.first = of.next;
  else
    links_[of.previous].next = of.next;
  if (of.next == none)
    chain.last = of.previous;
  else
    links_[of.next].previous = of.previous;
}

[[gnu::used]] inline void join_state::shrink() {
  if (times_.size() - live_ <= live_ + piece_rows) return;
  join_state kept(*contract_, most_bytes_);
  std::vector<row_place> places;
  std::vector<std::int64_t> times;
  std::vector<std::uint32_t> rows;
  const auto move_rows = [&] {
    const std::uint32_t first = kept.append(places, times);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const auto now = first + static_cast<std::uint32_t>(i);
      kept.matched_[now] = matched_[rows[i]];
      if (const std::uint32_t found = links_[rows[i]].entry; found != none)
        kept.link(now, key_of(entries_[found]), entries_[found].hash);
    }
    places.clear();
    times.clear();
    rows.clear();
  };
  for (std::uint32_t row = 0; row < times_.size(); ++row) {
    if (!is_there(row)) continue;
    places.push_back(place_of(row));
    times.push_back(times_[row]);
    rows.push_back(row);
    if (rows.size() == piece_rows) move_rows();
  }
  move_rows();
  *this = std::move(kept);
}

[[gnu::used]] inline std::size_t join_state::bytes() const {
  std::size_t bytes = detail::bytes_of(piece_of_) + detail::bytes_of(times_) + detail::bytes_of(links_) +
                      detail::bytes_of(matched_) + detail::bytes_of(there_) + detail::bytes_of(entries_) +
                      detail::bytes_of(index_) + keys_.capacity();
  for (const block& piece : pieces_)
    for (const column& each : piece.columns) bytes += detail::bytes_of(each);
  return bytes;
}

[[gnu::used]] inline void join_state::save(state_writer& into) const {
  into.put(static_cast<std::uint64_t>(live_));
  block piece(*contract_);
  std::vector<row_place> places;
  std::vector<std::uint8_t> matched;
  std::size_t bytes = 0;
  const auto put = [&] {
    if (places.empty()) return;
    bytes = 0;
    piece.clear();
    for (std::size_t i = 0; i < piece.columns.size(); ++i) gather(piece.columns[i], places, i);
    piece.rows = places.size();
    save_block(piece, into);
    into.put_text({reinterpret_cast<const char*>(matched.data()), matched.size()});
    places.clear();
    matched.clear();
  };
  for (std::uint32_t row = 0; row < times_.size(); ++row) {
    if (!is_there(row)) continue;
    places.push_back(place_of(row));
    matched.push_back(matched_[row]);
    bytes += variable_bytes_of(row);
    if (places.size() == piece_rows || bytes >= most_bytes_) put();
  }
  put();
}

[[gnu::used]] inline bool join_state::read_piece(state_reader& from, block& rows, std::vector<std::uint8_t>& matched) {
  if (!restore_block(from, rows)) return false;
  const std::string_view bits = from.get_text();
  if (!from.ok() || bits.size() != rows.rows) return false;
  matched.assign(bits.begin(), bits.end());
  return std::all_of(matched.begin(), matched.end(), [](std::uint8_t each) { return each <= 1; });
}

}  // namespace etlantic
