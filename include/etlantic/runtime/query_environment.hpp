#pragma once
#include <etlantic/core/time.hpp>
#include <etlantic/runtime/missed_windows.hpp>
#include <etlantic/runtime/query_listener.hpp>
#include <etlantic/runtime/row_decoder.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace etlantic {

/// A run that computes windows again: who publishes, and as which batch.
struct correcting_run {
  std::string query;
  std::int64_t batch = 0;
  missed_windows windows;
};

/// What a query takes from the world besides its profile, and who looks on. Tests put their own clock and decoder in.
struct query_environment {
  std::function<timestamp()> now{};  ///< empty: the system's clock
  decoder_factory make_decoder = make_row_decoder;
  std::optional<correcting_run> correcting{};
  std::string query{};  ///< the id that a query has which is not in its checkpoint yet; empty: it makes one
  std::vector<std::shared_ptr<query_listener>> listeners{};
  std::function<void(duration)> sleep{};  ///< between two batches or attempts; empty: waits, and a stop ends the wait
  std::function<double()> random{};       ///< in [0, 1), spreads retries; empty: the system's
};

}  // namespace etlantic
