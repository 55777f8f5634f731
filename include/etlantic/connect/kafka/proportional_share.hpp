#pragma once
#include <etlantic/core/integer128.hpp>

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace etlantic::kafka {

/// How many of the waiting records of each partition go into a batch of `limit`: in proportion to how many wait, so
/// that none starves. A share below one is one, others are rounded down; so a batch may have a few more than `limit`.
inline std::vector<std::int64_t> proportional_shares(std::span<const std::int64_t> waiting, std::int64_t limit) {
  int128 total = 0;
  for (const std::int64_t each : waiting) total += each;
  std::vector<std::int64_t> shares;
  for (const std::int64_t each : waiting) {
    if (total <= limit) {
      shares.push_back(each);
      continue;
    }
    const auto exact = static_cast<std::int64_t>(int128{limit} * each / total);
    shares.push_back(each == 0 ? 0 : std::max<std::int64_t>(1, exact));
  }
  return shares;
}

}  // namespace etlantic::kafka
