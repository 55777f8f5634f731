#pragma once
#include <etlantic/core/time.hpp>
#include <etlantic/runtime/batch_record.hpp>
#include <etlantic/runtime/split_name.hpp>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace etlantic {

/// What is known of splits when a batch is planned.
struct split_batch {
  std::vector<split_name> read;      ///< in the batch
  std::vector<split_name> idle;      ///< without rows for so long that nobody waits for them
  std::vector<split_name> finished;  ///< behind this batch they have no more rows
};

/// The watermarks of the splits that move one input's watermark. That is the smallest over the splits that are waited
/// for; when there are none, the greatest that any has reached. What cannot be told apart any more is forgotten, so
/// that thousands of finished files leave nothing behind but that greatest one.
class split_watermarks {
 public:
  void restore(timestamp reached, const std::vector<split_watermark>& stored) {
    reached_ = reached;
    marks_.clear();
    for (const split_watermark& each : stored) marks_[each.of].watermark = each.watermark;
  }
  timestamp reached() const { return reached_; }
  std::vector<split_watermark> stored() const {
    std::vector<split_watermark> made;
    for (const auto& [name, mark] : marks_) made.push_back({name, mark.watermark});
    return made;
  }

  /// A split that is read for the first time starts with the watermark of the input.
  void add(const split_name& name, timestamp input) { marks_.try_emplace(name, split_mark{input}); }

  /// Follows a split; what comes of none only counts when nothing is waited for.
  void saw(const split_name& name, timestamp watermark) {
    const auto found = marks_.find(name);
    timestamp& mark = found == marks_.end() ? reached_ : found->second.watermark;
    mark = std::max(mark, watermark);
  }

  /// The input's watermark in a batch, before its rows. A split that the batch reads is waited for until its end.
  timestamp begin_batch(timestamp input, const split_batch& planned) {
    for (auto& each : marks_) each.second = {each.second.watermark};
    for (const split_name& each : planned.read) {
      add(each, input);
      marks_[each].is_read = true;
    }
    for (const split_name& each : planned.idle) set_gone(each, &split_mark::is_idle);
    for (const split_name& each : planned.finished) set_gone(each, &split_mark::is_finished);
    return std::max(input, combined());
  }

  /// The same behind it.
  timestamp end_batch(timestamp input) {
    for (auto& each : marks_) each.second.is_read = false;
    const timestamp moved = std::max(input, combined());
    for (auto each = marks_.begin(); each != marks_.end();)
      each = can_be_forgotten(each->second, moved) ? forget(each) : std::next(each);
    return moved;
  }

  /// The split that holds the input back, if one does.
  std::optional<split_watermark> slowest() const {
    std::optional<split_watermark> found;
    for (const auto& [name, mark] : marks_)
      if (mark.is_waited_for() && (!found || mark.watermark < found->watermark)) found = {name, mark.watermark};
    return found;
  }

 private:
  struct split_mark {
    timestamp watermark;
    bool is_read = false;
    bool is_idle = false;
    bool is_finished = false;

    bool is_waited_for() const { return is_read || !(is_idle || is_finished); }
  };
  using marks = std::map<split_name, split_mark>;

  void set_gone(const split_name& name, bool split_mark::* how) {
    const auto found = marks_.find(name);
    if (found != marks_.end()) found->second.*how = true;
  }

  timestamp combined() const {
    if (const auto least = slowest()) return least->watermark;
    timestamp greatest = reached_;
    for (const auto& each : marks_) greatest = std::max(greatest, each.second.watermark);
    return greatest;
  }

  /// An idle split that is not ahead of its input will start with the input's watermark when it comes back, which is
  /// what a new one does.
  static bool can_be_forgotten(const split_mark& mark, timestamp input) {
    return mark.is_finished || (mark.is_idle && mark.watermark <= input);
  }
  marks::iterator forget(marks::iterator at) {
    reached_ = std::max(reached_, at->second.watermark);
    return marks_.erase(at);
  }

  marks marks_;
  timestamp reached_;  // the greatest of those that are forgotten
};

}  // namespace etlantic
