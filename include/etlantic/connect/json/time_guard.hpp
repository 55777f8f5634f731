#pragma once
#include <etlantic/column/column.hpp>
#include <etlantic/connect/json/value_plan.hpp>
#include <etlantic/core/time.hpp>
#include <etlantic/runtime/row_decoder.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace etlantic::detail {

/// Keeps event times out that lie too far ahead of the clock.
class time_guard {
 public:
  time_guard() = default;
  explicit time_guard(future_bound bound) : bound_(std::move(bound)) {}

  /// Of a batch that was planned then.
  void begin(timestamp planned_at) {
    if (__builtin_add_overflow(planned_at.microseconds, bound_.most_ahead.count(), &latest_))
      latest_ = std::numeric_limits<std::int64_t>::max();
  }

  /// Lets the fast readers take no later time, so that the general one sees it.
  void lower_bounds(std::vector<value_plan>& plans) {
    if (by_contract_.empty())
      for (const std::size_t field : bound_.fields) by_contract_.push_back(plans[field].greatest);
    for (std::size_t i = 0; i < bound_.fields.size(); ++i)
      plans[bound_.fields[i]].greatest = std::min(by_contract_[i], latest_);
  }

  /// Whether a present value of a contract's field lies too far ahead.
  bool refuses(const column& values, std::size_t field, std::size_t row) const {
    return values.value<std::int64_t>(row) > latest_ &&
           std::find(bound_.fields.begin(), bound_.fields.end(), field) != bound_.fields.end();
  }

  /// Whether a time lies too far ahead.
  bool refuses(std::int64_t time) const { return time > latest_; }

  const std::vector<std::size_t>& fields() const { return bound_.fields; }

 private:
  future_bound bound_;
  std::vector<std::int64_t> by_contract_;  // the bounds of the fields that the contract gives
  std::int64_t latest_ = std::numeric_limits<std::int64_t>::max();
};

}  // namespace etlantic::detail
