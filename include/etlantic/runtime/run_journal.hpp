#pragma once
#include <etlantic/runtime/profile.hpp>
#include <etlantic/runtime/program.hpp>
#include <etlantic/runtime/query_listener.hpp>
#include <etlantic/runtime/run_record.hpp>

#include <chrono>
#include <functional>
#include <memory>
#include <string>

namespace etlantic {

/// Where the files of a journal lie: the status of a query beside the lock of its checkpoint, and a report of each run.
struct journal_layout {
  std::string checkpoint;  ///< empty: no status
  std::string reports;     ///< empty: no reports

  std::string status() const { return checkpoint + "/status.json"; }
  std::string report(std::int64_t number) const;
  /// Numbers of the reports that are there, in order.
  std::vector<std::int64_t> numbers() const;
};

journal_layout journal_of(const profile& where);

/// Writes down how a query is doing, for other processes and for later. Only under the checkpoint's lock, so that two
/// queries never write one file. A file that cannot be written is no reason to end the query.
class run_journal final : public query_listener {
 public:
  /// None where the profile names no place.
  static std::shared_ptr<run_journal> make(const program& what, const profile& where, std::function<timestamp()> now);

  /// Leaves a report of a start that was refused, where reports lie already or the profile names a place for them. Of
  /// several in a row the last one stays, so that a program which is started again and again does not push out the
  /// reports of runs. Its files may be another query's: only a name that is free is taken.
  static void leave_refusal(const program& what, const profile& where, const failure& why, timestamp at);

  /// The same under the checkpoint's lock: the status tells it too.
  void refused(const std::string& query, const failure& why, timestamp at);

  void started(const query_start& event) override;
  void recovered(const query_recovery& event) override;
  void batch_started(const batch_start& event) override;
  void batch_completed(const progress& batch) override;
  void idle(const query_idle& event) override;
  void failed(const query_failure& event) override;
  void terminated(const query_end& event) override;

 private:
  using clock = std::chrono::steady_clock;
  // How much of a killed run may be missing in its report.
  static constexpr auto report_interval = std::chrono::seconds(10);
  // Replacing a file a thousand times a second would make the records of the checkpoint wait for the disk.
  static constexpr auto least_time_between_statuses = std::chrono::milliseconds(100);

  run_journal(journal_layout layout, int retained, std::function<timestamp()> now)
      : layout_(std::move(layout)), retained_(retained), now_(std::move(now)) {}

  void take_refusal(const failure& why, timestamp at);
  void leave_refused_report();
  void enter(query_status status, timestamp at);
  void write_status();
  void write_report();
  void remove_old_reports() const;

  journal_layout layout_;
  int retained_;
  std::function<timestamp()> now_;
  run_record run_;
  bool leaves_statuses_out_ = false;  // of batches that follow fast
  clock::time_point next_status_{};
  clock::time_point next_report_{};
};

}  // namespace etlantic
