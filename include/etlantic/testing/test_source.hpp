#pragma once
#include <etlantic/column/block.hpp>
#include <etlantic/runtime/source.hpp>
#include <etlantic/testing/fault_points.hpp>
#include <etlantic/testing/wrong_use.hpp>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace etlantic::test_kit {

/// The input of one extract of a test: rows of its contract and lines of text, as they were added. The split is `test`
/// and a position is the number of the row, from 0, among all that were added.
class test_source final : public source {
 public:
  test_source(const schema& contract, fault_points& faults) : contract_(contract), faults_(faults) {}

  const schema& contract() const { return contract_; }

  void add(block rows) {
    const auto count = static_cast<std::int64_t>(rows.rows);
    added_.push_back({end(), end() + count, std::move(rows), {}});
    ++changes_;
  }
  void add(std::vector<std::string> lines) {
    for (std::string& each : lines) {
      if (!each.empty() && each.back() == '\n') each.pop_back();
      if (each.find('\n') != std::string::npos)
        throw wrong_use("a line of add_raw has a line feed inside; give each row as a text of its own");
    }
    const auto count = static_cast<std::int64_t>(lines.size());
    added_.push_back({end(), end() + count, block(contract_), std::move(lines)});
    ++changes_;
  }
  /// Forgets what was added: what is added next is a new version of a reference.
  void clear() {
    added_.clear();
    ++changes_;
  }
  /// So many rows a batch, however they were added; 0: what one call added is a batch.
  void cut_batches(std::int64_t rows) { rows_per_batch_ = rows; }
  std::int64_t end() const { return added_.empty() ? 0 : added_.back().end; }

  result<std::vector<split_range>> plan(const intake_limits& limits) override {
    if (result<void> alive = faults_.reach(boundary::before_plan); !alive) return alive.error();
    std::int64_t last = end();
    if (rows_per_batch_ > 0)
      last = std::min(last, planned_ + rows_per_batch_);
    else
      for (const addition& each : added_)
        if (each.end > planned_) {
          last = each.end;
          break;
        }
    if (limits.max_rows < last - planned_) last = planned_ + limits.max_rows;
    if (last <= planned_) return std::vector<split_range>{};
    return std::vector<split_range>{{"test", std::exchange(planned_, last), last}};
  }

  result<void> restore(const std::vector<split_range>& read) override {
    planned_ = 0;
    for (const split_range& each : read) planned_ = std::max(planned_, each.end);
    return {};
  }

  result<void> read(const split_range& range, intake& into) override {
    if (result<void> alive = faults_.reach(boundary::after_plan); !alive) return alive;
    for (const addition& each : added_) {
      const std::int64_t from = std::max(range.begin, each.begin), to = std::min(range.end, each.end);
      if (from < to)
        if (result<void> done = give(each, from, to, into); !done) return done;
    }
    return {};
  }

  waiting_input waiting() override { return {.rows = std::max<std::int64_t>(end() - planned_, 0)}; }
  result<whole_content> whole() override { return whole_content{std::to_string(changes_), true, {{"test", 0, end()}}}; }
  result<void> freeze() override { return {}; }
  std::string describe() const override { return "rows of a test"; }

 private:
  struct addition {
    std::int64_t begin, end;
    block rows;
    std::vector<std::string> lines;  // instead of rows
  };

  static result<void> give(const addition& what, std::int64_t from, std::int64_t to, intake& into) {
    if (what.lines.empty()) {
      block given(*what.rows.contract);
      given.split = "test";
      for (std::int64_t row = from; row < to; ++row) {
        given.append(what.rows, static_cast<std::size_t>(row - what.begin));
        given.positions.push_back(row);
      }
      return into.rows(given);
    }
    for (std::int64_t row = from; row < to; ++row) {
      std::string line = what.lines[static_cast<std::size_t>(row - what.begin)] + '\n';
      const std::size_t size = line.size();
      line.append(buffer::padding, '\0');
      if (result<void> done = into.lines("test", row, std::string_view(line).substr(0, size)); !done) return done;
    }
    return {};
  }

  const schema& contract_;
  fault_points& faults_;
  std::vector<addition> added_;
  std::int64_t rows_per_batch_ = 0;
  std::int64_t planned_ = 0;
  std::int64_t changes_ = 0;
};

}  // namespace etlantic::test_kit
