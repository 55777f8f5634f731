#pragma once
#include <etlantic/tool/balance.hpp>
#include <etlantic/tool/default_profile.hpp>
#include <etlantic/tool/delivery.hpp>
#include <etlantic/tool/interrupt.hpp>
#include <etlantic/tool/progress_printer.hpp>
#include <etlantic/tool/quarantine.hpp>
#include <etlantic/tool/reference.hpp>
#include <etlantic/tool/run_command.hpp>
#include <etlantic/tool/stage_times.hpp>
#include <etlantic/tool/status_command.inl.hpp>
#include <etlantic/tool/summary.hpp>

#include <chrono>
#include <mutex>
#include <utility>

namespace etlantic {
namespace detail {

inline constexpr std::string_view imbalance_code = "PMSTREAM499";

/// Failures that are tried again, and partitions that come and go, from the query's thread to the one that prints.
class query_notes final : public query_listener {
 public:
  explicit query_notes(progress_printer& display) : display_(display) {}

  void failed(const query_failure& event) override {
    if (!event.tried_again) return;
    display_.show_retry(event);
    const std::lock_guard held(mutex_);
    // Only the newest matters to whoever looks, and nobody may look for long.
    note_ = event.why.code + ": " + event.why.message + "; waits " +
            seconds_text(static_cast<double>(event.wait.count()) / 1e6) + ", then tries again: attempt " +
            std::to_string(event.attempt) + " of " + std::to_string(event.attempts);
  }
  void split_moved(const split_move& event) override {
    display_.show_split(event);
    if (event.state != split_state::waiting) return;
    const std::lock_guard held(mutex_);
    note_ = event.split + " waits: " + event.reason;
  }
  std::string take() {
    const std::lock_guard held(mutex_);
    return std::exchange(note_, {});
  }

 private:
  progress_printer& display_;
  std::mutex mutex_;
  std::string note_;
};

class pipeline_run {
 public:
  pipeline_run(const program& what, const profile_reading& reading, const command_line& asked, const console& to)
      : program_(what), reading_(reading), asked_(asked), display_(what, reading.settings, asked.progress, to) {}

  exit_code run(const query_starter& start) {
    report unresolved;
    profile where = resolve_references(reading_, unresolved);
    if (!unresolved.valid()) return refuse(unresolved);
    if (asked_.once) where.trigger.kind = trigger_kind::available_now;
    if (asked_.workers != 0) where.workers = asked_.workers;
    where.accepted_batch = asked_.accepted_batch;
    read_redriven_rows(program_, where);

    const interrupt signals;
    const auto started = clock::now();
    const stop_policy on_stop = where.on_stop;
    auto query =
        start(program_, std::move(where), [this](const progress& batch) { display_.show_batch(batch); }, notes_);
    if (!query) return fail(query.error());
    wait(**query, signals, started, on_stop);
    const result<void> ended = (*query)->outcome();

    run_summary summary;
    summary.seconds = std::chrono::duration<double>(clock::now() - started).count();
    summary.totals = (*query)->totals();
    summary.outcome = !ended                       ? run_outcome::failed
                      : (*query)->stop_requested() ? run_outcome::stopped
                                                   : run_outcome::finished;
    summary.places = places();
    summary.imbalances = imbalances(program_, summary.totals);
    return conclude(summary, ended);
  }

 private:
  using clock = std::chrono::steady_clock;
  static constexpr duration redraw_interval = std::chrono::milliseconds(100);

  const program& program_;
  const profile_reading& reading_;
  const command_line& asked_;
  progress_printer display_;
  std::shared_ptr<query_notes> notes_ = std::make_shared<query_notes>(display_);

  exit_code refuse(const report& mistakes) {
    for (const diagnostic& each : mistakes.found) display_.show_diagnostic(each);
    return exit_code::definition;
  }

  exit_code fail(const failure& why) {
    display_.show_failure(why);
    return exit_code_of(why.kind);
  }

  void wait(running& query, const interrupt& signals, clock::time_point started, stop_policy on_stop) {
    int answered = 0;
    bool over = false;
    while (!query.await(over ? redraw_interval : next_wait(started))) {
      tell_notes();
      display_.show_live(query.totals(), query.last_progress());
      if (!over && asked_.at_most && clock::now() - started >= *asked_.at_most) {
        over = true;
        query.request_stop(on_stop);
      }
      const int requests = signals.requests();
      if (requests == answered) continue;
      answered = requests;
      const stop_policy how = requests == 1 ? on_stop : stop_policy::at_once;
      display_.note(sentence_about(how));
      query.request_stop(how);
    }
    tell_notes();  // one that was over before anybody looked
  }

  void tell_notes() {
    if (const std::string note = notes_->take(); !note.empty()) display_.note(note);
  }

  static std::string_view sentence_about(stop_policy how) {
    switch (how) {
      case stop_policy::drain: return "stopping when all that is there is read; once more stops at once";
      case stop_policy::finish_batch: return "stopping after this batch; once more stops at once";
      case stop_policy::at_once: break;
    }
    return "stopping at once; once more ends the process, which is safe too";
  }

  duration next_wait(clock::time_point started) const {
    if (!asked_.at_most) return redraw_interval;
    const auto left = std::chrono::duration_cast<duration>(*asked_.at_most - (clock::now() - started));
    return std::clamp(left, duration{0}, redraw_interval);
  }

  std::vector<published_place> places() const {
    std::vector<published_place> found;
    for (const program_node& node : program_.nodes) {
      if (node.kind != node_kind::load) continue;
      const auto bound = reading_.settings.assets.find(node.asset);
      if (bound != reading_.settings.assets.end())
        found.push_back({node.name, node.asset, binding_text(bound->second)});
    }
    return found;
  }

  exit_code conclude(const run_summary& summary, const result<void>& ended) {
    if (!ended) display_.show_failure(ended.error());
    display_.show_summary(summary);
    if (asked_.profile_stages) display_.note(stage_times_text(summary));
    exit_code code = ended ? exit_code::ok : exit_code_of(ended.error().kind);
    if (!summary.imbalances.empty()) {
      for (const std::string& each : summary.imbalances)
        display_.show_failure({failure_class::internal, std::string(imbalance_code), "the counts do not add up", each,
                               "this is a defect: please report it with this output and the profile"});
      if (code == exit_code::ok) code = exit_code::internal;
    }
    if (code == exit_code::ok && display_.lost_output()) {
      display_.show_failure({failure_class::resource_exhausted, "PMSTREAM498",
                             "the progress could not be written; the results are complete", "standard output",
                             "make room where it goes to"});
      code = exit_code::exhausted;
    }
    return code;
  }
};

}  // namespace detail

[[gnu::used]] inline exit_code run_pipeline(const program& what, const profile_reading& reading,
                                            const command_line& asked, const console& to, const query_starter& start) {
  return detail::pipeline_run(what, reading, asked, to).run(start);
}

}  // namespace etlantic
