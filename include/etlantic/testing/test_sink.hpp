#pragma once
#include <etlantic/column/block.hpp>
#include <etlantic/runtime/program.hpp>
#include <etlantic/runtime/sink.hpp>
#include <etlantic/testing/fault_points.hpp>
#include <etlantic/testing/row_difference.hpp>

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace etlantic::test_kit {

/// The table of one load of a test, with a ledger: a batch that is there is not taken again. Keeps what every batch
/// brought, so that a replay can be compared with it.
class test_sink final : public sink {
 public:
  test_sink(const program_node& load, bool is_last, fault_points& faults, std::function<void(std::int64_t)> on_prepare)
      : contract_(*load.contract),
        mode_(load.mode),
        asset_(load.asset),
        is_last_(is_last),
        faults_(faults),
        on_prepare_(std::move(on_prepare)),
        staged_(*load.contract) {}

  const schema& contract() const { return contract_; }

  /// The rows as they stand in the table: merged by key in update mode, the newest result in complete mode.
  block table() const {
    block made(contract_);
    if (mode_ == output_mode::complete) return committed_.empty() ? std::move(made) : committed_.rbegin()->second;
    std::map<row_text, std::pair<std::int64_t, std::size_t>> newest;  // of each key: batch and row
    for (const auto& [batch, rows] : committed_) {
      if (mode_ == output_mode::append)
        append_all(made, rows);
      else
        for (std::size_t row = 0; row < rows.rows; ++row) newest[key_of(rows, row)] = {batch, row};
    }
    for (const auto& [key, at] : newest) made.append(committed_.at(at.first), at.second);
    return made;
  }
  /// What one batch brought; nothing if it was not committed.
  const block* of_batch(std::int64_t batch) const {
    const auto found = committed_.find(batch);
    return found == committed_.end() ? nullptr : &found->second;
  }

  /// From now on batches are compared with what they brought before, and nothing is taken.
  void begin_replay() {
    replays_ = true;
    difference_.clear();
  }
  std::string end_replay() {
    replays_ = false;
    return std::exchange(difference_, {});
  }

  result<std::optional<std::int64_t>> published(const publisher& who) override {
    if (replays_) return std::optional<std::int64_t>();  // its ledger is ahead of the checkpoint of a replay
    return std::optional<std::int64_t>(ledger_of(who));
  }
  result<void> open(const schema&, output_mode, const publisher& who) override {
    who_ = who;
    return {};
  }
  result<void> prepare(const publication& what) override {
    on_prepare_(what.batch);
    if (result<void> alive = faults_.reach(boundary::after_plan); !alive) return alive;
    staged_ = block(contract_);
    for (const block& each : what.blocks) append_all(staged_, each);
    if (replays_) compare_with_first(what.batch);
    return faults_.reach(boundary::after_prepare, asset_);
  }
  result<void> commit(std::int64_t batch) override {
    if (result<void> alive = faults_.reach(boundary::after_prepare, asset_); !alive) return alive;
    if (!replays_ && batch > ledger_of(who_)) {
      committed_[batch] = std::exchange(staged_, block(contract_));
      ledger_[who_.query + "/" + who_.node] = batch;
    }
    if (result<void> alive = faults_.reach(boundary::after_commit, asset_); !alive) return alive;
    return is_last_ ? faults_.reach(boundary::before_commit_record, asset_) : result<void>();
  }
  void abort() override { staged_ = block(contract_); }
  std::string describe() const override { return "a table of a test"; }

 private:
  static void append_all(block& to, const block& rows) {
    for (std::size_t row = 0; row < rows.rows; ++row) to.append(rows, row);
  }
  row_text key_of(const block& rows, std::size_t row) const {
    row_text key;
    for (const column& each : rows.columns)
      if (each.field->key_position >= 0) append_json(key.emplace_back(), json_member_of(*each.field), each, row);
    return key;
  }
  std::int64_t ledger_of(const publisher& who) const {
    const auto known = ledger_.find(who.query + "/" + who.node);
    return known == ledger_.end() ? nothing_published : known->second;
  }
  void compare_with_first(std::int64_t batch) {
    const block* first = of_batch(batch);
    difference_ +=
        difference_of_rows("replay of batch " + std::to_string(batch) + ", " + asset_, contract_,
                           first == nullptr ? std::vector<row_text>() : row_texts_of(*first), row_texts_of(staged_));
  }

  const schema& contract_;
  output_mode mode_;
  std::string asset_;
  bool is_last_;
  fault_points& faults_;
  std::function<void(std::int64_t)> on_prepare_;
  publisher who_;
  block staged_;
  std::map<std::int64_t, block> committed_;
  std::map<std::string, std::int64_t> ledger_;
  bool replays_ = false;
  std::string difference_;
};

}  // namespace etlantic::test_kit
