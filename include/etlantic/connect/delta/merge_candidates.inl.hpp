#pragma once
#include <etlantic/connect/delta/file_reader.hpp>
#include <etlantic/connect/delta/key_index.hpp>
#include <etlantic/connect/delta/merge.hpp>
#include <etlantic/connect/delta/whole_values.hpp>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

// Of one file of a table: which rows a merge replaces, and what becomes of the others.

namespace etlantic::delta::detail {

/// The least and the greatest value of each key column of times or dates, over all rows of a batch. Other keys do not
/// move on as time does: what lies beyond those of one batch may be in the next.
class key_box {
 public:
  key_box(std::span<const block> rows, std::span<const std::size_t> key) {
    for (const std::size_t index : key) {
      if (rows.empty()) break;
      const logical_type type = rows.front().columns[index].field->type;
      if (type != logical_type::timestamp && type != logical_type::date) continue;
      side& made = sides_.emplace_back();
      made.column = index;
      for (const block& each : rows) widen(each.columns[index], each.rows, made.least, made.greatest);
    }
  }

  /// Takes those of some rows that lie outside.
  std::vector<std::uint32_t> take_outside(const block& rows, std::vector<std::uint32_t>& from) const {
    if (is_inside(rows)) return {};
    std::vector<std::uint32_t> outside, inside;
    for (const std::uint32_t row : from) (is_outside(rows, row) ? outside : inside).push_back(row);
    from = std::move(inside);
    return outside;
  }

  std::size_t count_outside(const block& rows) const {
    std::size_t count = 0;
    if (!is_inside(rows))
      for (std::size_t row = 0; row < rows.rows; ++row) count += is_outside(rows, row);
    return count;
  }

 private:
  struct side {
    std::size_t column = 0;
    std::int64_t least = INT64_MAX;
    std::int64_t greatest = INT64_MIN;
  };

  bool is_inside(const block& rows) const {
    return std::all_of(sides_.begin(), sides_.end(), [&](const side& each) {
      std::int64_t least = each.least, greatest = each.greatest;
      widen(rows.columns[each.column], rows.rows, least, greatest);
      return least == each.least && greatest == each.greatest;
    });
  }

  bool is_outside(const block& rows, std::size_t row) const {
    return std::any_of(sides_.begin(), sides_.end(), [&](const side& each) {
      return with_whole_values(rows.columns[each.column], [&](const auto* values) {
        return values[row] < each.least || values[row] > each.greatest;
      });
    });
  }

  std::vector<side> sides_;
};

/// A file that has rows with keys of a batch: its rows without those.
struct kept_rows {
  std::vector<std::vector<std::uint32_t>> inside;   // by block: of these rows some may change with the next batch
  std::vector<std::vector<std::uint32_t>> outside;  // these have other windows

  static std::size_t count(const std::vector<std::vector<std::uint32_t>>& rows) {
    std::size_t sum = 0;
    for (const auto& each : rows) sum += each.size();
    return sum;
  }

  /// A file of few rows is worse than writing them again.
  static bool is_worth_a_file(std::size_t rows, std::size_t rows_per_file) {
    return rows >= std::max<std::size_t>(rows_per_file / 16, 1);
  }

  void part(const std::vector<block>& blocks, const key_box& box, std::size_t rows_per_file) {
    for (std::size_t i = 0; i < blocks.size(); ++i) outside.push_back(box.take_outside(blocks[i], inside[i]));
    if (is_worth_a_file(count(outside), rows_per_file)) return;
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      if (outside[i].empty()) continue;
      inside[i].insert(inside[i].end(), outside[i].begin(), outside[i].end());
      std::sort(inside[i].begin(), inside[i].end());
      outside[i].clear();
    }
  }
};

/// Rows of a block whose keys the batch has, and the numbers of these keys.
struct matched_rows {
  std::vector<std::uint32_t> rows;
  std::vector<std::uint32_t> numbers;
};

/// A file of the table that may have rows with keys of a batch.
struct looked_at {
  std::string bytes;
  std::vector<block> blocks;
  std::vector<matched_rows> matches;  // by block
  bool has_match = false;
  bool is_overwritten = false;  // the rows of the batch stand where those with their keys were, each in its place
  kept_rows kept;               // where they do not
};

/// What a merge does with each file.
class merge_candidates {
 public:
  merge_candidates(const folder_store& store, const table_layout& layout, const merge_input& input,
                   const key_index& fresh, std::size_t rows_per_file)
      : store_(store),
        layout_(layout),
        input_(input),
        fresh_(fresh),
        rows_per_file_(rows_per_file),
        box_(input.rows, input.key) {
    const auto& fields = layout.whole->described.fields;
    for (std::size_t i = 0; i < fields.size(); ++i) {
      // One zero may be there as the other, and a NaN as another.
      const bool is_exact = fields[i].type != logical_type::float32 && fields[i].type != logical_type::float64;
      const bool is_key = std::find(input.key.begin(), input.key.end(), i) != input.key.end();
      unchanged_.push_back(!input.given[i] || (is_key && is_exact));
    }
  }

  /// Columns that keep their values where rows are overwritten.
  const std::vector<bool>& unchanged() const { return unchanged_; }

  result<looked_at> look_at(const add_file& file) const {
    looked_at found;
    auto blocks = read_file_rows(store_, layout_, file, &found.bytes);
    if (!blocks) return blocks.error();
    found.blocks = std::move(*blocks);
    std::vector<std::uint32_t> numbers;
    for (const block& each : found.blocks) {
      fresh_.find(each, numbers);
      matched_rows& matched = found.matches.emplace_back();
      for (std::uint32_t row = 0; row < each.rows; ++row) {
        if (numbers[row] == key_index::none) continue;
        matched.rows.push_back(row);
        matched.numbers.push_back(numbers[row]);
      }
      found.has_match = found.has_match || !matched.rows.empty();
    }
    if (!found.has_match)
      found = {};  // nothing of it is needed
    else if (may_overwrite(file, found))
      overwrite_rows(found);
    else
      keep_others(found);
    return found;
  }

  /// Finds the rows that the batch does not replace.
  void keep_others(looked_at& of) const {
    of.is_overwritten = false;
    of.bytes = {};
    for (std::size_t i = 0; i < of.blocks.size(); ++i) {
      std::vector<std::uint32_t>& kept = of.kept.inside.emplace_back();
      kept.reserve(of.blocks[i].rows);
      auto matched = of.matches[i].rows.begin();
      for (std::uint32_t row = 0; row < of.blocks[i].rows; ++row) {
        if (matched != of.matches[i].rows.end() && *matched == row)
          ++matched;
        else
          kept.push_back(row);
      }
    }
    of.kept.part(of.blocks, box_, rows_per_file_);
  }

 private:
  /// Whether a file is as large as files shall be, and its rows may change with the next batch.
  bool may_overwrite(const add_file& file, const looked_at& found) const {
    const auto& fields = layout_.whole->described.fields;
    if (!layout_.partition_indices.empty() || file.deleted ||
        std::any_of(fields.begin(), fields.end(), [](const auto& each) { return !each.children.empty(); }))
      return false;
    std::size_t rows = 0, outside = 0;
    for (const block& each : found.blocks) {
      rows += each.rows;
      outside += box_.count_outside(each);
    }
    if (rows > rows_per_file_ || kept_rows::is_worth_a_file(rows_per_file_ - rows, rows_per_file_) ||
        kept_rows::is_worth_a_file(outside, rows_per_file_))
      return false;
    return std::none_of(found.matches.begin(), found.matches.end(), [&](const matched_rows& each) {
      return std::any_of(each.numbers.begin(), each.numbers.end(),
                         [&](std::uint32_t number) { return input_.is_deleting(fresh_.rows()[number]); });
    });
  }

  void overwrite_rows(looked_at& of) const {
    std::vector<row_place> places;
    for (std::size_t i = 0; i < of.blocks.size(); ++i) {
      places.clear();
      for (const std::uint32_t number : of.matches[i].numbers) places.push_back(fresh_.rows()[number]);
      for (std::size_t column = 0; column < unchanged_.size(); ++column)
        if (!unchanged_[column]) overwrite(of.blocks[i].columns[column], of.matches[i].rows, places, column);
    }
    of.is_overwritten = true;
  }

  const folder_store& store_;
  const table_layout& layout_;
  const merge_input& input_;
  const key_index& fresh_;
  std::size_t rows_per_file_;
  key_box box_;
  std::vector<bool> unchanged_;
};

}  // namespace etlantic::delta::detail
