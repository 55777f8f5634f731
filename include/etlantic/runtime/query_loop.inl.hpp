#pragma once
#include <etlantic/runtime/batch_planner.inl.hpp>
#include <etlantic/runtime/batch_runner.inl.hpp>
#include <etlantic/runtime/bound_pipeline.inl.hpp>
#include <etlantic/runtime/interval_snapshots.inl.hpp>
#include <etlantic/runtime/query_loop.hpp>
#include <etlantic/runtime/recovery.inl.hpp>
#include <etlantic/runtime/stop_request.inl.hpp>
#include <etlantic/runtime/stopwatch.hpp>
#include <etlantic/runtime/target_check.inl.hpp>

#include <algorithm>
#include <exception>
#include <new>
#include <utility>

namespace etlantic {

namespace detail {

inline timestamp system_now() {
  return {std::chrono::duration_cast<duration>(std::chrono::system_clock::now().time_since_epoch()).count()};
}

inline failure out_of_memory() {
  return {
      failure_class::resource_exhausted, "PMSTREAM470", "memory is used up", "batch",
      "Lower limits.max_rows or limits.max_bytes in the profile, or give the process more memory, then start the query "
      "again: it goes on from its last commit."};
}

/// Without a checkpoint nobody would keep which windows late rows missed.
inline result<void> verify_nothing_is_to_be_corrected(const program& what) {
  for (const program_node& node : what.nodes)
    for (const output_port& port : node.outputs)
      if (port.corrected)
        return failure{failure_class::configuration, "PMPLAN208",
                       "step '" + node.name +
                           "' keeps the windows that late rows missed, and there is no checkpoint "
                           "to keep them in",
                       node.name, "Name a checkpoint in the profile, or leave correct_late out."};
  return {};
}

/// What a planned batch that failed means for the next start.
inline failure with_replay(failure why, std::int64_t batch) {
  if (!why.help.empty()) why.help += why.help.back() == '.' ? " " : ". ";
  why.help += "Batch " + std::to_string(batch) + " is planned: the next start replays exactly that batch.";
  return why;
}

/// What it means that a batch which is committed could not be computed again.
inline failure with_catching_up(failure why, std::int64_t batch, std::int64_t restored) {
  if (!why.help.empty()) why.help += why.help.back() == '.' ? " " : ". ";
  why.help += "Batch " + std::to_string(batch) + " is committed, but the newest snapshot of the state is " +
              (restored < 0 ? "not there yet" : "of batch " + std::to_string(restored)) +
              ": its input must still be there, and the next start computes it again.";
  return why;
}

inline std::string caught_up_sentence(const std::vector<committed_batch>& behind, std::int64_t restored,
                                      double seconds) {
  const std::string first = std::to_string(behind.front().plan.batch);
  const std::string last = std::to_string(behind.back().plan.batch);
  const std::string which = first == last ? "batch " + first + " was" : "batches " + first + " to " + last + " were";
  const std::string from =
      restored < 0 ? "from the beginning" : "behind the snapshot of batch " + std::to_string(restored);
  return "the last run did not stop cleanly: " + which + " computed again " + from + ", in " +
         std::to_string(static_cast<std::int64_t>(seconds * 1000)) + " ms; nothing of that was published again";
}

/// Runs it and turns what it throws into a failure.
template <class Work>
auto guarded(Work work) -> decltype(work()) {
  try {
    return work();
  } catch (const std::bad_alloc&) {
    return out_of_memory();
  } catch (const column_is_full& full) {
    return failure{failure_class::resource_exhausted, "PMSTREAM476", full.what(), "batch",
                   "Texts or lists of rows that are handled together are too long. Lower limits.max_bytes or "
                   "limits.max_rows in the profile, or limit the length of the fields in the contract."};
  } catch (const std::exception& thrown) {
    return failure{failure_class::internal, "PMSTREAM473",
                   std::string("an exception left the pipeline: ") + thrown.what(), "batch",
                   "Connectors and stages must return failures; please report it."};
  } catch (...) {
    return failure{failure_class::internal, "PMSTREAM473", "an exception left the pipeline", "batch",
                   "Connectors and stages must return failures; please report it."};
  }
}

}  // namespace detail

[[gnu::used]] inline result<std::unique_ptr<query_loop>> query_loop::claim(const query_setting& query,
                                                                           std::optional<checkpoint_lock> held) {
  std::unique_ptr<query_loop> loop(new query_loop(query));
  result<bound_pipeline> bound = bind_pipeline(query.what, query.where, query.environment);
  if (!bound) return bound.error();
  loop->pipeline_ = std::move(*bound);
  if (result<void> done = loop->identify_and_lock(std::move(held)); !done) return done.error();
  return loop;
}

[[gnu::used]] inline result<void> query_loop::open() {
  result<recovered_work> recovered = restore_query(setting());
  if (!recovered) return recovered.error();
  recovered_ = std::move(*recovered);
  if (kept_ && where_.snapshot_interval > duration::zero()) {
    snapshots_.emplace(where_.snapshot_interval);
    snapshots_->begin(recovered_.restored);
  }
  if (kept_ && where_.trigger.kind == trigger_kind::low_latency) kept_->write_to_logs();
  tell_kept_policy();
  if (result<void> done = verify_targets(setting(), recovered_.pending.size()); !done) return done;
  if (result<void> done = open_sinks(); !done) return done;
  if (where_.trigger.kind == trigger_kind::available_now)
    if (result<void> done = freeze_sources(); !done) return done;
  runner_ = std::make_unique<batch_runner>(setting());
  return {};
}

[[gnu::used]] inline result<void> query_loop::identify_and_lock(std::optional<checkpoint_lock> held) {
  if (environment_.correcting) {
    state_.query = environment_.correcting->query;
    state_.next_batch = environment_.correcting->batch;
    state_.to_correct = environment_.correcting->windows;
    state_.corrects = true;
    return {};
  }
  if (where_.checkpoint.empty())
    if (result<void> none = detail::verify_nothing_is_to_be_corrected(pipeline_.what); !none) return none;
  result<std::string> fresh = environment_.query.empty() ? make_query_id() : result<std::string>(environment_.query);
  if (!fresh) return fresh.error();
  state_.query = *fresh;
  if (where_.checkpoint.empty()) return {};
  result<checkpoint> opened = checkpoint::open(
      where_.checkpoint, identify(pipeline_.what, std::move(*fresh), environment_.now()), std::move(held));
  if (!opened) return opened.error();
  kept_.emplace(std::move(*opened));
  state_.query = kept_->identity().query;
  warnings_ = kept_->accepted_changes();
  return {};
}

[[gnu::used]] inline result<std::optional<checkpoint_lock>> query_loop::share_lock() const {
  if (!kept_) return std::optional<checkpoint_lock>();
  result<checkpoint_lock> shared = kept_->share_lock();
  if (!shared) return shared.error();
  return std::optional<checkpoint_lock>(std::move(*shared));
}

/// A query keeps the policy that it started with: another one could make rows late that are not, or the other way
/// round.
[[gnu::used]] inline void query_loop::tell_kept_policy() {
  const watermark_policy kept = state_.clock.policy();
  if (kept == where_.watermarks) return;
  warnings_.push_back("the profile asks for watermark_policy '" + std::string(name_of(where_.watermarks)) +
                      "', but the checkpoint was begun with '" + std::string(name_of(kept)) +
                      "', which stays in force");
}

[[gnu::used]] inline result<void> query_loop::open_sinks() {
  for (std::size_t i = 0; i < pipeline_.sinks.size(); ++i) {
    if (pipeline_.sinks[i] == nullptr) continue;
    const program_node& load = pipeline_.what.nodes[i];
    const publisher who{state_.query, load.name};
    if (result<void> done = pipeline_.sinks[i]->open(*load.contract, load.mode, who); !done) return done;
  }
  return {};
}

[[gnu::used]] inline result<void> query_loop::freeze_sources() {
  for (std::size_t i = 0; i < pipeline_.sources.size(); ++i)
    if (pipeline_.sources[i] != nullptr && !pipeline_.references[i])
      if (result<void> done = pipeline_.sources[i]->freeze(); !done) return done;
  return {};
}

[[gnu::used]] inline result<void> query_loop::run(query_report& report, stop_request& requests) {
  abandons_ = [&report, &requests] {
    requests.look(report);
    return report.requested_stop() == stop_policy::at_once;
  };
  result<void> outcome = detail::guarded([&] { return run_batches(report, requests); });
  report.warn(std::exchange(warnings_, {}));  // those that no batch came for
  if (outcome) return outcome;
  // What goes wrong while giving up adds nothing: the first failure is the one that explains.
  (void)detail::guarded([&] {
    runner_->abort();
    return settle();
  });
  return outcome;
}

[[gnu::used]] inline result<void> query_loop::run_batches(query_report& report, stop_request& requests) {
  const result<bool> caught_up = catch_up(report, requests);
  if (!caught_up) return caught_up.error();
  if (!*caught_up) return {};
  if (result<void> done = run_triggered(report, requests); !done) return done;
  if (result<void> done = settle(); !done) return done;
  return snapshots_ ? snapshots_->finish(setting()) : result<void>();
}

/// Brings the state from the newest snapshot to the newest commit; false if it was asked to stop before.
[[gnu::used]] inline result<bool> query_loop::catch_up(query_report& report, stop_request& requests) {
  const std::vector<committed_batch> behind = std::exchange(recovered_.behind, {});
  if (behind.empty()) return true;
  const stopwatch time;
  for (const committed_batch& each : behind) {
    requests.look(report);
    if (const std::optional<stop_policy> stop = report.requested_stop(); stop && *stop != stop_policy::drain)
      return false;
    if (result<void> done = runner_->run_again(each); !done)
      return detail::with_catching_up(std::move(done.error()), each.plan.batch, recovered_.restored);
  }
  warnings_.push_back(detail::caught_up_sentence(behind, recovered_.restored, time.seconds()));
  return true;
}

/// A snapshot that could not be written ends the query: a restart would have to go further and further back.
[[gnu::used]] inline result<void> query_loop::look_at_snapshots() {
  return snapshots_ ? snapshots_->look(setting()) : result<void>();
}

[[gnu::used]] inline result<void> query_loop::run_triggered(query_report& report, stop_request& requests) {
  const trigger_kind kind = where_.trigger.kind;
  bool until_empty = kind == trigger_kind::available_now;
  for (;;) {
    requests.look(report);
    if (const std::optional<stop_policy> stop = report.requested_stop()) {
      if (*stop != stop_policy::drain) return {};
      if (!until_empty)
        if (result<void> done = freeze_sources(); !done) return done;
      until_empty = true;
    }
    const moment begun = std::chrono::steady_clock::now();
    const result<bool> ran = run_next(report);
    if (!ran) return ran.error();
    if (kind == trigger_kind::once || (until_empty && !*ran)) return {};
    if (until_empty) continue;
    const bool awaits = kind == trigger_kind::low_latency && !environment_.sleep;
    if (!*ran && !awaits) {
      if (result<void> done = settle(); !done) return done;
      tell_idle();
    }
    if (kind != trigger_kind::interval && *ran) continue;
    report.is(query_status::idle);
    if (awaits) {
      if (result<void> done = await_rows(report, requests); !done) return done;
      report.is(query_status::running);
      continue;
    }
    const auto since = std::chrono::duration_cast<duration>(std::chrono::steady_clock::now() - begun);
    const duration wanted = kind == trigger_kind::interval ? where_.trigger.interval - since : where_.poll_interval;
    requests.pause(report, wanted, environment_.sleep);
    report.is(query_status::running);
  }
}

/// Until a source says that rows came, a stop is asked for, or it is time to look anyway: silence too moves watermarks,
/// and not every file system tells of changes. In turns of a few milliseconds, since nobody can wait for all at once.
[[gnu::used]] inline result<void> query_loop::await_rows(query_report& report, stop_request& requests) {
  constexpr duration turn = std::chrono::milliseconds(5);
  constexpr duration quiet = std::chrono::milliseconds(100);  // a shorter silence is told to nobody
  const moment begun = std::chrono::steady_clock::now();
  do {
    bool all_wait = true;
    for (std::size_t i = 0; i < pipeline_.sources.size(); ++i) {
      if (pipeline_.sources[i] == nullptr || pipeline_.references[i]) continue;
      const std::optional<bool> came = pipeline_.sources[i]->await_rows(std::min(turn, where_.poll_interval));
      if (came && *came) return {};
      all_wait = all_wait && came;
    }
    if (!all_wait) report.pause(std::chrono::steady_clock::now() + std::min(turn, where_.poll_interval));
    requests.look(report);
    if (result<void> done = settle(); !done) return done;
    if (std::chrono::steady_clock::now() - last_batch_ >= quiet) tell_idle();
    if (!all_wait) return {};  // its plan has to look
  } while (!report.requested_stop() && std::chrono::steady_clock::now() - begun < where_.poll_interval);
  return {};
}

/// With low latency the commit record of a batch waits for the plan of the next one, or for the first silence.
[[gnu::used]] inline result<void> query_loop::settle() { return kept_ ? kept_->settle() : result<void>(); }

[[gnu::used]] inline void query_loop::tell_idle() {
  if (!std::exchange(told_idle_, true)) query_.listeners.tell(&query_listener::idle, query_idle{query_.now()});
}

/// What each input still holds behind the plan. A batch that is replayed is not planned: of that nothing is known.
[[gnu::used]] inline std::vector<extract_progress> query_loop::look_at_waiting() const {
  std::vector<extract_progress> found;
  for (std::size_t i = 0; i < pipeline_.sources.size(); ++i) {
    if (pipeline_.sources[i] == nullptr || pipeline_.references[i]) continue;
    extract_progress& each = found.emplace_back();
    each.node = pipeline_.what.nodes[i].name;
    each.waiting = pipeline_.sources[i]->waiting();
    each.client = pipeline_.sources[i]->metrics();
  }
  return found;
}

/// Where no batch is planned the sources go on counting.
[[gnu::used]] inline void query_loop::take_left_out(progress& begun) const {
  for (std::size_t i = 0; i < pipeline_.sources.size(); ++i)
    if (pipeline_.sources[i] != nullptr && !pipeline_.references[i])
      detail::entry_of(begun.extracts, pipeline_.what.nodes[i].name).left_out = pipeline_.sources[i]->take_left_out();
}

/// Replays what is pending, or plans and runs the next batch; false if there was nothing to do.
[[gnu::used]] inline result<bool> query_loop::run_next(query_report& report) {
  const stopwatch time;
  progress begun;
  begun.started = environment_.now();
  std::optional<plan_record> plan;
  if (!recovered_.pending.empty()) {
    plan = std::move(recovered_.pending.front());
    recovered_.pending.erase(recovered_.pending.begin());
  }
  begun.replayed = plan.has_value();
  if (!plan) {
    result<std::optional<plan_record>> planned = plan_batch(setting());
    if (!planned) return planned.error();
    for (const std::shared_ptr<source>& each : pipeline_.sources)
      if (each != nullptr)
        for (std::string& sentence : each->take_warnings()) warnings_.push_back(std::move(sentence));
    begun.extracts = look_at_waiting();
    if (!*planned) {
      if (result<void> done = look_at_snapshots(); !done) return done.error();
      return false;
    }
    plan = std::move(*planned);
    take_left_out(begun);
    if (kept_)
      if (result<void> written = kept_->write_plan(*plan); !written) return written.error();
  }
  begun.plan_seconds = time.seconds();
  told_idle_ = false;
  query_.listeners.tell(&query_listener::batch_started,
                        batch_start{plan->batch, plan->no_data, begun.replayed, begun.started});
  if (result<void> done = run_planned(*plan, begun, report); !done) return done.error();
  return true;
}

[[gnu::used]] inline result<void> query_loop::run_planned(const plan_record& plan, const progress& begun,
                                                          query_report& report) {
  const timestamp before = state_.clock.watermark();
  result<progress> ran = detail::guarded([&] { return runner_->run(plan); });
  if (!ran && ran.error().code == abandoned_batch_code) return ran.error();
  if (!ran) return kept_ ? detail::with_replay(std::move(ran.error()), plan.batch) : std::move(ran.error());
  progress& batch = *ran;
  batch.started = begun.started;
  batch.replayed = begun.replayed;
  batch.plan_seconds = begun.plan_seconds;
  for (const extract_progress& each : begun.extracts) {
    extract_progress& of = detail::entry_of(batch.extracts, each.node);
    of.waiting = each.waiting;
    of.client = each.client;
    of.left_out = each.left_out;
  }
  const stopwatch copying;
  if (result<void> done = look_at_snapshots(); !done) return done;
  batch.checkpoint_seconds += copying.seconds();
  batch.seconds += begun.plan_seconds + copying.seconds();
  std::vector<std::string> earlier = std::exchange(warnings_, {});
  batch.warnings.insert(batch.warnings.begin(), earlier.begin(), earlier.end());
  has_committed_ = true;
  last_batch_ = std::chrono::steady_clock::now();
  report.completed(batch);
  query_.listeners.tell(&query_listener::batch_completed, batch);
  if (batch.watermark != before)
    query_.listeners.tell(&query_listener::watermark_advanced, watermark_advance{plan.batch, before, batch.watermark});
  return {};
}

}  // namespace etlantic
