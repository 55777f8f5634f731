#pragma once
#include <cstdint>
#include <string_view>

namespace etlantic {

/// Which rows of a result go out: `append` those that are final, once; `update` those that changed in the batch;
/// `complete` all of them, replacing what was there.
enum class output_mode : std::uint8_t { append, update, complete };

constexpr std::string_view name_of(output_mode mode) {
  constexpr std::string_view names[] = {"append", "update", "complete"};
  return names[static_cast<int>(mode)];
}

}  // namespace etlantic
