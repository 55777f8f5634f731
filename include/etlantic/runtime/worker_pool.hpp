#pragma once
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace etlantic {

/// Threads that work beside the one that owns the pool. They wait between jobs.
class worker_pool {
 public:
  /// `workers` counts the owner too: for one there are no threads. Where the system gives fewer threads than asked for,
  /// the work is done with those.
  explicit worker_pool(std::size_t workers) {
    threads_.reserve(workers);
    try {
      while (threads_.size() + 1 < workers)
        threads_.emplace_back([this, number = threads_.size() + 1] { work(number); });
    } catch (const std::system_error&) {
    }
  }
  worker_pool(const worker_pool&) = delete;
  worker_pool& operator=(const worker_pool&) = delete;
  ~worker_pool() {
    {
      const std::lock_guard guard(lock_);
      ends_ = true;
    }
    has_job_.notify_all();
    for (std::thread& each : threads_) each.join();
  }

  std::size_t workers() const { return threads_.size() + 1; }

  /// Has each thread run `job` with its number, 1 or greater. The job may not throw, and lives until `wait` returns.
  void start(const std::function<void(std::size_t)>& job) {
    {
      const std::lock_guard guard(lock_);
      job_ = &job;
      running_ = threads_.size();
      ++generation_;
    }
    has_job_.notify_all();
  }

  /// Until every thread has come back from the job.
  void wait() {
    std::unique_lock guard(lock_);
    is_idle_.wait(guard, [&] { return running_ == 0; });
  }

 private:
  void work(std::size_t number) {
    std::uint64_t seen = 0;
    std::unique_lock guard(lock_);
    for (;;) {
      has_job_.wait(guard, [&] { return ends_ || generation_ != seen; });
      if (ends_) return;
      seen = generation_;
      const auto& job = *job_;
      guard.unlock();
      job(number);
      guard.lock();
      if (--running_ == 0) is_idle_.notify_all();
    }
  }

  std::mutex lock_;
  std::condition_variable has_job_;
  std::condition_variable is_idle_;
  const std::function<void(std::size_t)>* job_ = nullptr;
  std::uint64_t generation_ = 0;
  std::size_t running_ = 0;
  bool ends_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace etlantic
