#pragma once
#include <etlantic/kernel/lanes.hpp>

#include <boost/hana/tuple.hpp>

#include <bit>
#include <cstdint>
#include <utility>

namespace etlantic::kernel {

/// A predicate of a chain. One that looks at the event time and stands behind the watermark does not keep the rows it
/// removes from moving the watermark.
template <class Node>
struct bound_filter {
  Node predicate;
  bool holds_watermark = true;
};

/// The rows of a chunk that passed the filters, and those that count for the watermark.
struct filtered_rows {
  std::uint64_t passed = 0;
  std::uint64_t for_watermark = 0;
};

template <class... Nodes, std::size_t... I>
filtered_rows apply_filters(boost::hana::tuple<bound_filter<Nodes>...>& filters, chunk& at, std::index_sequence<I...>) {
  filtered_rows rows{at.active, at.active};
  const auto apply = [&](auto& filter) {
    const lanes<bool> holds = filter.predicate.evaluate(at);
    const std::uint64_t kept = holds.bits & holds.valid;
    rows.passed &= kept;
    if (filter.holds_watermark) rows.for_watermark &= kept;
    at.active = rows.passed;
  };
  (apply(boost::hana::at_c<I>(filters)), ...);
  static_cast<void>(filters), static_cast<void>(apply);
  return rows;
}

template <class... Nodes>
filtered_rows apply_filters(boost::hana::tuple<bound_filter<Nodes>...>& filters, chunk& at) {
  return apply_filters(filters, at, std::index_sequence_for<Nodes...>{});
}

}  // namespace etlantic::kernel
