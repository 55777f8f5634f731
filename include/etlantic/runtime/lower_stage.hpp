#pragma once
#include <etlantic/contract/late.hpp>
#include <etlantic/expression/mentions.hpp>
#include <etlantic/graph/aggregate.hpp>
#include <etlantic/graph/derive.hpp>
#include <etlantic/graph/select.hpp>
#include <etlantic/graph/sliding.hpp>
#include <etlantic/graph/tumbling.hpp>
#include <etlantic/graph/where.hpp>
#include <etlantic/kernel/bind.hpp>
#include <etlantic/kernel/packed_state.hpp>
#include <etlantic/runtime/aggregate_stage.hpp>
#include <etlantic/runtime/chained_stage.hpp>
#include <etlantic/runtime/plain_windows.hpp>
#include <etlantic/runtime/sliding_windows.hpp>
#include <etlantic/runtime/transform_stage.hpp>

#include <boost/hana/concat.hpp>
#include <boost/hana/tuple.hpp>

#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

// From a chain of operators to the stage that runs it: names become column indices, filters and aggregates become one
// kernel. A chain is cut behind every aggregate; each part is a stage.

namespace etlantic {

/// What a stage needs to know of the step around it.
struct stage_place {
  output_mode mode = output_mode::append;
  std::string step;
  const schema* late = nullptr;
  std::size_t late_port = 0;
  const schema* invalid = nullptr;
  std::size_t invalid_port = 0;
};

namespace detail {

namespace hana = boost::hana;

template <class S, int I>
const auto& operator_of(const S& chain) {
  return hana::at_c<static_cast<std::size_t>(I)>(chain.operators);
}

template <class T>
concept WhereOperator = requires { typename T::where_tag; };

/// What stands in the part [Begin, End) of a chain; -1 where there is none.
template <class S, int Begin, int End>
struct part_facts {
  template <template <class> class Is>
  static constexpr int last = [] {
    int found = -1;
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      ((found = Is<operator_at<S, Begin + static_cast<int>(I)>>::value ? Begin + static_cast<int>(I) : found), ...);
    }(std::make_index_sequence<static_cast<std::size_t>(End - Begin)>{});
    return found;
  }();
  template <class T>
  struct is_watermark : std::bool_constant<WatermarkOperator<T>> {};
  template <class T>
  struct is_window : std::bool_constant<WindowOperator<T>> {};
  template <class T>
  struct is_group : std::bool_constant<GroupOperator<T>> {};

  static constexpr int watermark = last<is_watermark>;
  static constexpr int window = last<is_window>;
  static constexpr int group = last<is_group>;
};

/// The event time's name in the chain's first row, if the watermark's field is there unchanged.
template <class S, int Watermark>
constexpr std::string_view event_time_field() {
  if constexpr (Watermark < 0) return {};
  else return operator_at<S, Watermark>::field.view();
}

inline hana::tuple<> concat_all() { return {}; }
template <class First, class... Rest>
auto concat_all(First first, Rest... rest) {
  return hana::concat(std::move(first), concat_all(std::move(rest)...));
}

// ---- filters --------------------------------------------------------------------------------------------------------

template <class E>
struct conjunction : std::false_type {};
template <class L, class R>
struct conjunction<binary_expression<operation::logical_and, L, R>> : std::true_type {};

/// `a && b` is two filters, as `where(a) | where(b)` is: one that looks at the event time must not keep the other from
/// holding back the watermark.
template <class S, int I, int Watermark, class Predicate, class Row>
auto bind_conjuncts(const Predicate& predicate, const Row& row) {
  if constexpr (conjunction<Predicate>::value)
    return hana::concat(bind_conjuncts<S, I, Watermark>(predicate.left, row),
                        bind_conjuncts<S, I, Watermark>(predicate.right, row));
  else {
    auto node = kernel::bind(predicate, row);
    constexpr bool behind = Watermark >= 0 && I > Watermark;
    constexpr bool on_event_time = behind && mentions<Predicate, Row>::field(event_time_field<S, Watermark>());
    return hana::make_tuple(kernel::bound_filter<decltype(node)>{std::move(node), !on_event_time});
  }
}

template <class S, int I, int Watermark>
auto bind_filter(const S& chain) {
  if constexpr (!WhereOperator<operator_at<S, I>>) return hana::tuple<>{};
  else {
    const auto& where = operator_of<S, I>(chain);
    return bind_conjuncts<S, I, Watermark>(where.predicate, where.row);
  }
}

template <class S, int Begin, int End, int Watermark>
auto bind_filters(const S& chain) {
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    return concat_all(bind_filter<S, Begin + static_cast<int>(I), Watermark>(chain)...);
  }(std::make_index_sequence<static_cast<std::size_t>(End - Begin)>{});
}

/// The event time as the window sees it, else as the watermark does, else nothing.
template <class S, int Watermark, int Window>
auto bind_time(const S& chain) {
  if constexpr (Window >= 0)
    return kernel::bind_field<operator_at<S, Window>::field>(operator_of<S, Window>(chain).row);
  else if constexpr (Watermark >= 0)
    return kernel::bind_field<operator_at<S, Watermark>::field>(operator_of<S, Watermark>(chain).row);
  else return nullptr;
}

template <fixed_string Field, class Row>
kernel::window_grid grid_of(const tumbling_operator<Field, Row>& of) {
  return {of.length.count(), of.length.count(), of.offset.count()};
}
template <fixed_string Field, class Row>
kernel::window_grid grid_of(const sliding_operator<Field, Row>& of) {
  return {of.length.count(), of.slide.count(), of.offset.count()};
}

/// How a stage makes windows of panes.
template <class S, int Window>
struct windows_of {
  template <class Table>
  using type = plain_windows<Table>;
};
template <class S, int Window>
  requires(Window >= 0 && SlidingOperator<operator_at<S, Window>>)
struct windows_of<S, Window> {
  template <class Table>
  using type = sliding_windows<Table>;
};

// ---- aggregation ----------------------------------------------------------------------------------------------------

template <class Operator>
struct group_keys_of {
  template <class Row>
  static auto bind(const Row&) {
    return hana::tuple<>{};
  }
  static constexpr std::array<std::string_view, 0> names{};
};
template <class Row, fixed_string... Names>
struct group_keys_of<group_operator<Row, Names...>> {
  static auto bind(const Row& row) {
    static_cast<void>(row);
    return hana::make_tuple(kernel::bind_field<Names>(row)...);
  }
  static std::vector<field_description> describe() {
    return {field_describer<typename inferred<field_reference<Names>, Row>::value>::make(
        named_as<Names>::name.view())...};
  }
  static constexpr std::array<std::string_view, sizeof...(Names)> names{named_as<Names>::name.view()...};
};

template <class S, int Group>
struct group_of {
  using type = group_keys_of<operator_at<S, Group>>;
};
template <class S>
struct group_of<S, -1> {
  using type = group_keys_of<void>;
};

template <class Nodes>
struct key_parts;
template <class... Nodes>
struct key_parts<hana::tuple<Nodes...>> {
  using type = hana::tuple<kernel::key_part<typename Nodes::value, Nodes::nullable>...>;
};

template <class Operator>
struct aggregates_of;
template <class C, class Row, class... Assignments>
struct aggregates_of<aggregate_operator<C, Row, Assignments...>> {
  template <class Assignment>
  using argument = inferred<typename Assignment::expression::argument, Row>;

  using states = hana::tuple<typename decltype(kernel::pick_packed_state<
      Assignments::expression::function, typename argument<Assignments>::value, argument<Assignments>::nullable>())::type...>;

  static auto bind(const aggregate_operator<C, Row, Assignments...>& of) {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      return hana::make_tuple(kernel::bind(hana::at_c<I>(of.assignments).value.value, of.row)...);
    }(std::index_sequence_for<Assignments...>{});
  }

  /// Where field I of the result comes from.
  template <class Group, std::size_t I>
  static constexpr auto field() {
    constexpr std::string_view name = member_names<C>[I];
    constexpr int assigned = assignment_index<Assignments...>(name);
    constexpr std::size_t key = [] {
      std::size_t at = 0;
      while (at < Group::names.size() && Group::names[at] != member_names<C>[I]) ++at;
      return at;
    }();
    using value = field_value<C, I>;
    if constexpr (assigned >= 0)
      return result_field<result_origin::aggregate, static_cast<std::size_t>(assigned), value>{};
    else if constexpr (key < Group::names.size()) return result_field<result_origin::key, key, value>{};
    else if constexpr (name == "window_start") return result_field<result_origin::window_start, 0, value>{};
    else return result_field<result_origin::window_end, 0, value>{};
  }
};

template <class S, int Begin, int Aggregate>
std::unique_ptr<stage> make_aggregate_stage(const S& chain, const stage_place& place) {
  using facts = part_facts<S, Begin, Aggregate>;
  using Operator = operator_at<S, Aggregate>;
  using C = typename Operator::contract;
  using aggregates = aggregates_of<Operator>;
  using group = typename group_of<S, facts::group>::type;

  aggregate_settings settings;
  settings.mode = place.mode;
  settings.result = &schema_of<C>();
  settings.where = place.step;
  settings.late = Begin == 0 ? place.late : nullptr;
  settings.late_port = place.late_port;
  settings.invalid = place.invalid;
  settings.invalid_port = place.invalid_port;
  if constexpr (facts::group >= 0) settings.identity = group::describe();
  settings.has_watermark = facts::watermark >= 0;
  if constexpr (facts::window >= 0) {
    settings.windows = grid_of(operator_of<S, facts::window>(chain));
    for (std::string_view bound : {"window_start", "window_end"})
      settings.identity.push_back(field_describer<timestamp>::make(bound));
  }
  if constexpr (facts::watermark >= 0) {
    constexpr std::string_view event_time = operator_at<S, facts::watermark>::field.view();
    if constexpr (facts::window >= 0) settings.late_by = lateness::window;
    else
      for (std::size_t i = 0; i < group::names.size(); ++i)
        if (group::names[i] == event_time) {
          settings.late_by = lateness::row_time;
          settings.time_key = i;
        }
  }

  auto time = bind_time<S, facts::watermark, facts::window>(chain);
  auto filters = bind_filters<S, Begin, Aggregate, facts::watermark>(chain);
  auto arguments = aggregates::bind(operator_of<S, Aggregate>(chain));
  auto keys = [&] {
    if constexpr (facts::group >= 0) return group::bind(operator_of<S, facts::group>(chain).row);
    else return hana::tuple<>{};
  }();
  using table = kernel::group_table<typename key_parts<decltype(keys)>::type, typename aggregates::states>;
  using windows = typename windows_of<S, facts::window>::template type<table>;
  return [&]<std::size_t... I>(std::index_sequence<I...>) -> std::unique_ptr<stage> {
    using made = aggregate_stage<decltype(time), decltype(filters), decltype(keys), decltype(arguments), table, windows,
                                 decltype(aggregates::template field<group, I>())...>;
    return std::make_unique<made>(std::move(settings), std::move(time), std::move(filters), std::move(keys),
                                  std::move(arguments));
  }(std::make_index_sequence<member_count<C>>{});
}

// ---- rows given on --------------------------------------------------------------------------------------------------

template <class C, std::size_t I>
struct member_name_at {
  static constexpr std::string_view get() { return member_names<C>[I]; }
};

template <class C, std::size_t I, class Row>
auto bind_column(const Row& row) {
  constexpr auto name = fixed_from<member_name_at<C, I>>();
  constexpr int plain = plain_field_of<Row, name>::index;
  if constexpr (plain >= 0 && std::is_same_v<typename inferred<field_reference<name>, Row>::value, field_value<C, I>>)
    return copied_column{static_cast<std::size_t>(plain)};
  else {
    auto node = kernel::bind_field<name>(row);
    return computed_column<field_value<C, I>, decltype(node)>{std::move(node)};
  }
}

template <class S, int Begin, int End>
std::unique_ptr<stage> make_transform_stage(const S& chain, const stage_place& place) {
  using facts = part_facts<S, Begin, End>;
  using Row = typename S::row_type;
  using C = typename contract_behind<Row>::type;
  auto time = bind_time<S, facts::watermark, -1>(chain);
  auto filters = bind_filters<S, Begin, End, facts::watermark>(chain);
  auto columns = [&]<std::size_t... I>(std::index_sequence<I...>) {
    return hana::make_tuple(bind_column<C, I>(chain.row)...);
  }(std::make_index_sequence<member_count<C>>{});
  using made = transform_stage<decltype(time), decltype(filters), decltype(columns)>;
  transform_settings settings{facts::watermark >= 0, &schema_of<C>(), place.step, place.invalid, place.invalid_port};
  return std::make_unique<made>(std::move(settings), std::move(time), std::move(filters), std::move(columns));
}

template <class S, int Begin>
constexpr int next_aggregate() {
  constexpr int count = static_cast<int>(facts_of_stream<S>::count);
  int found = count;
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    ((found = found == count && AggregateOperator<operator_at<S, Begin + static_cast<int>(I)>>
                  ? Begin + static_cast<int>(I)
                  : found),
     ...);
  }(std::make_index_sequence<static_cast<std::size_t>(count - Begin)>{});
  return found;
}

/// Whether a stream can have results that do not fit: not if it gives on what it gets, by predicates that compute
/// nothing.
template <class S>
constexpr bool can_reject() {
  constexpr int count = static_cast<int>(facts_of_stream<S>::count);
  if constexpr (next_aggregate<S, 0>() < count ||
                !std::is_same_v<typename S::row_type, contract_row<typename S::source_type::contract>>)
    return true;
  else {
    constexpr int watermark = part_facts<S, 0, count>::watermark;
    return kernel::any_may_overflow<decltype(bind_filters<S, 0, count, watermark>(std::declval<const S&>()))>;
  }
}

template <class S, int Begin>
void make_links(const S& chain, const stage_place& place, std::vector<std::unique_ptr<stage>>& links) {
  constexpr int count = static_cast<int>(facts_of_stream<S>::count);
  constexpr int aggregate = next_aggregate<S, Begin>();
  if constexpr (aggregate < count) {
    // Only final results may enter another aggregation; what leaves the step follows the load's output mode.
    stage_place here = place;
    if (next_aggregate<S, aggregate + 1>() < count) here.mode = output_mode::append;
    links.push_back(make_aggregate_stage<S, Begin, aggregate>(chain, here));
    if constexpr (aggregate + 1 < count) make_links<S, aggregate + 1>(chain, place, links);
  } else links.push_back(make_transform_stage<S, Begin, count>(chain, place));
}

}  // namespace detail

/// The stage that runs a stream.
template <Stream S>
std::unique_ptr<stage> lower_stage(const S& chain, const stage_place& place) {
  std::vector<std::unique_ptr<stage>> links;
  detail::make_links<S, 0>(chain, place, links);
  if (links.size() == 1) return std::move(links.front());
  return std::make_unique<chained_stage>(std::move(links));
}

}  // namespace etlantic
