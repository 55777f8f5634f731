#pragma once
#include <etlantic/graph/join.hpp>
#include <etlantic/graph/select.hpp>
#include <etlantic/graph/watermark.hpp>
#include <etlantic/kernel/bind_joined.hpp>
#include <etlantic/runtime/join_stage.hpp>
#include <etlantic/runtime/lower_parts.hpp>
#include <etlantic/runtime/lower_transform.hpp>
#include <etlantic/runtime/stage_place.hpp>

#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>

// From a join to the stage that runs it.

namespace etlantic::detail {

// ---- times ----------------------------------------------------------------------------------------------------------

constexpr join_time_rule::bound bound_of(const time_bound& of) { return {of.distance.count(), of.inclusive}; }

inline join_time_rule time_rule_of(const range_rule& of) {
  return {join_time::range, bound_of(of.least), bound_of(of.greatest), {}};
}
inline join_time_rule time_rule_of(const same_time_rule&) { return {join_time::same_time, {}, {}, {}}; }
inline join_time_rule time_rule_of(const same_window_rule& of) {
  return {join_time::same_window, {}, {}, {of.length.count(), of.length.count(), of.offset.count()}};
}
inline join_time_rule time_rule_of(const unbounded_rule&) { return {}; }

// ---- conditions -----------------------------------------------------------------------------------------------------

/// What a part of a join's condition can be asked of: rows of one side before they meet others, or pairs.
enum class asked_of { left_rows, right_rows, pairs };

template <class E, class Row>
constexpr asked_of asked_of_what() {
  constexpr looked_at sides = sides_looked_at<E, Row>::value;
  if (sides.left_side && !sides.right_side) return asked_of::left_rows;
  if (sides.right_side && !sides.left_side) return asked_of::right_rows;
  return asked_of::pairs;
}

/// The parts of a condition that are asked of the same, bound to the row that is there. `Joined` is the row of both
/// sides.
template <asked_of What, class Joined, class E, class Row>
auto bind_matched(const E& condition, const Row& row) {
  if constexpr (std::is_same_v<E, no_condition>)
    return hana::tuple<>{};
  else if constexpr (conjunction<E>::value)
    return hana::concat(bind_matched<What, Joined>(condition.left, row),
                        bind_matched<What, Joined>(condition.right, row));
  else if constexpr (asked_of_what<E, Joined>() != What)
    return hana::tuple<>{};
  else {
    auto node = kernel::bind(condition, row);
    return hana::make_tuple(kernel::bound_filter<decltype(node)>{std::move(node), true});
  }
}

// ---- sides ----------------------------------------------------------------------------------------------------------

template <class T>
concept SelectOperator = requires { typename T::select_tag; };

/// A side of a join: the stream, and its rows as the join gets them.
template <class S>
struct join_side_of;
template <class Source, class Row, class... Operators>
struct join_side_of<stream<Source, Row, Operators...>> {
  using chain_type = stream<Source, Row, Operators...>;
  using given = given_row<Row>;
  using base = plain_base<Row>;
  static constexpr int count = static_cast<int>(sizeof...(Operators));
  static constexpr bool has_time = detail::chain<chain_type>.watermark >= 0;
  /// Whether something has to be done to rows before they are joined.
  static constexpr bool has_entrance = ((SelectOperator<Operators> || WhereOperator<Operators>) || ...);

  /// The stage before the join. Derived columns are left to the join, which computes what it is asked for.
  static std::unique_ptr<stage> entrance(const chain_type& chain, const stage_place& place) {
    if constexpr (has_entrance) {
      stage_place here = place;
      here.keeps_origins = has_time;
      using plain_stream = stream<Source, typename base::type, Operators...>;
      return make_transform_stage<plain_stream, 0, count>(
          plain_stream{chain.source, base::of(chain.row), chain.operators}, here);
    } else
      return nullptr;
  }

  static auto bind_time(const chain_type& chain) {
    constexpr int watermark = detail::chain<chain_type>.watermark;
    if constexpr (watermark < 0)
      return nullptr;
    else
      return kernel::bind_field<operator_at<chain_type, watermark>::field>(given::of(chain.row));
  }

  static join_side_settings settings(const chain_type& chain, const stage_place& place) {
    join_side_settings made;
    made.rows = &schema_of<typename given::contract>();
    made.input = chain.source.port;
    const stage_place here = place.with_late_input(chain.source.port);
    made.late = here.late;
    made.late_port = here.late_port;
    return made;
  }
};

template <class Time, class Keys, class Conditions>
auto make_join_inputs(Time time, Keys keys, Conditions conditions) {
  return join_inputs<Time, Keys, Conditions>{std::move(time), std::move(keys), std::move(conditions)};
}

template <class L, class R, join_sort Sort, class Time, class Condition, class... Keys>
std::unique_ptr<stage> make_join_stage(const join_source<L, R, Sort, Time, Condition, Keys...>& of,
                                       const schema& result, const stage_place& place) {
  using of_left = join_side_of<L>;
  using of_right = join_side_of<R>;
  using joined = matched_row<L, R, Keys...>;
  const auto left_row = of_left::given::of(of.left_stream.row);
  const auto right_row = of_right::given::of(of.right_stream.row);
  join_settings settings{
      .sort = Sort,
      .time = time_rule_of(of.time),
      .sides = {of_left::settings(of.left_stream, place), of_right::settings(of.right_stream, place)},
      .where = place.step,
      .result = &result,
      .invalid = place.invalid,
      .invalid_port = place.invalid_port,
      .most_bytes = place.most_bytes};
  auto left_inputs = make_join_inputs(
      of_left::bind_time(of.left_stream), hana::make_tuple(kernel::bind_field<Keys::left_name>(left_row)...),
      bind_matched<asked_of::left_rows, joined>(
          of.condition, lone_side_row<join_side::of_left, typename of_left::given::type>{left_row}));
  auto right_inputs = make_join_inputs(
      of_right::bind_time(of.right_stream), hana::make_tuple(kernel::bind_field<Keys::right_name>(right_row)...),
      bind_matched<asked_of::right_rows, joined>(
          of.condition, lone_side_row<join_side::of_right, typename of_right::given::type>{right_row}));
  auto conditions = bind_matched<asked_of::pairs, joined>(of.condition, joined{left_row, right_row});
  using made = join_stage<decltype(left_inputs), decltype(right_inputs), decltype(conditions)>;
  typename made::entrances before{of_left::entrance(of.left_stream, place), of_right::entrance(of.right_stream, place)};
  return std::make_unique<made>(std::move(settings), std::move(left_inputs), std::move(right_inputs),
                                std::move(conditions), std::move(before));
}

}  // namespace etlantic::detail
