#pragma once
#include <etlantic/column/check.hpp>
#include <etlantic/column/format_json.hpp>
#include <etlantic/connect/json/decoder.hpp>
#include <etlantic/connect/json/rejected_rows.hpp>
#include <etlantic/connect/json/time_guard.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace etlantic::detail {

/// Checks rows that are columns already. Those that break their contract are written as JSON into `rejected`.
class typed_rows {
 public:
  /// The guard outlives this.
  typed_rows(const schema& contract, const time_guard& guard)
      : json_(json_members_of(contract.fields)), guard_(guard) {}

  /// The numbers of the rows that are wrong, in order.
  std::vector<std::size_t> check(const block& typed, rejected_rows& rejected, const rejected_context& context,
                                 decoder_counts& counts) {
    rejected.begin(typed.split, nullptr);
    std::vector<std::size_t> wrong;
    for (std::size_t row = 0; row < typed.rows; ++row) {
      std::vector<violation> violations = check_row(typed, row);
      add_future_times(typed, row, violations);
      if (violations.empty()) continue;
      wrong.push_back(row);
      ++counts.by_reason[static_cast<std::size_t>(violations.front().reason)];
      payload_.clear();
      append_json_row(payload_, json_, typed.columns, row);
      const auto position = row < typed.positions.size() ? typed.positions[row] : static_cast<std::int64_t>(row);
      rejected.add_text(position, payload_, violations, context);
    }
    counts.rows += static_cast<std::int64_t>(typed.rows);
    counts.invalid += static_cast<std::int64_t>(wrong.size());
    counts.valid += static_cast<std::int64_t>(typed.rows - wrong.size());
    return wrong;
  }

  /// A copy of the other rows; `wrong` is in order.
  static block rows_without(const block& typed, const std::vector<std::size_t>& wrong) {
    block kept(*typed.contract);
    kept.split = typed.split;
    auto next_wrong = wrong.begin();
    for (std::size_t row = 0; row < typed.rows; ++row) {
      if (next_wrong != wrong.end() && *next_wrong == row) {
        ++next_wrong;
        continue;
      }
      kept.append(typed, row);
      if (row < typed.positions.size()) kept.positions.push_back(typed.positions[row]);
    }
    return kept;
  }

 private:
  void add_future_times(const block& typed, std::size_t row, std::vector<violation>& violations) const {
    for (const std::size_t field : guard_.fields()) {
      const column& values = typed.columns[field];
      if (values.is_valid(row) && guard_.refuses(values, field, row))
        violations.push_back({std::string(values.field->name), violation_reason::future});
    }
  }

  std::vector<json_member> json_;
  const time_guard& guard_;
  std::string payload_;
};

}  // namespace etlantic::detail
