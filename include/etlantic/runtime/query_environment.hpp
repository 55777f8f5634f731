#pragma once
#include <etlantic/core/time.hpp>
#include <etlantic/runtime/query_listener.hpp>
#include <etlantic/runtime/row_decoder.hpp>

#include <functional>
#include <memory>
#include <vector>

namespace etlantic {

/// What a query takes from the world besides its profile, and who looks on. Tests put their own clock and decoder in.
struct query_environment {
  std::function<timestamp()> now{};  ///< empty: the system's clock
  decoder_factory make_decoder = make_row_decoder;
  std::vector<std::shared_ptr<query_listener>> listeners{};
  std::function<void(duration)> sleep{};  ///< between two batches or attempts; empty: waits, and a stop ends the wait
  std::function<double()> random{};       ///< in [0, 1), spreads retries; empty: the system's
};

}  // namespace etlantic
