#pragma once
#include <etlantic/column/compare_rows.inl.hpp>
#include <etlantic/column/gather.inl.hpp>
#include <etlantic/runtime/lag_rows.hpp>
#include <etlantic/runtime/row_store.inl.hpp>

#include <algorithm>
#include <iterator>
#include <span>
#include <utility>

namespace etlantic {

[[gnu::used]] inline void lag_rows::take(const keyed_row& row, const batch_context&) {
  waiting_.push_back({row.time, waiting_rows_.add(row.rows, row.row, row.values, row.value_row), std::string(row.key)});
}

[[gnu::used]] inline bool lag_rows::is_earlier(const waiting_row& left, const waiting_row& right) const {
  if (left.time != right.time) return left.time < right.time;
  const row_place l = waiting_rows_.at(left.number), r = waiting_rows_.at(right.number);
  return compare_rows(*l.rows, l.row, *r.rows, r.row, settings_.rows->fields.size()) < 0;
}

[[gnu::used]] inline std::int64_t lag_rows::forgotten_at(std::int64_t last_time) const {
  std::int64_t at = 0;
  if (!settings_.forgotten_after ||
      __builtin_add_overflow(last_time, static_cast<std::int64_t>(settings_.forgotten_after->count()), &at))
    return never;
  return at;
}

/// Where the value before a row lies; puts that of the row behind it.
[[gnu::used]] inline row_place lag_rows::look_back(const waiting_row& row) {
  past& of = value_of_key(keys_, row.key);
  const auto drop = [&](std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) past_values_.remove(of.values[i]);
    of.values.erase(of.values.begin(), of.values.begin() + static_cast<std::ptrdiff_t>(count));
  };
  if (!of.values.empty() && row.time >= forgotten_at(of.last_time)) drop(of.values.size());
  const row_place found = of.values.size() == settings_.distance ? past_values_.at(of.values.front()) : row_place{};
  if (of.values.size() == settings_.distance) drop(1);
  const row_place own = waiting_rows_.at(row.number);
  of.values.push_back(past_values_.add(no_columns_, 0, &own.rows->columns.back(), own.row));
  of.last_time = row.time;
  next_forgotten_ = std::min(next_forgotten_, forgotten_at(row.time));
  return found;
}

[[gnu::used]] inline result<void> lag_rows::finish(const batch_context& batch, stage_outputs& out,
                                                   stage_counts& counts) {
  const auto first_due = std::partition(waiting_.begin(), waiting_.end(), [&](const waiting_row& each) {
    return each.time > batch.watermark.microseconds;
  });
  std::vector<waiting_row> due(std::make_move_iterator(first_due), std::make_move_iterator(waiting_.end()));
  waiting_.erase(first_due, waiting_.end());
  std::sort(due.begin(), due.end(),
            [&](const waiting_row& left, const waiting_row& right) { return is_earlier(left, right); });

  const std::size_t own = settings_.rows->fields.size();
  block rows(kept_.described());
  std::vector<row_place> places, before;
  for (std::size_t done = 0; done < due.size(); done += rows.rows) {
    rows.clear();
    places.clear();
    before.clear();
    for (const waiting_row& each :
         std::span(due).subspan(done, std::min<std::size_t>(row_store::piece_rows, due.size() - done))) {
      places.push_back(waiting_rows_.at(each.number));
      before.push_back(look_back(each));
      waiting_rows_.remove(each.number);
    }
    for (std::size_t i = 0; i < own; ++i) gather(rows.columns[i], places, i);
    gather(rows.columns[own], before, 0);
    rows.rows = places.size();
    counts.emitted += static_cast<std::int64_t>(rows.rows);
    if (auto given = out.emit(0, rows); !given) return given;
  }
  forget(batch.watermark.microseconds);
  compact();
  return {};
}

[[gnu::used]] inline void lag_rows::forget(std::int64_t watermark) {
  if (next_forgotten_ > watermark) return;
  next_forgotten_ = never;
  std::erase_if(keys_, [&](const auto& each) {
    const std::int64_t at = forgotten_at(each.second.last_time);
    if (at > watermark) {
      next_forgotten_ = std::min(next_forgotten_, at);
      return false;
    }
    for (std::uint32_t value : each.second.values) past_values_.remove(value);
    return true;
  });
}

/// For when no place of a row is in use.
[[gnu::used]] inline void lag_rows::compact() {
  if (past_values_.is_sparse()) {
    const std::vector<std::uint32_t> numbers = past_values_.compact();
    for (auto& [key, of] : keys_)
      for (std::uint32_t& each : of.values) each = numbers[each];
  }
  if (waiting_rows_.is_sparse()) {
    const std::vector<std::uint32_t> numbers = waiting_rows_.compact();
    for (waiting_row& each : waiting_) each.number = numbers[each.number];
  }
}

[[gnu::used]] inline state_metrics lag_rows::state() const {
  std::size_t bytes = waiting_rows_.bytes() + past_values_.bytes() + memory_of_keys(keys_) +
                      waiting_.capacity() * sizeof(waiting_row) + past_values_.size() * sizeof(std::uint32_t);
  return {0, static_cast<std::int64_t>(waiting_rows_.size() + past_values_.size()), static_cast<std::int64_t>(bytes)};
}

[[gnu::used]] inline void lag_rows::save(state_writer& into) const {
  std::vector<std::uint32_t> numbers;
  into.put(std::uint8_t{1});
  into.put(static_cast<std::uint64_t>(waiting_.size()));
  for (const waiting_row& each : waiting_) {
    into.put(each.time);
    into.put_text(each.key);
    numbers.push_back(each.number);
  }
  waiting_rows_.save(numbers, into);
  numbers.clear();
  into.put(static_cast<std::uint64_t>(keys_.size()));
  for (const auto& [key, of] : keys_) {
    into.put_text(key);
    into.put(of.last_time);
    into.put(static_cast<std::uint64_t>(of.values.size()));
    numbers.insert(numbers.end(), of.values.begin(), of.values.end());
  }
  past_values_.save(numbers, into);
}

[[gnu::used]] inline bool lag_rows::restore(state_reader& from) {
  waiting_.clear();
  keys_.clear();
  if (from.get<std::uint8_t>() != 1) return false;
  std::uint32_t number = 0;
  for (auto left = from.get<std::uint64_t>(); left != 0; --left) {
    const auto time = from.get<std::int64_t>();
    const std::string_view key = from.get_text();
    if (!from.ok()) return false;
    waiting_.push_back({time, number++, std::string(key)});
  }
  if (!from.ok() || !waiting_rows_.restore(from, number)) return false;
  number = 0;
  for (auto left = from.get<std::uint64_t>(); left != 0; --left) {
    past& of = value_of_key(keys_, from.get_text());
    of.last_time = from.get<std::int64_t>();
    const auto size = from.get<std::uint64_t>();
    if (!from.ok() || !of.values.empty() || size == 0 || size > settings_.distance || size > from.rest()) return false;
    for (std::uint64_t i = 0; i < size; ++i) of.values.push_back(number++);
  }
  next_forgotten_ = std::numeric_limits<std::int64_t>::min();  // looked up when the next batch ends
  return from.ok() && past_values_.restore(from, number);
}

}  // namespace etlantic
