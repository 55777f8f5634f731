#pragma once
#include <etlantic/core/tuple_indices.hpp>
#include <etlantic/kernel/aggregate_state.hpp>
#include <etlantic/kernel/filter.hpp>
#include <etlantic/kernel/join_key.hpp>
#include <etlantic/kernel/lanes.hpp>

#include <boost/hana/tuple.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>

namespace etlantic {

/// What is known of the rows of a chunk of one side of a join, a bit a row.
template <class Keys>
struct join_chunk {
  Keys keys;
  kernel::lanes<std::int64_t> times{};
  std::uint64_t invalid = 0;  ///< something about them cannot be computed
  std::uint64_t open = 0;     ///< they can match, as far as that hangs on them alone
  std::uint64_t keyed = 0;    ///< of these, no part of the key is null

  /// Writes the key of a row in place of what is there.
  void write_key(std::size_t row, std::string& into) const {
    into.clear();
    [&]<std::size_t... K>(std::index_sequence<K...>) {
      (kernel::append_key_bytes(into, kernel::value_at(boost::hana::at_c<K>(keys), row)), ...);
    }(tuple_indices<Keys>{});
  }
};

/// What a join computes from the rows of one side: its event time (or nullptr), its keys, and what it asks of them
/// before they can match.
template <class Time, class Keys, class Conditions>
struct join_inputs {
  Time time;
  Keys keys;
  Conditions conditions;

  auto look_at(kernel::chunk& at, bool needs_time) {
    const std::uint64_t all = at.active;
    const std::uint64_t passed = kernel::apply_filters(conditions, at).passed;
    at.active = all;
    return [&]<std::size_t... K>(std::index_sequence<K...>) {
      auto found = boost::hana::make_tuple(boost::hana::at_c<K>(keys).evaluate(at)...);
      join_chunk<decltype(found)> made{found};
      if constexpr (!std::is_same_v<Time, std::nullptr_t>) made.times = time.evaluate(at);
      made.invalid = at.overflow & all;
      made.open = all & passed & ~made.invalid;
      if (needs_time) made.open &= made.times.valid;
      made.keyed = (made.open & ... & boost::hana::at_c<K>(found).valid);
      return made;
    }(tuple_indices<Keys>{});
  }
};

}  // namespace etlantic
