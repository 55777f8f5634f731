#pragma once
#include <etlantic/core/time.hpp>
#include <etlantic/runtime/batch_record.hpp>
#include <etlantic/runtime/split_name.hpp>

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace etlantic {

/// When the splits of inputs that may fall idle had rows last, by the times at which batches were planned.
class split_activity {
 public:
  void watch(const std::string& node, duration idle_after) {
    if (idle_after != duration::zero()) idle_after_[node] = idle_after;
  }

  void restore(const std::vector<split_last_rows>& stored) {
    for (const split_last_rows& each : stored) had_rows(each.of, each.last_rows_at);
  }
  std::vector<split_last_rows> stored() const {
    std::vector<split_last_rows> made;
    for (const auto& [name, at] : last_rows_at_) made.push_back({name, at});
    return made;
  }

  void had_rows(const split_name& name, timestamp at) {
    if (idle_after_.count(name.node) == 0) return;
    timestamp& last = last_rows_at_.try_emplace(name, at).first->second;
    last = std::max(last, at);
  }

  /// Those of the splits that nobody waits for at that time. Where nothing is known of one, its silence begins now.
  std::vector<split_name> idle(const std::vector<split_name>& splits, timestamp now) {
    std::vector<split_name> found;
    for (const split_name& each : splits) {
      const auto most = idle_after_.find(each.node);
      if (most == idle_after_.end()) continue;
      if (now - last_rows_at_.try_emplace(each, now).first->second >= most->second) found.push_back(each);
    }
    return found;
  }

  /// Forgets all but these, which are in order.
  void keep_only(const std::vector<split_name>& splits) {
    for (auto each = last_rows_at_.begin(); each != last_rows_at_.end();)
      each =
          std::binary_search(splits.begin(), splits.end(), each->first) ? std::next(each) : last_rows_at_.erase(each);
  }

 private:
  std::map<std::string, duration> idle_after_;  // by extract
  std::map<split_name, timestamp> last_rows_at_;
};

}  // namespace etlantic
