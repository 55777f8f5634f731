#pragma once
#include <etlantic/runtime/run_record.inl.hpp>
#include <etlantic/tool/json_writer.hpp>
#include <etlantic/tool/progress_record.hpp>
#include <etlantic/tool/quantity.hpp>

namespace etlantic {
namespace detail {

inline void write_extract(json_writer& json, const extract_progress& of, bool with_ranges) {
  json.begin_object().member("node", of.node).member("read", of.read).member("bytes", of.bytes);
  json.member("valid", of.valid).member("invalid", of.invalid).member("fast", of.fast);
  if (of.skipped != 0) json.member("skipped", of.skipped);
  if (of.left_out.files != 0)
    json.member("left_out_files", of.left_out.files).member("left_out_rows", of.left_out.rows);
  json.member("read_seconds", of.read_seconds)
      .member("decode_seconds", of.decode_seconds)
      .key("reasons")
      .begin_object();
  for (const auto& [reason, rows] : of.reasons) json.member(reason, rows);
  json.end_object();
  if (with_ranges) {
    json.key("ranges").begin_array();
    for (const split_range& each : of.ranges)
      json.begin_object().member("split", each.split).member("begin", each.begin).member("end", each.end).end_object();
    json.end_array();
  }
  write_waiting(json, of.waiting);
  write_client(json, of.client);
  json.end_object();
}

inline void write_step(json_writer& json, const step_progress& of) {
  const stage_counts& counts = of.counts;
  json.begin_object().member("node", of.node).member("received", counts.received).member("filtered", counts.filtered);
  json.member("late", counts.late).member("invalid", counts.invalid).member("duplicate", counts.duplicate);
  json.member("kept", counts.kept)
      .member("emitted", counts.emitted)
      .member("rejected_results", counts.rejected_results);
  json.member("seconds", of.seconds);
  json.key("state").begin_object().member("windows", of.state.windows).member("groups", of.state.groups);
  json.member("bytes", of.state.bytes).end_object().end_object();
}

// The ranges of a whole run may be thousands of files; those of its batches say the same.
inline void write_nodes(json_writer& json, const progress& of, bool with_ranges) {
  json.key("extracts").begin_array();
  for (const extract_progress& each : of.extracts) write_extract(json, each, with_ranges);
  json.end_array().key("steps").begin_array();
  for (const step_progress& each : of.steps) write_step(json, each);
  json.end_array().key("loads").begin_array();
  for (const load_progress& each : of.loads)
    json.begin_object()
        .member("node", each.node)
        .member("asset", each.asset)
        .member("rows", each.rows)
        .member("seconds", each.seconds)
        .end_object();
  json.end_array().key("warnings").begin_array();
  for (const std::string& each : of.warnings) json.value(each);
  json.end_array();
}

inline void write_counts(json_writer& json, const progress& of) {
  json.member("rows_read", of.rows_read()).member("invalid", invalid_rows(of)).member("late", rows_too_late(of));
  json.member("rejected_results", rejected_results(of));
  json.member("open_windows", open_windows(of)).member("watermark", to_text(of.watermark));
  if (!of.slowest_splits.empty()) {
    json.key("slowest_splits").begin_array();
    for (const split_progress& each : of.slowest_splits)
      json.begin_object()
          .member("watermark", each.watermark)
          .member("node", each.node)
          .member("split", each.split)
          .member("reached", to_text(each.reached))
          .end_object();
    json.end_array();
  }
  json.member("started", to_text(of.started));
}

inline void write_quality(json_writer& json, const progress& of) {
  json.key("quality").begin_array();
  for (const gate_result& each : of.quality) {
    json.begin_object().member("gate", each.gate).member("of", each.of).member("metric", name_of(each.metric));
    if (each.window) json.member("window", to_text(*each.window));
    json.member("value", each.value).member("rows", each.rows).member("holds", each.holds);
    json.member("otherwise", name_of(each.otherwise)).end_object();
  }
  json.end_array();
}

inline void write_parts_of_time(json_writer& json, const progress& of) {
  json.member("plan_seconds", of.plan_seconds).member("process_seconds", of.process_seconds);
  json.member("publish_seconds", of.publish_seconds).member("checkpoint_seconds", of.checkpoint_seconds);
}

inline double rate(std::int64_t rows, double seconds) { return seconds > 0 ? static_cast<double>(rows) / seconds : 0; }

}  // namespace detail

[[gnu::used]] inline std::int64_t open_windows(const progress& of) {
  std::int64_t sum = 0;
  for (const step_progress& each : of.steps) sum += each.state.windows;
  return sum;
}

[[gnu::used]] inline std::int64_t invalid_rows(const progress& of) {
  std::int64_t sum = 0;
  for (const extract_progress& each : of.extracts) sum += each.invalid;
  for (const step_progress& each : of.steps) sum += each.counts.invalid;
  return sum;
}

[[gnu::used]] inline std::int64_t rejected_results(const progress& of) {
  std::int64_t sum = 0;
  for (const step_progress& each : of.steps) sum += each.counts.rejected_results;
  return sum;
}

[[gnu::used]] inline std::int64_t rows_too_late(const progress& of) {
  std::int64_t sum = 0;
  for (const step_progress& each : of.steps) sum += each.counts.late;
  return sum;
}

[[gnu::used]] inline std::string batch_record(const progress& batch) {
  json_writer json;
  json.begin_object().member("event", "batch").member("query", batch.query).member("pipeline", batch.pipeline);
  if (!batch.split.empty()) json.member("split", batch.split);
  json.member("batch", batch.batch).member("no_data", batch.no_data).member("replayed", batch.replayed);
  detail::write_counts(json, batch);
  json.member("rows_per_second", batch.rows_per_second()).member("seconds", batch.seconds);
  detail::write_parts_of_time(json, batch);
  detail::write_nodes(json, batch, true);
  detail::write_quality(json, batch);
  json.end_object();
  return json.text();
}

[[gnu::used]] inline std::string summary_record(const run_summary& run) {
  const progress& totals = run.totals;
  json_writer json;
  json.begin_object().member("event", "summary").member("query", totals.query).member("pipeline", totals.pipeline);
  json.member("outcome", name_of(run.outcome)).member("batches", totals.batch);
  detail::write_counts(json, totals);
  json.member("rows_per_second", detail::rate(totals.rows_read(), run.seconds));
  json.member("processing_rows_per_second", detail::rate(totals.rows_read(), totals.process_seconds));
  json.member("seconds", run.seconds);
  detail::write_parts_of_time(json, totals);
  json.member("balanced", run.imbalances.empty()).key("imbalances").begin_array();
  for (const std::string& each : run.imbalances) json.value(each);
  json.end_array();
  detail::write_nodes(json, totals, false);
  json.key("places").begin_array();
  for (const published_place& each : run.places)
    json.begin_object()
        .member("node", each.node)
        .member("asset", each.asset)
        .member("binding", each.binding)
        .end_object();
  json.end_array().end_object();
  return json.text();
}

[[gnu::used]] inline std::string failure_record(const failure& what) {
  json_writer json;
  json.begin_object().member("event", "failure").member("class", name_of(what.kind)).member("code", what.code);
  json.member("message", what.message).member("where", what.where).member("help", what.help).end_object();
  return json.text();
}

[[gnu::used]] inline std::string split_record(const split_move& what) {
  json_writer json;
  json.begin_object().member("event", "split").member("split", what.split).member("state", name_of(what.state));
  json.member("at", to_text(what.at));
  if (!what.reason.empty()) json.member("reason", what.reason);
  json.end_object();
  return json.text();
}

[[gnu::used]] inline std::string retry_record(const query_failure& what) {
  json_writer json;
  json.begin_object().member("event", "retry").member("class", name_of(what.why.kind)).member("code", what.why.code);
  json.member("message", what.why.message).member("where", what.why.where).member("help", what.why.help);
  json.member("attempt", what.attempt)
      .member("attempts", what.attempts)
      .member("wait_seconds", static_cast<double>(what.wait.count()) / 1e6);
  json.end_object();
  return json.text();
}

}  // namespace etlantic
