#pragma once
#include <etlantic/tool/interrupt.hpp>

#include <pthread.h>
#include <unistd.h>

namespace etlantic {

[[gnu::used]] inline interrupt::interrupt() {
  struct sigaction ignored{};
  ignored.sa_handler = SIG_IGN;
  sigaction(SIGPIPE, &ignored, &pipe_before_);
  sigemptyset(&waited_);
  sigaddset(&waited_, SIGINT);
  sigaddset(&waited_, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &waited_, &before_);
  waiter_ = std::thread([this] { wait(); });
}

[[gnu::used]] inline interrupt::~interrupt() {
  over_ = true;
  pthread_kill(waiter_.native_handle(), SIGTERM);  // wakes the waiting thread and nobody else
  waiter_.join();
  pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  sigaction(SIGPIPE, &pipe_before_, nullptr);
}

[[gnu::used]] inline void interrupt::wait() {
  for (;;) {
    int caught = 0;
    if (sigwait(&waited_, &caught) != 0) continue;
    if (over_) return;
    if (++requests_ < 3) continue;
    signal(caught, SIG_DFL);
    pthread_sigmask(SIG_UNBLOCK, &waited_, nullptr);
    kill(getpid(), caught);
  }
}

}  // namespace etlantic
