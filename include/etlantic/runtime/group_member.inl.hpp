#pragma once
#include <etlantic/runtime/checkpoint_lock.hpp>
#include <etlantic/runtime/group_member.hpp>

#include <chrono>
#include <memory>
#include <utility>

namespace etlantic {

[[gnu::used]] inline result<std::unique_ptr<group_member>> group_member::begin(setting of) {
  std::unique_ptr<group_member> made(new group_member(std::move(of)));
  try {
    made->thread_ = std::thread([self = made.get()] { self->run(); });
  } catch (const std::exception& thrown) {
    return failure{failure_class::resource_exhausted, "PMSTREAM471",
                   std::string("no thread can be started: ") + thrown.what(), made->setting_.split,
                   "Raise the limit on threads or processes of this user."};
  }
  return made;
}

[[gnu::used]] inline void group_member::request_stop(stop_policy how) {
  const std::lock_guard held(mutex_);
  if (!stop_ || *stop_ < how) stop_ = how;
  if (query_) query_->request_stop(how);
  changed_.notify_all();
}

[[gnu::used]] inline bool group_member::has_ended() const {
  const std::lock_guard held(mutex_);
  return ended_;
}

[[gnu::used]] inline result<void> group_member::outcome() const {
  const std::lock_guard held(mutex_);
  return outcome_;
}

[[gnu::used]] inline bool group_member::was_stopped_from_outside() const {
  const std::lock_guard held(mutex_);
  return stopped_from_outside_;
}

[[gnu::used]] inline void group_member::run() {
  result<void> outcome = run_query();
  tell(split_state::released);
  const std::lock_guard held(mutex_);
  outcome_ = std::move(outcome);
  ended_ = true;
}

[[gnu::used]] inline result<void> group_member::run_query() {
  std::optional<result<query>> started = start_when_free();
  if (!started) return {};
  if (!*started) return started->error();
  query* running = nullptr;
  {
    const std::lock_guard held(mutex_);
    running = &query_.emplace(std::move(**started));
    if (stop_) running->request_stop(*stop_);
  }
  running->await();
  const bool was_told = running->stop_requested();
  result<void> outcome = running->stop();
  const std::lock_guard held(mutex_);
  stopped_from_outside_ = was_told && !stop_;
  query_.reset();
  return outcome;
}

/// Nothing, if it was told to stop before anything was started.
[[gnu::used]] inline std::optional<result<query>> group_member::start_when_free() {
  bool has_told = false;
  for (;;) {
    const result<checkpoint_holder> holder = holder_of_checkpoint(setting_.folder);
    if (!holder) return result<query>(holder.error());
    std::string reason = "process " + holder->pid + " still works on it";
    if (!holder->held) {
      result<query> started = setting_.start();
      if (started) tell(split_state::running);
      // Somebody may have been faster.
      if (started || started.error().code != "PMSTREAM460") return started;
      reason = started.error().message;
    }
    if (!std::exchange(has_told, true)) tell(split_state::waiting, std::move(reason));
    if (!waits()) return std::nullopt;
  }
}

/// False: it was told to stop.
[[gnu::used]] inline bool group_member::waits() {
  std::unique_lock held(mutex_);
  return !changed_.wait_for(held, std::chrono::milliseconds(50), [&] { return stop_.has_value(); });
}

[[gnu::used]] inline void group_member::tell(split_state state, std::string reason) const {
  setting_.tell({setting_.split, state, setting_.now(), std::move(reason)});
}

}  // namespace etlantic
