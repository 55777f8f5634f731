#pragma once
#include <cstdint>
#include <string_view>

namespace etlantic {

/// How a query that is told to stop comes to its end, the most patient way first: a later request may only be more
/// urgent.
enum class stop_policy : std::uint8_t {
  drain,         ///< reads everything that is there now
  finish_batch,  ///< commits the batch that is running
  at_once,       ///< leaves the batch that is running between two parts of it; the next start replays it
};

constexpr std::string_view name_of(stop_policy policy) {
  constexpr std::string_view names[] = {"drain", "finish_batch", "at_once"};
  return names[static_cast<int>(policy)];
}

}  // namespace etlantic
