#pragma once
#include <etlantic/runtime/stage.hpp>

#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace etlantic {

/// Several streams of one contract that go on as one. A part reads one input of the step, by the step's number, and
/// keeps no state; two parts may read the same one. A part's watermark follows those of its rows that pass the filters
/// behind the union, too: the stage there says after each block what it has seen.
class union_stage final : public stage {
 public:
  struct part {
    std::size_t input;
    std::unique_ptr<stage> work;
    std::optional<timestamp> greatest_behind{};  // event time of its rows behind the union
  };

  union_stage(std::vector<part> parts, std::unique_ptr<stage> rest)
      : parts_(std::move(parts)), rest_(std::move(rest)) {}

  void begin(const batch_context& batch) override {
    for (part& each : parts_) {
      each.work->begin(batch);
      each.greatest_behind.reset();
    }
    rest_->begin(batch);
  }
  result<void> process(std::size_t input, const block& rows, stage_outputs& out) override {
    rest_outputs into(*rest_, out);
    for (part& each : parts_) {
      if (each.input != input) continue;
      if (auto done = each.work->process(input, rows, into); !done) return done;
      each.greatest_behind = greater(each.greatest_behind, rest_->take_greatest_event_time());
    }
    return {};
  }
  result<void> finish(stage_outputs& out) override { return rest_->finish(out); }

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

  void save(state_writer& into) const override { rest_->save(into); }
  result<void> restore(state_reader& from) override { return rest_->restore(from); }

 private:
  static std::optional<timestamp> greater(std::optional<timestamp> one, std::optional<timestamp> other) {
    return !one || (other && *other > *one) ? other : one;
  }

  struct rest_outputs final : stage_outputs {
    stage& rest;
    stage_outputs& out;

    rest_outputs(stage& next, stage_outputs& to) : rest(next), out(to) {}
    result<void> emit(std::size_t port, const block& rows) override {
      return port == 0 ? rest.process(0, rows, out) : out.emit(port, rows);
    }
  };

  std::vector<part> parts_;
  std::unique_ptr<stage> rest_;
};

}  // namespace etlantic
