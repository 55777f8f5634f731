#pragma once
#include <etlantic/runtime/program.hpp>
#include <etlantic/runtime/stage.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

// Sliding windows are kept as panes, and their state is counted in these. The cases count results: by key and window.

namespace pipeline_runner {

/// A step as it is, but that its `state` has the number of its open results for that of groups. They are counted from
/// outside: another stage gets the saved state and gives out all of it.
class counted_results final : public etlantic::stage {
 public:
  /// Windows are open until the watermark is so far behind their end; for ever if nothing is told, as in complete mode.
  counted_results(std::unique_ptr<etlantic::stage> counted, std::unique_ptr<etlantic::stage> complete,
                  std::optional<std::int64_t> accepted_lateness)
      : counted_(std::move(counted)), complete_(std::move(complete)), accepted_lateness_(accepted_lateness) {}

  void begin(const etlantic::batch_context& batch) override {
    batch_ = batch;
    counted_->begin(batch);
  }
  etlantic::result<void> process(std::size_t input, const etlantic::block& rows,
                                 etlantic::stage_outputs& out) override {
    return counted_->process(input, rows, out);
  }
  etlantic::result<void> finish(etlantic::stage_outputs& out) override { return counted_->finish(out); }
  etlantic::stage_counts counts() const override { return counted_->counts(); }
  bool gives_rows_on() const override { return counted_->gives_rows_on(); }
  std::int64_t counts_of_row(std::size_t input) const override { return counted_->counts_of_row(input); }

  etlantic::state_metrics state() const override {
    etlantic::state_metrics found = counted_->state();
    etlantic::state_writer saved;
    counted_->save(saved);
    etlantic::state_reader from(saved.bytes());
    results_behind open(accepted_lateness_ ? batch_.watermark.microseconds - *accepted_lateness_ : INT64_MIN);
    complete_->begin(batch_);
    found.groups = complete_->restore(from) && complete_->finish(open) ? open.count : -1;
    return found;
  }

  void add_greatest_event_times(std::vector<std::optional<etlantic::timestamp>>& into) const override {
    counted_->add_greatest_event_times(into);
  }
  void forget_event_times() override { counted_->forget_event_times(); }
  std::optional<etlantic::timestamp> take_greatest_event_time() override {
    return counted_->take_greatest_event_time();
  }
  std::span<const std::uint32_t> origins() const override { return counted_->origins(); }
  void save(etlantic::state_writer& into) const override { counted_->save(into); }
  etlantic::result<void> restore(etlantic::state_reader& from) override { return counted_->restore(from); }

 private:
  struct results_behind final : etlantic::stage_outputs {
    std::int64_t closed_up_to;
    std::int64_t count = 0;

    explicit results_behind(std::int64_t up_to) : closed_up_to(up_to) {}

    etlantic::result<void> emit(std::size_t port, const etlantic::block& rows) override {
      if (port != 0) return {};
      for (const etlantic::column& each : rows.columns)
        if (each.field->name == "window_end")
          for (std::size_t i = 0; i < rows.rows; ++i) count += each.value<std::int64_t>(i) > closed_up_to;
      return {};
    }
  };

  std::unique_ptr<etlantic::stage> counted_;
  std::unique_ptr<etlantic::stage> complete_;
  std::optional<std::int64_t> accepted_lateness_;
  etlantic::batch_context batch_;
};

/// Lets the steps of a program count results.
inline void count_results(etlantic::program& what, std::int64_t accepted_lateness) {
  for (etlantic::program_node& node : what.nodes) {
    if (node.kind != etlantic::node_kind::step) continue;
    node.make_stage = [plain = node.make_stage, accepted_lateness](const etlantic::port_modes& modes) {
      const bool closes = modes.at(0) != etlantic::output_mode::complete;
      return std::make_unique<counted_results>(plain(modes), plain(etlantic::output_mode::complete),
                                               closes ? std::optional(accepted_lateness) : std::nullopt);
    };
  }
}

}  // namespace pipeline_runner
