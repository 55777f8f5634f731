#pragma once
#include <etlantic/core/result.hpp>
#include <etlantic/runtime/decoded_piece.hpp>
#include <etlantic/runtime/worker_pool.hpp>

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

namespace etlantic {

/// Reads and decodes parts of splits on several cores, and hands them over one after the other in the order of the
/// plan. So nothing behind it can see how many workers there were: sums of floating-point numbers, ties and the order
/// of rows are those of one worker.
class parallel_read {
 public:
  /// One decoder for each worker.
  parallel_read(worker_pool& workers, std::vector<row_decoder*> decoders)
      : workers_(workers), decoders_(std::move(decoders)) {}

  /// `take` is called in the calling thread, which decodes as well while it waits. What takes no more than a few parts
  /// ahead is held in memory. Throws what a worker threw.
  result<void> run(source& from, std::span<const split_range> pieces,
                   const std::function<result<void>(const decoded_piece&)>& take);

 private:
  /// A piece in the memory of one before, which the caches of the worker who decoded that one still hold.
  struct kept_piece {
    decoded_piece piece{};
    std::size_t worker = 0;
  };
  struct slot {
    kept_piece* holds = nullptr;
    bool is_done = false;
  };

  void work(std::size_t worker);
  bool claim(std::size_t& number, std::size_t worker);
  kept_piece& memory_for(std::size_t worker);
  void decode(std::size_t number, std::size_t worker);
  void end();
  slot& slot_of(std::size_t number) { return slots_[number % slots_.size()]; }

  worker_pool& workers_;
  std::vector<row_decoder*> decoders_;
  std::vector<slot> slots_;  // of the pieces from `taken_` on
  std::deque<kept_piece> memory_;
  std::vector<std::vector<kept_piece*>> free_;  // by worker, what was used last at the end

  std::mutex lock_;
  std::condition_variable changed_;
  source* from_ = nullptr;
  std::span<const split_range> pieces_;
  std::size_t claimed_ = 0;
  std::size_t taken_ = 0;
  bool stops_ = false;
  std::exception_ptr thrown_;
};

}  // namespace etlantic
