#pragma once
#include <etlantic/column/block_io.hpp>
#include <etlantic/column/block_io.inl.hpp>
#include <etlantic/column/gather.inl.hpp>
#include <etlantic/runtime/row_store.hpp>

#include <algorithm>
#include <utility>

namespace etlantic {

namespace detail {

inline std::size_t memory_of(const column& of) {
  std::size_t bytes = of.values.capacity() + of.validity.capacity() + of.offsets.capacity() + of.owned.capacity();
  for (const column& child : of.children) bytes += memory_of(child);
  return bytes;
}

}  // namespace detail

[[gnu::used]] inline std::uint32_t row_store::add(const block& rows, std::size_t row, const column* last,
                                                  std::size_t last_row) {
  const std::size_t number = removed_.size();
  if (number % piece_rows == 0) pieces_.emplace_back(*described_);
  block& piece = pieces_.back();
  for (std::size_t i = 0; i < rows.columns.size(); ++i) piece.columns[i].append(rows.columns[i], row);
  if (last != nullptr) piece.columns.back().append(*last, last_row);
  ++piece.rows;
  removed_.push_back(0);
  ++kept_;
  return static_cast<std::uint32_t>(number);
}

[[gnu::used]] inline void row_store::remove(std::uint32_t number) {
  removed_[number] = 1;
  --kept_;
}

[[gnu::used]] inline std::size_t row_store::bytes() const {
  std::size_t bytes = removed_.capacity() + pieces_.size() * sizeof(block);
  for (const block& piece : pieces_)
    for (const column& each : piece.columns) bytes += sizeof(column) + detail::memory_of(each);
  return bytes;
}

[[gnu::used]] inline std::vector<std::uint32_t> row_store::compact() {
  row_store kept(*described_);
  std::vector<std::uint32_t> numbers(removed_.size());
  for (std::size_t number = 0; number < removed_.size(); ++number) {
    if (removed_[number] != 0) continue;
    const row_place from = at(static_cast<std::uint32_t>(number));
    numbers[number] = kept.add(*from.rows, from.row);
  }
  *this = std::move(kept);
  return numbers;
}

[[gnu::used]] inline void row_store::save(std::span<const std::uint32_t> numbers, state_writer& into) const {
  block piece(*described_);
  std::vector<row_place> places;
  for (std::size_t done = 0; done < numbers.size(); done += piece.rows) {
    places.clear();
    const std::size_t count = std::min<std::size_t>(piece_rows, numbers.size() - done);
    for (std::size_t i = 0; i < count; ++i) places.push_back(at(numbers[done + i]));
    piece.clear();
    for (std::size_t i = 0; i < piece.columns.size(); ++i) gather(piece.columns[i], places, i);
    piece.rows = count;
    save_block(piece, into);
  }
}

[[gnu::used]] inline bool row_store::restore(state_reader& from, std::size_t count) {
  *this = row_store(*described_);
  block piece(*described_);
  for (std::size_t done = 0; done < count; done += piece.rows) {
    if (!restore_block(from, piece) || piece.rows != std::min<std::size_t>(piece_rows, count - done)) return false;
    for (std::size_t row = 0; row < piece.rows; ++row) add(piece, row);
  }
  return from.ok();
}

}  // namespace etlantic
