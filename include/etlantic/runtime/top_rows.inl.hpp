#pragma once
#include <etlantic/column/compare_rows.inl.hpp>
#include <etlantic/column/gather.inl.hpp>
#include <etlantic/runtime/row_store.inl.hpp>
#include <etlantic/runtime/top_rows.hpp>

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

namespace etlantic {

[[gnu::used]] inline bool top_rows::comes_before(const keyed_row& row, std::uint32_t kept) const {
  const row_place place = store_.at(kept);
  const std::size_t own = settings_.rows->fields.size();
  const column& values = place.rows->columns[own];
  int order = compare_values(*row.values, row.value_row, values, place.row);
  if (!settings_.ascending && row.values->is_valid(row.value_row) && values.is_valid(place.row)) order = -order;
  if (order == 0) order = compare_rows(row.rows, row.row, *place.rows, place.row, own);
  return order < 0;
}

[[gnu::used]] inline void top_rows::offer(const keyed_row& row, ranked_rows& to) {
  const auto place = std::find_if(to.begin(), to.end(), [&](std::uint32_t kept) { return comes_before(row, kept); });
  if (place == to.end() && to.size() == settings_.limit) return;
  to.insert(place, store_.add(row.rows, row.row, row.values, row.value_row));
  if (to.size() <= settings_.limit) return;
  store_.remove(to.back());
  to.pop_back();
}

/// A row of sliding windows is left out of those that are closed.
[[gnu::used]] inline void top_rows::take(const keyed_row& row, const batch_context& batch) {
  const kernel::window_grid& grid = settings_.windows;
  const int128 last = grid.last_start(row.time);
  for (int128 start = grid.first_start(row.time); start <= last; start += grid.slide) {
    const std::int64_t end = kernel::bounded_window(start, grid.length).end;
    if (end > batch.late_watermark.microseconds) offer(row, value_of_key(open_[{end, start}], row.key));
  }
  if (store_.is_sparse()) compact();
}

[[gnu::used]] inline result<void> top_rows::finish(const batch_context& batch, stage_outputs& out,
                                                   stage_counts& counts) {
  block rows(given_.described());
  const std::size_t own = settings_.rows->fields.size();
  std::vector<row_place> places;
  const auto give = [&]() -> result<void> {
    if (rows.columns[own].rows == 0) return {};
    for (std::size_t i = 0; i < own; ++i) gather(rows.columns[i], places, i);
    rows.rows = places.size();
    counts.emitted += static_cast<std::int64_t>(rows.rows);
    auto given = out.emit(0, rows);
    rows.clear();
    places.clear();
    return given;
  };
  const auto add = [&](std::uint32_t number, std::size_t rank, kernel::window_bounds bounds) {
    const std::size_t at = places.size();
    places.push_back(store_.at(number));
    for (std::size_t i = own; i < rows.columns.size(); ++i) rows.columns[i].resize(at + 1);
    rows.columns[own].set(at, static_cast<std::int64_t>(rank));
    rows.columns[own + 1].set(at, bounds.start);
    rows.columns[own + 2].set(at, bounds.end);
    store_.remove(number);
  };
  while (!open_.empty() && open_.begin()->first.end <= batch.watermark.microseconds) {
    const auto closed = open_.extract(open_.begin());
    const auto bounds = kernel::bounded_window(closed.key().start, settings_.windows.length);
    std::vector<const std::pair<const std::string, ranked_rows>*> groups;
    for (const auto& each : closed.mapped()) groups.push_back(&each);
    std::sort(groups.begin(), groups.end(), [](const auto* l, const auto* r) { return l->first < r->first; });
    for (const auto* group : groups) {
      for (std::size_t i = 0; i < group->second.size(); ++i) add(group->second[i], i + 1, bounds);
      if (places.size() < row_store::piece_rows) continue;
      if (auto given = give(); !given) return given;
    }
  }
  if (auto given = give(); !given) return given;
  if (store_.is_sparse()) compact();
  return {};
}

[[gnu::used]] inline void top_rows::compact() {
  const std::vector<std::uint32_t> numbers = store_.compact();
  for (auto& [bounds, keys] : open_)
    for (auto& [key, rows] : keys)
      for (std::uint32_t& each : rows) each = numbers[each];
}

[[gnu::used]] inline state_metrics top_rows::state() const {
  std::size_t bytes = store_.bytes();
  for (const auto& [bounds, keys] : open_) bytes += memory_of_keys(keys);
  return {static_cast<std::int64_t>(open_.size()), static_cast<std::int64_t>(store_.size()),
          static_cast<std::int64_t>(bytes + store_.size() * sizeof(std::uint32_t))};
}

[[gnu::used]] inline void top_rows::save(state_writer& into) const {
  std::vector<std::uint32_t> numbers;
  into.put(std::uint8_t{1});
  into.put(static_cast<std::uint64_t>(open_.size()));
  for (const auto& [bounds, keys] : open_) {
    into.put(bounds.end);
    into.put(bounds.start);
    into.put(static_cast<std::uint64_t>(keys.size()));
    for (const auto& [key, rows] : keys) {
      into.put_text(key);
      into.put(static_cast<std::uint64_t>(rows.size()));
      numbers.insert(numbers.end(), rows.begin(), rows.end());
    }
  }
  store_.save(numbers, into);
}

[[gnu::used]] inline bool top_rows::restore(state_reader& from) {
  open_.clear();
  if (from.get<std::uint8_t>() != 1) return false;
  std::size_t count = 0;
  for (auto windows = from.get<std::uint64_t>(); windows != 0; --windows) {
    const auto end = from.get<std::int64_t>();
    const auto start = from.get<int128>();
    constexpr int128 furthest = kernel::closed_windows::beyond_all_times;
    if (start < -furthest || start > furthest || end != kernel::bounded_window(start, settings_.windows.length).end)
      return false;
    key_map<ranked_rows>& keys = open_[{end, start}];
    for (auto left = from.get<std::uint64_t>(); left != 0; --left) {
      ranked_rows& rows = value_of_key(keys, from.get_text());
      const auto size = from.get<std::uint64_t>();
      if (!from.ok() || !rows.empty() || size == 0 || size > settings_.limit || size > from.rest()) return false;
      for (std::uint64_t i = 0; i < size; ++i) rows.push_back(static_cast<std::uint32_t>(count++));
    }
    if (!from.ok()) return false;
  }
  return from.ok() && store_.restore(from, count);
}

}  // namespace etlantic
