#pragma once
#include <etlantic/connect/delta/source_split.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace etlantic::delta {

/// How far a source has read. Versions are read one after the other and their files in order, so that the last file and
/// the rows that were read of it say everything: a checkpoint need not remember every file that there ever was.
class read_mark {
 public:
  static constexpr std::int64_t all_rows = std::numeric_limits<std::int64_t>::max();

  /// The name of a split that is none, if there is one.
  std::optional<std::string> restore(const std::vector<split_range>& read) {
    *this = {};
    for (const split_range& range : read) {
      auto split = source_split::parse(range.split);
      if (!split) return range.split;
      if (last_ && split->version < last_->version) continue;
      if (last_ && split->version > last_->version) ends_without_index_.clear();
      if (split->index < 0) ends_without_index_[split->path] = range.end;
      const bool is_later = !last_ || split->version > last_->version || split->index >= last_->index;
      if (!is_later) continue;
      last_ = std::move(split);
      end_ = range.end;
    }
    return {};
  }

  const std::optional<source_split>& last() const { return last_; }

  /// Rows of a file that have been read.
  std::int64_t rows_read_of(const source_split& split) const {
    if (!last_ || split.version > last_->version) return 0;
    if (split.version < last_->version || split.index < last_->index) return all_rows;
    if (split.index == last_->index) return end_;
    const auto found = ends_without_index_.find(split.path);
    return found == ends_without_index_.end() ? 0 : found->second;
  }

  /// Those of some ranges that `restore` needs: the last one. Of names without an index all of the newest version.
  static std::vector<split_range> needed(const std::vector<split_range>& read) {
    std::vector<split_range> kept;
    std::optional<source_split> newest;
    for (const split_range& range : read) {
      auto split = source_split::parse(range.split);
      if (!split) return read;
      if (newest && split->version < newest->version) continue;
      const bool replaces = newest && (split->version > newest->version || newest->index >= 0 || split->index >= 0);
      if (replaces && split->version == newest->version && split->index < newest->index) continue;
      if (replaces && (split->version > newest->version || newest->index >= 0)) kept.clear();
      kept.push_back(range);
      newest = std::move(split);
    }
    return kept;
  }

 private:
  std::optional<source_split> last_;
  std::int64_t end_ = 0;
  std::map<std::string, std::int64_t> ends_without_index_;
};

}  // namespace etlantic::delta
