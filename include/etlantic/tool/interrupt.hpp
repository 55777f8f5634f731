#pragma once
#include <signal.h>

#include <atomic>
#include <thread>

namespace etlantic {

/// While it lives, the first SIGINT or SIGTERM only asks to stop, and the second ends the process as if nobody had
/// caught it. A thread waits for the signals, so nothing runs in a signal handler. Make it before other threads: they
/// inherit that the signals are blocked. A reader of our output that goes away is an error of writing, not a signal.
class interrupt {
 public:
  interrupt();
  ~interrupt();
  interrupt(const interrupt&) = delete;
  interrupt& operator=(const interrupt&) = delete;

  bool requested() const { return requested_; }

 private:
  sigset_t waited_;
  sigset_t before_;
  struct sigaction pipe_before_;
  std::atomic<bool> requested_ = false;
  std::atomic<bool> over_ = false;
  std::thread waiter_;

  void wait();
};

}  // namespace etlantic
