#pragma once
#include <etlantic/core/json_writer.hpp>
#include <etlantic/core/rfc3339.hpp>
#include <etlantic/runtime/run_record.hpp>

#include <algorithm>

namespace etlantic {

namespace detail {

inline void write_time(json_writer& json, std::string_view name, timestamp when) {
  json.key(name).value(format_rfc3339(when));
}

inline void write_failure(json_writer& json, const query_failure& each) {
  json.begin_object();
  write_time(json, "at", each.at);
  json.member("class", name_of(each.why.kind)).member("code", each.why.code).member("message", each.why.message);
  json.member("where", each.why.where).member("help", each.why.help);
  json.member("tried_again", each.tried_again);
  if (each.tried_again) {
    json.member("attempt", each.attempt);
    if (each.attempts > 0) json.member("attempts", each.attempts);
    json.member("wait_seconds", static_cast<double>(each.wait.count()) / 1e6);
  }
  json.end_object();
}

inline void write_who(json_writer& json, const run_record& run) {
  json.member("query", run.query).member("pipeline", run.pipeline).member("pipeline_version", run.pipeline_version);
  json.member("profile", run.profile).member("trigger", run.trigger).member("pid", run.pid);
}

inline void write_row_sums(json_writer& json, const progress& of) {
  std::int64_t valid = 0, invalid = 0, late = 0, rejected = 0, published = 0;
  for (const extract_progress& each : of.extracts) {
    valid += each.valid;
    invalid += each.invalid;
  }
  for (const step_progress& each : of.steps) {
    late += each.counts.late;
    rejected += each.counts.rejected_results;
  }
  for (const load_progress& each : of.loads) published += each.rows;
  json.key("rows").begin_object().member("read", of.rows_read()).member("valid", valid).member("invalid", invalid);
  json.member("late", late).member("rejected_results", rejected).member("published", published).end_object();
}

inline void write_times(json_writer& json, const progress& of) {
  json.key("seconds").begin_object().member("plan", of.plan_seconds).member("process", of.process_seconds);
  json.member("publish", of.publish_seconds).member("checkpoint", of.checkpoint_seconds);
  json.member("batches", of.seconds).end_object();
}

/// Nothing where nothing is known: 0 would say that nothing waits.
inline void write_waiting(json_writer& json, const waiting_input& behind) {
  if (behind.rows) json.member("waiting_rows", *behind.rows);
  if (behind.bytes) json.member("waiting_bytes", *behind.bytes);
}

inline void write_client(json_writer& json, const std::optional<client_metrics>& of) {
  if (!of) return;
  json.key("client").begin_object().member("queued_rows", of->queued_rows).member("queued_bytes", of->queued_bytes);
  json.key("furthest_behind").begin_array();
  for (const client_metrics::split_lag& each : of->furthest_behind)
    json.begin_object().member("split", each.split).member("waiting_rows", each.rows).end_object();
  json.end_array().key("slowest_brokers").begin_array();
  for (const client_metrics::broker& each : of->slowest_brokers)
    json.begin_object()
        .member("broker", each.name)
        .member("round_trip_seconds", each.round_trip_seconds)
        .member("throttled_seconds", each.throttled_seconds)
        .end_object();
  json.end_array().end_object();
}

inline void write_extracts(json_writer& json, const std::vector<extract_progress>& extracts) {
  json.key("extracts").begin_array();
  for (const extract_progress& each : extracts) {
    json.begin_object().member("node", each.node).member("read", each.read).member("valid", each.valid);
    json.member("invalid", each.invalid).member("bytes", each.bytes).member("read_seconds", each.read_seconds);
    json.member("decode_seconds", each.decode_seconds).key("reasons").begin_object();
    for (const auto& [reason, rows] : each.reasons) json.member(reason, rows);
    json.end_object();
    write_waiting(json, each.waiting);
    write_client(json, each.client);
    json.end_object();
  }
  json.end_array();
}

inline void write_inputs(json_writer& json, const std::vector<extract_progress>& extracts) {
  const auto known = [](const extract_progress& each) { return each.waiting.known() || each.client; };
  if (std::none_of(extracts.begin(), extracts.end(), known)) return;
  json.key("inputs").begin_array();
  for (const extract_progress& each : extracts) {
    json.begin_object().member("node", each.node);
    write_waiting(json, each.waiting);
    write_client(json, each.client);
    json.end_object();
  }
  json.end_array();
}

inline void write_steps(json_writer& json, const std::vector<step_progress>& steps) {
  json.key("steps").begin_array();
  for (const step_progress& each : steps) {
    json.begin_object().member("node", each.node).member("received", each.counts.received);
    json.member("filtered", each.counts.filtered).member("late", each.counts.late);
    json.member("invalid", each.counts.invalid).member("duplicate", each.counts.duplicate);
    json.member("kept", each.counts.kept).member("emitted", each.counts.emitted);
    json.member("rejected_results", each.counts.rejected_results).member("seconds", each.seconds);
    json.member("state_groups", each.state.groups).member("state_bytes", each.state.bytes).end_object();
  }
  json.end_array();
}

inline void write_loads(json_writer& json, const std::vector<load_progress>& loads) {
  json.key("loads").begin_array();
  for (const load_progress& each : loads)
    json.begin_object()
        .member("node", each.node)
        .member("asset", each.asset)
        .member("rows", each.rows)
        .member("seconds", each.seconds)
        .end_object();
  json.end_array();
}

}  // namespace detail

[[gnu::used]] inline std::string_view outcome_of(const run_record& run) {
  if (run.status == query_status::failed) return "failed";
  if (run.status != query_status::stopped) return "running";
  return run.stopped ? "stopped" : "finished";
}

[[gnu::used]] inline std::string_view start_of(const run_record& run) {
  if (run.refused) return "refused";
  return run.from_checkpoint ? "recovery" : "fresh";
}

[[gnu::used]] inline std::string report_document(const run_record& run) {
  json_writer json(json_writer::layout::indented);
  json.begin_object().member("format", run_report_format).member("number", run.number);
  detail::write_who(json, run);
  detail::write_time(json, "started", run.started);
  detail::write_time(json, "written", run.written);
  json.member("run_seconds", static_cast<double>((run.written - run.started).count()) / 1e6);
  json.member("outcome", outcome_of(run));
  json.member("start", start_of(run)).member("first_batch", run.first_batch);
  json.key("replayed_batches").begin_array();
  for (const std::int64_t each : run.replayed) json.value(each);
  json.end_array();
  json.member("batches", run.totals.batch).member("no_data_batches", run.no_data_batches);
  if (run.watermark_before) detail::write_time(json, "watermark_before", *run.watermark_before);
  if (run.totals.batch > 0) detail::write_time(json, "watermark", run.totals.watermark);
  detail::write_row_sums(json, run.totals);
  detail::write_times(json, run.totals);
  detail::write_extracts(json, run.totals.extracts);
  detail::write_steps(json, run.totals.steps);
  detail::write_loads(json, run.totals.loads);
  json.member("retries", run.retries).member("failure_count", run.failure_count).key("failures").begin_array();
  for (const query_failure& each : run.failures) detail::write_failure(json, each);
  json.end_array().key("warnings").begin_array();
  for (const std::string& each : run.totals.warnings) json.value(each);
  json.end_array().end_object();
  return json.text() + "\n";
}

[[gnu::used]] inline std::string status_document(const run_record& run) {
  json_writer json(json_writer::layout::indented);
  json.begin_object().member("format", run_status_format);
  detail::write_who(json, run);
  json.member("status", name_of(run.status));
  detail::write_time(json, "since", run.since);
  detail::write_time(json, "started", run.started);
  detail::write_time(json, "written", run.written);
  json.member("outcome", outcome_of(run)).member("report", run.number);
  json.member("start", start_of(run)).member("batches", run.totals.batch);
  detail::write_row_sums(json, run.totals);
  if (run.totals.batch > 0) {
    detail::write_time(json, "watermark", run.totals.watermark);
    json.key("last_batch").begin_object().member("batch", run.last.batch);
    detail::write_time(json, "started", run.last.started);
    json.member("rows_read", run.last.rows_read()).member("seconds", run.last.seconds);
    json.member("publish_seconds", run.last.publish_seconds).end_object();
    detail::write_inputs(json, run.last.extracts);
  }
  json.member("retries", run.retries);
  if (!run.failures.empty() && (run.status == query_status::failed || run.status == query_status::waiting_to_retry)) {
    json.key("failure");
    detail::write_failure(json, run.failures.back());
  }
  json.end_object();
  return json.text() + "\n";
}

}  // namespace etlantic
