#pragma once
#include <etlantic/runtime/profile.hpp>
#include <etlantic/runtime/program.hpp>
#include <etlantic/tool/command_line.hpp>
#include <etlantic/tool/console.hpp>
#include <etlantic/tool/diagnostic.hpp>
#include <etlantic/tool/progress_record.hpp>

#include <atomic>
#include <chrono>
#include <deque>

namespace etlantic {

/// Shows a run to whoever looks: a live line and a table to a terminal, JSON records to a file or a pipe; both if only
/// one of the two outputs is a terminal. `show_batch`, `show_retry` and `show_split` are called on the query's thread,
/// all else on the caller's.
class progress_printer {
 public:
  progress_printer(const program& what, const profile& where, progress_display how, const console& to);

  void show_batch(const progress& batch);
  void show_retry(const query_failure& what);
  void show_split(const split_move& what);
  void show_live(const progress& totals, const progress& last);
  void show_summary(const run_summary& run);
  void show_failure(const failure& why);
  void show_diagnostic(const diagnostic& what);
  void note(std::string_view sentence);

  /// Records were lost, and not because their reader had enough.
  bool lost_output() const { return lost_; }

 private:
  using clock = std::chrono::steady_clock;
  struct sample {
    clock::time_point when;
    std::int64_t rows;
  };

  const program& program_;
  const console& console_;
  std::FILE* records_ = nullptr;  // null: nobody wants them
  std::FILE* live_ = nullptr;
  std::FILE* table_ = nullptr;
  std::size_t drawn_ = 0;  // characters of the live line that stand on the terminal
  std::deque<sample> samples_;
  std::atomic<bool> lost_ = false;

  void write_record(const std::string& record);
  void erase_live();
  double rate_at(clock::time_point now, std::int64_t rows);
};

}  // namespace etlantic
