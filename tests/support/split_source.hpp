#pragma once
#include <etlantic/column/rows.hpp>
#include <etlantic/runtime/source.hpp>

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace etlantic::test {

/// Rows in several splits, as partitions and files have them. A batch takes what waits in each split, in the order of
/// their names, up to `most_rows` of each. Rows are handed over before the query runs.
template <class C>
class split_source final : public source {
 public:
  std::int64_t most_rows = no_limit;
  bool in_single_rows = false;  ///< every row is a piece, so that several workers have something to do

  void add(const std::string& split, const std::vector<C>& rows) {
    rows_.try_emplace(split, schema_of<C>());
    for (const C& each : rows) append_row(rows_.at(split), each);
  }
  /// Nothing more will be added to it.
  void finish(const std::string& split) { finished_.insert(split); }
  void go_on(const std::string& split) { finished_.erase(split); }

  result<std::vector<split_range>> plan(const intake_limits&) override {
    std::vector<split_range> ranges;
    for (const auto& [split, rows] : rows_) {
      std::int64_t& planned = planned_[split];
      const std::int64_t end = planned + std::min(static_cast<std::int64_t>(rows.rows) - planned, most_rows);
      if (end > planned) ranges.push_back({split, planned, end});
      planned = end;
    }
    return ranges;
  }
  result<void> restore(const std::vector<split_range>& read) override {
    planned_.clear();
    for (const split_range& each : read) planned_[each.split] = each.end;
    return {};
  }
  result<void> read(const split_range& range, intake& into) override {
    block given(schema_of<C>());
    for (std::int64_t row = range.begin; row < range.end; ++row) {
      given.append(rows_.at(range.split), static_cast<std::size_t>(row));
      given.positions.push_back(row);
    }
    given.split = range.split;
    return into.rows(given);
  }
  result<std::vector<split_range>> pieces(const split_range& range) override {
    if (!in_single_rows) return std::vector{range};
    std::vector<split_range> cut;
    for (std::int64_t row = range.begin; row < range.end; ++row) cut.push_back({range.split, row, row + 1});
    return cut;
  }
  std::vector<std::string> finished(const std::vector<std::string>& splits) override {
    std::vector<std::string> found;
    for (const std::string& each : splits)
      if (finished_.count(each) != 0 && planned_[each] == static_cast<std::int64_t>(rows_.at(each).rows))
        found.push_back(each);
    return found;
  }
  result<void> freeze() override { return {}; }
  std::string describe() const override { return "splits in memory"; }

 private:
  std::map<std::string, block> rows_;
  std::map<std::string, std::int64_t> planned_;
  std::set<std::string> finished_;
};

}  // namespace etlantic::test
