#include <etlantic/graph/aggregate.hpp>
#include <etlantic/graph/nodes.hpp>
#include <etlantic/graph/where.hpp>
#include <etlantic/graph/wiring.hpp>
#include <etlantic/plan/verify.hpp>

#include <array>
#include <type_traits>

namespace wiring_test {

using namespace etlantic;
using namespace std::chrono_literals;

struct Trade {
  text symbol;
  double price;
  timestamp time;
};
struct Bar {
  text symbol;
  timestamp window_start;
  double high;
};
struct Clean {
  input<Trade> trades;
  output<Trade> rows;
};
constexpr auto implement(const Clean& t) { return t.trades | where(field<"price"> > 0.0); }
struct Merge {
  input<Trade> left, right;
  output<Trade> rows;
};
constexpr auto implement(const Merge& t) { return t.left | where(field<"price"> > 0.0); }
struct MakeBars {
  input<Trade> trades;
  parameter<duration> length{1min};
  output<Bar> bars;
};
constexpr auto implement(const MakeBars& t) {
  return t.trades | watermark<"time">(1min) | group_by<"symbol"> | tumbling<"time">(t.length) |
         aggregate<Bar>(named<"high"> = max(field<"price">));
}

// Nodes may stand in any order; the graph is sorted.
struct Good {
  load<Bar, "bars", "make.bars"> bars;
  step<MakeBars, "clean.rows"> make;
  step<Clean, "trades.valid"> clean;
  extract<Trade, "trades"> trades;
  load<rejected<Trade>, "rejected", "trades.invalid"> quarantine;
  load<late<Trade>, "late", "make.late"> late_trades;
};
using good = detail::wiring<Good>;
static_assert(std::is_same_v<pipeline_verdict<Good>, pass>);
static_assert(good::count == 6 && good::edge_count == 5);
static_assert(good::nodes[0].name == "bars" && good::nodes[0].asset == "bars" &&
              good::nodes[0].sort == detail::node_sort::load);
static_assert(good::nodes[1].sort == detail::node_sort::step && good::nodes[1].outputs.size() == 3);
static_assert(good::nodes[1].outputs[0].name == "bars" && good::nodes[1].outputs[1].name == "invalid" &&
              good::nodes[1].outputs[2].name == "late");
static_assert(good::nodes[2].outputs.size() == 2, "no window, no late rows");
static_assert(good::nodes[3].outputs[0].name == "valid" && good::nodes[3].outputs[1].name == "invalid");
constexpr bool edge_is(detail::edge_fact edge, int reader, int input, int producer, int port) {
  return edge.reader == reader && edge.input == input && edge.producer == producer && edge.port == port;
}
static_assert(edge_is(good::edges[0], 0, 0, 1, 0) && edge_is(good::edges[1], 1, 0, 2, 0) &&
              edge_is(good::edges[2], 2, 0, 3, 0));
static_assert(edge_is(good::edges[3], 4, 0, 3, 1) && edge_is(good::edges[4], 5, 0, 1, 2));
constexpr bool comes_before(std::size_t first, std::size_t second) {
  for (std::size_t node : good::order.nodes) {
    if (node == first) return true;
    if (node == second) return false;
  }
  return false;
}
static_assert(good::order.size == 6);
static_assert(comes_before(3, 2) && comes_before(2, 1) && comes_before(1, 0) && comes_before(3, 4) &&
              comes_before(1, 5));
static_assert(good::cycle_nodes()[0] == -1);

// ---- one verdict for each thing that can be wrong -------------------------------------------------------------------
template <class P, class... Expected>
constexpr bool judged = std::is_same_v<pipeline_verdict<P>, fail<Expected...>>;
template <fixed_string Name>
using at = node<called<Name>>;
template <fixed_string Text>
using reading = reads<called<Text>>;

struct NotANode {
  extract<Trade, "trades"> trades;
  int limit;
};
static_assert(judged<NotANode, rule::member_must_be_a_node, type<NotANode>, at<"limit">, type<int>>);

struct SameAsset {
  extract<Trade, "trades"> trades;
  extract<Trade, "other"> other;
  load<Trade, "trades", "other.valid"> target;
};
static_assert(judged<SameAsset, rule::assets_must_differ, asset<called<"trades">>, at<"trades">, at<"target">>);

struct UnknownNode {
  extract<Trade, "trades"> trades;
  load<Trade, "out", "trade.valid"> target;
};
static_assert(
    judged<UnknownNode, rule::node_must_exist, at<"target">, reading<"trade.valid">, did_you_mean<called<"trades">>>);
struct FarOff {
  extract<Trade, "trades"> trades;
  load<Trade, "out", "quotations.valid"> target;
};
static_assert(judged<FarOff, rule::node_must_exist, at<"target">, reading<"quotations.valid">, nothing_similar>);

struct UnknownPort {
  extract<Trade, "trades"> trades;
  load<Trade, "out", "trades.vaild"> target;
};
static_assert(
    judged<UnknownPort, rule::port_must_exist, at<"target">, reading<"trades.vaild">, did_you_mean<called<"valid">>>);
struct NoPort {
  extract<Trade, "trades"> trades;
  load<Trade, "out", "trades"> target;
};
static_assert(judged<NoPort, rule::port_must_exist, at<"target">, reading<"trades">, nothing_similar>);
struct LateWithoutWindow {
  extract<Trade, "trades"> trades;
  step<Clean, "trades.valid"> clean;
  load<late<Trade>, "late", "clean.late"> target;
};
static_assert(!passed<pipeline_verdict<LateWithoutWindow>>);
struct ReadsALoad {
  extract<Trade, "trades"> trades;
  load<Trade, "out", "trades.valid"> target;
  load<Trade, "more", "target.rows"> more;
};
static_assert(judged<ReadsALoad, rule::port_must_exist, at<"more">, reading<"target.rows">, nothing_similar>);

struct Unconnected {
  extract<Trade, "trades"> trades;
  step<Merge, "trades.valid"> merge;
};
static_assert(judged<Unconnected, rule::input_must_be_connected, at<"merge">, input_port<called<"right">>>);
struct TooMany {
  extract<Trade, "trades"> trades;
  extract<Trade, "more"> more;
  step<Clean, "trades.valid", "more.valid"> clean;
};
static_assert(judged<TooMany, rule::step_must_not_read_more_than_its_inputs, at<"clean">, reading<"more.valid">>);

struct OtherContract {
  extract<Bar, "bars"> bars;
  step<Clean, "bars.valid"> clean;
};
static_assert(judged<OtherContract, rule::edge_must_carry_one_contract, at<"clean">, reading<"bars.valid">, type<Bar>,
                     type<Trade>>);
struct RejectedIntoOtherLoad {
  extract<Trade, "trades"> trades;
  load<Trade, "out", "trades.invalid"> target;
};
static_assert(judged<RejectedIntoOtherLoad, rule::edge_must_carry_one_contract, at<"target">, reading<"trades.invalid">,
                     type<rejected<Trade>>, type<Trade>>);
struct RejectedIntoStep {
  extract<Trade, "trades"> trades;
  step<Clean, "trades.invalid"> clean;
};
static_assert(judged<RejectedIntoStep, rule::rejected_rows_must_go_to_a_load, at<"clean">, reading<"trades.invalid">>);
struct LateIntoStep {
  extract<Trade, "trades"> trades;
  step<MakeBars, "trades.valid"> make;
  step<Clean, "make.late"> clean;
};
static_assert(judged<LateIntoStep, rule::rejected_rows_must_go_to_a_load, at<"clean">, reading<"make.late">>);
struct RejectedResultsIntoStep {
  extract<Trade, "trades"> trades;
  step<Clean, "trades.valid"> first;
  step<Clean, "first.invalid"> second;
};
static_assert(
    judged<RejectedResultsIntoStep, rule::rejected_rows_must_go_to_a_load, at<"second">, reading<"first.invalid">>);
struct RejectedResults {
  extract<Trade, "trades"> trades;
  step<MakeBars, "trades.valid"> make;
  load<rejected<Bar>, "rejected_bars", "make.invalid"> rejected_bars;
};
static_assert(passed<pipeline_verdict<RejectedResults>>);
struct RejectedResultsAsRows {
  extract<Trade, "trades"> trades;
  step<MakeBars, "trades.valid"> make;
  load<rejected<Trade>, "rejected_bars", "make.invalid"> rejected_bars;
};
static_assert(judged<RejectedResultsAsRows, rule::edge_must_carry_one_contract, at<"rejected_bars">,
                     reading<"make.invalid">, type<rejected<Bar>>, type<rejected<Trade>>>);

// ---- cycles ---------------------------------------------------------------------------------------------------------
struct Cycle {
  extract<Trade, "trades"> trades;
  step<Clean, "second.rows"> after;  // reads the cycle but is not part of it
  step<Merge, "trades.valid", "third.rows"> first;
  step<Clean, "first.rows"> second;
  step<Clean, "second.rows"> third;
};
constexpr auto path = detail::wiring<Cycle>::cycle_nodes();
static_assert(detail::cycle_length<Cycle>() == 3 && path[3] == -1);
// Each reads the one before it, and the first the last.
constexpr bool reads_from(int reader, int producer) {
  for (const detail::edge_fact& edge : detail::wiring<Cycle>::edges)
    if (edge.reader == reader && edge.producer == producer) return true;
  return false;
}
static_assert(reads_from(path[1], path[0]) && reads_from(path[2], path[1]) && reads_from(path[0], path[2]));
static_assert(judged<Cycle, rule::graph_must_not_cycle, cycle<called<"second">, called<"third">, called<"first">>> ||
              judged<Cycle, rule::graph_must_not_cycle, cycle<called<"third">, called<"first">, called<"second">>> ||
              judged<Cycle, rule::graph_must_not_cycle, cycle<called<"first">, called<"second">, called<"third">>>);
struct ReadsItself {
  step<Clean, "clean.rows"> clean;
};
static_assert(judged<ReadsItself, rule::graph_must_not_cycle, cycle<called<"clean">>>);

}  // namespace wiring_test
