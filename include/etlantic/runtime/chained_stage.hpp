#pragma once
#include <etlantic/runtime/stage.hpp>

#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace etlantic {

/// Stages one behind the other inside a step: the results of one are the input of the next, and only those of the last
/// leave. What a link gives out besides its results, late and invalid rows, leaves the step as it is.
class chained_stage final : public stage {
 public:
  explicit chained_stage(std::vector<std::unique_ptr<stage>> links) : links_(std::move(links)) {}

  void begin(const batch_context& batch) override {
    for (auto& link : links_) link->begin(batch);
  }
  result<void> process(std::size_t input, const block& rows, stage_outputs& out) override {
    next_link next{*this, out, 1};
    return links_.front()->process(input, rows, next);
  }
  result<void> finish(stage_outputs& out) override {
    for (std::size_t i = 0; i < links_.size(); ++i) {
      next_link next{*this, out, i + 1};
      if (auto done = links_[i]->finish(next); !done) return done;
    }
    return {};
  }

  void begin_reference(std::size_t input) override { links_.front()->begin_reference(input); }
  result<void> add_reference(std::size_t input, const block& rows) override {
    return links_.front()->add_reference(input, rows);
  }

  /// What became of the rows that came in: in the first link, and as long as links give them on, in the next one.
  stage_counts counts() const override {
    stage_counts sum = links_.front()->counts();
    const std::size_t same_rows = links_with_received_rows();
    for (std::size_t i = 1; i < links_.size(); ++i) {
      const stage_counts inner = links_[i]->counts();
      if (i < same_rows) {
        sum.filtered += inner.filtered;
        sum.late += inner.late;
        sum.invalid += inner.invalid;
        sum.duplicate += inner.duplicate;
        sum.kept = inner.kept;
        sum.rejected_results += inner.rejected_results;
      } else
        sum.rejected_results += inner.rejected_results + inner.invalid;  // what these receive are results already
    }
    sum.emitted = links_.back()->counts().emitted;
    return sum;
  }
  std::int64_t counts_of_row(std::size_t input) const override { return links_.front()->counts_of_row(input); }
  state_metrics state() const override {
    state_metrics sum;
    for (const auto& link : links_) sum += link->state();
    return sum;
  }
  void add_greatest_event_times(std::vector<std::optional<timestamp>>& into) const override {
    for (const auto& link : links_) link->add_greatest_event_times(into);
  }
  void forget_event_times() override {
    for (const auto& link : links_) link->forget_event_times();
  }
  std::optional<timestamp> take_greatest_event_time() override { return links_.front()->take_greatest_event_time(); }

  void save(state_writer& into) const override {
    for (const auto& link : links_) link->save(into);
  }
  result<void> restore(state_reader& from) override {
    for (auto& link : links_)
      if (auto done = link->restore(from); !done) return done;
    return {};
  }

 private:
  /// The first links, up to the one that makes results of the rows.
  std::size_t links_with_received_rows() const {
    std::size_t count = 1;
    while (count < links_.size() && links_[count - 1]->gives_rows_on()) ++count;
    return count;
  }

  struct next_link final : stage_outputs {
    chained_stage& chain;
    stage_outputs& out;
    std::size_t next;

    next_link(chained_stage& of, stage_outputs& to, std::size_t index) : chain(of), out(to), next(index) {}
    result<void> emit(std::size_t port, const block& rows) override {
      if (port != 0 || next == chain.links_.size()) return out.emit(port, rows);
      next_link after{chain, out, next + 1};
      return chain.links_[next]->process(0, rows, after);
    }
  };

  std::vector<std::unique_ptr<stage>> links_;
};

}  // namespace etlantic
