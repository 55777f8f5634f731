#pragma once
#include <etlantic/core/integer128.hpp>
#include <etlantic/kernel/lanes.hpp>
#include <etlantic/kernel/may_overflow.hpp>
#include <etlantic/kernel/row_values.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

// How long after a row its session still waits for the next one, in microseconds: one gap for all rows, or one for
// each.

namespace etlantic::kernel {

/// The end of a row's own session, whose gap is positive; at the end of the range of int64 it stops there instead of
/// wrapping.
constexpr std::int64_t session_end(std::int64_t time, int128 gap) {
  const int128 end = time + gap;
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  return end > most ? most : static_cast<std::int64_t>(end);
}

struct fixed_gap {
  std::int64_t length;

  void start(const block&, std::size_t) {}
  void evaluate(chunk&) {}
  /// The rows of a chunk whose gap is positive.
  std::uint64_t collect(chunk& at, std::size_t) const { return length > 0 ? at.active : 0; }
  int128 at(std::size_t) const { return length; }
};

/// A gap that a node computes; `Unit` is how many microseconds its number counts.
template <class Node, std::int64_t Unit>
class row_gap {
 public:
  explicit row_gap(Node node) : node_(std::move(node)) {}

  void start(const block& rows, std::size_t begin) { values_.start(node_, rows, begin); }
  void evaluate(chunk& at) { static_cast<void>(node_.evaluate(at)); }
  std::uint64_t collect(chunk& at, std::size_t index) {
    values_.collect(node_, at, index);
    const row_values<value> gaps = values_.values();
    std::uint64_t positive = 0;
    for_each_lane(at.active, [&](std::size_t lane) {
      const std::size_t row = index * lane_count + lane;
      positive |= std::uint64_t{gaps.is_present(row) && gaps.at(row) > 0} << lane;
    });
    return positive;
  }
  int128 at(std::size_t row) const { return int128{values_.values().at(row)} * Unit; }

 private:
  using value = typename Node::value;

  Node node_;
  row_collector<Node> values_;
};

template <class Node, std::int64_t Unit>
inline constexpr bool may_overflow<row_gap<Node, Unit>> = may_overflow<Node>;

}  // namespace etlantic::kernel
