#pragma once
#include "cases/case_ends.hpp"
#include "cases/case_folder.hpp"
#include "cases/pipeline_runner.hpp"

#include <etlantic/runtime/query.hpp>

#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace pipeline_runner {

/// When a query is stopped and started again: where the case says, before every batch, or never.
enum class restarts { as_given, before_every_batch, never };

/// One life of a case's pipeline, fed with its batches. The first difference from what the case expects ends it.
class case_run {
 public:
  case_run(const case_folder& expected, program before, program after, restarts when, std::size_t workers,
           std::string checkpoint);
  ~case_run();

  /// The first difference; empty if there is none.
  std::string find_difference();

 private:
  bool restarts_before(std::int64_t batch) const;
  void bind(program& what);
  std::string start(std::int64_t batch);
  std::string stop();
  std::string process(std::int64_t batch);
  std::string compare(std::int64_t batch);
  std::vector<std::map<std::string, std::string>> take_results();
  std::string compare_rows(std::int64_t batch);
  std::string compare_late_lines();
  void take_late_lines();

  const case_folder& expected_;
  program before_, after_;
  restarts when_;
  profile where_;
  batch_gate gate_;
  std::map<std::string, std::shared_ptr<lines_in_batches>> sources_;
  std::map<std::string, std::shared_ptr<kept_rows>> results_;  // by asset
  std::vector<std::shared_ptr<kept_rows>> late_;
  std::map<std::string, std::set<std::int64_t>> late_lines_;
  std::optional<query> running_;
  std::int64_t rows_given_ = 0;

  std::mutex lock_;
  std::condition_variable changed_;
  progress last_;
  timestamp watermark_;
  std::int64_t rows_read_ = 0;
  std::int64_t rows_invalid_ = 0;
  bool settled_ = true;
};

}  // namespace pipeline_runner
