#pragma once
#include <etlantic/runtime/stage.hpp>

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

namespace etlantic {

/// The streams of a step side by side. Each reads inputs of the step, by the step's numbers, and feeds one output; what
/// they give out besides their results, late and invalid rows, has one port for all.
class branched_stage final : public stage {
 public:
  struct branch {
    std::vector<std::size_t> inputs;
    std::size_t output;
    std::unique_ptr<stage> work;

    bool reads(std::size_t input) const { return std::find(inputs.begin(), inputs.end(), input) != inputs.end(); }
  };

  explicit branched_stage(std::vector<branch> branches) : branches_(std::move(branches)) {}

  void begin(const batch_context& batch) override {
    for (branch& each : branches_) each.work->begin(batch);
  }
  result<void> process(std::size_t input, const block& rows, stage_outputs& out) override {
    for (branch& each : branches_) {
      if (!each.reads(input)) continue;
      outlet to{out, each.output};
      if (auto done = each.work->process(input, rows, to); !done) return done;
    }
    return {};
  }
  result<void> finish(stage_outputs& out) override {
    for (branch& each : branches_) {
      outlet to{out, each.output};
      if (auto done = each.work->finish(to); !done) return done;
    }
    return {};
  }

  void begin_reference(std::size_t input) override {
    for (branch& each : branches_) each.work->begin_reference(input);
  }
  result<void> add_reference(std::size_t input, const block& rows) override {
    for (branch& each : branches_)
      if (auto done = each.work->add_reference(input, rows); !done) return done;
    return {};
  }

  /// The sum over the branches: a row that two of them read is counted twice.
  stage_counts counts() const override {
    stage_counts sum;
    for (const branch& each : branches_) sum += each.work->counts();
    return sum;
  }
  std::int64_t counts_of_row(std::size_t input) const override {
    std::int64_t sum = 0;
    for (const branch& each : branches_)
      if (each.reads(input)) sum += each.work->counts_of_row(input);
    return sum;
  }
  state_metrics state() const override {
    state_metrics sum;
    for (const branch& each : branches_) sum += each.work->state();
    return sum;
  }
  void add_greatest_event_times(std::vector<std::optional<timestamp>>& into) const override {
    for (const branch& each : branches_) each.work->add_greatest_event_times(into);
  }
  void forget_event_times() override {
    for (branch& each : branches_) each.work->forget_event_times();
  }

  void save(state_writer& into) const override {
    for (const branch& each : branches_) each.work->save(into);
  }
  result<void> restore(state_reader& from) override {
    for (branch& each : branches_)
      if (auto done = each.work->restore(from); !done) return done;
    return {};
  }

 private:
  struct outlet final : stage_outputs {
    stage_outputs& out;
    std::size_t output;

    outlet(stage_outputs& to, std::size_t port) : out(to), output(port) {}
    result<void> emit(std::size_t port, const block& rows) override {
      return out.emit(port == 0 ? output : port, rows);
    }
  };

  std::vector<branch> branches_;
};

}  // namespace etlantic
