#pragma once
#include <etlantic/core/overflow_policy.hpp>
#include <etlantic/core/time.hpp>
#include <etlantic/core/watermark_policy.hpp>
#include <etlantic/runtime/quality_gate.hpp>
#include <etlantic/runtime/retry_settings.hpp>
#include <etlantic/runtime/sink.hpp>
#include <etlantic/runtime/snapshot_compression.hpp>
#include <etlantic/runtime/source.hpp>
#include <etlantic/runtime/split_group.hpp>
#include <etlantic/runtime/stop_policy.hpp>

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace etlantic {

/// What a watermark of an input follows: the greatest event time of all its rows, or the slowest of its splits.
enum class watermark_unit : std::uint8_t { input, split };

constexpr std::string_view name_of(watermark_unit unit) {
  constexpr std::string_view names[] = {"input", "split"};
  return names[static_cast<int>(unit)];
}

/// Who reads an input: one process all of it, or several processes share its splits.
enum class intake_mode : std::uint8_t { planned, group };

constexpr std::string_view name_of(intake_mode mode) {
  constexpr std::string_view names[] = {"planned", "group"};
  return names[static_cast<int>(mode)];
}

/// What becomes of a shared input whose splits become more: rows of a key that is kept in one split may come in the new
/// one from then on. `go_on`: whoever writes sees to it that they do not.
enum class added_split_policy : std::uint8_t { fail, go_on };

constexpr std::string_view name_of(added_split_policy policy) {
  constexpr std::string_view names[] = {"fail", "continue"};
  return names[static_cast<int>(policy)];
}

/// What an asset is bound to: a connector by name and its options, or an object made by the program.
struct asset_binding {
  std::string connector;                       ///< "file", "sqlite", "console", "memory"
  std::map<std::string, std::string> options;  ///< path, format, table ...; which ones the connector says
  std::shared_ptr<source> made_source{};       ///< instead of a connector, for tests and embedding
  std::shared_ptr<sink> made_sink{};
  duration
      reject_future{};    ///< of an extract: rows whose event time is further ahead of the clock are invalid; 0: none
  duration idle_after{};  ///< of an extract: without rows for so long it holds no watermark back; 0: it always does
  watermark_unit watermark_per =
      watermark_unit::input;                  ///< of an extract: whether each split has a watermark of its own
  intake_mode intake = intake_mode::planned;  ///< of an extract
  std::vector<std::string> partitioned_by{};  ///< of a shared extract: fields that say in which split a row is
  added_split_policy on_added_split = added_split_policy::fail;  ///< of a shared extract whose rows lead to state
  std::shared_ptr<split_group> made_group{};  ///< of a shared extract: instead of that of the connector
};

enum class trigger_kind : std::uint8_t { continuous, interval, available_now, once, low_latency };

constexpr std::string_view name_of(trigger_kind kind) {
  constexpr std::string_view names[] = {"continuous", "interval", "available_now", "once", "low_latency"};
  return names[static_cast<int>(kind)];
}

/// When batches run: `continuous` as soon as there is input; `interval` at most one every `interval`; `available_now`
/// until everything that was there at the start is read; `once` one batch; `low_latency` like `continuous`, but an idle
/// query waits for its sources to say that rows came, and does not sleep.
struct trigger_settings {
  trigger_kind kind = trigger_kind::continuous;
  duration interval{std::chrono::seconds{1}};
};

/// Where the reports of runs lie and how many of them stay.
struct report_settings {
  std::string path;  ///< directory; empty: `reports` in the checkpoint, and none without a checkpoint
  int retained = 20;
};

/// Where and when a pipeline runs. Says nothing about what it computes.
struct profile {
  std::string name = "default";
  std::map<std::string, asset_binding> assets;
  trigger_settings trigger;
  std::string checkpoint;  ///< directory; empty: keep nothing (memory only, for tests)
  intake_limits limits;
  int retained_batches = 10;   ///< plan and commit records kept behind the newest
  int retained_snapshots = 0;  ///< snapshots of the state kept at most; 0: all that the retained batches have
  snapshot_compression compression = snapshot_compression::none;  ///< of the state in snapshots
  duration snapshot_interval{std::chrono::seconds{1}};  ///< between snapshots of the state; 0: one with every batch
  std::size_t workers = 0;                              ///< cores that read and decode; 0: all that the process may use
  duration poll_interval{std::chrono::milliseconds{100}};  ///< how often an idle query looks for input
  bool no_data_batches = true;  ///< after a batch that moved the watermark, one without input publishes what closed
  overflow_policy on_overflow = overflow_policy::quarantine;  ///< of results that do not fit or break their contract
  watermark_policy watermarks = watermark_policy::min;        ///< which governs where there are several
  retry_settings retry;                                       ///< of failures that may pass; needs a checkpoint
  stop_policy on_stop = stop_policy::finish_batch;            ///< what `run` does when it is told to stop
  report_settings reports;
  std::vector<quality_gate> quality;  ///< what the rows of each batch must keep before anything is published
  std::int64_t accepted_batch = -1;   ///< a batch that is published although a gate pauses at it
};

}  // namespace etlantic
