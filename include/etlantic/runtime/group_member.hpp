#pragma once
#include <etlantic/core/result.hpp>
#include <etlantic/runtime/query.hpp>
#include <etlantic/runtime/query_listener.hpp>

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>

namespace etlantic {

/// A split that this process runs: a query of its own. It has a thread, because it waits until another process has let
/// go of the split's checkpoint, and because opening it may take as long as a cluster is silent.
class group_member {
 public:
  struct setting {
    std::string split;
    std::string folder;                    ///< its checkpoint
    std::function<result<query>()> start;  ///< called when nobody else works there
    std::function<void(const split_move&)> tell;
    std::function<timestamp()> now;
  };

  static result<std::unique_ptr<group_member>> begin(setting of);
  ~group_member() {
    request_stop(stop_policy::finish_batch);
    if (thread_.joinable()) thread_.join();
  }
  group_member(const group_member&) = delete;
  group_member& operator=(const group_member&) = delete;

  /// Asks it to end without waiting; it lets go of the checkpoint at its end.
  void request_stop(stop_policy how);
  bool has_ended() const;
  /// Once it has ended.
  result<void> outcome() const;
  /// It was told to stop, but not by `request_stop`: somebody left a request in its checkpoint.
  bool was_stopped_from_outside() const;

 private:
  explicit group_member(setting of) : setting_(std::move(of)) {}

  void run();
  result<void> run_query();
  std::optional<result<query>> start_when_free();
  bool waits();
  void tell(split_state state, std::string reason = {}) const;

  setting setting_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::optional<stop_policy> stop_;
  std::optional<query> query_;
  bool stopped_from_outside_ = false;
  bool ended_ = false;
  result<void> outcome_;
  std::thread thread_;
};

}  // namespace etlantic
