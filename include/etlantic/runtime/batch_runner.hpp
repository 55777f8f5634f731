#pragma once
#include <etlantic/core/result.hpp>
#include <etlantic/runtime/batch_record.hpp>
#include <etlantic/runtime/batch_router.hpp>
#include <etlantic/runtime/batch_state.hpp>
#include <etlantic/runtime/extract_intake.hpp>
#include <etlantic/runtime/parallel_read.hpp>
#include <etlantic/runtime/progress.hpp>
#include <etlantic/runtime/split_times.hpp>
#include <etlantic/runtime/worker_pool.hpp>
#include <etlantic/runtime/workers.hpp>

#include <map>
#include <memory>
#include <string_view>
#include <vector>

namespace etlantic {

/// A batch that was left between two of its parts, because its query was told to stop at once. Never shown: its plan
/// stays, and the next start replays it.
inline constexpr std::string_view abandoned_batch_code = "PMSTREAM490";

/// Runs planned batches, one at a time, from the first row read to the commit record.
class batch_runner {
 public:
  explicit batch_runner(const batch_setting& query)
      : query_(query),
        router_(query.pipeline.what, query.pipeline.stages),
        workers_(workers_of(query.where)),
        on_overflow_(query.where.on_overflow),
        warned_of_complete_(query.pipeline.what.nodes.size(), false) {}

  /// Runs a batch whose plan is durable (or is not kept at all).
  result<progress> run(const plan_record& plan);

  /// Computes a batch that is done again, for the state that it led to: publishes nothing, and refuses if the counts
  /// are not those of its commit record.
  result<void> run_again(const committed_batch& done);

  /// Lets every sink forget what it has prepared.
  void abort();

 private:
  static constexpr std::size_t many_complete_rows = 100'000;

  result<void> process(const plan_record& plan);
  result<void> publish(const plan_record& plan);
  result<void> keep(const plan_record& plan);

  result<void> may_go_on(const plan_record& plan) const;
  result<void> begin(const plan_record& plan);
  void follow_silence(const plan_record& plan);
  void follow_splits(const plan_record& plan);
  result<void> read(const extract_ranges& planned, const plan_record& plan);
  result<void> read_pieces(std::size_t node, const std::vector<split_range>& pieces, extract_intake& into,
                           const plan_record& plan);
  result<void> judge_again();
  result<void> judge_rows(std::size_t load, const std::vector<block>& rows);
  result<void> finish_steps();
  result<void> verify_same(const committed_batch& done) const;
  result<void> verify_counts(std::size_t node, const stage_counts& counts) const;
  result<void> write_snapshot(const plan_record& plan);
  commit_record commit_of(const plan_record& plan) const;

  batch_setting query_;
  batch_router router_;
  worker_pool workers_;
  overflow_policy on_overflow_;
  buffer storage_;  // kept, because new memory has to be cleared by the system first
  std::map<std::size_t, std::unique_ptr<parallel_read>> reads_;  // by node
  std::vector<bool> warned_of_complete_;                         // by node
  progress done_;                                                // of the batch that is running
  std::optional<split_times> times_;
};

}  // namespace etlantic
