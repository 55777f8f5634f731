#pragma once
#include <etlantic/runtime/query_life.hpp>
#include <etlantic/runtime/query_loop.inl.hpp>
#include <etlantic/runtime/run_journal.inl.hpp>

#include <sys/random.h>

#include <utility>

namespace etlantic {

namespace detail {

inline double system_random() {
  std::uint32_t bits = 0;
  if (::getrandom(&bits, sizeof bits, 0) != static_cast<::ssize_t>(sizeof bits)) return 0.5;
  return bits / 4294967296.0;
}

/// The function that a program hands to `start`.
class batch_listener final : public query_listener {
 public:
  explicit batch_listener(query::listener on_batch) : on_batch_(std::move(on_batch)) {}
  void batch_completed(const progress& batch) override { on_batch_(batch); }

 private:
  query::listener on_batch_;
};

inline result<void> verify_retry(const profile& where) {
  if (where.retry.attempts == 0 || !where.checkpoint.empty()) return {};
  return failure{failure_class::configuration, std::string(retry_without_checkpoint_code),
                 "failures are to be tried again, but there is no checkpoint to go on from",
                 "profile '" + where.name + "', retry", "Name a checkpoint, or leave retry out."};
}

}  // namespace detail

[[gnu::used]] inline result<std::unique_ptr<query_life>> query_life::begin(program what, profile where,
                                                                           query::listener on_batch,
                                                                           query_environment environment) {
  if (!environment.now) environment.now = detail::system_now;
  if (result<void> sound = detail::verify_retry(where); !sound) {
    run_journal::leave_refusal(what, where, sound.error(), environment.now());
    return sound.error();
  }
  if (!environment.random) environment.random = detail::system_random;
  query_listeners listeners;
  if (on_batch) listeners.add(std::make_shared<detail::batch_listener>(std::move(on_batch)));
  for (std::shared_ptr<query_listener>& each : environment.listeners) listeners.add(each);
  std::unique_ptr<query_life> life(
      new query_life({std::move(what), std::move(where), std::move(environment), std::move(listeners)}));
  if (result<void> started = life->start(); !started) return started.error();
  return life;
}

/// The checkpoint must be ours before anything is tried again: only then nobody else goes on from it meanwhile.
[[gnu::used]] inline result<void> query_life::start() {
  result<std::unique_ptr<query_loop>> loop = query_loop::claim(query_, std::nullopt);
  if (!loop) {
    run_journal::leave_refusal(query_.what, query_.where, loop.error(), query_.now());
    return loop.error();
  }
  loop_ = std::move(*loop);
  id_ = loop_->query_id();
  result<std::optional<checkpoint_lock>> lock = loop_->share_lock();
  if (!lock) return lock.error();
  lock_ = std::move(*lock);
  requests_.forget_old();
  result<void> opened = loop_->open();
  std::shared_ptr<run_journal> journal = run_journal::make(query_.what, query_.where, query_.environment.now);
  if (!opened && (!retry_can_help(opened.error().kind) || query_.where.retry.attempts == 0)) {
    if (journal) journal->refused(id_, opened.error(), query_.now());
    return opened;
  }
  if (!opened) failed_start_ = std::move(opened.error());
  query_.listeners.add_first(std::move(journal));  // who hears of a batch finds it in the status
  return {};
}

[[gnu::used]] inline result<void> query_life::start_again() {
  result<std::optional<checkpoint_lock>> lock = std::optional<checkpoint_lock>();
  if (result<checkpoint_lock> shared = lock_->share(); shared)
    lock = std::optional<checkpoint_lock>(std::move(*shared));
  else
    return shared.error();
  result<std::unique_ptr<query_loop>> loop = query_loop::claim(query_, std::move(*lock));
  if (!loop) return loop.error();
  loop_ = std::move(*loop);
  return loop_->open();
}

[[gnu::used]] inline result<void> query_life::run(query_report& report) {
  tell_start();
  for (;;) {
    result<void> outcome = run_until_failure(report);
    // The files and connections are given back now, and not when somebody drops the handle.
    loop_.reset();
    if (outcome || !waits_to_retry(outcome.error(), report)) return end(std::move(outcome), report);
  }
}

[[gnu::used]] inline result<void> query_life::run_until_failure(query_report& report) {
  if (failed_start_) return *std::exchange(failed_start_, std::nullopt);
  const bool again = loop_ == nullptr;
  if (again)
    if (result<void> opened = detail::guarded([&] { return start_again(); }); !opened) return opened;
  if (again || loop_->next_batch() > 0) tell_recovery();
  report.is(query_status::running);
  result<void> outcome = loop_->run(report, requests_);
  if (loop_->has_committed()) attempts_ = 0;
  return outcome;
}

/// Tells of a failure and waits, if it is to be tried again.
[[gnu::used]] inline bool query_life::waits_to_retry(const failure& why, query_report& report) {
  if (why.code == abandoned_batch_code) return false;
  const retry_settings& settings = query_.where.retry;
  query_failure told{why, query_.now(), false, 0, {}, settings.attempts};
  // One that was told to stop does not begin anew: what is planned stays so for the next start.
  told.tried_again = retry_can_help(why.kind) && attempts_ < settings.attempts && !report.requested_stop();
  if (told.tried_again) {
    told.attempt = ++attempts_;
    told.wait = backoff_before(attempts_, settings, query_.environment.random());
  }
  query_.listeners.tell(&query_listener::failed, told);
  if (!told.tried_again) return false;
  report.is(query_status::waiting_to_retry);
  requests_.pause(report, told.wait, query_.environment.sleep);
  stopped_waiting_ = report.requested_stop().has_value();
  return !stopped_waiting_;
}

[[gnu::used]] inline void query_life::tell_start() {
  query_start told{id_, query_.what.id, query_.now(), 0, false, {}};
  told.next_batch = loop_->next_batch();
  told.replays = loop_->replays();
  told.watermark = loop_->watermark();
  query_.listeners.tell(&query_listener::started, told);
}

[[gnu::used]] inline void query_life::tell_recovery() const {
  query_.listeners.tell(&query_listener::recovered,
                        query_recovery{query_.now(), loop_->next_batch(), loop_->replays(), attempts_});
}

/// A stop of a query that waits leaves everything as a stop at once would; only what was to be drained is not.
[[gnu::used]] inline result<void> query_life::end(result<void> outcome, query_report& report) {
  const std::optional<stop_policy> stop = report.requested_stop();
  if (!outcome && outcome.error().code == abandoned_batch_code) {
    outcome = result<void>();
  } else if (stopped_waiting_ && stop != stop_policy::drain) {
    report.warn(
        {"stopped while it waited to try again after " + outcome.error().code + ": " + outcome.error().message});
    outcome = result<void>();
  }
  query_end told{query_.now(), stop.has_value(), std::nullopt};
  if (!outcome) told.why = outcome.error();
  query_.listeners.tell(&query_listener::terminated, told);
  lock_.reset();
  return outcome;
}

}  // namespace etlantic
