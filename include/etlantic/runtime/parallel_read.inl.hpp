#pragma once
#include <etlantic/runtime/decoded_piece.inl.hpp>
#include <etlantic/runtime/parallel_read.hpp>

namespace etlantic {

[[gnu::used]] inline result<void> parallel_read::run(source& from, std::span<const split_range> pieces,
                                                     const std::function<result<void>(const decoded_piece&)>& take) {
  slots_.assign(2 * workers_.workers() + 2, {});
  // All of it here, where it may fail: a worker that claims a piece finds its memory.
  while (memory_.size() < slots_.size())
    memory_.emplace_back(kept_piece{.worker = memory_.size() % workers_.workers()});
  free_.resize(workers_.workers());
  for (std::vector<kept_piece*>& each : free_) {
    each.clear();
    each.reserve(memory_.size());
  }
  for (kept_piece& each : memory_) free_[each.worker].push_back(&each);
  from_ = &from;
  pieces_ = pieces;
  claimed_ = taken_ = 0;
  stops_ = false;
  thrown_ = nullptr;
  const std::function<void(std::size_t)> job = [this](std::size_t worker) { work(worker); };
  workers_.start(job);
  struct end_of_work {
    parallel_read& of;
    ~end_of_work() { of.end(); }
  } at_the_end{*this};

  while (taken_ < pieces.size()) {
    {
      std::unique_lock guard(lock_);
      std::size_t number = 0;
      while (!slot_of(taken_).is_done && !thrown_) {
        if (!claim(number, 0)) {
          changed_.wait(guard);
          continue;
        }
        guard.unlock();
        decode(number, 0);
        guard.lock();
      }
      if (thrown_) std::rethrow_exception(thrown_);
    }
    kept_piece& taken = *slot_of(taken_).holds;
    const decoded_piece& piece = taken.piece;
    if (piece.error()) return *piece.error();
    if (result<void> done = take(piece); !done) return done;
    const std::lock_guard guard(lock_);
    slot_of(taken_) = {};
    free_[taken.worker].push_back(&taken);
    ++taken_;
    changed_.notify_all();
  }
  return {};
}

[[gnu::used]] inline void parallel_read::work(std::size_t worker) {
  std::unique_lock guard(lock_);
  for (;;) {
    std::size_t number = 0;
    if (stops_ || claimed_ == pieces_.size()) return;
    if (!claim(number, worker)) {
      changed_.wait(guard);
      continue;
    }
    guard.unlock();
    decode(number, worker);
    guard.lock();
  }
}

/// The next piece that nobody works on, unless it is too far ahead of the one whose turn it is. Under the lock.
[[gnu::used]] inline bool parallel_read::claim(std::size_t& number, std::size_t worker) {
  if (stops_ || claimed_ == pieces_.size() || claimed_ == taken_ + slots_.size()) return false;
  number = claimed_++;
  slot_of(number).holds = &memory_for(worker);
  return true;
}

/// What the worker used last, or else what another one has no use for. Under the lock.
[[gnu::used]] inline parallel_read::kept_piece& parallel_read::memory_for(std::size_t worker) {
  std::vector<kept_piece*>* from = &free_[worker];
  for (std::size_t i = 0; from->empty(); ++i) from = &free_[i];
  kept_piece& found = *from->back();
  from->pop_back();
  found.worker = worker;
  return found;
}

[[gnu::used]] inline void parallel_read::decode(std::size_t number, std::size_t worker) {
  std::exception_ptr thrown;
  try {
    slot_of(number).holds->piece.read(*from_, *decoders_[worker], pieces_[number]);
  } catch (...) {
    thrown = std::current_exception();
  }
  const std::lock_guard guard(lock_);
  if (thrown) thrown_ = thrown;
  slot_of(number).is_done = true;
  changed_.notify_all();
}

/// No worker may look at the source or the decoders when `run` has returned.
[[gnu::used]] inline void parallel_read::end() {
  {
    const std::lock_guard guard(lock_);
    stops_ = true;
  }
  changed_.notify_all();
  workers_.wait();
}

}  // namespace etlantic
