#pragma once
#include <etlantic/core/result.hpp>
#include <etlantic/core/time.hpp>
#include <etlantic/runtime/progress.hpp>
#include <etlantic/runtime/query_listener.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace etlantic {

/// The member `format` of the files of a run. Members may be added; one that changes its meaning makes a new version.
inline constexpr std::string_view run_report_format = "etlantic report 1";
inline constexpr std::string_view run_status_format = "etlantic status 1";

/// What happened to a query from its start to its end, or up to now.
struct run_record {
  std::string query;
  std::string pipeline;
  std::string pipeline_version;
  std::string profile;
  std::string trigger;
  std::int64_t pid = 0;
  std::int64_t number = 0;  ///< of the report

  query_status status = query_status::starting;
  timestamp since;  ///< it has been in this status
  timestamp started;
  timestamp written;  ///< when it was last told to a file; at the end of a run, its end
  bool from_checkpoint = false;
  bool refused = false;  ///< it was refused before its first batch
  std::int64_t first_batch = 0;
  bool stopped = false;  ///< it was told to stop

  progress totals;  ///< `batch` is their number
  progress last;    ///< batch
  std::int64_t no_data_batches = 0;
  std::vector<std::int64_t> replayed;  ///< the first of those that had been planned before a start or a failure
  std::optional<timestamp> watermark_before;

  std::vector<query_failure> failures;  ///< the first and the last ones
  std::int64_t failure_count = 0;
  std::int64_t retries = 0;
};

inline constexpr std::size_t most_told_failures = 50;
inline constexpr std::size_t most_told_replays = 50;

/// How it began: `fresh`, `recovery` from its checkpoint, or `refused`.
std::string_view start_of(const run_record& run);

/// How a run ended: `finished`, `stopped`, `failed`, or `running`, which is also what a killed one says.
std::string_view outcome_of(const run_record& run);

/// The documents `reports/<number>.json` and `status.json`; docs/query.md says what their members mean.
std::string report_document(const run_record& run);
std::string status_document(const run_record& run);

}  // namespace etlantic
