#pragma once
#include <etlantic/column/violation.hpp>
#include <etlantic/runtime/batch_end.inl.hpp>
#include <etlantic/runtime/batch_router.inl.hpp>
#include <etlantic/runtime/batch_runner.hpp>
#include <etlantic/runtime/extract_intake.inl.hpp>
#include <etlantic/runtime/parallel_read.inl.hpp>
#include <etlantic/runtime/quality_intake.inl.hpp>
#include <etlantic/runtime/quality_judge.inl.hpp>
#include <etlantic/runtime/stopwatch.hpp>

#include <algorithm>
#include <utility>

namespace etlantic {

namespace detail {

/// One row far ahead would move the watermark and make every honest row behind it late; that its source has such rows
/// must not be overlooked.
inline std::string future_warning(const std::string& extract, std::int64_t rows) {
  return "rows of '" + extract + "' further ahead of the clock than reject_future allows: " + std::to_string(rows) +
         "; they are in '" + extract + ".invalid' and do not move the watermark";
}

/// One sentence, however many splits it is about.
inline std::string idle_warning(const std::string& extract, const std::vector<std::string>& splits) {
  if (splits.size() == 1)
    return "split '" + splits.front() + "' of '" + extract +
           "' is idle and holds its watermark back no more: its rows may come late from here on";
  return std::to_string(splits.size()) + " splits of '" + extract +
         "' are idle and hold its watermark back no more, '" + splits.front() +
         "' among them: their rows may come late from here on";
}

}  // namespace detail

[[gnu::used]] inline result<progress> batch_runner::run(const plan_record& plan) {
  const stopwatch whole;
  done_ = {};
  const auto timed = [&](double& seconds, auto part) {
    const stopwatch time;
    result<void> done = (this->*part)(plan);
    seconds = time.seconds();
    return done;
  };
  if (result<void> done = timed(done_.process_seconds, &batch_runner::process); !done) return done.error();
  if (result<void> done = timed(done_.publish_seconds, &batch_runner::publish); !done) return done.error();
  query_.state.quality.end_batch();
  if (result<void> done = timed(done_.checkpoint_seconds, &batch_runner::keep); !done) return done.error();
  query_.state.next_batch = plan.batch + 1;
  done_.seconds = whole.seconds();
  return std::move(done_);
}

[[gnu::used]] inline result<void> batch_runner::run_again(const committed_batch& done) {
  done_ = {};
  // It was committed, so that nothing overflowed if the policy was to fail: the state is the same with either.
  on_overflow_ = overflow_policy::quarantine;
  query_.state.quality.enforce(false);  // the verdict stands; the counts are for the batches to come
  result<void> processed = process(done.plan);
  if (processed) processed = judge_again();
  query_.state.quality.enforce(true);
  on_overflow_ = query_.where.on_overflow;
  if (!processed) return processed;
  query_.state.next_batch = done.plan.batch + 1;
  return verify_same(done);
}

/// Only before the first sink commits: from there on to the commit record a batch is as good as done.
[[gnu::used]] inline result<void> batch_runner::may_go_on(const plan_record& plan) const {
  if (!query_.abandons || !query_.abandons()) return {};
  return failure{failure_class::internal, std::string(abandoned_batch_code),
                 "batch " + std::to_string(plan.batch) + " was left", "batch", "The next start replays it."};
}

[[gnu::used]] inline result<void> batch_runner::process(const plan_record& plan) {
  if (result<void> begun = begin(plan); !begun) return begun;
  follow_silence(plan);
  follow_splits(plan);
  for (const extract_ranges& planned : plan.extracts)
    if (result<void> done = read(planned, plan); !done) return done;
  if (result<void> done = finish_steps(); !done) return done;
  watermark_clock& clock = query_.state.clock;
  clock.end_batch(plan.watermark, plan.idle);
  query_.state.splits.keep_only(clock.splits());
  done_.watermark = clock.watermark();
  for (const slowest_split& each : clock.slowest_splits())
    done_.slowest_splits.push_back({each.watermark, each.of.node, each.of.split, each.reached});
  return {};
}

/// The plan decides, so that a replay finds the same inputs idle.
[[gnu::used]] inline void batch_runner::follow_silence(const plan_record& plan) {
  batch_state& state = query_.state;
  for (const extract_ranges& each : plan.extracts) state.activity.had_rows(each.node, plan.planned_at);
  for (const std::string& each : plan.idle)
    if (std::find(state.idle.begin(), state.idle.end(), each) == state.idle.end())
      done_.warnings.push_back("the input of watermark '" + each +
                               "' is idle and holds nobody back: its rows may come late from here on");
  state.idle = plan.idle;
}

/// The same for splits, and what is finished.
[[gnu::used]] inline void batch_runner::follow_splits(const plan_record& plan) {
  batch_state& state = query_.state;
  if (!state.followed.any()) return;
  const split_batch planned{state.followed.names_in(plan.extracts), plan.idle_splits, plan.finished_splits};
  for (const split_name& each : planned.read) state.splits.had_rows(each, plan.planned_at);
  state.clock.begin_batch(planned);
  std::map<std::string, std::vector<std::string>> fell_idle;  // by extract
  for (const split_name& each : planned.idle)
    if (!each.split.empty() && !std::binary_search(state.idle_splits.begin(), state.idle_splits.end(), each))
      fell_idle[each.node].push_back(each.split);
  for (const auto& [extract, splits] : fell_idle) done_.warnings.push_back(detail::idle_warning(extract, splits));
  state.idle_splits = plan.idle_splits;
}

[[gnu::used]] inline result<void> batch_runner::begin(const plan_record& plan) {
  const program& what = query_.pipeline.what;
  done_.query = plan.query;
  done_.pipeline = what.id;
  done_.batch = plan.batch;
  done_.no_data = plan.no_data;
  router_.begin();
  times_.emplace(query_.pipeline, query_.state.followed, query_.state.clock);
  query_.state.quality.begin(plan, query_.where.accepted_batch);
  const batch_context context{plan.batch,
                              plan.planned_at,
                              plan.watermark,
                              plan.late_watermark,
                              what.id,
                              on_overflow_,
                              query_.state.corrects ? &query_.state.to_correct : nullptr,
                              query_.state.followed.any() ? &*times_ : nullptr};
  for (std::size_t i = 0; i < what.nodes.size(); ++i) {
    const program_node& node = what.nodes[i];
    if (node.kind == node_kind::step) query_.pipeline.stages[i]->begin(context);
    if (node.kind != node_kind::extract) continue;
    for (const auto& each : query_.pipeline.decoders[i]) each->begin(plan.planned_at);
    done_.extracts.emplace_back().node = node.name;
  }
  return load_references(query_, plan, router_, done_);
}

[[gnu::used]] inline result<void> batch_runner::read(const extract_ranges& planned, const plan_record& plan) {
  const program& what = query_.pipeline.what;
  std::size_t extract = 0;
  for (std::size_t i = 0; i < what.nodes.size(); ++i) {
    if (what.nodes[i].kind != node_kind::extract) continue;
    extract_progress& counted = done_.extracts[extract++];
    if (what.nodes[i].name != planned.node) continue;
    counted.ranges = planned.ranges;
    extract_outputs outputs(router_, i);
    quality_intake gated(query_.state.quality, what, i, plan, outputs, counted);
    row_receiver& readers = query_.state.quality.watches(i) ? static_cast<row_receiver&>(gated) : outputs;
    extract_intake into(*query_.pipeline.decoders[i][0], readers, counted, storage_);
    std::vector<split_range> pieces;
    for (const split_range& range : planned.ranges) {
      if (workers_.workers() == 1) {
        pieces.push_back(range);
        continue;
      }
      result<std::vector<split_range>> cut = query_.pipeline.sources[i]->pieces(range);
      if (!cut) return cut.error();
      pieces.insert(pieces.end(), cut->begin(), cut->end());
    }
    if (result<void> done = read_pieces(i, pieces, into, plan); !done) return done;
    if (result<void> judged = gated.finish(done_); !judged) return judged;
    if (const auto ahead = counted.reasons.find(std::string(name_of(violation_reason::future)));
        ahead != counted.reasons.end())
      done_.warnings.push_back(detail::future_warning(counted.node, ahead->second));
    read_positions& read = query_.state.positions[i];
    read.add(planned.ranges);
    if (auto needed = query_.pipeline.sources[i]->needed_positions(read.ranges())) read.keep(std::move(*needed));
    return {};
  }
  return failure{failure_class::checkpoint, "PMSTREAM465",
                 "batch " + std::to_string(plan.batch) + " is planned to read extract '" + planned.node +
                     "', which the pipeline does not have any more",
                 planned.node, "Run the pipeline as it was before the change until the batch is done."};
}

/// For a few pieces it is not worth while to wake others.
[[gnu::used]] inline result<void> batch_runner::read_pieces(std::size_t node, const std::vector<split_range>& pieces,
                                                            extract_intake& into, const plan_record& plan) {
  source& from = *query_.pipeline.sources[node];
  if (workers_.workers() == 1 || pieces.size() < 4) {
    for (const split_range& piece : pieces) {
      times_->enter(query_.pipeline.what.nodes[node].name, piece.split);
      if (result<void> on = may_go_on(plan); !on) return on;
      if (result<void> done = into.read(from, piece); !done) return done;
    }
    return {};
  }
  std::unique_ptr<parallel_read>& reader = reads_[node];
  if (reader == nullptr) {
    std::vector<row_decoder*> decoders;
    for (const auto& each : query_.pipeline.decoders[node]) decoders.push_back(each.get());
    reader = std::make_unique<parallel_read>(workers_, std::move(decoders));
  }
  std::size_t next = 0;
  return reader->run(from, pieces, [&](const decoded_piece& piece) {
    if (result<void> on = may_go_on(plan); !on) return on;
    const std::string& split = pieces[next++].split;
    times_->enter(query_.pipeline.what.nodes[node].name, split);
    return into.take(piece, split);
  });
}

[[gnu::used]] inline result<void> batch_runner::finish_steps() {
  const program& what = query_.pipeline.what;
  times_->move_to(0);
  for (std::size_t i = 0; i < what.nodes.size(); ++i) {
    if (what.nodes[i].kind != node_kind::step) continue;
    if (result<void> done = router_.finish(i); !done) return done;
    const stage& finished = *query_.pipeline.stages[i];
    const step_progress counted{what.nodes[i].name, finished.counts(), finished.state(), router_.seconds(i)};
    if (result<void> sound = verify_counts(i, counted.counts); !sound) return sound;
    times_->take_from(i);
    done_.steps.push_back(counted);
  }
  return {};
}

/// No row disappears silently: what a step got is what it filtered, found late, invalid or duplicate, and kept.
[[gnu::used]] inline result<void> batch_runner::verify_counts(std::size_t node, const stage_counts& counts) const {
  const std::int64_t delivered = router_.delivered(node);
  if (counts.received == delivered && counts.received == accounted_for(counts)) return {};
  return failure{failure_class::internal, "PMSTREAM472",
                 "step '" + query_.pipeline.what.nodes[node].name + "' got " + std::to_string(delivered) +
                     " rows and accounts for " + std::to_string(counts.received) + ": " +
                     std::to_string(counts.filtered) + " filtered, " + std::to_string(counts.late) + " late, " +
                     std::to_string(counts.invalid) + " invalid, " + std::to_string(counts.duplicate) + " duplicate, " +
                     std::to_string(counts.kept) + " kept",
                 query_.pipeline.what.nodes[node].name, "This is a mistake in the step's stage; please report it."};
}

[[gnu::used]] inline void batch_runner::abort() {
  for (const std::shared_ptr<sink>& each : query_.pipeline.sinks)
    if (each != nullptr) each->abort();
}

}  // namespace etlantic
