#pragma once
#include <etlantic/runtime/query_course.hpp>
#include <etlantic/runtime/query_loop.hpp>
#include <etlantic/runtime/run_journal.hpp>

#include <memory>
#include <optional>
#include <string>

namespace etlantic {

/// A query from its start to its end. A failure that may pass ends its loop and not the query: after a wait it starts
/// again, in the way in which it would after a crash, but without letting go of the checkpoint's lock.
class query_life final : public query_course {
 public:
  /// Claims the checkpoint and opens everything; what fails here may be tried again too, once the checkpoint is ours.
  static result<std::unique_ptr<query_life>> begin(program what, profile where, query::listener on_batch,
                                                   query_environment environment);

  const std::string& query_id() const override { return id_; }
  const std::string& pipeline() const override { return query_.what.id; }
  result<void> run(query_report& report) override;

 private:
  explicit query_life(query_setting query)
      : query_(std::move(query)), requests_(query_.where.checkpoint, query_.where.on_stop) {}

  result<void> start();
  result<void> start_again();
  result<void> run_until_failure(query_report& report);
  bool waits_to_retry(const failure& why, query_report& report);
  void tell_start();
  void tell_recovery() const;
  result<void> end(result<void> outcome, query_report& report);

  query_setting query_;  // first: the loop looks at it
  std::string id_;
  stop_request requests_;
  std::optional<checkpoint_lock> lock_;
  std::unique_ptr<query_loop> loop_;
  std::optional<failure> failed_start_;
  int attempts_ = 0;              // since the last committed batch
  bool stopped_waiting_ = false;  // it was told to stop while it waited to try again
};

}  // namespace etlantic
