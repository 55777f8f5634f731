#pragma once
#include <etlantic/column/block.hpp>
#include <etlantic/column/gather.hpp>
#include <etlantic/column/state_io.hpp>
#include <etlantic/column/variable_size.hpp>
#include <etlantic/core/integer128.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>
#include <vector>

namespace etlantic {

/// The rows of one side of a join that rows of the other side may still match: columns, and for each key a chain of its
/// rows in the order in which they came. Rows have numbers, which hold until `shrink`.
class join_state {
 public:
  static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

  /// The contract of the rows outlives the state. A piece of its columns ends with the row that makes its long texts
  /// and lists as long as `most_bytes`.
  explicit join_state(const schema& rows, std::size_t most_bytes = variable_bytes_per_block)
      : contract_(&rows), variable_(rows), most_bytes_(most_bytes) {}

  /// Adds rows with their event times; the number of the first one, which the others follow. No key finds them yet.
  std::uint32_t append(std::span<const row_place> rows, std::span<const std::int64_t> times);
  /// Lets a row be found by its key.
  void link(std::uint32_t row, std::string_view key, std::uint64_t hash);

  /// Calls `visit(row, time)` for the rows of a key, in order. The visit may mark rows, not add or remove any.
  template <class Visit>
  void for_each_of(std::string_view key, std::uint64_t hash, Visit&& visit) const {
    const std::uint32_t found = find(key, hash);
    if (found == none) return;
    for (std::uint32_t row = entries_[found].first; row != none; row = links_[row].next) visit(row, times_[row]);
  }

  bool has_matched(std::uint32_t row) const { return matched_[row] != 0; }
  void mark_matched(std::uint32_t row) { matched_[row] = 1; }
  row_place place_of(std::uint32_t row) const {
    const std::uint32_t piece = piece_of_[row];
    return {&pieces_[piece], row - first_rows_[piece]};
  }
  /// What a row takes besides the fixed widths of its columns.
  std::size_t variable_bytes_of(std::uint32_t row) const {
    if (variable_.empty()) return 0;
    const row_place place = place_of(row);
    return variable_.bytes(*place.rows, place.row);
  }

  /// The numbers of the rows whose time lies before `end`, in order. All of them are to be removed.
  void find_before(int128 end, std::vector<std::uint32_t>& into);
  void remove(std::uint32_t row);
  /// Gives back the memory of removed rows once they are more than the others. Numbers change.
  void shrink();

  std::size_t size() const { return live_; }
  std::size_t bytes() const;

  void save(state_writer& into) const;
  /// Calls `add(block, which of its rows had matched)` for pieces of what `save` wrote. False if it cannot be that.
  template <class Add>
  static bool read(const schema& rows, state_reader& from, Add&& add);

 private:
  static constexpr std::uint32_t piece_rows = 4096;
  static constexpr std::int64_t gone = std::numeric_limits<std::int64_t>::max();  // the time of a removed row

  struct chain_link {
    std::uint32_t previous = none;
    std::uint32_t next = none;
    std::uint32_t entry = none;
  };
  /// A key and the chain of its rows. One without rows stays until `shrink`.
  struct entry {
    std::uint64_t hash;
    std::uint64_t key_begin;
    std::uint64_t key_size;
    std::uint32_t first = none;
    std::uint32_t last = none;
  };

  std::string_view key_of(const entry& of) const { return {keys_.data() + of.key_begin, of.key_size}; }
  std::uint32_t find(std::string_view key, std::uint64_t hash) const;
  std::uint32_t find_or_add(std::string_view key, std::uint64_t hash);
  void grow_index();
  std::size_t room_for(std::span<const row_place> rows);
  bool is_there(std::uint32_t row) const { return there_[row] != 0; }
  static bool read_piece(state_reader& from, block& rows, std::vector<std::uint8_t>& matched);

  const schema* contract_;
  variable_columns variable_;
  std::size_t most_bytes_;
  std::vector<block> pieces_;
  std::vector<std::uint32_t> first_rows_;  // of the pieces
  std::size_t bytes_in_last_ = 0;          // texts and lists of the last piece
  // One for each row.
  std::vector<std::uint32_t> piece_of_;
  std::vector<std::int64_t> times_;
  std::vector<chain_link> links_;
  std::vector<std::uint8_t> matched_;
  std::vector<std::uint8_t> there_;

  std::vector<entry> entries_;
  std::vector<std::uint32_t> index_;  // open addressing; entry + 1, or 0
  std::vector<char> keys_;
  std::size_t live_ = 0;
  std::int64_t least_time_ = gone;  // no row that is there has a lesser one
};

template <class Add>
bool join_state::read(const schema& rows, state_reader& from, Add&& add) {
  block piece(rows);
  std::vector<std::uint8_t> matched;
  for (auto left = from.get<std::uint64_t>(); left != 0; left -= piece.rows) {
    if (!read_piece(from, piece, matched) || piece.rows == 0 || piece.rows > left) return false;
    if (!add(piece, matched)) return false;
  }
  return from.ok();
}

}  // namespace etlantic
