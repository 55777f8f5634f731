#pragma once
#include <etlantic/column/violation.hpp>
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

[[gnu::used]] inline result<void> batch_runner::process(const plan_record& plan) {
  if (result<void> begun = begin(plan); !begun) return begun;
  follow_silence(plan);
  for (const extract_ranges& planned : plan.extracts)
    if (result<void> done = read(planned, plan); !done) return done;
  if (result<void> done = finish_steps(); !done) return done;
  query_.state.clock.end_batch(plan.watermark, plan.idle);
  done_.watermark = query_.state.clock.watermark();
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

[[gnu::used]] inline result<void> batch_runner::begin(const plan_record& plan) {
  const program& what = query_.pipeline.what;
  done_.query = plan.query;
  done_.pipeline = what.id;
  done_.batch = plan.batch;
  done_.no_data = plan.no_data;
  router_.begin();
  query_.state.quality.begin(plan, query_.where.accepted_batch);
  const batch_context context{plan.batch,          plan.planned_at, plan.watermark,
                              plan.late_watermark, what.id,         query_.where.on_overflow};
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
    if (result<void> done = read_pieces(i, pieces, into); !done) return done;
    if (result<void> judged = gated.finish(done_); !judged) return judged;
    if (const auto ahead = counted.reasons.find(std::string(name_of(violation_reason::future)));
        ahead != counted.reasons.end())
      done_.warnings.push_back(detail::future_warning(counted.node, ahead->second));
    query_.state.positions[i].add(planned.ranges);
    return {};
  }
  return failure{failure_class::checkpoint, "PMSTREAM465",
                 "batch " + std::to_string(plan.batch) + " is planned to read extract '" + planned.node +
                     "', which the pipeline does not have any more",
                 planned.node, "Run the pipeline as it was before the change until the batch is done."};
}

/// For a few pieces it is not worth while to wake others.
[[gnu::used]] inline result<void> batch_runner::read_pieces(std::size_t node, const std::vector<split_range>& pieces,
                                                            extract_intake& into) {
  source& from = *query_.pipeline.sources[node];
  if (workers_.workers() == 1 || pieces.size() < 4) {
    for (const split_range& piece : pieces)
      if (result<void> done = into.read(from, piece); !done) return done;
    return {};
  }
  std::unique_ptr<parallel_read>& reader = reads_[node];
  if (reader == nullptr) {
    std::vector<row_decoder*> decoders;
    for (const auto& each : query_.pipeline.decoders[node]) decoders.push_back(each.get());
    reader = std::make_unique<parallel_read>(workers_, std::move(decoders));
  }
  std::size_t next = 0;
  return reader->run(from, pieces,
                     [&](const decoded_piece& piece) { return into.take(piece, pieces[next++].split); });
}

[[gnu::used]] inline result<void> batch_runner::finish_steps() {
  const program& what = query_.pipeline.what;
  for (std::size_t i = 0; i < what.nodes.size(); ++i) {
    if (what.nodes[i].kind != node_kind::step) continue;
    if (result<void> done = router_.finish(i); !done) return done;
    const stage& finished = *query_.pipeline.stages[i];
    const step_progress counted{what.nodes[i].name, finished.counts(), finished.state(), router_.seconds(i)};
    if (result<void> sound = verify_counts(i, counted.counts); !sound) return sound;
    follow_watermarks(i);
    done_.steps.push_back(counted);
  }
  return {};
}

[[gnu::used]] inline void batch_runner::follow_watermarks(std::size_t node) {
  std::vector<std::optional<timestamp>> greatest;
  query_.pipeline.stages[node]->add_greatest_event_times(greatest);
  const std::vector<followed_watermark>& followed = query_.pipeline.what.nodes[node].watermarks;
  for (std::size_t i = 0; i < std::min(followed.size(), greatest.size()); ++i)
    query_.state.clock.saw(followed[i].name, greatest[i]);
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

[[gnu::used]] inline result<void> batch_runner::publish(const plan_record& plan) {
  const program& what = query_.pipeline.what;
  for (std::size_t i = 0; i < what.nodes.size(); ++i) {
    if (what.nodes[i].kind != node_kind::load) continue;
    const publication rows{plan.batch, what.nodes[i].mode, router_.publication(i).take()};
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

[[gnu::used]] inline result<void> batch_runner::keep(const plan_record& plan) {
  if (query_.kept == nullptr) return {};
  result<snapshot_receipt> saved = write_snapshot(plan);
  if (!saved) return saved.error();
  return query_.kept->write_commit(commit_of(plan, std::move(*saved)), query_.where.retained_batches);
}

[[gnu::used]] inline result<snapshot_receipt> batch_runner::write_snapshot(const plan_record& plan) {
  const program& what = query_.pipeline.what;
  std::vector<state_writer> written(what.nodes.size());
  snapshot state{plan.query, plan.batch, {}, {}};
  for (std::size_t i = 0; i < what.nodes.size(); ++i) {
    if (what.nodes[i].kind == node_kind::extract)
      state.positions.push_back({what.nodes[i].name, query_.state.positions[i].ranges()});
    if (what.nodes[i].kind != node_kind::step) continue;
    query_.pipeline.stages[i]->save(written[i]);
    if (!what.nodes[i].state_schema.empty() || !written[i].bytes().empty())
      state.states.push_back({what.nodes[i].name, written[i].bytes()});
  }
  state_writer gates;
  if (query_.state.quality.remembers()) {
    query_.state.quality.save(gates);
    state.states.push_back({std::string(quality_judge::section), gates.bytes()});
  }
  return query_.kept->write_snapshot(state);
}

[[gnu::used]] inline commit_record batch_runner::commit_of(const plan_record& plan, snapshot_receipt saved) const {
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
  for (const extract_progress& each : done_.extracts)
    commit.counts.push_back({each.node, each.read, each.invalid, 0, each.valid});
  for (const step_progress& each : done_.steps)
    commit.counts.push_back({each.node, each.counts.received, each.counts.late + each.counts.invalid,
                             each.counts.filtered + each.counts.duplicate, each.counts.emitted});
  for (const load_progress& each : done_.loads) commit.counts.push_back({each.node, each.rows, 0, 0, each.rows});
  commit.snapshot = std::move(saved);
  return commit;
}

[[gnu::used]] inline void batch_runner::abort() {
  for (const std::shared_ptr<sink>& each : query_.pipeline.sinks)
    if (each != nullptr) each->abort();
}

}  // namespace etlantic
