#pragma once
#include <etlantic/core/time.hpp>
#include <etlantic/runtime/row_decoder.hpp>

#include <functional>

namespace etlantic {

/// What a query takes from the world besides its profile. Tests put their own clock and decoder in.
struct query_environment {
  std::function<timestamp()> now;  ///< empty: the system's clock
  decoder_factory make_decoder = make_row_decoder;
};

}  // namespace etlantic
