#pragma once
#include <etlantic/core/time.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace etlantic {

/// What a quality gate looks at.
enum class quality_metric : std::uint8_t {
  invalid_share,    ///< of an extract: invalid rows among those that were read
  completeness,     ///< rows among the valid ones that have a value in a field
  duplicate_share,  ///< rows whose key came before in the same batch
  freshness,        ///< how far the newest time of a field lies behind the clock
  row_count,        ///< rows read of an extract, rows published by a load
};

constexpr std::string_view name_of(quality_metric metric) {
  constexpr std::string_view names[] = {"invalid_share", "completeness", "duplicate_share", "freshness", "row_count"};
  return names[static_cast<int>(metric)];
}

/// What becomes of a batch for which a gate does not hold. `proceed` (`continue` in profiles) only records it;
/// `quarantine` turns the rows of the extract into invalid ones; `pause` waits for somebody who accepts the batch;
/// `fail` ends the query until the gate or the profile is changed.
enum class gate_outcome : std::uint8_t { proceed, warn, quarantine, pause, fail };

constexpr std::string_view name_of(gate_outcome outcome) {
  constexpr std::string_view names[] = {"continue", "warn", "quarantine", "pause", "fail"};
  return names[static_cast<int>(outcome)];
}

/// Over what a metric is taken: every row for itself, the last batches, the batches that were planned within a time, or
/// each window of event time whose results are published for itself.
enum class gate_scope : std::uint8_t { event, batches, time, window };

/// An expectation of what passes an asset, judged in every batch that has rows of it, before anything is published.
struct quality_gate {
  std::string name;
  std::string of;  ///< asset of an extract or a load
  quality_metric metric = quality_metric::invalid_share;
  std::vector<std::string> fields{};  ///< of `completeness` and `freshness` one, of `duplicate_share` the key
  std::optional<double> at_least{};   ///< shares are 0 to 1, freshness is in seconds
  std::optional<double> at_most{};
  gate_scope scope = gate_scope::batches;
  std::int64_t batches = 1;
  duration time{};
  gate_outcome otherwise = gate_outcome::fail;
};

/// What a gate said of a batch.
struct gate_result {
  std::string gate;
  std::string of;
  quality_metric metric = quality_metric::invalid_share;
  double value = 0;
  std::int64_t rows = 0;  ///< that the value is taken over
  bool holds = true;
  gate_outcome otherwise = gate_outcome::fail;
  std::optional<timestamp> window{};  ///< over windows: the first one that fails the gate, or the last one of the batch
};

}  // namespace etlantic
