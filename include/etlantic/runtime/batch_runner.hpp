#pragma once
#include <etlantic/core/result.hpp>
#include <etlantic/runtime/batch_record.hpp>
#include <etlantic/runtime/batch_router.hpp>
#include <etlantic/runtime/batch_state.hpp>
#include <etlantic/runtime/extract_intake.hpp>
#include <etlantic/runtime/parallel_read.hpp>
#include <etlantic/runtime/progress.hpp>
#include <etlantic/runtime/worker_pool.hpp>
#include <etlantic/runtime/workers.hpp>

#include <map>
#include <memory>
#include <vector>

namespace etlantic {

/// Runs planned batches, one at a time, from the first row read to the commit record.
class batch_runner {
 public:
  explicit batch_runner(const batch_setting& query)
      : query_(query), router_(query.pipeline.what, query.pipeline.stages), workers_(workers_of(query.where)) {}

  /// Runs a batch whose plan is durable (or is not kept at all).
  result<progress> run(const plan_record& plan);

  /// Lets every sink forget what it has prepared.
  void abort();

 private:
  result<void> process(const plan_record& plan);
  result<void> publish(const plan_record& plan);
  result<void> keep(const plan_record& plan);

  result<void> begin(const plan_record& plan);
  void follow_silence(const plan_record& plan);
  result<void> read(const extract_ranges& planned, const plan_record& plan);
  result<void> read_pieces(std::size_t node, const std::vector<split_range>& pieces, extract_intake& into);
  result<void> judge_rows(std::size_t load, const std::vector<block>& rows);
  result<void> finish_steps();
  void follow_watermarks(std::size_t node);
  result<void> verify_counts(std::size_t node, const stage_counts& counts) const;
  result<snapshot_receipt> write_snapshot(const plan_record& plan);
  commit_record commit_of(const plan_record& plan, snapshot_receipt saved) const;

  batch_setting query_;
  batch_router router_;
  worker_pool workers_;
  buffer storage_;  // kept, because new memory has to be cleared by the system first
  std::map<std::size_t, std::unique_ptr<parallel_read>> reads_;  // by node
  progress done_;  // of the batch that is running
};

}  // namespace etlantic
