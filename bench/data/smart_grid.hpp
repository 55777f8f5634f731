#pragma once
#include <data/line.hpp>
#include <data/options.hpp>
#include <data/random.hpp>

#include <cstdint>

namespace bench {

/// A row of the smart grid workload (DEBS 2014): a plug's load, synthetic. 40 houses with 4 households of 14 plugs.
struct smart_grid_row {
  std::int64_t time;  ///< microseconds since 1970; 1,000 rows a second
  float value;
  std::int32_t property, plug, household, house;
};

inline smart_grid_row make_smart_grid_row(const data_options&, std::uint32_t number) {
  smart_grid_row made{};
  made.time = january + std::int64_t{number} * 1'000;
  made.value = static_cast<float>(mix(number, 1) % 10'000) / 100.0F;
  made.property = static_cast<std::int32_t>(mix(number, 2) % 2);
  made.plug = static_cast<std::int32_t>(mix(number, 3) % 14);
  made.household = static_cast<std::int32_t>(mix(number, 4) % 4);
  made.house = static_cast<std::int32_t>(mix(number, 5) % 40);
  return made;
}

}  // namespace bench
