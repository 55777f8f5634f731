#pragma once
#include <etlantic/runtime/source.hpp>

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace etlantic::detail {

/// How far a source in memory has been handed out. Positions count what the program added; where one addition ends, a
/// batch ends too. Not synchronised.
class added_batches {
 public:
  void end_at(std::int64_t position) { ends_.push_back(position); }
  /// Forgets everything that was added.
  void clear() {
    ends_.clear();
    planned_ = 0;
    frozen_ = -1;
  }
  void freeze() { frozen_ = ends_.empty() ? 0 : ends_.back(); }

  /// The next range, or none. `limit_after(begin)` is the greatest end that the intake limits allow.
  template <class Limit>
  std::vector<split_range> next(Limit limit_after) {
    const auto batch = std::upper_bound(ends_.begin(), ends_.end(), planned_);
    if (batch == ends_.end()) return {};
    const std::int64_t last = frozen_ >= 0 ? std::min(*batch, frozen_) : *batch;
    const std::int64_t end = std::min(last, limit_after(planned_));
    if (end <= planned_) return {};
    return {{"memory", std::exchange(planned_, end), end}};
  }

  /// Where the next range begins, and where the last one will end.
  std::int64_t planned() const { return planned_; }
  std::int64_t end() const {
    const std::int64_t added = ends_.empty() ? 0 : ends_.back();
    return std::max(planned_, frozen_ >= 0 ? std::min(added, frozen_) : added);
  }

  /// Whether a batch could be planned now.
  bool has_more() const { return end() > planned_; }

  void restore(const std::vector<split_range>& read) {
    planned_ = 0;
    frozen_ = -1;
    for (const split_range& each : read) planned_ = std::max(planned_, each.end);
  }

 private:
  std::vector<std::int64_t> ends_;
  std::int64_t planned_ = 0;
  std::int64_t frozen_ = -1;
};

}  // namespace etlantic::detail
