#pragma once
#include <etlantic/runtime/workers.hpp>

#include <cstddef>
#include <deque>
#include <future>
#include <memory>
#include <system_error>
#include <utility>

namespace etlantic::delta {

/// Work that goes on beside the caller, taken in the order in which it was begun. Whoever begins it sees to it that
/// what it refers to lives until it is taken or this object is gone, which waits for it. On one core, or where the
/// system gives no thread, work is done when it is begun.
template <class T>
class work_ahead {
 public:
  template <class Work>
  void begin(Work work) {
    const auto shared = std::make_shared<Work>(std::move(work));
    if (usable_cores() > 1) {
      try {
        begun_.push_back(std::async(std::launch::async, [shared] { return (*shared)(); }));
        return;
      } catch (const std::system_error&) {
      }
    }
    std::promise<T> done;
    done.set_value((*shared)());
    begun_.push_back(done.get_future());
  }

  bool is_empty() const { return begun_.empty(); }
  /// As much has been begun as keeps the cores busy, also while some of it waits for the disk.
  bool is_full() const { return begun_.size() > usable_cores(); }

  /// Waits for what was begun first. An exception of the work comes out here.
  T take() {
    std::future<T> oldest = std::move(begun_.front());
    begun_.pop_front();
    return oldest.get();
  }

 private:
  std::deque<std::future<T>> begun_;
};

}  // namespace etlantic::delta
