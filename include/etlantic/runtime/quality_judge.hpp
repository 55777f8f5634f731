#pragma once
#include <etlantic/column/block.hpp>
#include <etlantic/column/state_io.hpp>
#include <etlantic/core/result.hpp>
#include <etlantic/runtime/batch_record.hpp>
#include <etlantic/runtime/profile.hpp>
#include <etlantic/runtime/program.hpp>
#include <etlantic/runtime/progress.hpp>
#include <etlantic/runtime/quality_gate.hpp>

#include <cstdint>
#include <deque>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

namespace etlantic {

/// What a gate counted in one batch.
struct gate_measure {
  std::int64_t batch = 0;
  timestamp planned_at;
  std::int64_t rows = 0;
  std::int64_t counted = 0;  ///< invalid, complete or duplicate ones; of a gate over each event those that fail it
  std::int64_t newest = std::numeric_limits<std::int64_t>::min();  ///< of freshness

  friend bool operator==(const gate_measure&, const gate_measure&) = default;
};

/// Judges the quality gates of a profile. A batch is judged by its own rows and by what the batches that were committed
/// before it counted; the time is that at which it was planned. So a replay comes to the same verdict.
class quality_judge {
 public:
  /// Takes the gates of the profile; a gate that cannot be judged over the pipeline is a failure.
  result<void> watch(const program& what, const profile& where);
  bool watches(std::size_t node) const;
  /// Whether the rows of an extract must wait for the verdict on the whole of them.
  bool holds_back(std::size_t node) const;

  void begin(const plan_record& plan, std::int64_t accepted_batch);
  /// Counts valid or published rows. Those that a gate over each event puts into quarantine are added to `aside`, in
  /// order, with the gate's name.
  void count(std::size_t node, const block& rows, std::vector<std::pair<std::size_t, const quality_gate*>>& aside);
  void count_invalid(std::size_t node, std::int64_t rows);
  /// The verdict of all gates of a node whose rows are complete: recorded in the progress; a gate that pauses or fails
  /// is a failure. Gives the gate that puts all rows of the node into quarantine, or null.
  result<const quality_gate*> judge(std::size_t node, progress& into) const;
  /// Off while batches are computed again that were committed: gates count, and none pauses or fails.
  void enforce(bool on) { enforces_ = on; }
  /// The batch is going to be committed: what it counted is a part of the past.
  void end_batch();

  /// What the gates remember, as a section of a snapshot: version, then of each gate its identity and its measures.
  void save(state_writer& into) const;
  result<void> restore(std::string_view bytes);
  bool remembers() const;

  static constexpr std::string_view section = "quality gates";  // no step has a name with a blank
  static constexpr std::uint32_t version = 1;
  static constexpr std::size_t most_measures = 10'000;

 private:
  struct bound_gate {
    quality_gate gate;
    std::size_t node = 0;
    std::vector<std::size_t> columns;
    std::string identity;                 ///< of what it counts; one that counts something else begins anew
    std::optional<std::size_t> window{};  ///< of a gate over windows: the column with their starts
    gate_measure now{};
    std::map<std::int64_t, gate_measure> windows{};  ///< of the batch, by their starts
    std::deque<gate_measure> past{};
    std::unordered_set<std::string> keys{};  ///< of the batch
  };

  bool fails(bound_gate& by, const block& rows, std::size_t row);
  bool counts(bound_gate& by, gate_measure& into, const block& rows, std::size_t row);
  void count_windows(bound_gate& by, const block& rows);
  gate_result verdict_of(const bound_gate& by) const;
  gate_result verdict_on(const bound_gate& by, const gate_measure& all) const;
  gate_result verdict_on_windows(const bound_gate& by) const;
  bool is_past(const bound_gate& by, const gate_measure& measure) const;
  result<void> carry_out(const bound_gate& by, const gate_result& found, progress& into) const;

  std::vector<bound_gate> gates_;
  std::int64_t batch_ = 0;
  timestamp planned_at_;
  bool accepted_ = false;
  bool enforces_ = true;
};

}  // namespace etlantic
