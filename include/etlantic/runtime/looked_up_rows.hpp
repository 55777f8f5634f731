#pragma once
#include <etlantic/column/block.hpp>
#include <etlantic/column/gather.hpp>
#include <etlantic/column/variable_size.hpp>
#include <etlantic/core/join_sort.hpp>
#include <etlantic/runtime/join_state.hpp>
#include <etlantic/runtime/joined_schema.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace etlantic {

/// Collects the results of a lookup as pairs of a row of the block at hand and a row of the reference, which may be
/// missing, and makes blocks of joined rows of them.
class looked_up_rows {
 public:
  looked_up_rows(const schema& of_left, const schema& of_right, join_sort sort, std::size_t most_bytes)
      : schema_(of_left, of_right, sort),
        rows_(schema_.described()),
        left_columns_(of_left.fields.size()),
        variable_(of_left),
        most_bytes_(most_bytes) {}

  bool empty() const { return pairs_.empty(); }
  bool is_full() const { return pairs_.size() >= rows_per_block || bytes_ >= most_bytes_; }

  /// `found` is a row of the reference, or `join_state::none`.
  void add(const block& from, std::uint32_t row, std::uint32_t found, const join_state& reference) {
    pairs_.push_back({row, found});
    bytes_ += variable_.bytes(from, row);
    if (found != join_state::none) bytes_ += reference.variable_bytes_of(found);
  }

  /// The pairs as rows; valid until the next call.
  const block& rows_of(const block& from, const join_state& reference);
  void clear();

  /// A bit for each of 64 pairs from `begin` of which no row is missing.
  std::uint64_t complete(std::size_t begin) const;
  /// Says which of 64 pairs from `begin` stay; asked for all chunks in order, and then the others go.
  void keep_of_chunk(std::size_t begin, std::uint64_t which);
  void drop_others() { pairs_.resize(kept_); }

 private:
  static constexpr std::size_t rows_per_block = 1024;

  struct pair {
    std::uint32_t row;
    std::uint32_t found;
  };

  joined_schema schema_;
  block rows_;
  std::size_t left_columns_;
  variable_columns variable_;
  std::size_t most_bytes_;
  std::size_t bytes_ = 0;  // long texts and lists of the pairs
  std::vector<pair> pairs_;
  std::size_t kept_ = 0;
  std::vector<row_place> places_;
};

}  // namespace etlantic
