#pragma once
#include <etlantic/column/block.hpp>
#include <etlantic/column/gather.hpp>
#include <etlantic/core/join_sort.hpp>
#include <etlantic/runtime/join_state.hpp>
#include <etlantic/runtime/joined_schema.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace etlantic {

/// Collects the results of a join as pairs of numbers of waiting rows, one of which may be missing, and makes blocks of
/// joined rows of them.
class joined_rows {
 public:
  /// A block ends with the pair that makes its long texts and lists as long as `most_bytes`.
  joined_rows(const schema& of_left, const schema& of_right, join_sort sort,
              std::size_t most_bytes = variable_bytes_per_block)
      : schema_(of_left, of_right, sort),
        rows_(schema_.described()),
        left_rows_(of_left),
        left_columns_(of_left.fields.size()),
        most_bytes_(most_bytes) {}

  bool empty() const { return pairs_.empty(); }
  bool is_full() const { return pairs_.size() >= rows_per_block || bytes_ >= most_bytes_; }

  /// A row of a side and one of the other side that it matches.
  void add(join_side side, std::uint32_t mine, std::uint32_t theirs, const std::array<join_state, 2>& waiting) {
    const pair added = side == join_side::of_left ? pair{mine, theirs} : pair{theirs, mine};
    if (added.left_row != join_state::none) bytes_ += waiting[0].variable_bytes_of(added.left_row);
    if (added.right_row != join_state::none) bytes_ += waiting[1].variable_bytes_of(added.right_row);
    pairs_.push_back(added);
  }
  void add_without_match(join_side side, std::uint32_t mine, const std::array<join_state, 2>& waiting) {
    add(side, mine, join_state::none, waiting);
  }
  /// Has a row go once it is given out.
  void let_go(join_side side, std::uint32_t row) { going_.push_back({side, row}); }

  /// The pairs as rows; valid until the next call.
  const block& rows_of(const std::array<join_state, 2>& waiting);
  void mark_matched(std::array<join_state, 2>& waiting) const;
  /// The left rows of the pairs instead: with `matched` those that have their first match here, else those without one.
  /// Marks what has matched; such rows are added to `found`, each once.
  const block& left_rows(std::array<join_state, 2>& waiting, bool matched, std::vector<std::uint32_t>& found);
  void clear(std::array<join_state, 2>& waiting);

  /// A bit for each of 64 pairs from `begin` of which no row is missing.
  std::uint64_t complete(std::size_t begin) const;
  /// Says which of 64 pairs from `begin` stay; asked for all chunks in order, and then the others go.
  void keep_of_chunk(std::size_t begin, std::uint64_t which);
  void drop_others();

 private:
  static constexpr std::size_t rows_per_block = 1024;

  struct pair {
    std::uint32_t left_row;
    std::uint32_t right_row;
  };

  joined_schema schema_;
  block rows_;
  block left_rows_;
  std::size_t left_columns_;
  std::size_t most_bytes_;
  std::size_t bytes_ = 0;  // long texts and lists of the pairs
  std::vector<pair> pairs_;
  std::size_t kept_ = 0;
  std::vector<std::pair<join_side, std::uint32_t>> going_;
  std::vector<row_place> places_;
};

}  // namespace etlantic
