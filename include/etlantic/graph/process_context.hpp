#pragma once
#include <etlantic/core/time.hpp>

#include <cstdint>
#include <utility>
#include <vector>

namespace etlantic {

namespace detail {

enum class timer_action : std::uint8_t { set_one, clear_one, clear_all };
struct timer_request {
  timer_action action;
  timestamp time;
};

/// What a behaviour asked for in one call.
template <class Result>
struct process_requests {
  timestamp watermark{};
  std::vector<Result> results{};
  std::vector<timer_request> timers{};
  bool forgets = false;
};

}  // namespace detail

/// What a behaviour of `process` can do besides changing the state of its key.
template <class Result>
class process_context {
 public:
  explicit process_context(detail::process_requests<Result>& requests) : requests_(&requests) {}

  /// Gives out a row.
  void emit(Result row) { requests_->results.push_back(std::move(row)); }

  /// The watermark in force: timers up to it fire when the batch ends.
  timestamp watermark() const { return requests_->watermark; }

  /// Has `on_timer` called once for this key, when the watermark has reached a time. A timer is its time: setting it
  /// again changes nothing. In `on_timer`, one that does not lie behind the timer that fires is not set.
  void set_timer(timestamp time) { requests_->timers.push_back({detail::timer_action::set_one, time}); }
  void clear_timer(timestamp time) { requests_->timers.push_back({detail::timer_action::clear_one, time}); }
  void clear_timers() { requests_->timers.push_back({detail::timer_action::clear_all, {}}); }

  /// Forgets the key when this call ends: its state, and all of its timers.
  void forget() { requests_->forgets = true; }

 private:
  detail::process_requests<Result>* requests_;
};

}  // namespace etlantic
