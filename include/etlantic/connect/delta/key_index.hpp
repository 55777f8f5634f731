#pragma once
#include <etlantic/column/block.hpp>
#include <etlantic/column/gather.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace etlantic::delta {

/// Finds rows by their keys. Of rows with one key the last one counts. Keys have no nulls; the two zeros are equal, and
/// so are all NaN.
class key_index {
 public:
  static constexpr std::uint32_t none = UINT32_MAX;

  /// `key`: columns of the blocks, which must outlive the index.
  key_index(std::span<const block> rows, std::span<const std::size_t> key) : key_(key) { fill(rows); }

  /// The rows that count, numbered from the last to the first.
  const std::vector<row_place>& rows() const { return rows_; }

  /// For each row of a block with the same columns the number of its key, or `none`.
  void find(const block& rows, std::vector<std::uint32_t>& numbers) const;

 private:
  struct slot {
    std::uint64_t hash = 0;
    std::uint32_t number = none;
  };

  void fill(std::span<const block> rows);
  void hash_keys(const block& rows, std::vector<std::uint64_t>& hashes) const;
  /// Where the key of this row is, or belongs.
  std::size_t place_of(const block& rows, std::size_t row, std::uint64_t hash) const;
  bool is_same_key(const block& rows, std::size_t row, std::uint32_t number) const;
  /// Of a key with this hash, whichever it is.
  std::uint32_t number_with(std::uint64_t hash) const;
  bool may_have(std::uint64_t hash) const { return filter_[hash >> shift_ >> 6] >> (hash >> shift_ & 63) & 1; }

  std::span<const std::size_t> key_;
  std::vector<slot> slots_;
  std::vector<std::uint64_t> filter_;  // a bit for some of a hash's bits: most rows of a table are told off by it
  int shift_ = 0;
  std::vector<row_place> rows_;
};

}  // namespace etlantic::delta
