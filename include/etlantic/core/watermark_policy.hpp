#pragma once
#include <cstdint>
#include <string_view>

namespace etlantic {

/// Which of several watermarks governs: the smallest, so that no input is left behind, or the greatest, so that a slow
/// input holds nobody up and has its rows late.
enum class watermark_policy : std::uint8_t { min, max };

constexpr std::string_view name_of(watermark_policy policy) {
  constexpr std::string_view names[] = {"min", "max"};
  return names[static_cast<int>(policy)];
}

}  // namespace etlantic
