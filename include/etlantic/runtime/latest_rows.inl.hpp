#pragma once
#include <etlantic/column/compare_rows.inl.hpp>
#include <etlantic/column/gather.inl.hpp>
#include <etlantic/runtime/latest_rows.hpp>
#include <etlantic/runtime/row_store.inl.hpp>

#include <algorithm>
#include <span>
#include <vector>

namespace etlantic {

[[gnu::used]] inline void latest_rows::take(const keyed_row& row, const batch_context&) {
  newest& known = value_of_key(keys_, row.key);
  if (known.is_known) {
    if (row.time < known.time) return;
    const row_place place = store_.at(known.number);
    if (row.time == known.time &&
        compare_rows(row.rows, row.row, *place.rows, place.row, settings_.rows->fields.size()) <= 0)
      return;
    store_.remove(known.number);
  }
  if (!known.changed) changed_.push_back(&known);
  known = {store_.add(row.rows, row.row), row.time, true, true};
  next_forgotten_ = std::min(next_forgotten_, row.time);
}

[[gnu::used]] inline result<void> latest_rows::finish(const batch_context& batch, stage_outputs& out,
                                                      stage_counts& counts) {
  const std::size_t columns = settings_.rows->fields.size();
  std::sort(changed_.begin(), changed_.end(), [&](const newest* left, const newest* right) {
    if (left->time != right->time) return left->time < right->time;
    const row_place l = store_.at(left->number), r = store_.at(right->number);
    return compare_rows(*l.rows, l.row, *r.rows, r.row, columns) < 0;
  });
  std::vector<row_place> places;
  for (newest* each : changed_) {
    places.push_back(store_.at(each->number));
    each->changed = false;
  }
  changed_.clear();
  block rows(*settings_.rows);
  for (std::size_t done = 0; done < places.size(); done += rows.rows) {
    rows.clear();
    const auto some =
        std::span(places).subspan(done, std::min<std::size_t>(row_store::piece_rows, places.size() - done));
    for (std::size_t i = 0; i < columns; ++i) gather(rows.columns[i], some, i);
    rows.rows = some.size();
    counts.emitted += static_cast<std::int64_t>(rows.rows);
    if (auto given = out.emit(0, rows); !given) return given;
  }
  if (settings_.forgets) forget(batch.watermark.microseconds);
  if (!store_.is_sparse()) return {};
  const std::vector<std::uint32_t> numbers = store_.compact();
  for (auto& [key, each] : keys_) each.number = numbers[each.number];
  return {};
}

[[gnu::used]] inline void latest_rows::forget(std::int64_t watermark) {
  if (next_forgotten_ > watermark) return;
  next_forgotten_ = never;
  std::erase_if(keys_, [&](const auto& each) {
    if (each.second.time > watermark) {
      next_forgotten_ = std::min(next_forgotten_, each.second.time);
      return false;
    }
    store_.remove(each.second.number);
    return true;
  });
}

[[gnu::used]] inline state_metrics latest_rows::state() const {
  return {0, static_cast<std::int64_t>(keys_.size()),
          static_cast<std::int64_t>(store_.bytes() + memory_of_keys(keys_) + changed_.capacity() * sizeof(newest*))};
}

[[gnu::used]] inline void latest_rows::save(state_writer& into) const {
  std::vector<std::uint32_t> numbers;
  into.put(std::uint8_t{1});
  into.put(static_cast<std::uint64_t>(keys_.size()));
  for (const auto& [key, each] : keys_) {
    into.put_text(key);
    into.put(each.time);
    numbers.push_back(each.number);
  }
  store_.save(numbers, into);
}

[[gnu::used]] inline bool latest_rows::restore(state_reader& from) {
  keys_.clear();
  changed_.clear();
  if (from.get<std::uint8_t>() != 1) return false;
  std::uint32_t number = 0;
  for (auto left = from.get<std::uint64_t>(); left != 0; --left) {
    newest& each = value_of_key(keys_, from.get_text());
    const auto time = from.get<std::int64_t>();
    if (!from.ok() || each.is_known) return false;
    each = {number++, time, true, false};
  }
  next_forgotten_ = std::numeric_limits<std::int64_t>::min();  // looked up when the next batch ends
  return from.ok() && store_.restore(from, number);
}

}  // namespace etlantic
