#pragma once
#include <etlantic/runtime/group_folder.hpp>
#include <etlantic/runtime/group_member.hpp>
#include <etlantic/runtime/group_rules.hpp>
#include <etlantic/runtime/query_course.hpp>
#include <etlantic/runtime/query_environment.hpp>
#include <etlantic/runtime/run_journal.hpp>
#include <etlantic/runtime/split_group.hpp>
#include <etlantic/runtime/stop_request.hpp>

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>

namespace etlantic {

/// A process of a group from its start to its end. The group gives it splits; each is a query of its own with a
/// checkpoint of its own, which is all that a result depends on. What is taken away ends its batch and lets go of its
/// checkpoint before another process is told that it may have it.
class group_life final : public query_course {
 public:
  static result<std::unique_ptr<group_life>> begin(program what, profile where, query::listener on_batch,
                                                   query_environment environment);

  const std::string& query_id() const override { return folder_->record().query; }
  const std::string& pipeline() const override { return what_.id; }
  result<void> run(query_report& report) override;

  // What the queries of the splits tell, each on its own thread.
  void completed(const std::string& split, const progress& batch);
  void is_idle(const std::string& split, const query_idle& event);
  void failed(const std::string& split, const query_failure& event);

 private:
  group_life(program what, profile where, query_environment environment, std::size_t extract)
      : what_(std::move(what)), where_(std::move(where)), environment_(std::move(environment)), extract_(extract) {}

  result<void> join();
  const asset_binding& shared() const { return where_.assets.at(what_.nodes[extract_].asset); }
  bool keeps_state() const;

  void serve(query_report& report);
  void turn(query_report& report);
  void stop_members(stop_policy how);
  void take_ended(query_report& report);
  result<void> settle_if_done();
  result<void> look_at_group();
  result<void> take(const std::vector<std::string>& splits);
  result<void> verify_split(const std::string& split) const;
  result<query> start_split(const std::string& split);
  void show_done();
  bool is_done(const query_report& report) const;
  void fail(failure why);

  progress with_other_splits(const progress& batch) const;
  void moved(const split_move& event);
  void tell_start();
  result<void> end(query_report& report);

  program what_;
  profile where_;
  query_environment environment_;
  std::size_t extract_;
  query_listeners listeners_;
  std::shared_ptr<run_journal> journal_;
  std::optional<group_folder> folder_;
  std::optional<stop_request> requests_;
  std::shared_ptr<split_group> group_;

  std::mutex mutex_;  // of what the members tell
  query_report* report_ = nullptr;
  std::map<std::string, progress> newest_;    // the last batch of each split that runs
  std::map<std::string, std::int64_t> done_;  // how far splits are, as far as the group was not told yet
  std::set<std::string> idle_;

  std::map<std::string, std::unique_ptr<group_member>> members_;
  std::optional<split_change> pending_;
  bool was_given_splits_ = false;
  std::optional<stop_policy> stopping_;
  std::optional<failure> failure_;
  bool is_member_ = true;
};

}  // namespace etlantic
