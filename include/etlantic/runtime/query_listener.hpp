#pragma once
#include <etlantic/core/result.hpp>
#include <etlantic/core/time.hpp>
#include <etlantic/runtime/progress.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace etlantic {

/// A query begins, with nothing or where its checkpoint says.
struct query_start {
  std::string query;
  std::string pipeline;
  timestamp at;
  std::int64_t next_batch = 0;  ///< greater than 0: it goes on from a checkpoint
  bool replays = false;         ///< that batch was planned before
  timestamp watermark;          ///< in force
};

/// A batch is planned, durably if there is a checkpoint, and will be run.
struct batch_start {
  std::int64_t batch = 0;
  bool no_data = false;
  bool replayed = false;
  timestamp at;
};

struct watermark_advance {
  std::int64_t batch = 0;
  timestamp from;
  timestamp to;
};

/// Nothing waits to be read.
struct query_idle {
  timestamp at;
};

/// Something failed. If it is tried again, then after a wait: told before the wait.
struct query_failure {
  failure why;
  timestamp at;
  bool tried_again = false;
  int attempt = 0;  ///< of the retry that follows: 1, 2 ... since the last committed batch
  duration wait{};
  int attempts = 0;  ///< how many there may be at most
};

/// A query goes on where its checkpoint says: at its start, or after a failure.
struct query_recovery {
  timestamp at;
  std::int64_t next_batch = 0;
  bool replays = false;
  int attempt = 0;  ///< 0: at its start
};

enum class split_state : std::uint8_t { waiting, running, released };

constexpr std::string_view name_of(split_state state) {
  constexpr std::string_view names[] = {"waiting", "running", "released"};
  return names[static_cast<int>(state)];
}

/// Where several processes share an input: this one runs a split, runs it no more, or waits until another one has let
/// go of it.
struct split_move {
  std::string split;
  split_state state = split_state::running;
  timestamp at;
  std::string reason{};  ///< why it waits
};

struct query_end {
  timestamp at;
  bool stopped = false;        ///< it was told to; otherwise its trigger was done, or it failed
  std::optional<failure> why;  ///< it failed
};

/// Looks on while a query runs. Called on the query's thread, in the order of what happens, and never per row, so the
/// query waits for it. What it throws is ignored. It may ask its query to stop, but not drop the handle.
class query_listener {
 public:
  virtual ~query_listener() = default;

  virtual void started(const query_start&) {}
  virtual void recovered(const query_recovery&) {}
  virtual void batch_started(const batch_start&) {}
  virtual void batch_completed(const progress&) {}
  virtual void watermark_advanced(const watermark_advance&) {}
  /// Told once, until there is a batch again.
  virtual void idle(const query_idle&) {}
  virtual void split_moved(const split_move&) {}
  virtual void failed(const query_failure&) {}
  virtual void terminated(const query_end&) {}
};

/// Tells all of them; none is harmed by what another one throws.
class query_listeners {
 public:
  void add(std::shared_ptr<query_listener> each) {
    if (each) listeners_.push_back(std::move(each));
  }

  /// One that is told before all others.
  void add_first(std::shared_ptr<query_listener> each) {
    if (each) listeners_.insert(listeners_.begin(), std::move(each));
  }

  template <class Event>
  void tell(void (query_listener::*what)(const Event&), const Event& event) const {
    for (const std::shared_ptr<query_listener>& each : listeners_) guarded([&] { ((*each).*what)(event); });
  }

 private:
  template <class Call>
  static void guarded(Call call) {
    try {
      call();
    } catch (...) {  // a listener looks on: what it throws is its own affair
    }
  }

  std::vector<std::shared_ptr<query_listener>> listeners_;
};

}  // namespace etlantic
