#pragma once
#include <cstdint>
#include <string_view>

namespace etlantic {

/// What becomes of a computed value that cannot be right: one that does not fit its type, or breaks its contract.
/// `quarantine` gives it out at the step's `invalid` output, `fail` ends the query.
enum class overflow_policy : std::uint8_t { quarantine, fail };

constexpr std::string_view name_of(overflow_policy policy) {
  constexpr std::string_view names[] = {"quarantine", "fail"};
  return names[static_cast<int>(policy)];
}

}  // namespace etlantic
