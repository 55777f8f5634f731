#pragma once
#include <etlantic/column/rows.hpp>
#include <etlantic/connect/memory/added_batches.hpp>
#include <etlantic/runtime/source.hpp>

#include <array>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
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
    add_rows(rows);
  }

  /// Puts rows in the place of all that were added: a new version of a reference.
  void replace(const std::vector<C>& rows) {
    const std::lock_guard guard(lock_);
    rows_ = block(schema_of<C>());
    batches_.clear();
    add_rows(rows);
  }

  result<std::vector<split_range>> plan(const intake_limits& limits) override {
    const std::lock_guard guard(lock_);
    return batches_.next([&](std::int64_t begin) {
      const auto added = static_cast<std::int64_t>(rows_.rows);
      return limits.max_rows > added - begin ? added : begin + limits.max_rows;
    });
  }

  result<void> restore(const std::vector<split_range>& read) override {
    const std::lock_guard guard(lock_);
    batches_.restore(read);
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

  std::optional<bool> await_rows(duration at_most) override {
    std::unique_lock held(lock_);
    return added_.wait_for(held, at_most, [&] { return batches_.has_more(); });
  }

  waiting_input waiting() override {
    const std::lock_guard guard(lock_);
    return {.rows = batches_.end() - batches_.planned()};
  }

  result<whole_content> whole() override {
    const std::lock_guard guard(lock_);
    return whole_content{std::to_string(changes_), true, {{"memory", 0, static_cast<std::int64_t>(rows_.rows)}}};
  }

  result<void> freeze() override {
    const std::lock_guard guard(lock_);
    batches_.freeze();
    return {};
  }

  std::string describe() const override { return "memory"; }

 private:
  void add_rows(const std::vector<C>& rows) {
    for (const C& each : rows) append_row(rows_, each);
    batches_.end_at(static_cast<std::int64_t>(rows_.rows));
    ++changes_;
    added_.notify_all();
  }

  std::mutex lock_;
  std::condition_variable added_;
  block rows_{schema_of<C>()};
  detail::added_batches batches_;
  std::int64_t changes_ = 0;
};

}  // namespace etlantic
