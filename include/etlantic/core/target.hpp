#pragma once
#include <cstdint>
#include <string_view>

namespace etlantic {

/// What a load may be bound to, said with the pipeline so that the compiler can judge it: `append_only` a log, from
/// which nothing can be taken back (a topic, a growing file); `keyed_table` a table that replaces rows by their primary
/// key. `any` leaves it to the profile.
enum class target : std::uint8_t { any, append_only, keyed_table };

constexpr std::string_view name_of(target kind) {
  constexpr std::string_view names[] = {"any", "append_only", "keyed_table"};
  return names[static_cast<int>(kind)];
}

}  // namespace etlantic
