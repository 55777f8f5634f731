#pragma once
#include <etlantic/core/result.hpp>
#include <etlantic/core/time.hpp>

#include <algorithm>
#include <cstdint>
#include <string_view>

namespace etlantic {

/// How often a query tries again by itself after a failure that may pass, and how long it waits in between. Counted
/// anew after each batch that was committed.
struct retry_settings {
  int attempts = 0;                           ///< times that it tries again; 0: the first failure ends it
  duration backoff{std::chrono::seconds{1}};  ///< before the first; each further one waits twice as long
  duration longest_backoff{std::chrono::minutes{1}};
};

/// A retry goes on from a checkpoint; without one it would read and publish everything a second time.
inline constexpr std::string_view retry_without_checkpoint_code = "PMCFG345";

/// Whether the same may work a little later without anybody doing something. Another login would lock accounts, and the
/// same bytes stay damaged, rejected or wrong.
constexpr bool retry_can_help(failure_class kind) {
  return kind == failure_class::connectivity || kind == failure_class::resource_exhausted;
}

/// How long to wait before attempt 1, 2 ...: between half of the backoff and all of it, so that queries which failed
/// together do not come back together. `random` lies in [0, 1).
constexpr duration backoff_before(int attempt, const retry_settings& settings, double random) {
  duration longest = std::min(settings.backoff, settings.longest_backoff);
  for (int i = 1; i < attempt && longest < settings.longest_backoff; ++i)
    longest = longest > settings.longest_backoff / 2 ? settings.longest_backoff : longest * 2;
  return longest / 2 + duration{static_cast<std::int64_t>(static_cast<double>(longest.count() / 2) * random)};
}

}  // namespace etlantic
