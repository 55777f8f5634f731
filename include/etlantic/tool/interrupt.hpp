#pragma once
#include <signal.h>

#include <atomic>
#include <thread>

namespace etlantic {

/// While it lives, the first SIGINT or SIGTERM asks to stop, the second to stop at once, and the third ends the process
/// as if nobody had caught it. A thread waits for the signals, so nothing runs in a signal handler. Make it before
/// other threads: they inherit that the signals are blocked. A reader of our output that goes away is an error of
/// writing, not a signal.
class interrupt {
 public:
  interrupt();
  ~interrupt();
  interrupt(const interrupt&) = delete;
  interrupt& operator=(const interrupt&) = delete;

  /// How many came.
  int requests() const { return requests_; }

 private:
  sigset_t waited_;
  sigset_t before_;
  struct sigaction pipe_before_;
  std::atomic<int> requests_ = 0;
  std::atomic<bool> over_ = false;
  std::thread waiter_;

  void wait();
};

}  // namespace etlantic
