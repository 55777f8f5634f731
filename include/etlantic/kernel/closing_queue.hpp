#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace etlantic::kernel {

/// When a session may close: as it was when that was noted, for sessions grow.
struct closing_time {
  std::int64_t end;
  std::uint32_t session;
  std::uint32_t generation;  // of the session's place, which may have gone to another one since
};

/// Closing times, earliest first: what closes is found without a look at what stays open. Every session has one; if it
/// has grown when that comes, it gets another.
class closing_queue {
 public:
  void add(closing_time at) {
    times_.push_back(at);
    std::push_heap(times_.begin(), times_.end(), later);
  }

  /// Takes out those up to a watermark and visits them; later ones may be added meanwhile.
  template <class Visit>
  void take_until(std::int64_t watermark, Visit&& visit) {
    while (!times_.empty() && times_.front().end <= watermark) {
      std::pop_heap(times_.begin(), times_.end(), later);
      const closing_time due = times_.back();
      times_.pop_back();
      visit(due);
    }
  }

  std::size_t size() const { return times_.size(); }
  std::size_t bytes() const { return times_.capacity() * sizeof(closing_time); }

 private:
  static bool later(const closing_time& left, const closing_time& right) { return left.end > right.end; }

  std::vector<closing_time> times_;
};

}  // namespace etlantic::kernel
