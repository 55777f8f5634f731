#pragma once
#include <etlantic/runtime/batch_record.hpp>
#include <etlantic/runtime/event_times.hpp>
#include <etlantic/runtime/profile.hpp>
#include <etlantic/runtime/program.hpp>
#include <etlantic/runtime/split_name.hpp>

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace etlantic {

/// Which watermarks are followed split by split, as the profile says, and what the rows of an extract count for there:
/// for their split or, where the extract is not followed so and shares a watermark with one that is, for the extract.
class followed_splits {
 public:
  void watch(const program& what, const profile& where) {
    origins_.clear();
    by_split_.clear();
    for (const program_node& step : what.nodes)
      for (const followed_watermark& each : step.watermarks) watch(what, where, step, each);
  }

  bool any() const { return !origins_.empty(); }

  /// The extracts that a watermark follows, if it is followed split by split; else none.
  std::vector<std::string> origins_of(const std::string& watermark) const {
    const auto found = origins_.find(watermark);
    return found == origins_.end() ? std::vector<std::string>() : found->second;
  }

  std::optional<split_name> name_of(const std::string& node, const std::string& split) const {
    const auto found = by_split_.find(node);
    if (found == by_split_.end()) return std::nullopt;
    return split_name{node, found->second ? split : std::string()};
  }

  bool follows_splits_of(const std::string& node) const {
    const auto found = by_split_.find(node);
    return found != by_split_.end() && found->second;
  }

  /// What a batch reads, in order and each once.
  std::vector<split_name> names_in(const std::vector<extract_ranges>& extracts) const {
    std::vector<split_name> names;
    for (const extract_ranges& extract : extracts)
      for (const split_range& range : extract.ranges)
        if (auto name = name_of(extract.node, range.split)) names.push_back(std::move(*name));
    std::sort(names.begin(), names.end());
    names.erase(std::unique(names.begin(), names.end()), names.end());
    return names;
  }

 private:
  static bool is_by_split(const program_node& extract, const profile& where) {
    const auto bound = where.assets.find(extract.asset);
    return bound != where.assets.end() && bound->second.watermark_per == watermark_unit::split;
  }

  void watch(const program& what, const profile& where, const program_node& step, const followed_watermark& of) {
    const std::vector<std::size_t> extracts = etlantic::origins_of(what, step, of);
    if (std::none_of(extracts.begin(), extracts.end(),
                     [&](std::size_t each) { return is_by_split(what.nodes[each], where); }))
      return;
    for (const std::size_t each : extracts) {
      origins_[of.name].push_back(what.nodes[each].name);
      by_split_[what.nodes[each].name] = is_by_split(what.nodes[each], where);
    }
  }
  std::map<std::string, std::vector<std::string>> origins_;  // by watermark
  std::map<std::string, bool> by_split_;                     // by extract
};

}  // namespace etlantic
