#pragma once
#include <etlantic/core/fixed_length.hpp>

#include <cstdint>

namespace etlantic {

/// When a reference is read again. Whatever the rule, it is read at the start of a batch, and only if its source has
/// changed; one version holds for the whole batch.
struct refresh_rule {
  enum class kind : std::uint8_t { each_batch, interval, once };
  kind when = kind::each_batch;
  duration interval{};  ///< with `interval`: at most so often

  friend constexpr bool operator==(const refresh_rule&, const refresh_rule&) = default;
};

/// At the start of each batch.
constexpr refresh_rule refreshed_each_batch() { return {}; }
/// At the start of the first batch that comes so long after the last reading.
constexpr refresh_rule refreshed_every(duration interval) { return {refresh_rule::kind::interval, interval}; }
constexpr refresh_rule refreshed_every(CalendarLength auto interval) { return refreshed_every(fixed_length(interval)); }
/// At the start of the query's first batch, and then never again, also not after a restart.
constexpr refresh_rule refreshed_once() { return {refresh_rule::kind::once, {}}; }

}  // namespace etlantic
