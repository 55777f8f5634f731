#pragma once
#include <etlantic/runtime/source.hpp>

#include <cstddef>
#include <string>
#include <unordered_map>
#include <vector>

namespace etlantic {

/// How far one source has been read: the last range of each split, in the order of first reading.
class read_positions {
 public:
  void add(const std::vector<split_range>& read) {
    for (const split_range& range : read) {
      const auto [found, is_new] = places_.try_emplace(range.split, ranges_.size());
      if (is_new)
        ranges_.push_back(range);
      else
        ranges_[found->second] = range;
    }
  }

  const std::vector<split_range>& ranges() const { return ranges_; }

  /// Forgets all others.
  void keep(std::vector<split_range> some) {
    ranges_.clear();
    places_.clear();
    add(some);
  }

 private:
  std::vector<split_range> ranges_;
  std::unordered_map<std::string, std::size_t> places_;
};

}  // namespace etlantic
