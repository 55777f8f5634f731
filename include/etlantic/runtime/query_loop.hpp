#pragma once
#include <etlantic/runtime/batch_planner.hpp>
#include <etlantic/runtime/batch_runner.hpp>
#include <etlantic/runtime/batch_state.hpp>
#include <etlantic/runtime/query.hpp>
#include <etlantic/runtime/query_report.hpp>

#include <chrono>
#include <memory>
#include <optional>

namespace etlantic {

/// All that runs on a query's thread: batch after batch, as the trigger says, until it is done, stopped or failed.
class query_loop {
 public:
  /// Binds, locks, verifies, restores, opens the sinks: everything that can be refused before the first batch.
  static result<std::unique_ptr<query_loop>> prepare(program what, profile where, query::listener on_batch,
                                                     query_environment environment);

  const std::string& query_id() const { return state_.query; }
  const std::string& pipeline() const { return pipeline_.what.id; }
  /// Between batches, for tests that move the watermark without rows.
  watermark_clock& clock() { return state_.clock; }
  std::int64_t next_batch() const { return state_.next_batch; }

  /// Runs until the end; never throws.
  result<void> run(query_report& report);

 private:
  using moment = std::chrono::steady_clock::time_point;
  static constexpr duration longest_pause = std::chrono::hours{24};  // added to the present time it cannot wrap

  query_loop(profile where, query::listener on_batch, query_environment environment)
      : where_(std::move(where)), on_batch_(std::move(on_batch)), environment_(std::move(environment)) {}

  batch_setting setting() { return {pipeline_, kept_ ? &*kept_ : nullptr, state_, where_, environment_.now}; }
  result<void> identify_and_lock();
  void tell_kept_policy();
  result<void> open_sinks();
  result<void> freeze_sources();

  result<void> run_batches(query_report& report);
  result<bool> run_next(query_report& report);
  result<void> run_planned(const plan_record& plan, const progress& begun, query_report& report);
  void tell(const progress& batch) const;

  profile where_;
  query::listener on_batch_;
  query_environment environment_;
  std::optional<checkpoint> kept_;
  bound_pipeline pipeline_;
  batch_state state_;
  std::optional<plan_record> pending_;
  std::unique_ptr<batch_runner> runner_;
  std::vector<std::string> warnings_;
};

}  // namespace etlantic
