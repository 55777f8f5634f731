#pragma once
#include <etlantic/runtime/batch_planner.hpp>
#include <etlantic/runtime/batch_runner.hpp>
#include <etlantic/runtime/batch_state.hpp>
#include <etlantic/runtime/interval_snapshots.hpp>
#include <etlantic/runtime/query.hpp>
#include <etlantic/runtime/query_report.hpp>
#include <etlantic/runtime/recovery.hpp>
#include <etlantic/runtime/stop_request.hpp>

#include <chrono>
#include <memory>
#include <optional>

namespace etlantic {

/// What the loops of a query, one after each start, have in common. Outlives them.
struct query_setting {
  program what;
  profile where;
  query_environment environment;
  query_listeners listeners;

  timestamp now() const { return environment.now(); }
};

/// All that runs on a query's thread from a start to the next failure: batch after batch, as the trigger says, until it
/// is done or told to stop.
class query_loop {
 public:
  /// Binds the assets, takes the checkpoint's lock, unless it is given one, and compares what lies there.
  static result<std::unique_ptr<query_loop>> claim(const query_setting& query, std::optional<checkpoint_lock> held);

  /// Restores, verifies the targets and opens the sinks: everything else that can be refused before the first batch.
  result<void> open();

  const std::string& query_id() const { return state_.query; }
  const std::string& pipeline() const { return pipeline_.what.id; }
  timestamp watermark() const { return state_.clock.watermark(); }
  bool replays() const { return !recovered_.pending.empty(); }
  bool has_committed() const { return has_committed_; }
  /// None if nothing is kept.
  result<std::optional<checkpoint_lock>> share_lock() const;
  /// Between batches, for tests that move the watermark without rows.
  watermark_clock& clock() { return state_.clock; }
  std::int64_t next_batch() const { return state_.next_batch; }

  /// Runs until the end; never throws.
  result<void> run(query_report& report, stop_request& requests);

 private:
  using moment = std::chrono::steady_clock::time_point;

  explicit query_loop(const query_setting& query)
      : query_(query), where_(query.where), environment_(query.environment) {}

  batch_setting setting() {
    return {pipeline_, kept_ ? &*kept_ : nullptr, state_, where_, environment_.now, abandons_};
  }
  result<void> identify_and_lock(std::optional<checkpoint_lock> held);
  void tell_kept_policy();
  result<void> open_sinks();
  result<void> freeze_sources();

  result<void> run_batches(query_report& report, stop_request& requests);
  result<bool> catch_up(query_report& report, stop_request& requests);
  result<void> run_triggered(query_report& report, stop_request& requests);
  result<void> look_at_snapshots();
  result<bool> run_next(query_report& report);
  result<void> run_planned(const plan_record& plan, const progress& begun, query_report& report);
  std::vector<extract_progress> look_at_waiting() const;
  void take_left_out(progress& begun) const;
  void tell_idle();
  result<void> await_rows(query_report& report, stop_request& requests);
  result<void> settle();

  const query_setting& query_;
  const profile& where_;
  const query_environment& environment_;
  std::optional<checkpoint> kept_;
  bound_pipeline pipeline_;
  batch_state state_;
  recovered_work recovered_;
  std::optional<interval_snapshots> snapshots_;
  std::function<bool()> abandons_;
  std::unique_ptr<batch_runner> runner_;
  std::vector<std::string> warnings_;
  bool has_committed_ = false;
  bool told_idle_ = false;
  moment last_batch_{};
};

}  // namespace etlantic
