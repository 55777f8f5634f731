#pragma once
#include <etlantic/core/result.hpp>
#include <etlantic/runtime/program.hpp>
#include <etlantic/runtime/progress.hpp>
#include <etlantic/runtime/query_listener.hpp>

#include <string>
#include <vector>

namespace etlantic {

/// Where one load node publishes, for people.
struct published_place {
  std::string node;
  std::string asset;
  std::string binding;
};

enum class run_outcome : std::uint8_t { finished, stopped, failed };

constexpr std::string_view name_of(run_outcome outcome) {
  constexpr std::string_view names[] = {"finished", "stopped", "failed"};
  return names[static_cast<int>(outcome)];
}

/// What a run did, from its start to its end.
struct run_summary {
  progress totals;
  double seconds = 0;  ///< from the start of the query to its end, waiting included
  run_outcome outcome = run_outcome::finished;
  std::vector<published_place> places;
  std::vector<std::string> imbalances;
};

/// One line of JSON each, without a line feed; names in docs/progress.md.
std::string batch_record(const progress& batch);
std::string summary_record(const run_summary& run);
std::string failure_record(const failure& what);
/// A failure that is tried again, before the wait.
std::string retry_record(const query_failure& what);
/// A split of a shared input that this process takes or gives away.
std::string split_record(const split_move& what);

std::int64_t open_windows(const progress& of);
std::int64_t invalid_rows(const progress& of);
std::int64_t rejected_results(const progress& of);
std::int64_t rows_too_late(const progress& of);

}  // namespace etlantic
