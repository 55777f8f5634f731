#pragma once
#include <etlantic/core/result.hpp>
#include <etlantic/runtime/checkpoint_layout.hpp>
#include <etlantic/runtime/missed_windows.hpp>

#include <cstdint>
#include <map>
#include <string>
#include <utility>

namespace etlantic {

/// The windows that late rows have missed, as files of a checkpoint, one for each batch that had new ones. The query
/// writes them before its commit; a correction run, which may be another process, takes them by renaming each before it
/// looks at the input, and removes them when the results are out. So a window whose file has not been taken yet need
/// not be written again: whoever takes it reads an input that has the newer late row too.
class kept_missed_windows {
 public:
  /// Durable when it returns.
  result<void> keep(const checkpoint_layout& layout, std::int64_t batch, const std::string& query,
                    const missed_windows& missed);

 private:
  std::map<std::pair<std::string, std::pair<std::int64_t, std::int64_t>>, std::int64_t> batches_;  // that wrote them
};

/// What a correction run has taken.
struct taken_windows {
  missed_windows windows;
  std::int64_t newest_batch = -1;  ///< that missed one of them
};

/// Takes all that is there, also what a run that was killed had taken. Of another query than `query`: refused.
result<taken_windows> take_missed_windows(const checkpoint_layout& layout, const std::string& query);

/// Forgets what was taken.
result<void> remove_taken_windows(const checkpoint_layout& layout);

}  // namespace etlantic
