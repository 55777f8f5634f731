#pragma once
#include <etlantic/runtime/progress_totals.hpp>
#include <etlantic/testing/driven_loop.hpp>
#include <etlantic/testing/fault_points.hpp>
#include <etlantic/testing/run_outcome.hpp>
#include <etlantic/testing/test_folder.hpp>
#include <etlantic/testing/test_sink.hpp>
#include <etlantic/testing/test_source.hpp>
#include <etlantic/testing/wrong_use.hpp>

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace etlantic::test_kit {

/// A lowered pipeline between inputs and tables of a test, batch by batch on the caller's thread, with a checkpoint in
/// a folder of its own. What `pipeline_test` is made of; knows no contracts.
class test_bench {
 public:
  explicit test_bench(program what) : what_(std::move(what)) {
    where_.name = "test";
    where_.workers = 1;
    where_.trigger.kind = trigger_kind::once;
    where_.checkpoint = folder_ / "checkpoint";
    where_.retained_batches = 1'000'000;
    for (std::size_t i = 0; i < what_.nodes.size(); ++i) bind(i);
  }
  test_bench(const test_bench&) = delete;
  test_bench& operator=(const test_bench&) = delete;

  /// Limits, policies and the like of the profile. What is changed counts from the next start on.
  profile& settings() { return where_; }
  const program& what() const { return what_; }
  /// Of all batches whose end was told, each counted once. A process that dies behind the commit record tells nothing.
  const progress& totals() const { return totals_; }
  const fault_points& faults() const { return faults_; }
  std::int64_t next_batch() const { return next_batch_; }

  timestamp now() const { return now_; }
  void set_clock(timestamp to) { now_ = to; }
  void advance_clock(duration by) { now_ = now_ + by; }

  test_source& input(const std::string& asset) { return *end_of(inputs_, "extract of asset", asset); }
  test_sink& table(const std::string& asset) { return *end_of(tables_, "load of asset", asset); }
  const test_sink& table(const std::string& asset) const { return *end_of(tables_, "load of asset", asset); }
  const std::map<std::string, std::shared_ptr<test_sink>>& tables() const { return tables_; }

  void fail_at(boundary where, const std::string& load) {
    if (!load.empty()) (void)table(load);
    faults_.arm(where, load);
  }
  void fail_at_file_operation(int after) { faults_.arm_file_operation(after); }

  run_outcome process_all_available() {
    std::vector<progress> batches;
    for (;;) {
      result<bool> ran = run_once(batches);
      if (!ran) return {std::move(batches), std::move(ran.error())};
      if (!*ran) return {std::move(batches), {}};
    }
  }

  run_outcome run_batch(std::int64_t id) {
    if (id != next_batch_)
      throw wrong_use("the next batch is " + std::to_string(next_batch_) + ", not " + std::to_string(id) +
                      (id < next_batch_ ? "; replay_batch runs one again that was committed" : ""));
    std::vector<progress> batches;
    result<bool> ran = run_once(batches);
    if (!ran) return {std::move(batches), std::move(ran.error())};
    if (!*ran) throw wrong_use("there is nothing to do for batch " + std::to_string(id) + ": no input waits");
    return {std::move(batches), {}};
  }

  /// Ends the query as a process ends, and starts it again from its checkpoint.
  run_outcome restart() {
    loop_.reset();
    faults_.forget();
    dead_ = false;
    return {{}, open()};
  }

  /// Runs a committed batch once more, from what a crash right before its first commit leaves.
  run_outcome replay_batch(std::int64_t id, std::string& difference) {
    const std::string kept = folder_ / ("replay-" + std::to_string(id));
    if (id >= next_batch_ || !std::filesystem::exists(kept))
      throw wrong_use("batch " + std::to_string(id) + " was not committed in this test; the next one is " +
                      std::to_string(next_batch_));
    loop_.reset();
    const std::string copy = folder_ / "replaying";
    std::filesystem::remove_all(copy);
    std::filesystem::copy(kept, copy, std::filesystem::copy_options::recursive);
    profile where = where_;
    where.checkpoint = copy;
    replays_ = true;
    for (auto& [asset, each] : tables_) each->begin_replay();
    std::vector<progress> batches;
    result<void> ended;
    if (result<std::unique_ptr<driven_loop>> made = make_loop(std::move(where), batches); !made)
      ended = made.error();
    else
      ended = (*made)->run();
    for (auto& [asset, each] : tables_) {
      const std::string found = each->end_replay();
      if (!found.empty()) difference.append(difference.empty() ? "" : "\n").append(found);
    }
    replays_ = false;
    if (ended && (batches.size() != 1 || batches[0].batch != id || !batches[0].replayed))
      difference += "batch " + std::to_string(id) + " was not replayed";
    return {std::move(batches), std::move(ended)};
  }

  /// What waits is processed first; then the watermark is moved as rows of this time would, and what it closes is
  /// published.
  run_outcome advance_watermark(timestamp to) {
    run_outcome before = process_all_available();
    if (!before) return before;
    std::size_t moved = 0;
    for (const program_node& node : what_.nodes)
      for (const followed_watermark& each : node.watermarks) {
        loop_->loop().clock().saw(each.name, to + each.delay);
        ++moved;
      }
    if (moved == 0) throw wrong_use("the pipeline has no watermark that could be advanced");
    if (to <= loop_->loop().clock().watermark())
      throw wrong_use("the watermark is at " + format_rfc3339(loop_->loop().clock().watermark()) +
                      " already and never moves back");
    loop_->loop().clock().let_go({});
    run_outcome after = process_all_available();
    std::vector<progress> all = before.batches();
    all.insert(all.end(), after.batches().begin(), after.batches().end());
    return {std::move(all), after.ended()};
  }

 private:
  void bind(std::size_t i) {
    const program_node& node = what_.nodes[i];
    if (node.kind == node_kind::step) return;
    asset_binding& bound = where_.assets[node.asset];
    if (bound.made_source || bound.made_sink)
      throw wrong_use("two nodes use the asset '" + node.asset + "'; in a test each needs one of its own");
    if (node.kind == node_kind::extract) {
      bound.made_source = inputs_[node.asset] = std::make_shared<test_source>(*node.contract, faults_);
      return;
    }
    bool is_last = true;
    for (std::size_t other = i + 1; other < what_.nodes.size(); ++other)
      is_last = is_last && what_.nodes[other].kind != node_kind::load;
    bound.made_sink = tables_[node.asset] =
        std::make_shared<test_sink>(node, is_last, faults_, [this](std::int64_t batch) { keep_for_replay(batch); });
  }

  template <class Ends>
  static const typename Ends::mapped_type& end_of(const Ends& ends, std::string_view kind, const std::string& asset) {
    const auto found = ends.find(asset);
    if (found != ends.end()) return found->second;
    std::vector<std::string> known;
    for (const auto& [name, unused] : ends) known.push_back(name);
    throw wrong_use(detail::no_such(kind, asset, known));
  }

  /// The checkpoint as it is before the first sink commits. A copy knows nothing of what files a checkpoint has.
  void keep_for_replay(std::int64_t batch) {
    const std::string copy = folder_ / ("replay-" + std::to_string(batch));
    if (replays_ || std::filesystem::exists(copy)) return;
    std::filesystem::copy(where_.checkpoint, copy, std::filesystem::copy_options::recursive);
  }

  result<std::unique_ptr<driven_loop>> make_loop(profile where, std::vector<progress>& into) {
    query_environment environment;
    environment.now = [this] { return now_; };
    return driven_loop::start(what_, std::move(where), std::move(environment), into);
  }

  result<void> open() {
    result<std::unique_ptr<driven_loop>> made = make_loop(where_, completed_);
    if (!made) {
      dead_ = true;
      return made.error();
    }
    loop_ = std::move(*made);
    next_batch_ = loop_->loop().next_batch();
    return {};
  }

  /// Runs one batch; false if there was nothing to do.
  result<bool> run_once(std::vector<progress>& into) {
    if (dead_) throw wrong_use("the query has ended; restart() starts it again from its checkpoint");
    completed_.clear();
    if (!loop_)
      if (result<void> opened = open(); !opened) return opened.error();
    result<void> ended = loop_->run();
    for (progress& each : completed_) {
      next_batch_ = each.batch + 1;
      add_batch(totals_, each);
      into.push_back(each);
    }
    if (ended && !completed_.empty()) ended = faults_.reach(boundary::after_commit_record);
    if (!ended) {
      loop_.reset();
      dead_ = true;
      return ended.error();
    }
    return !completed_.empty();
  }

  program what_;
  profile where_;
  test_folder folder_;
  fault_points faults_;
  timestamp now_{1'704'067'200'000'000};  // 2024-01-01T00:00:00Z
  std::map<std::string, std::shared_ptr<test_source>> inputs_;
  std::map<std::string, std::shared_ptr<test_sink>> tables_;
  std::vector<progress> completed_;
  progress totals_;
  std::int64_t next_batch_ = 0;
  bool dead_ = false;
  bool replays_ = false;
  std::unique_ptr<driven_loop> loop_;  // given up first: it uses all of the above
};

}  // namespace etlantic::test_kit
