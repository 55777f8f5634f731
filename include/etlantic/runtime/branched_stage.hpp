#pragma once
#include <etlantic/runtime/stage.hpp>

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

namespace etlantic {

/// The streams of a step with several outputs side by side. Each reads one input of the step and feeds one output;
/// what they give out besides their results, late and invalid rows, has one port for all.
class branched_stage final : public stage {
 public:
  struct branch {
    std::size_t input;
    std::size_t output;
    std::unique_ptr<stage> work;
  };

  explicit branched_stage(std::vector<branch> branches) : branches_(std::move(branches)) {}

  void begin(const batch_context& batch) override {
    for (branch& each : branches_) each.work->begin(batch);
  }
  result<void> process(std::size_t input, const block& rows, stage_outputs& out) override {
    for (branch& each : branches_) {
      if (each.input != input) continue;
      outlet to{out, each.output};
      if (auto done = each.work->process(0, rows, to); !done) return done;
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

  /// The sum over the branches: a row that two of them read is counted twice.
  stage_counts counts() const override {
    stage_counts sum;
    for (const branch& each : branches_) sum += each.work->counts();
    return sum;
  }
  std::int64_t counts_of_row(std::size_t input) const override {
    return std::count_if(branches_.begin(), branches_.end(), [&](const branch& each) { return each.input == input; });
  }
  state_metrics state() const override {
    state_metrics sum;
    for (const branch& each : branches_) sum += each.work->state();
    return sum;
  }
  void add_greatest_event_times(std::vector<std::optional<timestamp>>& into) const override {
    for (const branch& each : branches_) each.work->add_greatest_event_times(into);
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
