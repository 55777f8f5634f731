#pragma once
#include <etlantic/connect/delta/file_filter.hpp>
#include <etlantic/connect/delta/key_index.hpp>
#include <etlantic/connect/delta/merge.hpp>
#include <etlantic/connect/delta/merge_candidates.inl.hpp>
#include <etlantic/connect/delta/work_ahead.hpp>

#include <algorithm>
#include <cstdint>
#include <utility>

namespace etlantic::delta {

namespace detail {

inline result<void> append_rows(file_writer& to, const std::vector<block>& blocks,
                                const std::vector<std::vector<std::uint32_t>>& rows) {
  for (std::size_t i = 0; i < blocks.size(); ++i)
    if (!rows[i].empty())
      if (auto done = to.append(blocks[i], rows[i]); !done) return done;
  return {};
}

/// The keys of a batch that stand in the table already.
class placed_keys {
 public:
  explicit placed_keys(std::size_t count) : is_placed_(count) {}

  bool has(std::uint32_t number) const { return is_placed_[number]; }

  /// Takes all keys of a file; none of them where it has one twice, or another file has one, too.
  bool take(const std::vector<matched_rows>& keys) {
    std::vector<std::uint32_t> taken;
    for (const matched_rows& each : keys)
      for (const std::uint32_t number : each.numbers) {
        if (is_placed_[number]) {
          for (const std::uint32_t again : taken) is_placed_[again] = false;
          return false;
        }
        is_placed_[number] = true;
        taken.push_back(number);
      }
    return true;
  }

 private:
  std::vector<bool> is_placed_;
};

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
  const detail::merge_candidates looks(store, layout, input, fresh, settings.rows_per_file);
  // By id, a column of a file may have the name of another.
  const std::vector<bool> unchanged = layout.in_files->files_by_id ? std::vector<bool>() : looks.unchanged();
  detail::placed_keys placed(fresh.rows().size());
  std::vector<const add_file*> candidates;
  for (const auto& [identity, file] : table.files)
    if (filter.may_match(file)) candidates.push_back(&file);
  work_ahead<result<detail::looked_at>> looking;
  std::size_t begun = 0;
  for (const add_file* file : candidates) {
    while (begun < candidates.size() && !looking.is_full())
      looking.begin([&, which = candidates[begun++]] { return looks.look_at(*which); });
    auto found = looking.take();
    if (!found) return fail(found.error());
    if (!found->has_match) continue;
    merged.replaced.push_back(*file);
    if (found->is_overwritten && placed.take(found->matches)) {
      if (auto done = changing.rewrite(std::move(found->blocks), std::move(found->bytes), unchanged); !done)
        return fail(done.error());
      continue;
    }
    if (found->is_overwritten) looks.keep_others(*found);
    if (keeps_columns)
      for (std::size_t i = 0; i < found->blocks.size(); ++i)
        for (std::size_t at = 0; at < found->matches[i].rows.size(); ++at) {
          replaced_by[found->matches[i].numbers[at]] = replaced.rows;
          replaced.append(found->blocks[i], found->matches[i].rows[at]);
        }
    if (auto done = detail::append_rows(changing, found->blocks, found->kept.inside); !done) return fail(done.error());
    if (auto done = detail::append_rows(settled, found->blocks, found->kept.outside); !done) return fail(done.error());
  }

  std::vector<row_place> added, old;  // in the order in which they came
  for (auto number = static_cast<std::uint32_t>(fresh.rows().size()); number-- > 0;) {
    if (placed.has(number) || input.is_deleting(fresh.rows()[number])) continue;
    added.push_back(fresh.rows()[number]);
    const std::size_t place = replaced_by[number];
    old.push_back(place == SIZE_MAX ? row_place{} : row_place{&replaced, static_cast<std::uint32_t>(place)});
  }
  block completed;
  if (keeps_columns) {
    completed = block(layout.whole->described);
    for (std::size_t i = 0; i < completed.columns.size(); ++i) gather(completed.columns[i], given[i] ? added : old, i);
    completed.rows = added.size();
    for (std::size_t i = 0; i < added.size(); ++i) added[i] = {&completed, static_cast<std::uint32_t>(i)};
  }
  if (auto done = changing.append(added); !done) return fail(done.error());
  for (file_writer* each : {&settled, &changing}) {
    if (auto done = each->finish(); !done) return fail(done.error());
    for (add_file& file : each->files()) merged.added.push_back(file);
  }
  for (const add_file& each : merged.added) written.push_back(each.path);
  return merged;
}

}  // namespace etlantic::delta
