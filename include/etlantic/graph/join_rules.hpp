#pragma once
#include <etlantic/core/verdict.hpp>

// Rules of joins and references.

namespace etlantic::rule {

struct join_takes_streams_of_inputs {
  template <class Found>
  static consteval void enforce() {
    static_assert(passed<Found>,
                  "etlantic: a side of a join must be an input of the transformation, or filters, derived columns, "
                  "selections and a watermark behind one; put groups and windows into a step of their own");
  }
};

struct join_keys_must_be_equal_fields {
  template <class Found>
  static consteval void enforce() {
    static_assert(passed<Found>, "etlantic: the keys of a join are written left<\"...\"> == right<\"...\">");
  }
};

struct join_keys_must_have_one_type {
  template <class Found>
  static consteval void enforce() {
    static_assert(passed<Found>,
                  "etlantic: the keys of a join must have one type on both sides, and no struct or list");
  }
};

struct join_needs_a_time_bound {
  template <class Found>
  static consteval void enforce() {
    static_assert(passed<Found>,
                  "etlantic: unbounded stream-stream join: every row would be kept for ever; add within(...), "
                  "same_time() or same_window(...), or say unbounded()");
  }
};

struct outer_join_needs_a_time_bound {
  template <class Found>
  static consteval void enforce() {
    static_assert(passed<Found>,
                  "etlantic: an outer join needs a time bound, and so does an anti join: without one it is never "
                  "certain that a row has no match");
  }
};

struct join_needs_watermarks {
  template <class Found>
  static consteval void enforce() {
    static_assert(passed<Found>, "etlantic: a join with a time bound needs a watermark on both sides");
  }
};

struct join_must_keep_the_event_time {
  template <class Found>
  static consteval void enforce() {
    static_assert(
        passed<Found>,
        "etlantic: the field of this watermark is not in the joined rows any more as it was; put the watermark "
        "behind what selects or derives it");
  }
};

struct join_range_must_not_be_empty {
  template <class Found>
  static consteval void enforce() {
    static_assert(passed<Found>, "etlantic: no time lies within the bounds of this join");
  }
};

struct join_must_be_selected {
  template <class Found>
  static consteval void enforce() {
    static_assert(passed<Found>, "etlantic: the rows of a join have no contract; put select<C>(...) behind it");
  }
};

struct joined_rows_are_not_aggregated {
  template <class Found>
  static consteval void enforce() {
    static_assert(passed<Found>,
                  "etlantic: groups, windows and watermarks over joined rows must stand in a step of their own");
  }
};

struct lookup_join_needs_a_reference {
  template <class Found>
  static consteval void enforce() {
    static_assert(
        passed<Found>,
        "etlantic: the second side of a lookup join must be a reference<C> of the transformation, or filters, "
        "derived columns and selections behind one");
  }
};

struct lookup_join_knows_no_times {
  template <class Found>
  static consteval void enforce() {
    static_assert(passed<Found>,
                  "etlantic: a lookup join knows no times: it takes no bound of times, and its sides no watermark; put "
                  "the watermark into the step that reads its results");
  }
};

struct reference_must_be_looked_up {
  template <class Found>
  static consteval void enforce() {
    static_assert(passed<Found>,
                  "etlantic: a reference is no stream; only the second side of a lookup_join can be one");
  }
};

}  // namespace etlantic::rule
