#pragma once
#include <etlantic/core/text.hpp>
#include <etlantic/core/time.hpp>

#include <cstdint>

namespace etlantic {

/// A row that came after its window was final, as the `late` output of a windowed step gives it.
template <class Contract>
struct late {
  Contract event;
  timestamp watermark;     ///< in force when the row came
  timestamp window_start;  ///< the window that it missed
  timestamp window_end;
  text reason;  ///< `window_closed`
  text split;   ///< where the row came from
  std::int64_t position;
};

}  // namespace etlantic
