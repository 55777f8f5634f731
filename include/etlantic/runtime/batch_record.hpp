#pragma once
#include <etlantic/core/result.hpp>
#include <etlantic/core/time.hpp>
#include <etlantic/core/watermark_policy.hpp>
#include <etlantic/runtime/reference_version.hpp>
#include <etlantic/runtime/source.hpp>
#include <etlantic/runtime/split_name.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace etlantic {

/// Ranges of the splits of one extract, by the extract's node name.
struct extract_ranges {
  std::string node;
  std::vector<split_range> ranges;

  friend bool operator==(const extract_ranges&, const extract_ranges&) = default;
};

/// What a batch will read, durable before its first row is processed. A replay of the batch takes everything from
/// here, so that it gives the same rows, the same times and the same verdicts on lateness.
struct plan_record {
  std::string query;
  std::int64_t batch = 0;
  timestamp planned_at;
  bool no_data = false;
  timestamp watermark;                      ///< in force in the batch
  timestamp late_watermark;                 ///< in force in the batch before it
  std::vector<std::string> idle;            ///< watermarks that hold nobody back, by name
  std::vector<split_name> idle_splits;      ///< splits that hold their input back no more
  std::vector<split_name> finished_splits;  ///< splits that have no more rows behind this batch
  std::vector<extract_ranges> extracts;
  std::vector<reference_version> references;  ///< of the extracts that are looked up

  friend bool operator==(const plan_record&, const plan_record&) = default;
};

/// How far the watermark of one split has come.
struct split_watermark {
  split_name of;
  timestamp watermark;

  friend bool operator==(const split_watermark&, const split_watermark&) = default;
};

/// How far the watermark of one step has come; kept under the step's name, so that the order of nodes does not matter.
struct step_watermark {
  std::string node;
  std::optional<timestamp> greatest_event_time;  ///< none until it has had data
  timestamp watermark;
  std::optional<timestamp> reached{};     ///< if it is followed split by split: by splits that are forgotten
  std::vector<split_watermark> splits{};  ///< by name

  friend bool operator==(const step_watermark&, const step_watermark&) = default;
};

/// When an extract that may fall idle had rows last: the time at which that batch was planned.
struct extract_activity {
  std::string node;
  timestamp last_rows_at;

  friend bool operator==(const extract_activity&, const extract_activity&) = default;
};

/// The same of a split whose watermark is followed.
struct split_last_rows {
  split_name of;
  timestamp last_rows_at;

  friend bool operator==(const split_last_rows&, const split_last_rows&) = default;
};

/// A snapshot as a commit record names it. The checksum is that of the snapshot's head, which holds those of its
/// sections.
struct snapshot_receipt {
  std::string file;
  std::int64_t bytes = 0;
  std::uint32_t checksum = 0;

  friend bool operator==(const snapshot_receipt&, const snapshot_receipt&) = default;
};

/// Rows that passed one node in the batch, for people who look into a checkpoint.
struct node_counts {
  std::string node;
  std::int64_t read = 0;      ///< of an extract: rows read; of a step: received; of a load: published
  std::int64_t rejected = 0;  ///< of an extract: invalid; of a step: late or invalid
  std::int64_t filtered = 0;  ///< of a step: removed by a filter, or duplicate
  std::int64_t emitted = 0;

  friend bool operator==(const node_counts&, const node_counts&) = default;
};

/// What a batch came to, durable after every sink has published: the batch is done.
struct commit_record {
  std::string query;
  std::int64_t batch = 0;
  timestamp committed_at;
  bool no_data = false;
  timestamp watermark;           ///< after the batch
  timestamp watermark_in_force;  ///< in the batch: the late watermark of the next one
  std::int64_t oldest_kept = 0;  ///< records and snapshots from this batch on are there; older ones may be gone
  watermark_policy policy = watermark_policy::min;  ///< which of the watermarks of `steps` governs
  std::vector<step_watermark> steps;
  std::vector<extract_activity> activity;
  std::vector<split_last_rows> split_activity;
  std::vector<node_counts> counts;
  snapshot_receipt snapshot;  ///< of the newest that was on disk; no file: there was none yet

  friend bool operator==(const commit_record&, const commit_record&) = default;
};

std::string to_record(const plan_record& plan);
std::string to_record(const commit_record& commit);
result<plan_record> read_plan_record(std::string_view bytes, const std::string& path);
result<commit_record> read_commit_record(std::string_view bytes, const std::string& path);

}  // namespace etlantic
