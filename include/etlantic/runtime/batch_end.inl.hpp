#pragma once
#include <etlantic/runtime/batch_runner.hpp>
#include <etlantic/runtime/snapshot_parts.hpp>
#include <etlantic/runtime/stopwatch.hpp>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

// How a batch ends: its rows are judged and published, and its records written, or compared with those that are there.

namespace etlantic {

namespace detail {

/// All of it is computed, written and kept in memory again with each batch.
inline std::string complete_warning(const std::string& load, std::size_t rows) {
  return "complete mode gave load '" + load + "' " + std::to_string(rows) +
         " rows in one batch, and does so with each: use update mode, or windows that a watermark closes";
}

}  // namespace detail

[[gnu::used]] inline result<void> batch_runner::publish(const plan_record& plan) {
  const program& what = query_.pipeline.what;
  for (std::size_t i = 0; i < what.nodes.size(); ++i) {
    if (what.nodes[i].kind != node_kind::load) continue;
    if (result<void> on = may_go_on(plan); !on) return on;
    const publication rows{plan.batch, what.nodes[i].mode, router_.publication(i).take()};
    if (rows.mode == output_mode::complete && rows.rows() > many_complete_rows && !warned_of_complete_[i])
      done_.warnings.push_back(detail::complete_warning(what.nodes[i].name, rows.rows())),
          warned_of_complete_[i] = true;
    if (result<void> judged = judge_rows(i, rows.blocks); !judged) return judged;
    const stopwatch time;
    if (result<void> done = query_.pipeline.sinks[i]->prepare(rows); !done) return done;
    done_.loads.push_back({what.nodes[i].name, what.nodes[i].asset, static_cast<std::int64_t>(rows.rows()),
                           router_.seconds(i) + time.seconds()});
  }
  std::size_t load = 0;
  for (const std::shared_ptr<sink>& each : query_.pipeline.sinks) {
    if (each == nullptr) continue;
    const stopwatch time;
    if (result<void> done = each->commit(plan.batch); !done) return done;
    done_.loads[load++].seconds += time.seconds();
  }
  return {};
}

/// Before the first sink commits: what a gate stops leaves nothing in any of them.
[[gnu::used]] inline result<void> batch_runner::judge_rows(std::size_t load, const std::vector<block>& rows) {
  quality_judge& quality = query_.state.quality;
  if (!quality.watches(load)) return {};
  std::vector<std::pair<std::size_t, const quality_gate*>> none;
  for (const block& each : rows) quality.count(load, each, none);
  const result<const quality_gate*> judged = quality.judge(load, done_);
  return judged ? result<void>() : judged.error();
}

/// Of a batch that is computed again and not published.
[[gnu::used]] inline result<void> batch_runner::judge_again() {
  for (std::size_t i = 0; i < query_.pipeline.what.nodes.size(); ++i)
    if (query_.pipeline.what.nodes[i].kind == node_kind::load)
      if (result<void> judged = judge_rows(i, router_.publication(i).take()); !judged) return judged;
  query_.state.quality.end_batch();
  return {};
}

[[gnu::used]] inline result<void> batch_runner::keep(const plan_record& plan) {
  if (query_.kept == nullptr) return {};
  // Before the commit: a window that late rows missed must not be forgotten by a crash in between.
  if (result<void> done = query_.kept->keep_missed(plan.batch, router_.missed()); !done) return done;
  if (query_.where.snapshot_interval == duration::zero())
    if (result<void> saved = write_snapshot(plan); !saved) return saved;
  return query_.kept->write_commit(commit_of(plan), {query_.where.retained_batches, query_.where.retained_snapshots});
}

[[gnu::used]] inline result<void> batch_runner::write_snapshot(const plan_record& plan) {
  std::vector<state_writer> written(writers_of_parts(query_.pipeline.what));
  snapshot state{plan.query, plan.batch, {}, {}, {}, query_.where.compression};
  const section_writers used = save_parts(query_, written, state);
  for (std::size_t i = 0; i < used.size(); ++i) state.states[i].pieces = {written[used[i]].bytes()};
  if (result<snapshot_receipt> saved = query_.kept->write_snapshot(state); !saved) return saved.error();
  return {};
}

[[gnu::used]] inline commit_record batch_runner::commit_of(const plan_record& plan) const {
  commit_record commit;
  commit.query = plan.query;
  commit.batch = plan.batch;
  commit.committed_at = query_.now();
  commit.no_data = plan.no_data;
  commit.watermark = query_.state.clock.watermark();
  commit.watermark_in_force = query_.state.clock.in_force();
  commit.policy = query_.state.clock.policy();
  commit.steps = query_.state.clock.steps();
  commit.activity = query_.state.activity.stored();
  commit.split_activity = query_.state.splits.stored();
  for (const extract_progress& each : done_.extracts)
    commit.counts.push_back({each.node, each.read, each.invalid, 0, each.valid});
  for (const step_progress& each : done_.steps)
    commit.counts.push_back({each.node, each.counts.received, each.counts.late + each.counts.invalid,
                             each.counts.filtered + each.counts.duplicate, each.counts.emitted});
  for (const load_progress& each : done_.loads) commit.counts.push_back({each.node, each.rows, 0, 0, each.rows});
  return commit;
}

/// The input may have been changed since, or read with other settings: then the state is not the one that was
/// published.
[[gnu::used]] inline result<void> batch_runner::verify_same(const committed_batch& done) const {
  const auto differs = [&](const std::string& what, std::int64_t now, std::int64_t then) {
    return failure{
        failure_class::checkpoint, "PMSTREAM469",
        "batch " + std::to_string(done.plan.batch) + " comes to something else when it is computed again: " + what +
            " " + std::to_string(now) + ", committed were " + std::to_string(then),
        "batch " + std::to_string(done.plan.batch),
        "Put the input back as it was read, and the settings of its assets in the profile; or run `checkpoint "
        "rewind` to go on from an older snapshot."};
  };
  const commit_record now = commit_of(done.plan);
  for (const node_counts& each : now.counts) {
    const auto then = std::find_if(done.commit.counts.begin(), done.commit.counts.end(),
                                   [&](const node_counts& old) { return old.node == each.node; });
    if (then == done.commit.counts.end() || each == *then) continue;
    const std::string of = " of '" + each.node + "':";
    if (each.read != then->read) return differs("rows" + of, each.read, then->read);
    if (each.rejected != then->rejected) return differs("rejected or late rows" + of, each.rejected, then->rejected);
    if (each.filtered != then->filtered) return differs("filtered rows" + of, each.filtered, then->filtered);
    return differs("results" + of, each.emitted, then->emitted);
  }
  if (now.watermark != done.commit.watermark)
    return differs("the watermark in microseconds:", now.watermark.microseconds, done.commit.watermark.microseconds);
  return {};
}

}  // namespace etlantic
