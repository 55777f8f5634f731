#pragma once
#include <etlantic/column/copy.hpp>
#include <etlantic/runtime/stage.hpp>

#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace etlantic {

/// Several streams of one contract that go on as one, in a batch all rows of the first part, then those of the second,
/// and so on, however their blocks come: parts behind the first wait, copied, until the batch ends. A part reads one
/// input of the step, by the step's number, and keeps no state; two parts may read the same one. A part's watermark
/// follows those of its rows that pass the filters behind the union, too: the stage there says after each block what it
/// has seen.
class union_stage final : public stage {
 public:
  struct part {
    std::size_t input;
    std::unique_ptr<stage> work;
    std::optional<timestamp> greatest_behind{};  // event time of its rows behind the union
    std::vector<block> waiting{};                // what it gave in this batch
    std::vector<std::size_t> splits{};           // where each of them came from
  };

  union_stage(std::vector<part> parts, std::unique_ptr<stage> rest)
      : parts_(std::move(parts)), rest_(std::move(rest)) {}

  void begin(const batch_context& batch) override {
    for (part& each : parts_) {
      each.work->begin(batch);
      each.greatest_behind.reset();
      each.waiting.clear();
      each.splits.clear();
    }
    splits_ = batch.splits;
    rest_->begin(batch);
  }
  result<void> process(std::size_t input, const block& rows, stage_outputs& out) override {
    for (part& each : parts_) {
      if (each.input != input) continue;
      part_outputs given(*this, each, out);
      if (auto done = each.work->process(input, rows, given); !done) return done;
    }
    return {};
  }
  result<void> finish(stage_outputs& out) override {
    const std::size_t before = split();
    for (part& each : parts_) {
      for (std::size_t i = 0; i < each.waiting.size(); ++i) {
        if (splits_ != nullptr) splits_->move_to(each.splits[i]);
        if (auto done = hand_on(each, each.waiting[i], out); !done) return done;
      }
      each.waiting.clear();
      each.splits.clear();
    }
    if (splits_ != nullptr) splits_->move_to(before);
    return rest_->finish(out);
  }

  stage_counts counts() const override {
    stage_counts sum = rest_->counts();
    sum.received = 0;  // what the rest received, the parts kept
    for (const part& each : parts_) {
      const stage_counts before = each.work->counts();
      sum.received += before.received;
      sum.filtered += before.filtered;
      sum.invalid += before.invalid;
    }
    return sum;
  }
  std::int64_t counts_of_row(std::size_t input) const override {
    std::int64_t sum = 0;
    for (const part& each : parts_)
      if (each.input == input) ++sum;
    return sum;
  }
  state_metrics state() const override { return rest_->state(); }
  void add_greatest_event_times(std::vector<std::optional<timestamp>>& into) const override {
    for (const part& each : parts_) {
      const std::size_t before = into.size();
      each.work->add_greatest_event_times(into);
      if (into.size() != before) into.back() = greater(into.back(), each.greatest_behind);
    }
    rest_->add_greatest_event_times(into);
  }
  void forget_event_times() override {
    for (part& each : parts_) {
      each.work->forget_event_times();
      each.greatest_behind.reset();
    }
    rest_->forget_event_times();
  }

  void save(state_writer& into) const override { rest_->save(into); }
  result<void> restore(state_reader& from) override { return rest_->restore(from); }

 private:
  static std::optional<timestamp> greater(std::optional<timestamp> one, std::optional<timestamp> other) {
    return !one || (other && *other > *one) ? other : one;
  }

  std::size_t split() const { return splits_ == nullptr ? 0 : splits_->at(); }

  result<void> hand_on(part& of, const block& rows, stage_outputs& out) {
    if (auto done = rest_->process(0, rows, out); !done) return done;
    of.greatest_behind = greater(of.greatest_behind, rest_->take_greatest_event_time());
    return {};
  }

  struct part_outputs final : stage_outputs {
    union_stage& owner;
    part& from;
    stage_outputs& out;

    part_outputs(union_stage& whole, part& giver, stage_outputs& to) : owner(whole), from(giver), out(to) {}
    result<void> emit(std::size_t port, const block& rows) override {
      if (port != 0) return out.emit(port, rows);
      if (&from == &owner.parts_.front()) return owner.hand_on(from, rows, out);
      if (rows.rows == 0) return {};
      from.waiting.push_back(owned_copy(rows));
      from.splits.push_back(owner.split());
      return {};
    }
  };

  std::vector<part> parts_;
  std::unique_ptr<stage> rest_;
  split_cursor* splits_ = nullptr;
};

}  // namespace etlantic
