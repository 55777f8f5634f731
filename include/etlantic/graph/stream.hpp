#pragma once
#include <etlantic/contract/contract.hpp>
#include <etlantic/core/verdict.hpp>
#include <etlantic/expression/extended_row.hpp>
#include <etlantic/expression/row.hpp>
#include <etlantic/graph/ports.hpp>

#include <boost/hana/tuple.hpp>

#include <array>
#include <cstddef>
#include <string_view>
#include <type_traits>
#include <utility>

namespace etlantic {

/// Where a stream starts: at an input port of a transformation.
template <class C>
struct port_source {
  using contract = C;
  std::size_t port = 0;
};

/// Where rows that are looked up start: at a reference of a transformation.
template <class C>
struct reference_source {
  using contract = C;
  std::size_t port = 0;
};

/// Where a bare stream starts: at an asset.
template <class C>
struct asset_source {
  using contract = C;
  std::string_view asset;
};

/// A chain of operators over rows of one origin. Data only: building it starts nothing.
template <class Source, class Row, class... Operators>
struct stream {
  using stream_tag = void;
  using source_type = Source;
  using row_type = Row;
  Source source;
  Row row;
  boost::hana::tuple<Operators...> operators;
};

template <class T>
concept Stream = requires { typename T::stream_tag; };

/// A stream, or a port that one can start from, or what a broken rule left behind.
template <class T>
concept StreamLike = Stream<T> || InputPort<T>;

/// An operator waiting for its stream: the right-hand side of `|`.
template <class T>
concept Step = requires { typename T::step_tag; };

template <class C>
constexpr auto as_stream(const input<C>& port) {
  using found = contract_verdict<C>;
  enforce(found{});
  if constexpr (passed<found>)
    return stream<port_source<C>, contract_row<C>>{{port.port}, {}, {}};
  else
    return poisoned{};
}
template <class C>
constexpr auto as_stream(const reference<C>& port) {
  using found = contract_verdict<C>;
  enforce(found{});
  if constexpr (passed<found>)
    return stream<reference_source<C>, contract_row<C>>{{port.port}, {}, {}};
  else
    return poisoned{};
}
template <Stream S>
constexpr const S& as_stream(const S& chain) {
  return chain;
}

namespace detail {

template <class Source, class Row, class... Operators, class NewRow, class Operator, std::size_t... I>
constexpr auto append_at(const stream<Source, Row, Operators...>& chain, NewRow row, Operator added,
                         std::index_sequence<I...>) {
  return stream<Source, NewRow, Operators..., Operator>{
      chain.source, row, {boost::hana::at_c<I>(chain.operators)..., added}};
}

/// The stream with one more operator, whose rows are `row` from there on.
template <class Source, class Row, class... Operators, class NewRow, class Operator>
constexpr auto append_operator(const stream<Source, Row, Operators...>& chain, NewRow row, Operator added) {
  return append_at(chain, row, added, std::index_sequence_for<Operators...>{});
}

template <class Source>
inline constexpr bool is_reference_source = false;
template <class C>
inline constexpr bool is_reference_source<reference_source<C>> = true;

template <class T>
concept JoinSource = requires { typename T::join_tag; };

// Marks of operators that later ones ask for.
template <class T>
concept WatermarkOperator = requires { typename T::watermark_tag; };
template <class T>
concept WindowOperator = requires { typename T::window_tag; };
template <class T>
concept GroupOperator = requires { typename T::group_tag; };
template <class T>
concept AggregateOperator = requires { typename T::aggregate_tag; };
/// Keeps rows by keys and gives them on later: what stands behind it in a stream works on single rows.
template <class T>
concept KeyedOperator = requires { typename T::keyed_tag; };
/// Keeps state, so that what stands behind it is another stage: an aggregate, or one whose tag is `stateful_tag`, which
/// gives rows on as it gets them.
template <class T>
concept StatefulOperator = AggregateOperator<T> || requires { typename T::stateful_tag; };

/// Indices of the operators that hold since the last aggregate; -1 where there is none.
struct chain_facts {
  int begin = 0;  // first operator behind the last aggregate
  int watermark = -1;
  int window = -1;
  int group = -1;
};

/// The facts without the last operator.
struct facts_before {
  chain_facts all;
  chain_facts without_last;
};

template <class... Operators>
constexpr facts_before facts_of_operators() {
  chain_facts facts, before;
  int at = 0;
  const auto look = [&]<class Operator>(std::type_identity<Operator>) {
    before = facts;
    if constexpr (AggregateOperator<Operator>) facts = {at + 1, -1, -1, -1};
    if constexpr (WatermarkOperator<Operator>) facts.watermark = at;
    if constexpr (WindowOperator<Operator>) facts.window = at;
    if constexpr (GroupOperator<Operator>) facts.group = at;
    if constexpr (KeyedOperator<Operator>) {
      if constexpr (Operator::takes_window) facts.window = -1;
      if constexpr (Operator::takes_group) facts.group = -1;
    }
    ++at;
  };
  (look(std::type_identity<Operators>{}), ...);
  static_cast<void>(look);
  return {facts, before};
}

template <class S>
struct facts_of_stream;
template <class Source, class Row, class... Operators>
struct facts_of_stream<stream<Source, Row, Operators...>> {
  static constexpr chain_facts value = facts_of_operators<Operators...>().all;
  static constexpr chain_facts without_last = facts_of_operators<Operators...>().without_last;
  template <int I>
  using operator_at = std::remove_cvref_t<decltype(boost::hana::at_c<static_cast<std::size_t>(I)>(
      std::declval<boost::hana::tuple<Operators...>&>()))>;
  static constexpr std::size_t count = sizeof...(Operators);
};

template <class S>
inline constexpr chain_facts chain = facts_of_stream<std::remove_cvref_t<S>>::value;

template <Stream S>
constexpr auto continued_results(const S& of);

/// A stream as the next operator finds it: behind an aggregate it goes on with the event time of the results.
template <Stream S>
constexpr auto continued(const S& of) {
  constexpr int count = static_cast<int>(facts_of_stream<S>::count);
  if constexpr (count > 0 && chain<S>.begin == count)
    return continued_results(of);
  else
    return of;
}
template <class S, int I>
using operator_at = typename facts_of_stream<std::remove_cvref_t<S>>::template operator_at<I>;

/// The contract that names the culprits of a row: the one it started from or was selected into.
template <class Row>
struct contract_behind;
template <class C>
struct contract_behind<contract_row<C>> {
  using type = C;
};
template <class Row, fixed_string Name, class E>
struct contract_behind<derived_row<Row, Name, E>> : contract_behind<Row> {};
template <class Row, class C, class... Assignments>
struct contract_behind<selected_row<Row, C, Assignments...>> {
  using type = C;
};
template <class Row, class... Added>
struct contract_behind<extended_row<Row, Added...>> : contract_behind<Row> {};

}  // namespace detail

/// Applies an operator to a stream. What an operator does stands in `attach(stream, step)` beside it.
template <StreamLike In, Step Operator>
constexpr auto operator|(const In& in, const Operator& step) {
  decltype(auto) chain = as_stream(in);
  if constexpr (std::is_same_v<std::remove_cvref_t<decltype(chain)>, poisoned>)
    return poisoned{};
  else if constexpr (requires { typename Operator::end_tag; })
    return attach(chain, step);
  else
    return attach(detail::continued(chain), step);
}
template <Step Operator>
constexpr poisoned operator|(poisoned, const Operator&) {
  return {};
}

}  // namespace etlantic
