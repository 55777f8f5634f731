#pragma once
#include <etlantic/core/verdict.hpp>

// Rules of event times, watermarks, windows and how long something is remembered.

namespace etlantic::rule {

struct event_time_must_be_a_timestamp {
  template <class Found>
  static consteval void enforce() {
    static_assert(passed<Found>, "etlantic: the event time must be a timestamp field");
  }
};

struct watermark_must_be_declared_once {
  template <class Found>
  static consteval void enforce() {
    static_assert(passed<Found>, "etlantic: this stream already has a watermark");
  }
};

struct window_must_use_the_watermark_field {
  template <class Found>
  static consteval void enforce() {
    static_assert(passed<Found>, "etlantic: the window and the watermark use different event time fields");
  }
};

struct window_length_must_be_positive {
  template <class Found>
  static consteval void enforce() {
    static_assert(passed<Found>, "etlantic: the length of a window must be greater than zero");
  }
};

struct window_offset_must_be_less_than_its_length {
  template <class Found>
  static consteval void enforce() {
    static_assert(passed<Found>, "etlantic: the offset of a window must be less than its length, in either direction");
  }
};

struct window_slide_must_be_positive {
  template <class Found>
  static consteval void enforce() {
    static_assert(passed<Found>, "etlantic: the slide of a window must be greater than zero");
  }
};

struct window_slide_must_not_exceed_its_length {
  template <class Found>
  static consteval void enforce() {
    static_assert(
        passed<Found>,
        "etlantic: the slide of a window must not be greater than its length: rows between windows would vanish");
  }
};

struct window_offset_must_be_less_than_its_slide {
  template <class Found>
  static consteval void enforce() {
    static_assert(passed<Found>,
                  "etlantic: the offset of a sliding window must be less than its slide, in either direction");
  }
};

struct session_gap_must_be_a_duration {
  template <class Found>
  static consteval void enforce() {
    static_assert(passed<Found>, "etlantic: the gap of a session must be a duration, or an integer number of seconds");
  }
};

struct window_must_name_a_zone {
  template <class Found>
  static consteval void enforce() {
    static_assert(
        passed<Found>,
        "etlantic: in_zone needs the name of a time zone as the IANA data base has it, such as Europe/Berlin");
  }
};

struct accept_late_needs_a_window {
  template <class Found>
  static consteval void enforce() {
    static_assert(passed<Found>,
                  "etlantic: accept_late stands behind a tumbling or sliding window that follows a watermark: without "
                  "them, and for sessions, there is no result that late rows could correct");
  }
};

struct accepted_lateness_must_be_positive {
  template <class Found>
  static consteval void enforce() {
    static_assert(passed<Found>, "etlantic: the time for which late rows are accepted must be greater than zero");
  }
};

struct accept_late_needs_update_mode {
  template <class Found>
  static consteval void enforce() {
    static_assert(passed<Found>,
                  "etlantic: late rows correct results that are out already, which only update mode can replace; give "
                  "the contract of this load a primary key, or leave accept_late out");
  }
};

struct correct_late_needs_a_tumbling_window {
  template <class Found>
  static consteval void enforce() {
    static_assert(
        passed<Found>,
        "etlantic: correct_late stands behind a tumbling window, of a length or of the calendar, that follows "
        "a watermark: only there a late row misses one window, which a correction run can compute again");
  }
};

struct correct_late_needs_rows_of_extracts {
  template <class Found>
  static consteval void enforce() {
    static_assert(
        passed<Found>,
        "etlantic: correct_late needs rows as the extracts gave them: what keeps state or joins in front of "
        "the window decides by itself which rows are late, and would not decide the same in a correction run");
  }
};

struct corrected_results_must_be_replaced {
  template <class Found>
  static consteval void enforce() {
    static_assert(passed<Found>,
                  "etlantic: a correction run replaces results that are out already: publish them in append or update "
                  "mode, into a contract with a primary key, and not into an append-only target");
  }
};

struct corrected_results_end_in_loads {
  template <class Found>
  static consteval void enforce() {
    static_assert(
        passed<Found>,
        "etlantic: what keeps state behind correct_late would not learn of a correction; let a load read these "
        "results, or leave correct_late out");
  }
};

struct session_gap_must_be_positive {
  template <class Found>
  static consteval void enforce() {
    static_assert(passed<Found>, "etlantic: the gap of a session must be greater than zero");
  }
};

struct watermark_delay_must_not_be_negative {
  template <class Found>
  static consteval void enforce() {
    static_assert(passed<Found>, "etlantic: the delay of a watermark must not be negative");
  }
};

struct deduplication_must_forget {
  template <class Found>
  static consteval void enforce() {
    static_assert(
        passed<Found>,
        "etlantic: this is a deduplication that never forgets: no key is the event time of a watermark; make it "
        "one, use deduplicate_within_watermark, or say .keeping_every_key()");
  }
};

struct deduplication_within_watermark_needs_a_watermark {
  template <class Found>
  static consteval void enforce() {
    static_assert(
        passed<Found>,
        "etlantic: deduplicate_within_watermark needs a watermark; add watermark<\"field\">(delay) before it");
  }
};

struct deduplication_key_must_be_comparable {
  template <class Found>
  static consteval void enforce() {
    static_assert(passed<Found>, "etlantic: rows cannot be deduplicated by a struct or a list");
  }
};

}  // namespace etlantic::rule
