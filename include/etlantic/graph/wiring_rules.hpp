#pragma once
#include <etlantic/core/verdict.hpp>

// Rules of how the nodes of a pipeline are wired.

namespace etlantic::rule {

struct pipeline_must_be_a_plain_aggregate {
  template <class Found>
  static consteval void enforce() {
    static_assert(
        passed<Found>,
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

}  // namespace etlantic::rule
