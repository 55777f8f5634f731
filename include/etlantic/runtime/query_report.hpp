#pragma once
#include <etlantic/core/result.hpp>
#include <etlantic/core/time.hpp>
#include <etlantic/runtime/progress.hpp>
#include <etlantic/runtime/progress_totals.hpp>
#include <etlantic/runtime/stop_policy.hpp>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <vector>

namespace etlantic {

/// What a query's thread tells its handle, and the request to stop that goes the other way. Safe from any thread.
class query_report {
 public:
  query_report(const std::string& query, const std::string& pipeline) {
    last_.query = totals_.query = query;
    last_.pipeline = totals_.pipeline = pipeline;
  }

  query_status status() const {
    const std::lock_guard held(mutex_);
    return status_;
  }
  result<void> outcome() const {
    const std::lock_guard held(mutex_);
    return outcome_;
  }
  progress last() const {
    const std::lock_guard held(mutex_);
    return last_;
  }
  progress totals() const {
    const std::lock_guard held(mutex_);
    return totals_;
  }
  std::vector<progress> recent() const {
    const std::lock_guard held(mutex_);
    return {recent_.begin(), recent_.end()};
  }

  /// Waits until the query has ended, at most this long; true if it has.
  bool await(duration at_most) const {
    std::unique_lock held(mutex_);
    const auto ended = [&] { return has_ended(); };
    if (at_most > longest_wait) {
      changed_.wait(held, ended);
      return true;
    }
    return changed_.wait_for(held, at_most, ended);
  }

  /// A request that is less urgent than one before changes nothing.
  void request_stop(stop_policy how) {
    const std::lock_guard held(mutex_);
    if (!stop_ || *stop_ < how) stop_ = how;
    if (!has_ended()) status_ = query_status::stopping;
    changed_.notify_all();
  }
  std::optional<stop_policy> requested_stop() const {
    const std::lock_guard held(mutex_);
    return stop_;
  }

  /// Sleeps until the time has come or a stop is requested.
  void pause(std::chrono::steady_clock::time_point until) {
    std::unique_lock held(mutex_);
    changed_.wait_until(held, until, [&] { return stop_.has_value(); });
  }

  /// What it does now. One that was told to stop is stopping, whatever it does.
  void is(query_status now) {
    const std::lock_guard held(mutex_);
    if (!stop_) status_ = now;
  }
  void completed(const progress& batch) { completed(batch, batch); }
  /// `added` is what it adds to the totals, if that is more than the batch says of itself.
  void completed(const progress& batch, const progress& added) {
    const std::lock_guard held(mutex_);
    last_ = batch;
    add_batch(totals_, added);
    recent_.push_back(batch);
    if (recent_.size() > most_recent) recent_.pop_front();
  }
  void warn(const std::vector<std::string>& sentences) {
    const std::lock_guard held(mutex_);
    add_warnings(totals_, sentences);
  }
  void ended(result<void> outcome) {
    const std::lock_guard held(mutex_);
    status_ = outcome ? query_status::stopped : query_status::failed;
    outcome_ = std::move(outcome);
    changed_.notify_all();
  }

 private:
  static constexpr std::size_t most_recent = 100;
  // Longer waits are endless: added to the present time they could wrap.
  static constexpr duration longest_wait = std::chrono::hours{24 * 365};

  bool has_ended() const { return status_ == query_status::stopped || status_ == query_status::failed; }

  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  query_status status_ = query_status::starting;
  std::optional<stop_policy> stop_;
  result<void> outcome_;
  progress last_;
  progress totals_;
  std::deque<progress> recent_;
};

}  // namespace etlantic
