#pragma once
#include <etlantic/core/verdict.hpp>

// Rules of operators that keep rows by key.

namespace etlantic::rule {

struct keyed_field_must_be_comparable {
  template <class Found>
  static consteval void enforce() {
    static_assert(
        passed<Found>,
        "etlantic: top, latest_by and lag work on fields that can be compared, and not on a struct or a list");
  }
};

struct number_of_rows_must_be_positive {
  template <class Found>
  static consteval void enforce() {
    static_assert(passed<Found>, "etlantic: top keeps at least one row, and lag looks at least one row back");
  }
};

struct top_needs_a_window {
  template <class Found>
  static consteval void enforce() {
    static_assert(passed<Found>,
                  "etlantic: top ranks the rows of a window; add tumbling<\"field\">(length) or sliding before it, or "
                  "put it behind aggregate with a window");
  }
};

struct top_needs_a_watermark {
  template <class Found>
  static consteval void enforce() {
    static_assert(passed<Found>,
                  "etlantic: top gives out the rows of closed windows and needs a watermark that closes them; add "
                  "watermark<\"field\">(delay) before it");
  }
};

struct latest_by_needs_a_watermark {
  template <class Found>
  static consteval void enforce() {
    static_assert(passed<Found>,
                  "etlantic: latest_by needs an event time to tell which row is the newest; add "
                  "watermark<\"field\">(delay) before it");
  }
};

struct lag_needs_a_watermark {
  template <class Found>
  static consteval void enforce() {
    static_assert(
        passed<Found>,
        "etlantic: lag needs a watermark to tell which rows are in order; add watermark<\"field\">(delay) before it");
  }
};

struct lag_must_forget {
  template <class Found>
  static consteval void enforce() {
    static_assert(
        passed<Found>,
        "etlantic: this is a lag that never forgets a key; say .forget_after(duration), or .keeping_every_key()");
  }
};

struct lag_memory_must_be_positive {
  template <class Found>
  static consteval void enforce() {
    static_assert(passed<Found>, "etlantic: the time after which lag forgets must be greater than zero");
  }
};

struct keyed_rows_stand_last {
  template <class Found>
  static consteval void enforce() {
    static_assert(passed<Found>,
                  "etlantic: groups, windows, watermarks and operators with state behind top, latest_by, lag or "
                  "process must stand in a step of their own");
  }
};

struct process_must_name_state_and_result {
  template <class Found>
  static consteval void enforce() {
    static_assert(passed<Found>,
                  "etlantic: a behaviour of process says what it keeps and what it gives: using state = ...; and using "
                  "result = ...;");
  }
};

struct process_takes_rows_as_they_are {
  template <class Found>
  static consteval void enforce() {
    static_assert(passed<Found>,
                  "etlantic: process takes rows as they come in; put selections and columns derived in the place of "
                  "fields into a step of their own");
  }
};

struct process_needs_on_row {
  template <class Found>
  static consteval void enforce() {
    static_assert(
        passed<Found>,
        "etlantic: a behaviour of process needs a function on_row(state&, const Row&, process_context<result>&) const");
  }
};

struct process_must_be_able_to_call_on_row {
  template <class Found>
  static consteval void enforce() {
    static_assert(passed<Found>,
                  "etlantic: on_row of this behaviour cannot be called with (state&, const Row&, "
                  "process_context<result>&), or is not const");
  }
};

struct process_must_be_able_to_call_on_timer {
  template <class Found>
  static consteval void enforce() {
    static_assert(passed<Found>,
                  "etlantic: on_timer of this behaviour cannot be called with (state&, timestamp, "
                  "process_context<result>&), or is not const");
  }
};

struct process_timers_need_a_watermark {
  template <class Found>
  static consteval void enforce() {
    static_assert(passed<Found>,
                  "etlantic: this behaviour has timers, which fire when a watermark reaches them; add "
                  "watermark<\"field\">(delay) before process");
  }
};

}  // namespace etlantic::rule
