#pragma once
#include <etlantic/column/block.hpp>
#include <etlantic/column/gather.hpp>
#include <etlantic/column/state_io.hpp>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <vector>

namespace etlantic {

/// Rows that a stage keeps, as columns. Each has a number, which holds until `compact`.
class row_store {
 public:
  /// The description of the rows outlives the store.
  explicit row_store(const schema& rows) : described_(&rows) {}

  /// Adds a row: the columns of a block, and where the rows have one column more than that, a value from elsewhere.
  std::uint32_t add(const block& rows, std::size_t row, const column* last = nullptr, std::size_t last_row = 0);
  void remove(std::uint32_t number);

  row_place at(std::uint32_t number) const { return {&pieces_[number / piece_rows], number % piece_rows}; }

  std::size_t size() const { return kept_; }
  std::size_t bytes() const;

  /// Whether so many rows were removed that their memory is worth a `compact`.
  bool is_sparse() const { return removed_.size() - kept_ > kept_ + piece_rows; }
  /// Gives back the memory of removed rows; the new number of each old one.
  std::vector<std::uint32_t> compact();

  /// Writes rows in the order of their numbers in a list.
  void save(std::span<const std::uint32_t> numbers, state_writer& into) const;
  /// Reads so many rows, which get the numbers from 0 on. False if the bytes cannot be that.
  bool restore(state_reader& from, std::size_t count);

  static constexpr std::uint32_t piece_rows = 4096;

 private:
  const schema* described_;
  std::deque<block> pieces_;           // which stay where they are
  std::vector<std::uint8_t> removed_;  // by number
  std::size_t kept_ = 0;
};

}  // namespace etlantic
