#pragma once
#include <etlantic/column/rows.hpp>
#include <etlantic/runtime/source.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace etlantic {

/// Rows of a contract that the program hands over, for tests and for embedding. The split is `memory`, a position is
/// the number of the row. Each call of `add` starts a new batch: a batch never reads across it. May be added to from
/// any thread while a query runs.
template <class C>
class memory_source final : public source {
 public:
  void add(const std::vector<C>& rows) {
    const std::lock_guard guard(lock_);
    for (const C& each : rows) append_row(rows_, each);
    ends_.push_back(static_cast<std::int64_t>(rows_.rows));
  }

  result<std::vector<split_range>> plan(const intake_limits& limits) override {
    const std::lock_guard guard(lock_);
    const auto group = std::upper_bound(ends_.begin(), ends_.end(), planned_);
    if (group == ends_.end()) return std::vector<split_range>{};
    const std::int64_t last = frozen_ >= 0 ? std::min(*group, frozen_) : *group;
    const std::int64_t end = std::min(last, limits.max_rows > last - planned_ ? last : planned_ + limits.max_rows);
    if (end <= planned_) return std::vector<split_range>{};
    return std::vector<split_range>{{"memory", std::exchange(planned_, end), end}};
  }

  result<void> restore(const std::vector<split_range>& read) override {
    const std::lock_guard guard(lock_);
    planned_ = 0;
    frozen_ = -1;
    for (const split_range& each : read) planned_ = std::max(planned_, each.end);
    return {};
  }

  result<void> read(const split_range& range, intake& into) override {
    block given(schema_of<C>());
    {
      const std::lock_guard guard(lock_);
      if (range.end > static_cast<std::int64_t>(rows_.rows))
        return failure{failure_class::source_data, "PMSTREAM405", "the planned rows are not in memory any more",
                       "memory source", "add the same rows again before a restart"};
      for (std::int64_t row = range.begin; row < range.end; ++row) {
        given.append(rows_, static_cast<std::size_t>(row));
        given.positions.push_back(row);
      }
    }
    given.split = range.split;
    return into.rows(given);
  }

  result<void> freeze() override {
    const std::lock_guard guard(lock_);
    frozen_ = static_cast<std::int64_t>(rows_.rows);
    return {};
  }

  std::string describe() const override { return "memory"; }

 private:
  std::mutex lock_;
  block rows_{schema_of<C>()};
  std::vector<std::int64_t> ends_;  // of each call of add
  std::int64_t planned_ = 0;
  std::int64_t frozen_ = -1;
};

}  // namespace etlantic
