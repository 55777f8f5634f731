#pragma once
#include <etlantic/runtime/bound_pipeline.hpp>
#include <etlantic/runtime/followed_splits.hpp>
#include <etlantic/runtime/split_cursor.hpp>
#include <etlantic/runtime/watermark_clock.hpp>

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace etlantic {

/// Tells the clock what event times the stages have seen, and of which split. Stages only keep the greatest; it is
/// taken from them whenever rows of another split follow, so that they need not look where a row comes from.
class split_times final : public split_cursor {
 public:
  split_times(const bound_pipeline& of, const followed_splits& followed, watermark_clock& clock)
      : pipeline_(of), followed_(followed), clock_(clock) {
    for (std::size_t i = 0; i < of.what.nodes.size(); ++i)
      if (!of.what.nodes[i].watermarks.empty()) steps_.push_back(i);
  }

  /// Rows of this split of an extract follow.
  void enter(const std::string& node, const std::string& split) {
    std::size_t number = 0;
    if (auto name = followed_.name_of(node, split)) {
      const auto [found, is_new] = numbers_.try_emplace(std::move(*name), names_.size());
      if (is_new) names_.push_back(found->first);
      number = found->second;
    }
    move_to(number);
  }

  /// What a step has seen since it was asked last.
  void take_from(std::size_t node) { take_from(node, at()); }

 private:
  void leave(std::size_t split) override {
    for (const std::size_t each : steps_) take_from(each, split);
  }

  void take_from(std::size_t node, std::size_t split) {
    seen_.clear();
    pipeline_.stages[node]->add_greatest_event_times(seen_);
    pipeline_.stages[node]->forget_event_times();
    const std::vector<followed_watermark>& of = pipeline_.what.nodes[node].watermarks;
    for (std::size_t i = 0; i < std::min(of.size(), seen_.size()); ++i) clock_.saw(of[i].name, names_[split], seen_[i]);
  }

  const bound_pipeline& pipeline_;
  const followed_splits& followed_;
  watermark_clock& clock_;
  std::vector<std::size_t> steps_;        // that declare watermarks
  std::vector<split_name> names_ = {{}};  // by number
  std::map<split_name, std::size_t> numbers_;
  std::vector<std::optional<timestamp>> seen_;
};

}  // namespace etlantic
