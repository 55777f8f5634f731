#pragma once
#include <etlantic/core/verdict.hpp>

// Rules of what a step gives.

namespace etlantic::rule {

struct output_field_must_be_computed {
  template <class Found>
  static consteval void enforce() {
    static_assert(passed<Found>, "etlantic: nothing gives a value to this field of the output contract");
  }
};

struct output_field_must_exist {
  template <class Found>
  static consteval void enforce() {
    static_assert(passed<Found>, "etlantic: the output contract has no field with this name");
  }
};

struct output_field_must_have_this_type {
  template <class Found>
  static consteval void enforce() {
    static_assert(passed<Found>, "etlantic: this value has a different type than its field in the output contract");
  }
};

struct aggregate_needs_an_aggregate_function {
  template <class Found>
  static consteval void enforce() {
    static_assert(passed<Found>,
                  "etlantic: a value of an aggregate must be count, sum, min, max, avg or another aggregate function "
                  "of something");
  }
};

struct value_must_be_an_expression {
  template <class Found>
  static consteval void enforce() {
    static_assert(passed<Found>, "etlantic: a value must be a field, a constant, or an expression over these");
  }
};

struct aggregate_function_needs_an_aggregate {
  template <class Found>
  static consteval void enforce() {
    static_assert(passed<Found>,
                  "etlantic: aggregate functions such as count, sum, min, max and avg work in an aggregate only");
  }
};

struct null_must_not_enter_a_required_field {
  template <class Found>
  static consteval void enforce() {
    static_assert(passed<Found>, "etlantic: this value can be null, but its field in the output contract is required");
  }
};

struct group_key_must_be_comparable {
  template <class Found>
  static consteval void enforce() {
    static_assert(passed<Found>, "etlantic: rows cannot be grouped by a struct or a list");
  }
};

struct group_key_must_not_have_a_name_of_the_window {
  template <class Found>
  static consteval void enforce() {
    static_assert(
        passed<Found>,
        "etlantic: beside a window no group key may be called window_start or window_end: so are the window's "
        "own bounds");
  }
};

struct transformation_must_be_implemented {
  template <class Found>
  static consteval void enforce() {
    static_assert(passed<Found>,
                  "etlantic: this transformation has no implementation; declare implement(const T&) in its namespace, "
                  "before the pipeline");
  }
};

struct implementation_must_be_a_stream {
  template <class Found>
  static consteval void enforce() {
    static_assert(passed<Found>, "etlantic: an implementation must return a stream, or outputs(...) of streams");
  }
};

struct output_stream_must_have_a_port {
  template <class Found>
  static consteval void enforce() {
    static_assert(passed<Found>,
                  "etlantic: the implementation names an output port that the transformation does not have");
  }
};

struct output_port_must_be_fed {
  template <class Found>
  static consteval void enforce() {
    static_assert(passed<Found>, "etlantic: the implementation gives no stream for this output port");
  }
};

struct group_must_be_aggregated {
  template <class Found>
  static consteval void enforce() {
    static_assert(passed<Found>, "etlantic: group_by, tumbling, sliding and session need an aggregate behind them");
  }
};

struct output_port_must_match_its_contract {
  template <class Found>
  static consteval void enforce() {
    static_assert(passed<Found>, "etlantic: the implementation gives other rows than the output port declares");
  }
};

struct union_must_have_one_contract {
  template <class Found>
  static consteval void enforce() {
    static_assert(passed<Found>, "etlantic: the streams of a union must have rows of one contract");
  }
};

struct unions_of_a_step_must_have_one_contract {
  template <class Found>
  static consteval void enforce() {
    static_assert(
        passed<Found>,
        "etlantic: the unions of a step must have one contract, since their late rows share one output; give each "
        "a step of its own");
  }
};

struct union_must_have_one_event_time {
  template <class Found>
  static consteval void enforce() {
    static_assert(
        passed<Found>,
        "etlantic: the streams of a union must have watermarks on the same field of its contract, or none at all");
  }
};

struct union_part_must_keep_no_state {
  template <class Found>
  static consteval void enforce() {
    static_assert(
        passed<Found>,
        "etlantic: the streams of a union must not aggregate, deduplicate, join or unite; do it behind the union or "
        "in a step of its own");
  }
};

struct bare_pipeline_must_read_one_asset {
  template <class Found>
  static consteval void enforce() {
    static_assert(
        passed<Found>,
        "etlantic: a pipeline without a struct reads one asset; declare a pipeline with an extract for each input");
  }
};

}  // namespace etlantic::rule
