#pragma once
#include <etlantic/runtime/batch_planner.hpp>
#include <etlantic/runtime/references.inl.hpp>

#include <algorithm>
#include <utility>

namespace etlantic {

namespace detail {

/// A correction takes all input as one batch, in which no row is late and no window half done.
inline result<void> plan_the_rest(source& from, const intake_limits& limits, std::vector<split_range>& planned) {
  for (std::size_t before = 0; before != planned.size();) {
    before = planned.size();
    const result<std::vector<split_range>> more = from.plan(limits);
    if (!more) return more.error();
    planned.insert(planned.end(), more->begin(), more->end());
  }
  return {};
}

inline result<std::vector<extract_ranges>> plan_sources(const batch_setting& query) {
  std::vector<extract_ranges> planned;
  for (std::size_t i = 0; i < query.pipeline.sources.size(); ++i) {
    if (query.pipeline.sources[i] == nullptr || query.pipeline.references[i]) continue;
    result<std::vector<split_range>> waiting = query.pipeline.sources[i]->plan(query.where.limits);
    if (!waiting) return waiting.error();
    if (query.state.corrects)
      if (result<void> done = plan_the_rest(*query.pipeline.sources[i], query.where.limits, *waiting); !done)
        return done.error();
    if (!waiting->empty()) planned.push_back({query.pipeline.what.nodes[i].name, std::move(*waiting)});
  }
  return planned;
}

/// Which splits nobody waits for any more. Rows that wait end the silence of theirs.
inline split_batch plan_splits(const batch_setting& query, const std::vector<extract_ranges>& planned, timestamp now) {
  batch_state& state = query.state;
  split_batch made;
  made.read = state.followed.names_in(planned);
  for (const split_name& each : made.read) state.splits.had_rows(each, now);
  std::vector<split_name> known = state.clock.splits();
  known.insert(known.end(), made.read.begin(), made.read.end());
  std::sort(known.begin(), known.end());
  known.erase(std::unique(known.begin(), known.end()), known.end());
  made.idle = state.splits.idle(known, now);
  for (std::size_t i = 0; i < query.pipeline.sources.size(); ++i) {
    const std::string& node = query.pipeline.what.nodes[i].name;
    if (query.pipeline.sources[i] == nullptr || !state.followed.follows_splits_of(node)) continue;
    std::vector<std::string> own;
    for (const split_name& each : known)
      if (each.node == node) own.push_back(each.split);
    for (std::string& each : query.pipeline.sources[i]->finished(own)) made.finished.push_back({node, std::move(each)});
  }
  return made;
}

}  // namespace detail

[[gnu::used]] inline result<std::optional<plan_record>> plan_batch(const batch_setting& query) {
  result<std::vector<extract_ranges>> planned = detail::plan_sources(query);
  if (!planned) return planned.error();
  // Rows that wait end the silence of their input, however long nobody looked.
  const timestamp now = query.now();
  for (const extract_ranges& each : *planned) query.state.activity.had_rows(each.node, now);
  std::vector<std::string> idle = query.state.activity.idle_watermarks(now);
  if (!idle.empty()) query.state.clock.let_go(idle);
  split_batch splits;
  watermark_clock clock = query.state.clock;
  if (query.state.followed.any()) {
    splits = detail::plan_splits(query, *planned, now);
    // Splits that are let go move the watermark when the batch begins, so that a replay finds them as they were.
    clock.begin_batch(splits);
    clock.let_go(idle);
  }
  const bool no_data = planned->empty();
  if (no_data && !(query.where.no_data_batches && clock.has_moved())) return std::optional<plan_record>();

  plan_record plan;
  plan.query = query.state.query;
  plan.batch = query.state.next_batch;
  plan.planned_at = now;
  plan.no_data = no_data;
  plan.watermark = clock.watermark();
  plan.late_watermark = clock.in_force();
  plan.idle = std::move(idle);
  plan.idle_splits = std::move(splits.idle);
  plan.finished_splits = std::move(splits.finished);
  plan.extracts = std::move(*planned);
  if (result<void> done = plan_references(query, plan); !done) return done.error();
  return std::optional<plan_record>(std::move(plan));
}

}  // namespace etlantic
