#pragma once
#include <etlantic/kernel/group_key.hpp>

#include <boost/hana/tuple.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

namespace etlantic::kernel {

/// Where the groups of a table lie, by a key that is one whole number: the key itself, less the least one, is the place
/// of the answer, so that rows need no hash, and look at one slot only. It knows either all groups of the table or
/// none, and is there while their keys lie near each other.
template <class Key>
class place_index {
 public:
  static constexpr bool exists = true;
  static constexpr std::uint32_t nowhere = 0;

  /// What a loop over rows holds of it.
  struct view {
    std::uint64_t first;  // as unsigned, since keys may lie on both sides of the sign
    std::uint64_t count;
    const std::uint32_t* places;

    /// Its place as `put` got it, or `nowhere`.
    std::uint32_t of(Key key) const {
      const std::uint64_t distance = static_cast<std::uint64_t>(key) - first;
      return distance < count ? places[distance] : nowhere;
    }
  };

  bool empty() const { return places_.empty(); }
  std::size_t bytes() const { return places_.capacity() * sizeof(std::uint32_t); }
  view look() const { return {first_, places_.size(), places_.data()}; }

  /// Whether it is time to look for the range of a table's keys: once there were so many rows since the last time that
  /// it is worth the work.
  bool is_due(std::size_t groups, std::size_t rows) {
    if (!places_.empty()) return false;
    rows_ += rows;
    return groups >= fewest && rows_ >= rows_per_group * groups;
  }

  /// For a table with keys from `least` to `greatest`, if `room` places are enough for those between: it then covers
  /// as many on both sides of them as there is room for.
  bool cover(Key least, Key greatest, std::size_t room) {
    rows_ = 0;
    const std::uint64_t distance = static_cast<std::uint64_t>(greatest) - static_cast<std::uint64_t>(least);
    if (distance >= room) return false;
    first_ = static_cast<std::uint64_t>(least) - (room - distance) / 2;
    places_.assign(room, nowhere);
    return true;
  }

  /// Where a group lies that the table has now. Forgets all if it does not cover the key.
  void put(Key key, std::uint32_t place) {
    const std::uint64_t distance = static_cast<std::uint64_t>(key) - first_;
    if (distance < places_.size())
      places_[distance] = place;
    else
      places_ = {};
  }

  /// Groups have moved, or are gone.
  void forget() {
    places_ = {};
    rows_ = 0;
  }

 private:
  static constexpr std::size_t fewest = 16;
  static constexpr std::size_t rows_per_group = 8;

  std::uint64_t first_ = 0;
  std::vector<std::uint32_t> places_;
  std::size_t rows_ = 0;  // without it
};

/// For keys that no index is made of.
struct no_place_index {
  static constexpr bool exists = false;
  static constexpr std::size_t bytes() { return 0; }
  static constexpr void forget() {}
};

/// The index of a table with such key parts.
template <class Parts>
struct place_index_of {
  using type = no_place_index;
};
template <class Value>
  requires(std::is_integral_v<Value> && !std::is_same_v<Value, bool> && sizeof(Value) <= 8)
struct place_index_of<boost::hana::tuple<key_part<Value, false>>> {
  using type = place_index<Value>;
};

}  // namespace etlantic::kernel
