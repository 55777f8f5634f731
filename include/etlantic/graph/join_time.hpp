#pragma once
#include <etlantic/core/fixed_length.hpp>

#include <concepts>

namespace etlantic {

/// A bound of a distance of two event times; the distance itself is inside, unless `exclusive` says otherwise.
struct time_bound {
  duration distance{};
  bool inclusive = true;

  template <class T>
    requires std::convertible_to<T, duration>
  constexpr time_bound(const T& of, bool with_it = true) : distance(fixed_length(of)), inclusive(with_it) {}
};

/// A bound that is not inside: `within(0s, exclusive(10s))`.
template <class T>
  requires std::convertible_to<T, duration>
constexpr time_bound exclusive(const T& distance) {
  return {distance, false};
}

// How the event times of matching rows lie, which is what lets rows leave the state of a join.

struct range_rule {
  using join_time_tag = void;
  static constexpr bool bounded = true;
  time_bound least;
  time_bound greatest;
};
struct same_time_rule {
  using join_time_tag = void;
  static constexpr bool bounded = true;
};
struct same_window_rule {
  using join_time_tag = void;
  static constexpr bool bounded = true;
  duration length;
  duration offset;
};
struct unbounded_rule {
  using join_time_tag = void;
  static constexpr bool bounded = false;
};

template <class T>
concept JoinTime = requires { typename T::join_time_tag; };

/// The right row's event time minus the left row's lies between two bounds: `within(-5s, 10s)` matches right rows from
/// 5 seconds before to 10 seconds after the left row.
constexpr range_rule within(time_bound least, time_bound greatest) { return {least, greatest}; }

/// Both rows have the same event time.
constexpr same_time_rule same_time() { return {}; }

/// Both rows lie in the same tumbling window [start, start + length), aligned to 1970-01-01T00:00:00Z plus `offset`.
constexpr same_window_rule same_window(duration length, duration offset = {}) { return {length, offset}; }
template <class... Lengths>
  requires(CalendarLength<Lengths> || ...)
constexpr same_window_rule same_window(const Lengths&... lengths) {
  return same_window(fixed_length(lengths)...);
}

/// Rows of any times match, so that every row is kept for ever: say it on purpose.
constexpr unbounded_rule unbounded() { return {}; }

}  // namespace etlantic
