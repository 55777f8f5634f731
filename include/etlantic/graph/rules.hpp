#pragma once
#include <etlantic/core/verdict.hpp>

namespace etlantic::rule {

// ---- time -----------------------------------------------------------------------------------------------------------

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
    static_assert(passed<Found>,
                  "etlantic: the slide of a window must not be greater than its length: rows between windows would vanish");
  }
};

struct window_offset_must_be_less_than_its_slide {
  template <class Found>
  static consteval void enforce() {
    static_assert(passed<Found>, "etlantic: the offset of a sliding window must be less than its slide, in either direction");
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
    static_assert(passed<Found>,
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

// ---- rows kept by keys ----------------------------------------------------------------------------------------------

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

// ---- joins ----------------------------------------------------------------------------------------------------------

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
    static_assert(passed<Found>,
                  "etlantic: a join with a time bound needs a watermark on both sides");
  }
};

struct join_must_keep_the_event_time {
  template <class Found>
  static consteval void enforce() {
    static_assert(passed<Found>,
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
    static_assert(passed<Found>,
                  "etlantic: the rows of a join have no contract; put select<C>(...) behind it");
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

// ---- results --------------------------------------------------------------------------------------------------------

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
    static_assert(passed<Found>, "etlantic: a value of an aggregate must be count, sum, min, max, avg or another aggregate function of something");
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
    static_assert(passed<Found>, "etlantic: aggregate functions such as count, sum, min, max and avg work in an aggregate only");
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
    static_assert(passed<Found>,
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
    static_assert(passed<Found>, "etlantic: the implementation names an output port that the transformation does not have");
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
    static_assert(passed<Found>,
                  "etlantic: the unions of a step must have one contract, since their late rows share one output; give each "
                  "a step of its own");
  }
};

struct union_must_have_one_event_time {
  template <class Found>
  static consteval void enforce() {
    static_assert(passed<Found>,
                  "etlantic: the streams of a union must have watermarks on the same field of its contract, or none at all");
  }
};

struct union_part_must_keep_no_state {
  template <class Found>
  static consteval void enforce() {
    static_assert(passed<Found>,
                  "etlantic: the streams of a union must not aggregate, deduplicate, join or unite; do it behind the union or "
                  "in a step of its own");
  }
};

struct bare_pipeline_must_read_one_asset {
  template <class Found>
  static consteval void enforce() {
    static_assert(passed<Found>,
                  "etlantic: a pipeline without a struct reads one asset; declare a pipeline with an extract for each input");
  }
};

// ---- wiring ---------------------------------------------------------------------------------------------------------

struct pipeline_must_be_a_plain_aggregate {
  template <class Found>
  static consteval void enforce() {
    static_assert(passed<Found>,
                  "etlantic: pipelines and transformations must be plain aggregates: public members, no constructors, no "
                  "bases, no virtuals, no C arrays");
  }
};

struct member_must_be_a_node {
  template <class Found>
  static consteval void enforce() {
    static_assert(passed<Found>, "etlantic: a member of a pipeline must be an extract, a step or a load");
  }
};

struct assets_must_differ {
  template <class Found>
  static consteval void enforce() {
    static_assert(passed<Found>, "etlantic: two nodes of this pipeline use the same asset");
  }
};

struct node_must_exist {
  template <class Found>
  static consteval void enforce() {
    static_assert(passed<Found>, "etlantic: this node reads from a node that the pipeline does not have");
  }
};

struct port_must_exist {
  template <class Found>
  static consteval void enforce() {
    static_assert(passed<Found>, "etlantic: this node reads from an output port that the other node does not have");
  }
};

struct input_must_be_connected {
  template <class Found>
  static consteval void enforce() {
    static_assert(passed<Found>, "etlantic: this step has an input that nothing is connected to");
  }
};

struct step_must_not_read_more_than_its_inputs {
  template <class Found>
  static consteval void enforce() {
    static_assert(passed<Found>, "etlantic: this step reads more than its transformation has inputs");
  }
};

struct edge_must_carry_one_contract {
  template <class Found>
  static consteval void enforce() {
    static_assert(passed<Found>, "etlantic: the two ends of this edge have different contracts");
  }
};

struct rejected_rows_must_go_to_a_load {
  template <class Found>
  static consteval void enforce() {
    static_assert(passed<Found>, "etlantic: invalid and late rows may only go to a load");
  }
};

struct reference_must_come_from_an_extract {
  template <class Found>
  static consteval void enforce() {
    static_assert(passed<Found>, "etlantic: a reference must read the valid rows of an extract");
  }
};

struct reference_must_not_be_streamed {
  template <class Found>
  static consteval void enforce() {
    static_assert(
        passed<Found>,
        "etlantic: this extract is read as a reference and as a stream; declare two, each with an asset of its "
        "own");
  }
};

struct graph_must_not_cycle {
  template <class Found>
  static consteval void enforce() {
    static_assert(passed<Found>, "etlantic: these steps form a cycle");
  }
};

// ---- delivery -------------------------------------------------------------------------------------------------------

struct append_needs_watermark {
  template <class Found>
  static consteval void enforce() {
    static_assert(passed<Found>,
                  "etlantic: append mode over an unbounded aggregation needs a watermark; add watermark<\"field\">(delay) "
                  "before it, or use update mode");
  }
};

struct session_needs_watermark {
  template <class Found>
  static consteval void enforce() {
    static_assert(passed<Found>,
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
    static_assert(passed<Found>,
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
    static_assert(passed<Found>,
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
    static_assert(passed<Found>,
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
