#pragma once
#include <etlantic/core/verdict.hpp>

// Rules of what loads need of the rows that they read.

namespace etlantic::rule {

struct append_needs_watermark {
  template <class Found>
  static consteval void enforce() {
    static_assert(
        passed<Found>,
        "etlantic: append mode over an unbounded aggregation needs a watermark; add watermark<\"field\">(delay) "
        "before it, or use update mode");
  }
};

struct append_only_target_takes_final_rows {
  template <class Found>
  static consteval void enforce() {
    static_assert(passed<Found>,
                  "etlantic: an append-only target keeps every row that it was given; publish final rows there in "
                  "append mode, or "
                  "declare target::keyed_table");
  }
};

struct keyed_table_needs_a_primary_key {
  template <class Found>
  static consteval void enforce() {
    static_assert(passed<Found>,
                  "etlantic: a keyed table replaces rows by their primary key; give the contract of this load one");
  }
};

struct session_needs_watermark {
  template <class Found>
  static consteval void enforce() {
    static_assert(
        passed<Found>,
        "etlantic: sessions in append mode need a watermark that closes them; add watermark<\"field\">(delay) "
        "before the session, or use complete mode");
  }
};

struct session_must_not_be_updated {
  template <class Found>
  static consteval void enforce() {
    static_assert(passed<Found>,
                  "etlantic: sessions have no update mode: one that grows or joins another would leave its old row in "
                  "the target; use append mode, or complete mode");
  }
};

struct aggregation_needs_final_rows {
  template <class Found>
  static consteval void enforce() {
    static_assert(
        passed<Found>,
        "etlantic: an aggregation over the rows of another one needs final rows; give the first one a watermark "
        "and a window");
  }
};

struct deduplication_needs_final_rows {
  template <class Found>
  static consteval void enforce() {
    static_assert(
        passed<Found>,
        "etlantic: a deduplication of the rows of an aggregation needs final rows; give that one a watermark and "
        "a window");
  }
};

struct join_needs_final_rows {
  template <class Found>
  static consteval void enforce() {
    static_assert(
        passed<Found>,
        "etlantic: a join needs final rows; give the aggregation that it reads from a watermark and a window");
  }
};

struct join_results_are_appended {
  template <class Found>
  static consteval void enforce() {
    static_assert(passed<Found>, "etlantic: the rows of a join are published in append mode only");
  }
};

struct complete_mode_needs_an_aggregation {
  template <class Found>
  static consteval void enforce() {
    static_assert(
        passed<Found>,
        "etlantic: complete mode publishes all results of an aggregation anew, but these rows are given on once and "
        "not kept");
  }
};

struct keyed_rows_need_final_rows {
  template <class Found>
  static consteval void enforce() {
    static_assert(passed<Found>,
                  "etlantic: top, latest_by, lag and process need final rows; give the aggregation that they read from "
                  "a watermark and a window");
  }
};

struct keyed_rows_are_appended {
  template <class Found>
  static consteval void enforce() {
    static_assert(passed<Found>, "etlantic: the rows of top, lag and process are published in append mode only");
  }
};

struct latest_rows_must_be_updated {
  template <class Found>
  static consteval void enforce() {
    static_assert(passed<Found>,
                  "etlantic: the newest row of a key replaces the one before it; publish what latest_by gives in "
                  "update mode, into a contract whose primary key is that key");
  }
};

struct loads_of_one_result_must_agree {
  template <class Found>
  static consteval void enforce() {
    static_assert(passed<Found>, "etlantic: these loads publish one result in different output modes");
  }
};

}  // namespace etlantic::rule
