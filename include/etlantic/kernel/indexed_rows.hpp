#pragma once
#include <etlantic/kernel/place_index.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

namespace etlantic::kernel {

/// Goes through rows by an index of groups: calls `found(row, place)` for those whose key it has, and `unknown(row)`
/// for the others, who puts the key into it. Ends where the index is gone; how many rows it came to.
template <class Key, class Keys, class Found, class Unknown>
[[gnu::always_inline]] inline std::size_t visit_by_index(const place_index<Key>& index, const Keys& keys,
                                                         std::span<const std::uint16_t> rows, const Found& found,
                                                         const Unknown& unknown) {
  // A copy of what nothing in a group can change, though the compiler cannot know.
  typename place_index<Key>::view known = index.look();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::size_t row = rows[i];
    const std::uint32_t place = known.of(keys.at(row));
    if (place != index.nowhere) [[likely]] {
      found(row, place);
      continue;
    }
    unknown(row);
    if (index.empty()) return i + 1;
    known = index.look();
  }
  return rows.size();
}

/// Puts all groups into an index, unless their keys need more than `room` places. `each_group` calls what it is given
/// with the key and the place of each.
template <class Key, class EachGroup>
void make_index(place_index<Key>& into, std::size_t room, EachGroup&& each_group) {
  Key least = std::numeric_limits<Key>::max(), greatest = std::numeric_limits<Key>::min();
  each_group([&](Key key, std::uint32_t) {
    least = std::min(least, key);
    greatest = std::max(greatest, key);
  });
  if (!into.cover(least, greatest, room)) return;
  each_group([&](Key key, std::uint32_t place) { into.put(key, place); });
}

}  // namespace etlantic::kernel
