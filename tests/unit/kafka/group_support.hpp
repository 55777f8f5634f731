#pragma once
#include "support/catch.hpp"
#include "support/temporary_directory.hpp"
#include "unit/kafka/fake_cluster.hpp"

#include <etlantic/etlantic.hpp>
#include <etlantic/runtime/group_folder.hpp>

#include <condition_variable>
#include <deque>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

namespace etlantic::test {

struct Click {
  text user;
  std::int64_t amount;
};

struct UserTotal {
  text user;
  std::int64_t amount;
  using key = primary_key<"user">;
};

struct AddClicks {
  input<Click> clicks;
  output<UserTotal> totals;
};

constexpr auto implement(const AddClicks& t) {
  return t.clicks | group_by<"user"> | aggregate<UserTotal>(named<"amount"> = sum(field<"amount">));
}

struct UserTotals {
  extract<Click, "clicks"> clicks;
  step<AddClicks, "clicks.valid"> add;
  load<UserTotal, "totals", "add.totals", output_mode::update> totals;
  load<rejected<Click>, "rejected", "clicks.invalid"> rejected_clicks;
};

/// Writes down what becomes of the partitions, and waits without sleeping.
class move_log final : public query_listener {
 public:
  void split_moved(const split_move& event) override {
    const std::lock_guard held(mutex_);
    said_.push_back(std::string(name_of(event.state)) + " " + event.split);
    changed_.notify_all();
  }
  void batch_completed(const progress& batch) override {
    const std::lock_guard held(mutex_);
    rows_ += batch.rows_read();
    changed_.notify_all();
  }

  void terminated(const query_end& event) override {
    const std::lock_guard held(mutex_);
    failed_ = event.why;
    changed_.notify_all();
  }

  void await(const std::string& what, int times = 1) {
    await_until([&] { return std::count(said_.begin(), said_.end(), what) >= times; });
  }
  void await_count(const std::string& state, int times) {
    await_until([&] { return counted(state) >= times; });
  }
  void await_rows(std::int64_t rows) {
    await_until([&] { return rows_ >= rows; });
  }
  int count(const std::string& state) const {
    const std::lock_guard held(mutex_);
    return counted(state);
  }

 private:
  int counted(const std::string& state) const {
    return static_cast<int>(std::count_if(said_.begin(), said_.end(),
                                          [&](const std::string& each) { return each.starts_with(state + " "); }));
  }

  template <class Condition>
  void await_until(Condition condition) {
    std::unique_lock held(mutex_);
    changed_.wait(held, [&] { return failed_ || condition(); });
    if (!condition()) FAIL(failed_->code << " " << failed_->message << " (" << failed_->where << ")");
  }

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::optional<failure> failed_;
  std::vector<std::string> said_;
  std::int64_t rows_ = 0;
};

/// A group that gives and takes what the test says, with a topic in memory.
class scripted_group final : public split_group {
 public:
  explicit scripted_group(std::map<std::string, fake_cluster>& clusters) : clusters_(clusters) {}

  std::function<void(const split_change&)> on_settled;

  void give(std::vector<std::string> splits) { push({false, std::move(splits)}); }
  void take_away(std::vector<std::string> splits) { push({true, std::move(splits)}); }
  void await_settled(int changes) {
    std::unique_lock held(mutex_);
    changed_.wait(held, [&] { return settled_ >= changes; });
  }
  std::map<std::string, std::int64_t> shown_offsets() const { return shown_; }
  bool has_left() const { return left_; }
  bool was_added(const std::string& split) const {
    const std::lock_guard held(mutex_);
    return added_.contains(split);
  }

  result<std::vector<std::string>> splits() override {
    std::vector<std::string> found;
    for (const auto& [split, cluster] : clusters_) found.push_back(split);
    return found;
  }
  result<std::optional<split_change>> look(duration at_most) override {
    std::unique_lock held(mutex_);
    changed_.wait_for(held, at_most, [&] { return !given_ && !coming_.empty(); });
    if (given_ || coming_.empty()) return std::optional<split_change>();
    given_ = true;
    return std::optional(coming_.front());
  }
  result<void> settle(const split_change& change) override {
    if (on_settled) on_settled(change);
    const std::lock_guard held(mutex_);
    coming_.pop_front();
    given_ = false;
    ++settled_;
    changed_.notify_all();
    return {};
  }
  void show(const std::string& split, std::int64_t done) override { shown_[split] = done; }
  result<std::optional<std::int64_t>> shown(const std::string& split) override {
    const auto found = shown_.find(split);
    return found == shown_.end() ? std::optional<std::int64_t>() : std::optional(found->second);
  }
  result<std::shared_ptr<source>> source_of(const std::string& split, bool was_added) override {
    const std::lock_guard held(mutex_);
    if (was_added) added_.insert(split);
    kafka::source_settings settings;
    settings.topics = {"clicks"};
    settings.only = kafka::partition_of(split);
    settings.reaching.timeout_ms = 200;
    return clusters_[split].source_of(settings);
  }
  void leave() override {
    left_ = true;
    given_ = false;
    coming_.clear();
  }
  std::string name() const override { return "clicks-by-user"; }

 private:
  void push(split_change change) {
    const std::lock_guard held(mutex_);
    coming_.push_back(std::move(change));
    changed_.notify_all();
  }

  std::map<std::string, fake_cluster>& clusters_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<split_change> coming_;
  bool given_ = false;
  bool left_ = false;
  int settled_ = 0;
  std::map<std::string, std::int64_t> shown_;
  std::set<std::string> added_;
};

/// Totals by user over a shared topic, into files. A partition is a cluster of its own, because several are read at
/// the same time.
struct group_of_clicks {
  temporary_directory folder;
  std::map<std::string, fake_cluster> clusters;
  std::shared_ptr<scripted_group> group = std::make_shared<scripted_group>(clusters);
  std::shared_ptr<move_log> log = std::make_shared<move_log>();
  added_split_policy on_added = added_split_policy::fail;

  /// Only while nobody reads the partition.
  void add(std::int32_t number, const std::string& value) {
    fake_log& to = clusters["clicks/" + std::to_string(number)].logs[{"clicks", number}];
    to.records[to.stable++] = value;
  }

  profile settings(trigger_kind trigger) const {
    profile where;
    where.trigger.kind = trigger;
    where.checkpoint = folder.path() + "/checkpoint";
    asset_binding& shared = where.assets["clicks"];
    shared.intake = intake_mode::group;
    shared.partitioned_by = {"user"};
    shared.on_added_split = on_added;
    shared.made_group = group;
    where.assets["totals"] = {.connector = "file", .options = {{"path", folder.path() + "/totals"}}};
    where.assets["rejected"] = {.connector = "file", .options = {{"path", folder.path() + "/rejected"}}};
    return where;
  }
  std::string folder_of(const std::string& split) const { return folder.path() + "/checkpoint/splits/" + split; }

  /// As the first process of the group does.
  void make_folder() const {
    const auto opened =
        group_folder::open(folder.path() + "/checkpoint",
                           {std::string(32, '1'), lower(UserTotals{})->id, group->name(), {}, {"clicks/0"}});
    if (!opened) FAIL(opened.error().message);
  }

  query start(trigger_kind trigger) const {
    query_environment environment;
    environment.listeners = {log};
    auto started = etlantic::start(UserTotals{}, settings(trigger), environment);
    if (!started) FAIL(started.error().code + " " + started.error().message);
    return std::move(*started);
  }

  /// The last change of each total, as the files have them, batch after batch of each query.
  std::map<std::string, std::int64_t> newest_totals() const {
    std::map<std::string, std::string> files;  // in the order of queries and batches
    for (const auto& each : std::filesystem::directory_iterator(folder.path() + "/totals"))
      if (each.path().extension() == ".ndjson") files[each.path().filename().string()] = each.path().string();
    std::map<std::string, std::int64_t> totals;
    for (const auto& [name, path] : files) {
      std::ifstream lines(path);
      for (std::string line; std::getline(lines, line);) {
        const std::size_t user = line.find("\"user\":\"") + 8;
        totals[line.substr(user, line.find('"', user) - user)] = std::stoll(line.substr(line.find("\"amount\":") + 9));
      }
    }
    return totals;
  }
};

}  // namespace etlantic::test
