#pragma once
#include <etlantic/connect/delta/file_filter.hpp>
#include <etlantic/connect/delta/file_reader.hpp>
#include <etlantic/connect/delta/key_index.hpp>
#include <etlantic/connect/delta/merge.hpp>
#include <etlantic/connect/delta/whole_values.hpp>
#include <etlantic/connect/delta/work_ahead.hpp>

#include <algorithm>
#include <cstdint>
#include <utility>

namespace etlantic::delta {

namespace detail {

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
    std::vector<std::uint32_t> outside, inside;
    for (const std::uint32_t row : from) {
      bool is_outside = false;
      for (const side& each : sides_)
        with_whole_values(rows.columns[each.column], [&](const auto* values) {
          is_outside |= values[row] < each.least || values[row] > each.greatest;
        });
      (is_outside ? outside : inside).push_back(row);
    }
    from = std::move(inside);
    return outside;
  }

 private:
  struct side {
    std::size_t column = 0;
    std::int64_t least = INT64_MAX;
    std::int64_t greatest = INT64_MIN;
  };

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

  void part(const std::vector<block>& blocks, const key_box& box, std::size_t rows_per_file) {
    for (std::size_t i = 0; i < blocks.size(); ++i) outside.push_back(box.take_outside(blocks[i], inside[i]));
    // A file of few rows is worse than writing them again.
    if (count(outside) >= std::max<std::size_t>(rows_per_file / 16, 1)) return;
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      if (outside[i].empty()) continue;
      inside[i].insert(inside[i].end(), outside[i].begin(), outside[i].end());
      std::sort(inside[i].begin(), inside[i].end());
      outside[i].clear();
    }
  }
};

/// A file of the table that may have rows with keys of a batch.
struct looked_at {
  struct match {
    std::size_t block;
    std::uint32_t row;
    std::uint32_t number;  // of the key
  };

  std::vector<block> blocks;
  kept_rows kept;
  std::vector<match> matches;  // where the rows are needed that are replaced
  bool has_match = false;
};

inline result<looked_at> look_at(const folder_store& store, const table_layout& layout, const add_file& file,
                                 const key_index& fresh, const key_box& box, bool needs_matches,
                                 std::size_t rows_per_file) {
  auto blocks = read_file_rows(store, layout, file);
  if (!blocks) return blocks.error();
  looked_at found{std::move(*blocks), {}, {}, false};
  std::vector<std::uint32_t> numbers;
  for (std::size_t i = 0; i < found.blocks.size(); ++i) {
    fresh.find(found.blocks[i], numbers);
    std::vector<std::uint32_t>& stay = found.kept.inside.emplace_back();
    stay.reserve(found.blocks[i].rows);
    for (std::uint32_t row = 0; row < found.blocks[i].rows; ++row) {
      if (numbers[row] == key_index::none) {
        stay.push_back(row);
        continue;
      }
      found.has_match = true;
      if (needs_matches) found.matches.push_back({i, row, numbers[row]});
    }
  }
  if (found.has_match)
    found.kept.part(found.blocks, box, rows_per_file);
  else
    found.blocks.clear();  // nothing of it is needed
  return found;
}

inline result<void> append_rows(file_writer& to, const std::vector<block>& blocks,
                                const std::vector<std::vector<std::uint32_t>>& rows) {
  for (std::size_t i = 0; i < blocks.size(); ++i)
    if (!rows[i].empty())
      if (auto done = to.append(blocks[i], rows[i]); !done) return done;
  return {};
}

}  // namespace detail

[[gnu::used]] inline result<merged_files> merge_rows(const folder_store& store, const table_layout& layout,
                                                     const table_state& table, const merge_input& input,
                                                     const file_settings& settings, std::vector<std::string>& written) {
  const key_index fresh(input.rows, input.key);
  const std::vector<bool>& given = input.given;
  const bool keeps_columns = std::find(given.begin(), given.end(), false) != given.end();

  merged_files merged;
  file_writer changing(store, layout, settings), settled(store, layout, settings);
  const auto fail = [&](const failure& why) {
    for (file_writer* each : {&changing, &settled})
      for (const add_file& file : each->files()) written.push_back(file.path);
    return why;
  };
  block replaced(layout.whole->described);  // old rows, where columns of theirs are kept
  std::vector<std::size_t> replaced_by(fresh.rows().size(), SIZE_MAX);
  const file_filter filter(layout, input.rows, input.key);
  const detail::key_box box(input.rows, input.key);
  std::vector<const add_file*> candidates;
  for (const auto& [identity, file] : table.files)
    if (filter.may_match(file)) candidates.push_back(&file);
  work_ahead<result<detail::looked_at>> looking;
  std::size_t begun = 0;
  for (const add_file* file : candidates) {
    while (begun < candidates.size() && !looking.is_full())
      looking.begin([&, which = candidates[begun++]] {
        return detail::look_at(store, layout, *which, fresh, box, keeps_columns, settings.rows_per_file);
      });
    const auto found = looking.take();
    if (!found) return fail(found.error());
    for (const detail::looked_at::match& each : found->matches) {
      replaced_by[each.number] = replaced.rows;
      replaced.append(found->blocks[each.block], each.row);
    }
    if (!found->has_match) continue;
    if (auto done = detail::append_rows(changing, found->blocks, found->kept.inside); !done) return fail(done.error());
    if (auto done = detail::append_rows(settled, found->blocks, found->kept.outside); !done) return fail(done.error());
    merged.replaced.push_back(*file);
  }

  std::vector<row_place> added(fresh.rows().rbegin(), fresh.rows().rend());  // in the order in which they came
  block completed;
  if (keeps_columns) {
    completed = block(layout.whole->described);
    std::vector<row_place> old;
    for (auto place = replaced_by.rbegin(); place != replaced_by.rend(); ++place)
      old.push_back(*place == SIZE_MAX ? row_place{} : row_place{&replaced, static_cast<std::uint32_t>(*place)});
    for (std::size_t i = 0; i < completed.columns.size(); ++i) gather(completed.columns[i], given[i] ? added : old, i);
    completed.rows = added.size();
    for (std::size_t i = 0; i < added.size(); ++i) added[i] = {&completed, static_cast<std::uint32_t>(i)};
  }
  std::vector<row_place> staying;
  for (std::size_t i = 0; i < added.size(); ++i)
    if (!input.is_deleting(fresh.rows()[added.size() - 1 - i])) staying.push_back(added[i]);
  if (auto done = changing.append(staying); !done) return fail(done.error());
  for (file_writer* each : {&settled, &changing}) {
    if (auto done = each->finish(); !done) return fail(done.error());
    for (add_file& file : each->files()) merged.added.push_back(file);
  }
  for (const add_file& each : merged.added) written.push_back(each.path);
  return merged;
}

}  // namespace etlantic::delta
