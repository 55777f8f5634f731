#pragma once
#include <etlantic/runtime/checkpoint_layout.hpp>
#include <etlantic/runtime/durable_file.hpp>
#include <etlantic/runtime/passing_file.hpp>
#include <etlantic/runtime/progress_totals.hpp>
#include <etlantic/runtime/run_journal.hpp>
#include <etlantic/runtime/run_record.inl.hpp>

#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>
#include <utility>

namespace etlantic {

[[gnu::used]] inline std::string journal_layout::report(std::int64_t number) const {
  return reports + "/" + checkpoint_layout::file_name(number, ".json");
}

[[gnu::used]] inline std::vector<std::int64_t> journal_layout::numbers() const {
  std::vector<std::int64_t> found;
  const result<std::vector<std::string>> names = list_directory(reports);
  if (!names) return found;
  for (const std::string& each : *names)
    if (const std::int64_t number = checkpoint_layout::batch_of(each, ".json"); number >= 0) found.push_back(number);
  return found;
}

[[gnu::used]] inline journal_layout journal_of(const profile& where) {
  journal_layout layout{where.checkpoint, where.reports.path};
  if (layout.reports.empty() && !layout.checkpoint.empty()) layout.reports = layout.checkpoint + "/reports";
  return layout;
}

[[gnu::used]] inline std::shared_ptr<run_journal> run_journal::make(const program& what, const profile& where,
                                                                    std::function<timestamp()> now) {
  journal_layout layout = journal_of(where);
  if (layout.reports.empty()) return nullptr;
  std::shared_ptr<run_journal> made(new run_journal(std::move(layout), where.reports.retained, std::move(now)));
  made->run_.pipeline = what.id;
  made->run_.pipeline_version = what.version;
  made->run_.profile = where.name;
  made->run_.trigger = name_of(where.trigger.kind);
  made->run_.pid = ::getpid();
  made->leaves_statuses_out_ = where.trigger.kind == trigger_kind::low_latency;
  return made;
}

[[gnu::used]] inline void run_journal::leave_refusal(const program& what, const profile& where, const failure& why,
                                                     timestamp at) {
  // A folder that is no checkpoint must not begin to look like a damaged one.
  const bool is_checkpoint =
      !where.checkpoint.empty() && ::access(checkpoint_layout{where.checkpoint}.identity().c_str(), F_OK) == 0;
  if (where.reports.path.empty() && !is_checkpoint) return;
  const std::shared_ptr<run_journal> journal = make(what, where, [at] { return at; });
  journal->take_refusal(why, at);
  journal->leave_refused_report();
}

[[gnu::used]] inline void run_journal::refused(const std::string& query, const failure& why, timestamp at) {
  run_.query = query;
  take_refusal(why, at);
  leave_refused_report();
  write_status();
}

[[gnu::used]] inline void run_journal::take_refusal(const failure& why, timestamp at) {
  run_.refused = true;
  run_.started = run_.written = at;
  run_.failures = {{why, at}};
  run_.failure_count = 1;
  enter(query_status::failed, at);
}

[[gnu::used]] inline void run_journal::leave_refused_report() {
  std::error_code failed;
  std::filesystem::create_directories(layout_.reports, failed);
  const std::vector<std::int64_t> earlier = layout_.numbers();
  run_.number = earlier.empty() ? 1 : earlier.back();
  if (!earlier.empty()) {
    const result<std::string> newest = read_file(layout_.report(earlier.back()));
    if (newest && newest->find("\"start\": \"refused\"") != std::string::npos) {
      (void)write_passing(layout_.report(run_.number), report_document(run_));
      return;
    }
    ++run_.number;
  }
  // Another process may take the number meanwhile; a link, unlike a rename, never replaces what is there.
  const std::string whole = layout_.reports + "/refused-" + std::to_string(run_.pid) + ".tmp";
  for (int tries = 0; tries < 10; ++tries, ++run_.number) {
    if (write_passing(whole, report_document(run_)) != 0) return;
    const bool taken = ::link(whole.c_str(), layout_.report(run_.number).c_str()) != 0 && errno == EEXIST;
    (void)::unlink(whole.c_str());
    if (!taken) break;
  }
}

[[gnu::used]] inline void run_journal::started(const query_start& event) {
  run_.query = event.query;
  run_.started = event.at;
  run_.from_checkpoint = event.next_batch > 0;
  run_.first_batch = event.next_batch;
  if (run_.from_checkpoint) run_.watermark_before = event.watermark;
  const std::vector<std::int64_t> earlier = layout_.numbers();
  run_.number = earlier.empty() ? 1 : earlier.back() + 1;
  enter(query_status::running, event.at);
  write_status();
  write_report();
  remove_old_reports();
}

[[gnu::used]] inline void run_journal::recovered(const query_recovery& event) {
  if (event.attempt == 0) return;
  enter(query_status::running, event.at);
  write_status();
}

[[gnu::used]] inline void run_journal::batch_started(const batch_start& event) {
  enter(query_status::running, event.at);
  if (event.replayed && run_.replayed.size() < most_told_replays) run_.replayed.push_back(event.batch);
}

[[gnu::used]] inline void run_journal::batch_completed(const progress& batch) {
  add_batch(run_.totals, batch);
  // A query that runs for months must not collect sentences for as long.
  if (run_.totals.warnings.size() > most_told_failures) run_.totals.warnings.resize(most_told_failures);
  run_.last = batch;
  run_.no_data_batches += batch.no_data;
  if (!leaves_statuses_out_ || clock::now() >= next_status_) write_status();
  if (clock::now() >= next_report_) write_report();
}

[[gnu::used]] inline void run_journal::idle(const query_idle& event) {
  enter(query_status::idle, event.at);
  write_status();
}

[[gnu::used]] inline void run_journal::failed(const query_failure& event) {
  ++run_.failure_count;
  run_.retries += event.tried_again;
  if (run_.failures.size() < most_told_failures)
    run_.failures.push_back(event);
  else
    run_.failures.back() = event;
  if (!event.tried_again) return;
  enter(query_status::waiting_to_retry, event.at);
  write_status();
  write_report();
}

[[gnu::used]] inline void run_journal::terminated(const query_end& event) {
  run_.stopped = event.stopped;
  enter(event.why ? query_status::failed : query_status::stopped, event.at);
  write_status();
  write_report();
}

[[gnu::used]] inline void run_journal::enter(query_status status, timestamp at) {
  if (run_.status != status) run_.since = at;
  run_.status = status;
}

[[gnu::used]] inline void run_journal::write_status() {
  run_.written = now_();
  next_status_ = clock::now() + least_time_between_statuses;
  if (!layout_.checkpoint.empty()) (void)write_passing(layout_.status(), status_document(run_));
}

[[gnu::used]] inline void run_journal::write_report() {
  run_.written = now_();
  next_report_ = clock::now() + report_interval;
  std::error_code failed;
  std::filesystem::create_directories(layout_.reports, failed);
  (void)write_passing(layout_.report(run_.number), report_document(run_));
}

[[gnu::used]] inline void run_journal::remove_old_reports() const {
  const std::vector<std::int64_t> numbers = layout_.numbers();
  for (std::size_t i = 0; i + static_cast<std::size_t>(retained_) < numbers.size(); ++i)
    (void)::unlink(layout_.report(numbers[i]).c_str());
}

}  // namespace etlantic
