#pragma once
#include <etlantic/runtime/connector.hpp>
#include <etlantic/runtime/group_folder.inl.hpp>
#include <etlantic/runtime/group_life.hpp>
#include <etlantic/runtime/group_member.inl.hpp>
#include <etlantic/runtime/group_rules.inl.hpp>
#include <etlantic/runtime/query_life.inl.hpp>

#include <unistd.h>
#include <algorithm>

#include <chrono>
#include <thread>
#include <utility>

namespace etlantic {

namespace detail {

/// Between the query of a split and the life of the process.
class split_relay final : public query_listener {
 public:
  split_relay(group_life& to, std::string split) : to_(to), split_(std::move(split)) {}
  void batch_completed(const progress& batch) override { to_.completed(split_, batch); }
  void idle(const query_idle& event) override { to_.is_idle(split_, event); }
  void failed(const query_failure& event) override { to_.failed(split_, event); }

 private:
  group_life& to_;
  std::string split_;
};

inline result<std::shared_ptr<split_group>> join_group(const program_node& extract, const profile& where) {
  const asset_binding& bound = where.assets.at(extract.asset);
  if (bound.made_group) return bound.made_group;
  for (const connector& each : available_connectors())
    if (each.name == bound.connector && each.join_group != nullptr) return each.join_group(bound);
  return failure{failure_class::configuration, std::string(ungroupable_code),
                 "asset '" + extract.asset + "' is to be shared by a group, which '" + bound.connector + "' cannot be",
                 "profile '" + where.name + "', assets." + extract.asset + ".intake",
                 "Topics of Kafka can be shared. Remove intake: group."};
}

inline std::string in_query_id(std::string split) {
  std::replace(split.begin(), split.end(), '/', '-');
  return split;
}

/// A report of each run lies in the folder of its split or process, also where the profile names another place.
inline report_settings reports_in(report_settings reports, const std::string& name) {
  if (!reports.path.empty()) reports.path += "/" + name;
  return reports;
}

}  // namespace detail

[[gnu::used]] inline result<std::unique_ptr<group_life>> group_life::begin(program what, profile where,
                                                                           query::listener on_batch,
                                                                           query_environment environment) {
  const std::vector<group_problem> problems = problems_of_group(what, where);
  if (!problems.empty()) {
    const group_problem& first = problems.front();
    return failure{failure_class::configuration, std::string(first.code), first.message,
                   "profile '" + where.name + "', " + first.path, first.help};
  }
  if (!environment.now) environment.now = detail::system_now;
  const std::size_t extract = *grouped_extract(what, where);
  std::unique_ptr<group_life> life(new group_life(std::move(what), std::move(where), std::move(environment), extract));
  if (on_batch) life->listeners_.add(std::make_shared<detail::batch_listener>(std::move(on_batch)));
  for (std::shared_ptr<query_listener>& each : life->environment_.listeners) life->listeners_.add(std::move(each));
  life->environment_.listeners.clear();
  if (result<void> joined = life->join(); !joined) return joined.error();
  return life;
}

[[gnu::used]] inline result<void> group_life::join() {
  result<std::shared_ptr<split_group>> group = detail::join_group(what_.nodes[extract_], where_);
  if (!group) return group.error();
  group_ = std::move(*group);
  const result<std::vector<std::string>> splits = group_->splits();
  if (!splits) return splits.error();
  result<std::string> fresh = make_query_id();
  if (!fresh) return fresh.error();
  result<group_folder> folder = group_folder::open(
      where_.checkpoint,
      {std::move(*fresh), what_.id, group_->name(), environment_.now(), {splits->begin(), splits->end()}});
  if (!folder) return folder.error();
  folder_.emplace(std::move(*folder));
  requests_.emplace(folder_->place(), where_.on_stop);
  requests_->forget_old();
  profile of_process = where_;
  of_process.checkpoint = folder_->place();
  of_process.reports = detail::reports_in(
      where_.reports, "process-" + folder_->place().substr(folder_->layout().processes().size() + 1));
  journal_ = run_journal::make(what_, of_process, environment_.now);
  return {};
}

[[gnu::used]] inline bool group_life::keeps_state() const {
  return std::any_of(what_.nodes.begin(), what_.nodes.end(),
                     [](const program_node& each) { return !each.state_schema.empty(); });
}

[[gnu::used]] inline result<void> group_life::run(query_report& report) {
  {
    const std::lock_guard held(mutex_);
    report_ = &report;
  }
  tell_start();
  report.is(query_status::running);
  if (result<void> served = detail::guarded([&] {
        serve(report);
        return result<void>();
      });
      !served)
    fail(std::move(served.error()));
  stop_members(stop_policy::finish_batch);
  members_.clear();
  show_done();
  group_->leave();
  return end(report);
}

/// Until all splits are done, or it was told to stop and all of them have.
[[gnu::used]] inline void group_life::serve(query_report& report) {
  do turn(report);
  while (!is_done(report));
}

[[gnu::used]] inline void group_life::turn(query_report& report) {
  requests_->look(report);
  if (const std::optional<stop_policy> stop = report.requested_stop()) stop_members(*stop);
  take_ended(report);
  if (result<void> settled = settle_if_done(); !settled) fail(std::move(settled.error()));
  show_done();
  if (!is_member_) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));  // nothing is left to serve but the queries' end
    return;
  }
  if (result<void> looked = look_at_group(); !looked) {
    is_member_ = false;
    pending_.reset();
    fail(std::move(looked.error()));
  }
}

[[gnu::used]] inline bool group_life::is_done(const query_report& report) const {
  if (!members_.empty()) return false;
  if (failure_ || report.requested_stop()) return true;
  const bool has_end = where_.trigger.kind == trigger_kind::available_now || where_.trigger.kind == trigger_kind::once;
  return has_end && was_given_splits_ && !pending_;
}

[[gnu::used]] inline void group_life::stop_members(stop_policy how) {
  if (stopping_ && *stopping_ >= how) return;
  stopping_ = how;
  for (auto& [split, member] : members_) member->request_stop(how);
}

/// The first failure is the one that explains.
[[gnu::used]] inline void group_life::fail(failure why) {
  if (!failure_) failure_ = std::move(why);
  stop_members(stop_policy::finish_batch);
}

[[gnu::used]] inline void group_life::take_ended(query_report& report) {
  for (auto at = members_.begin(); at != members_.end();) {
    if (!at->second->has_ended()) {
      ++at;
      continue;
    }
    if (result<void> outcome = at->second->outcome(); !outcome) fail(std::move(outcome.error()));
    if (at->second->was_stopped_from_outside()) report.request_stop(stop_policy::finish_batch);
    {
      const std::lock_guard held(mutex_);
      newest_.erase(at->first);
      idle_.erase(at->first);
    }
    at = members_.erase(at);
  }
}

/// What is taken away may go to another process when nothing of it runs here.
[[gnu::used]] inline result<void> group_life::settle_if_done() {
  if (!pending_ || !is_member_) return {};
  for (const std::string& each : pending_->splits)
    if (pending_->taken_away && members_.contains(each)) return {};
  show_done();
  const split_change change = std::move(*std::exchange(pending_, std::nullopt));
  return group_->settle(change);
}

[[gnu::used]] inline result<void> group_life::look_at_group() {
  const duration patience = pending_ || stopping_ ? std::chrono::milliseconds(10) : std::chrono::milliseconds(100);
  result<std::optional<split_change>> change = group_->look(patience);
  if (!change) return change.error();
  if (!*change) return {};
  pending_ = std::move(**change);
  if (!pending_->taken_away) {
    was_given_splits_ = true;
    return stopping_ ? result<void>() : take(pending_->splits);
  }
  for (const std::string& each : pending_->splits)
    if (const auto member = members_.find(each); member != members_.end())
      member->second->request_stop(stop_policy::finish_batch);
  return {};
}

[[gnu::used]] inline result<void> group_life::take(const std::vector<std::string>& splits) {
  for (const std::string& split : splits) {
    if (members_.contains(split)) continue;
    if (result<void> ours = verify_split(split); !ours) {
      fail(std::move(ours.error()));
      return {};
    }
    result<std::unique_ptr<group_member>> begun =
        group_member::begin({split, folder_->layout().split(split), [this, split] { return start_split(split); },
                             [this](const split_move& event) { moved(event); }, environment_.now});
    if (!begun) {
      fail(std::move(begun.error()));
      return {};
    }
    members_[split] = std::move(*begun);
  }
  return {};
}

/// Whether what this split has led to so far is known here.
[[gnu::used]] inline result<void> group_life::verify_split(const std::string& split) const {
  const checkpoint_layout layout{folder_->layout().split(split)};
  if (::access(layout.identity().c_str(), F_OK) == 0) return {};
  const bool was_added = !folder_->record().splits.contains(split);
  if (was_added && keeps_state() && shared().on_added_split == added_split_policy::fail)
    return failure{
        failure_class::source_data, "PMSTREAM489",
        "the split " + split +
            " was added after the group had begun: rows of a key that is kept in another "
            "split may come there from now on",
        split,
        "If whoever writes keeps each key in its partition, say `on_added_partition: continue` in the "
        "profile. Otherwise read what was written before the change to its end, and begin a new checkpoint."};
  const result<std::optional<std::int64_t>> shown = group_->shown(split);
  if (!shown) return shown.error();
  if (!*shown) return {};
  return failure{failure_class::checkpoint, "PMSTREAM488",
                 "the group has read " + split + " up to " + std::to_string(**shown) + ", and the checkpoint '" +
                     folder_->layout().directory + "' has nothing of it",
                 layout.directory,
                 "All processes of a group need the same folder: name one that all of them see. To begin anew, use "
                 "another group or delete its offsets."};
}

[[gnu::used]] inline result<query> group_life::start_split(const std::string& split) {
  result<std::shared_ptr<source>> from = group_->source_of(split, !folder_->record().splits.contains(split));
  if (!from) return from.error();
  profile where = where_;
  where.checkpoint = folder_->layout().split(split);
  where.reports = detail::reports_in(where_.reports, split);
  where.workers = 1;  // a split is read by one
  asset_binding& shared = where.assets[what_.nodes[extract_].asset];
  shared.intake = intake_mode::planned;
  shared.made_group.reset();
  shared.made_source = std::move(*from);
  query_environment environment = environment_;
  environment.query = folder_->record().query + "-" + detail::in_query_id(split);
  environment.listeners = {std::make_shared<detail::split_relay>(*this, split)};
  return start_program(what_, std::move(where), {}, std::move(environment));
}

[[gnu::used]] inline void group_life::show_done() {
  std::map<std::string, std::int64_t> done;
  {
    const std::lock_guard held(mutex_);
    done.swap(done_);
  }
  for (const auto& [split, end] : done) group_->show(split, end);
}

// ---- what is told ---------------------------------------------------------------------------------------------------

/// State, what waits and the watermark are those of all splits that run here; counts stay those of the batch.
[[gnu::used]] inline progress group_life::with_other_splits(const progress& batch) const {
  progress all = batch;
  for (const auto& [split, other] : newest_) {
    if (split == batch.split || other.pipeline.empty()) continue;
    for (const step_progress& each : other.steps) {
      state_metrics& state = detail::entry_of(all.steps, each.node).state;
      state.windows += each.state.windows;
      state.groups += each.state.groups;
      state.bytes += each.state.bytes;
    }
    for (const extract_progress& each : other.extracts) {
      waiting_input& waiting = detail::entry_of(all.extracts, each.node).waiting;
      if (each.waiting.rows) waiting.rows = waiting.rows.value_or(0) + *each.waiting.rows;
    }
    all.watermark = std::min(all.watermark, other.watermark);
  }
  return all;
}

[[gnu::used]] inline void group_life::completed(const std::string& split, const progress& batch) {
  const std::lock_guard held(mutex_);
  progress told = batch;
  told.split = split;
  for (const extract_progress& each : batch.extracts)
    if (each.node == what_.nodes[extract_].name)
      for (const split_range& range : each.ranges) done_[split] = range.end;
  const progress all = with_other_splits(told);
  idle_.erase(split);
  report_->completed(told, all);
  if (journal_) journal_->batch_completed(all);
  listeners_.tell(&query_listener::batch_completed, told);
  newest_[split] = std::move(told);
}

/// The process is idle when all of its splits are.
[[gnu::used]] inline void group_life::is_idle(const std::string& split, const query_idle& event) {
  const std::lock_guard held(mutex_);
  newest_[split];
  idle_.insert(split);
  if (idle_.size() < newest_.size()) return;
  if (journal_) journal_->idle(event);
  listeners_.tell(&query_listener::idle, event);
}

[[gnu::used]] inline void group_life::failed(const std::string& split, const query_failure& event) {
  query_failure told = event;
  told.why.where = split + (told.why.where.empty() ? "" : ": " + told.why.where);
  const std::lock_guard held(mutex_);
  if (journal_) journal_->failed(told);
  listeners_.tell(&query_listener::failed, told);
}

[[gnu::used]] inline void group_life::moved(const split_move& event) {
  const std::lock_guard held(mutex_);
  listeners_.tell(&query_listener::split_moved, event);
}

[[gnu::used]] inline void group_life::tell_start() {
  const query_start told{query_id(), what_.id, environment_.now(), 0, false, {}};
  const std::lock_guard held(mutex_);
  if (journal_) journal_->started(told);
  listeners_.tell(&query_listener::started, told);
}

[[gnu::used]] inline result<void> group_life::end(query_report& report) {
  query_end told{environment_.now(), report.requested_stop().has_value(), failure_};
  const std::lock_guard held(mutex_);
  if (journal_) journal_->terminated(told);
  listeners_.tell(&query_listener::terminated, told);
  return failure_ ? result<void>(*failure_) : result<void>();
}

}  // namespace etlantic
