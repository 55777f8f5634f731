#pragma once
#include <etlantic/runtime/batch_record.hpp>
#include <etlantic/runtime/batch_record_text.hpp>
#include <etlantic/runtime/checkpoint_layout.hpp>
#include <etlantic/runtime/checksum.hpp>

#include <algorithm>
#include <charconv>

namespace etlantic {

namespace detail {

inline constexpr std::int64_t plan_record_version = 2;
inline constexpr std::int64_t commit_record_version = 2;

/// Records that say nothing of splits, and commits whose snapshot is that of their batch, are those of version 1, which
/// older programs read.
inline std::int64_t version_of(const plan_record& plan) {
  return plan.idle_splits.empty() && plan.finished_splits.empty() ? 1 : 2;
}
inline std::int64_t version_of(const commit_record& commit) {
  const bool follows_splits = std::any_of(commit.steps.begin(), commit.steps.end(),
                                          [](const step_watermark& each) { return each.reached.has_value(); });
  const bool has_own_snapshot = commit.snapshot.file == checkpoint_layout::file_name(commit.batch, ".snapshot");
  return follows_splits || !commit.split_activity.empty() || !has_own_snapshot ? 2 : 1;
}

inline void put_split(record_writer& record, std::string_view kind, const split_name& of) {
  record.line().put(kind, of.split).put("of", of.node);
}

inline split_name take_split(record_reader& record, std::string_view kind) {
  split_name of;
  of.split = record.line().text(kind);
  of.node = record.text("of");
  return of;
}

inline void put_ranges(record_writer& record, const std::vector<extract_ranges>& extracts) {
  for (const extract_ranges& extract : extracts) {
    record.line().put("extract", extract.node);
    for (const split_range& range : extract.ranges)
      record.line().put("split", range.split).put("begin", range.begin).put("end", range.end);
  }
}

inline std::vector<extract_ranges> take_ranges(record_reader& record) {
  std::vector<extract_ranges> extracts;
  while (record.next_line_starts_with("extract")) {
    extract_ranges extract{record.line().text("extract"), {}};
    while (record.next_line_starts_with("split")) {
      split_range range;
      range.split = record.line().text("split");
      range.begin = record.integer("begin");
      range.end = record.integer("end");
      extract.ranges.push_back(std::move(range));
    }
    extracts.push_back(std::move(extract));
  }
  return extracts;
}

inline void put_references(record_writer& record, const std::vector<reference_version>& references) {
  for (const reference_version& each : references)
    record.line()
        .put("reference", each.node)
        .put("version", each.batch)
        .put("read_at", each.read_at.microseconds)
        .put("bytes", each.bytes)
        .put("crc32c", to_text(each.checksum))
        .put("hash", static_cast<std::int64_t>(each.hash));
}

inline void put_steps(record_writer& record, const std::vector<step_watermark>& steps) {
  for (const step_watermark& step : steps) {
    record.line().put("step", step.node).put("watermark", step.watermark.microseconds);
    record.put("had_data", step.greatest_event_time.has_value() ? 1 : 0);
    record.put("greatest_event_time", step.greatest_event_time.value_or(timestamp{}).microseconds);
    if (!step.reached) continue;
    record.line().put("reached", step.reached->microseconds);
    for (const split_watermark& each : step.splits) {
      put_split(record, "split", each.of);
      record.put("watermark", each.watermark.microseconds);
    }
  }
}

inline std::vector<step_watermark> take_steps(record_reader& record) {
  std::vector<step_watermark> steps;
  while (record.next_line_starts_with("step")) {
    step_watermark step;
    step.node = record.line().text("step");
    step.watermark = {record.integer("watermark")};
    const bool had_data = record.integer("had_data") != 0;
    const timestamp greatest{record.integer("greatest_event_time")};
    if (had_data) step.greatest_event_time = greatest;
    if (record.next_line_starts_with("reached")) step.reached = timestamp{record.line().integer("reached")};
    while (step.reached && record.next_line_starts_with("split")) {
      split_watermark each{take_split(record, "split"), {}};
      each.watermark = {record.integer("watermark")};
      step.splits.push_back(std::move(each));
    }
    steps.push_back(std::move(step));
  }
  return steps;
}

inline void put_counts(record_writer& record, const std::vector<node_counts>& counts) {
  for (const node_counts& each : counts)
    record.line()
        .put("counts", each.node)
        .put("read", each.read)
        .put("rejected", each.rejected)
        .put("filtered", each.filtered)
        .put("emitted", each.emitted);
}

inline std::vector<node_counts> take_counts(record_reader& record) {
  std::vector<node_counts> counts;
  while (record.next_line_starts_with("counts")) {
    node_counts each;
    each.node = record.line().text("counts");
    each.read = record.integer("read");
    each.rejected = record.integer("rejected");
    each.filtered = record.integer("filtered");
    each.emitted = record.integer("emitted");
    counts.push_back(std::move(each));
  }
  return counts;
}

inline std::uint32_t take_checksum(record_reader& record, std::string_view key) {
  const std::string digits = record.text(key);
  std::uint32_t value = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
  return value;
}

inline std::vector<reference_version> take_references(record_reader& record) {
  std::vector<reference_version> references;
  while (record.next_line_starts_with("reference")) {
    reference_version each;
    each.node = record.line().text("reference");
    each.batch = record.integer("version");
    each.read_at = {record.integer("read_at")};
    each.bytes = record.integer("bytes");
    each.checksum = take_checksum(record, "crc32c");
    each.hash = static_cast<std::uint64_t>(record.integer("hash"));
    references.push_back(std::move(each));
  }
  return references;
}

}  // namespace detail

[[gnu::used]] inline std::string to_record(const plan_record& plan) {
  record_writer record("plan", detail::version_of(plan));
  record.line()
      .put("batch", plan.batch)
      .put("query", plan.query)
      .put("planned_at", plan.planned_at.microseconds)
      .put("no_data", plan.no_data ? 1 : 0)
      .put("watermark", plan.watermark.microseconds)
      .put("late_watermark", plan.late_watermark.microseconds);
  for (const std::string& each : plan.idle) record.line().put("idle", each);
  for (const split_name& each : plan.idle_splits) detail::put_split(record, "idle_split", each);
  for (const split_name& each : plan.finished_splits) detail::put_split(record, "finished_split", each);
  detail::put_ranges(record, plan.extracts);
  detail::put_references(record, plan.references);
  return std::move(record).close();
}

[[gnu::used]] inline result<plan_record> read_plan_record(std::string_view bytes, const std::string& path) {
  result<record_reader> opened = record_reader::open(bytes, "plan", detail::plan_record_version, path);
  if (!opened) return opened.error();
  record_reader& record = *opened;
  if (record.size() != bytes.size()) return damaged_file(path, record.size(), "more follows than belongs there");
  plan_record plan;
  plan.batch = record.line().integer("batch");
  plan.query = record.text("query");
  plan.planned_at = {record.integer("planned_at")};
  plan.no_data = record.integer("no_data") != 0;
  plan.watermark = {record.integer("watermark")};
  plan.late_watermark = {record.integer("late_watermark")};
  while (record.next_line_starts_with("idle")) plan.idle.push_back(record.line().text("idle"));
  while (record.next_line_starts_with("idle_split"))
    plan.idle_splits.push_back(detail::take_split(record, "idle_split"));
  while (record.next_line_starts_with("finished_split"))
    plan.finished_splits.push_back(detail::take_split(record, "finished_split"));
  plan.extracts = detail::take_ranges(record);
  plan.references = detail::take_references(record);
  if (result<void> whole = record.finish(); !whole) return whole.error();
  return plan;
}

[[gnu::used]] inline std::string to_record(const commit_record& commit) {
  record_writer record("commit", detail::version_of(commit));
  record.line()
      .put("batch", commit.batch)
      .put("query", commit.query)
      .put("committed_at", commit.committed_at.microseconds)
      .put("no_data", commit.no_data ? 1 : 0)
      .put("watermark", commit.watermark.microseconds)
      .put("watermark_in_force", commit.watermark_in_force.microseconds)
      .put("oldest_kept", commit.oldest_kept);
  record.line()
      .put("snapshot", commit.snapshot.file)
      .put("bytes", commit.snapshot.bytes)
      .put("crc32c", to_text(commit.snapshot.checksum));
  // Only where it is not what it always was, so that records with one watermark stay as they are.
  if (commit.policy == watermark_policy::max) record.line().put("watermark_policy", name_of(commit.policy));
  detail::put_steps(record, commit.steps);
  for (const extract_activity& each : commit.activity)
    record.line().put("input", each.node).put("last_rows_at", each.last_rows_at.microseconds);
  for (const split_last_rows& each : commit.split_activity) {
    detail::put_split(record, "input_split", each.of);
    record.put("last_rows_at", each.last_rows_at.microseconds);
  }
  detail::put_counts(record, commit.counts);
  return std::move(record).close();
}

[[gnu::used]] inline result<commit_record> read_commit_record(std::string_view bytes, const std::string& path) {
  result<record_reader> opened = record_reader::open(bytes, "commit", detail::commit_record_version, path);
  if (!opened) return opened.error();
  record_reader& record = *opened;
  if (record.size() != bytes.size()) return damaged_file(path, record.size(), "more follows than belongs there");
  commit_record commit;
  commit.batch = record.line().integer("batch");
  commit.query = record.text("query");
  commit.committed_at = {record.integer("committed_at")};
  commit.no_data = record.integer("no_data") != 0;
  commit.watermark = {record.integer("watermark")};
  commit.watermark_in_force = {record.integer("watermark_in_force")};
  commit.oldest_kept = record.integer("oldest_kept");
  commit.snapshot.file = record.line().text("snapshot");
  commit.snapshot.bytes = record.integer("bytes");
  commit.snapshot.checksum = detail::take_checksum(record, "crc32c");
  if (record.next_line_starts_with("watermark_policy"))
    if (record.line().text("watermark_policy") == name_of(watermark_policy::max)) commit.policy = watermark_policy::max;
  commit.steps = detail::take_steps(record);
  while (record.next_line_starts_with("input")) {
    extract_activity each{record.line().text("input"), {}};
    each.last_rows_at = {record.integer("last_rows_at")};
    commit.activity.push_back(std::move(each));
  }
  while (record.next_line_starts_with("input_split")) {
    split_last_rows each{detail::take_split(record, "input_split"), {}};
    each.last_rows_at = {record.integer("last_rows_at")};
    commit.split_activity.push_back(std::move(each));
  }
  commit.counts = detail::take_counts(record);
  if (result<void> whole = record.finish(); !whole) return whole.error();
  return commit;
}

}  // namespace etlantic
