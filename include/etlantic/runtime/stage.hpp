#pragma once
#include <etlantic/column/block.hpp>
#include <etlantic/column/state_io.hpp>
#include <etlantic/core/overflow_policy.hpp>
#include <etlantic/core/result.hpp>
#include <etlantic/core/time.hpp>
#include <etlantic/runtime/sink.hpp>
#include <etlantic/runtime/split_cursor.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace etlantic {

class missed_windows;

/// What holds for all stages during one batch.
struct batch_context {
  std::int64_t id = 0;
  timestamp planned_at;
  timestamp watermark;       ///< in force in this batch: state and results that end at or before it leave
  timestamp late_watermark;  ///< in force when the batch before this one ran: what it had closed is late
  std::string pipeline;      ///< id of the pipeline, for rejected rows
  overflow_policy on_overflow = overflow_policy::quarantine;
  const missed_windows* to_correct = nullptr;  ///< of a correction run: the only windows that are computed
  split_cursor* splits = nullptr;  ///< where rows come from, for stages that hold some back; null: nobody asks
};

/// What became of the rows that a stage received in one batch:
/// received = filtered + late + invalid + duplicate + kept.
struct stage_counts {
  std::int64_t received = 0;
  std::int64_t filtered = 0;  ///< a predicate was not true, or the event time was null
  std::int64_t late = 0;
  std::int64_t kept = 0;              ///< aggregated, or passed on
  std::int64_t emitted = 0;           ///< rows of the result port
  std::int64_t invalid = 0;           ///< what is computed from the row does not fit its type or breaks its contract
  std::int64_t duplicate = 0;         ///< a row of the same key came before
  std::int64_t rejected_results = 0;  ///< groups whose result is wrong in that way; their rows are in `kept`

  stage_counts& operator+=(const stage_counts& other) {
    received += other.received;
    filtered += other.filtered;
    late += other.late;
    kept += other.kept;
    emitted += other.emitted;
    invalid += other.invalid;
    duplicate += other.duplicate;
    rejected_results += other.rejected_results;
    return *this;
  }
};

/// What the rows that a stage received must come to.
constexpr std::int64_t accounted_for(const stage_counts& counts) {
  return counts.filtered + counts.late + counts.invalid + counts.duplicate + counts.kept;
}

struct state_metrics {
  std::int64_t windows = 0;  ///< open windows (distinct window starts)
  std::int64_t groups = 0;   ///< rows in state: one per key and window, or pane of sliding windows
  std::int64_t bytes = 0;    ///< memory held by state

  state_metrics& operator+=(const state_metrics& other) {
    windows += other.windows;
    groups += other.groups;
    bytes += other.bytes;
    return *this;
  }
};

/// Takes the rows that a stage gives out; `port` is the index of the stage's output port.
class stage_outputs {
 public:
  virtual ~stage_outputs() = default;
  virtual result<void> emit(std::size_t port, const block& rows) = 0;
};

/// The part of a pipeline between two hand-overs of blocks; the border where templates end. For each batch: `begin`,
/// `process` for every block of input in order, `finish` once; then `save` if the batch is to be committed. A stage
/// that returned a failure is not used again.
class stage {
 public:
  virtual ~stage() = default;

  virtual void begin(const batch_context& batch) = 0;
  virtual result<void> process(std::size_t input, const block& rows, stage_outputs& out) = 0;
  /// Emits what the batch's watermark made final (append), what changed (update) or everything (complete), then
  /// removes state that the watermark closed.
  virtual result<void> finish(stage_outputs& out) = 0;

  /// Of a stage that looks rows up in a reference: forgets what it has of the one at an input, behind `begin`, and
  /// takes the whole content of its new version block by block, before any row of a stream.
  virtual void begin_reference(std::size_t) {}
  virtual result<void> add_reference(std::size_t, const block&) { return {}; }

  /// Counts since `begin`.
  virtual stage_counts counts() const = 0;
  /// Whether what it gives out are rows that it received, so that `kept` and `emitted` are the same.
  virtual bool gives_rows_on() const { return false; }
  /// How often `counts` counts a row that came in at an input: once for each stream that starts there.
  virtual std::int64_t counts_of_row(std::size_t) const { return 1; }
  virtual state_metrics state() const = 0;

  /// Adds, for each watermark that is declared in the stage, in order, the greatest event time since `begin` or
  /// `forget_event_times` among rows that were not removed by a filter; none if there was no such row.
  virtual void add_greatest_event_times(std::vector<std::optional<timestamp>>& into) const = 0;

  /// Lets them be none again.
  virtual void forget_event_times() = 0;

  /// Of a stage behind a union, for which it looks at event times: the greatest since it was asked last.
  virtual std::optional<timestamp> take_greatest_event_time() { return std::nullopt; }

  /// Of a stage that gives out at most one row for each that it receives, for those who ask what became of a row: which
  /// rows of the last block the results were.
  virtual std::span<const std::uint32_t> origins() const { return {}; }

  virtual void save(state_writer& into) const = 0;
  /// Replaces all state by what `save` wrote.
  virtual result<void> restore(state_reader& from) = 0;
};

}  // namespace etlantic
