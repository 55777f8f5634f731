#pragma once
#include <etlantic/core/time.hpp>
#include <etlantic/runtime/quality_gate.hpp>
#include <etlantic/runtime/source.hpp>
#include <etlantic/runtime/stage.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace etlantic {

enum class query_status : std::uint8_t { starting, running, idle, waiting_to_retry, stopping, stopped, failed };

constexpr std::string_view name_of(query_status status) {
  constexpr std::string_view names[] = {"starting", "running", "idle",  "waiting to retry",
                                        "stopping", "stopped", "failed"};
  return names[static_cast<int>(status)];
}

/// What one extract did: read = valid + invalid. Blank lines are no rows.
struct extract_progress {
  std::string node;
  std::int64_t read = 0;
  std::int64_t bytes = 0;
  std::int64_t valid = 0;
  std::int64_t invalid = 0;
  std::int64_t fast = 0;                        ///< valid rows that were decoded the fast way
  std::map<std::string, std::int64_t> reasons;  ///< rows per reason of the first wrong field (or "malformed")
  std::vector<split_range> ranges;
  double read_seconds = 0;  ///< of all workers together
  double decode_seconds = 0;
  waiting_input waiting{};    ///< behind the batch, when it was planned; of a run: behind its last batch
  std::int64_t skipped = 0;   ///< records that are no rows, such as deletions
  left_out_input left_out{};  ///< by the source, which knew that a filter would remove all of it; not among `read`
  std::optional<client_metrics> client{};  ///< as `waiting`: of the client of a server, when the batch was planned
};

struct step_progress {
  std::string node;
  stage_counts counts;
  state_metrics state;
  double seconds = 0;  ///< without the steps behind it
};

struct load_progress {
  std::string node;
  std::string asset;
  std::int64_t rows = 0;
  double seconds = 0;  ///< of publishing
};

/// The split that a watermark of an input waits for, which is followed split by split.
struct split_progress {
  std::string watermark;  ///< by name: of the step, and where it declares several, of the input too
  std::string node;       ///< the extract
  std::string split;      ///< empty: the whole extract, which shares the watermark with splits of another one
  timestamp reached;
};

/// What one batch did, or (with batch = number of batches) what a run did since it started.
struct progress {
  std::string query;
  std::string pipeline;
  std::string split;  ///< of a batch: the one that it read, where several processes share the input; otherwise empty
  std::int64_t batch = 0;
  bool no_data = false;
  bool replayed = false;  ///< the batch had been planned before a restart
  std::vector<extract_progress> extracts;
  std::vector<step_progress> steps;
  std::vector<load_progress> loads;
  /// Input that was left out; in the first batch after a start also changes of the pipeline that were accepted.
  std::vector<std::string> warnings;
  std::vector<gate_result> quality;            ///< of a batch: what each quality gate said that had rows to judge
  timestamp watermark;                         ///< after the batch
  std::vector<split_progress> slowest_splits;  ///< after the batch: what holds watermarks back, of each that one holds
  timestamp started;
  double seconds = 0;  ///< whole batch, from planning to the commit record
  double plan_seconds = 0;
  double process_seconds = 0;
  double publish_seconds = 0;
  double checkpoint_seconds = 0;

  std::int64_t rows_read() const {
    std::int64_t sum = 0;
    for (const extract_progress& each : extracts) sum += each.read;
    return sum;
  }
  double rows_per_second() const { return seconds > 0 ? static_cast<double>(rows_read()) / seconds : 0; }
};

}  // namespace etlantic
