#pragma once
#include <etlantic/graph/lookup_join.hpp>
#include <etlantic/runtime/lookup_stage.hpp>
#include <etlantic/runtime/lower_join.hpp>

#include <memory>
#include <utility>

// From a lookup join to the stage that runs it.

namespace etlantic::detail {

template <class L, class R, join_sort Sort, class Time, class Condition, class... Keys>
std::unique_ptr<stage> make_lookup_stage(const join_source<L, R, Sort, Time, Condition, Keys...>& of,
                                         const schema& result, const stage_place& place) {
  using of_left = join_side_of<L>;
  using of_right = join_side_of<R>;
  using joined = matched_row<L, R, Keys...>;
  const auto left_row = of_left::given::of(of.left_stream.row);
  const auto right_row = of_right::given::of(of.right_stream.row);
  lookup_settings settings{.sort = Sort,
                           .left = &schema_of<typename of_left::given::contract>(),
                           .right = &schema_of<typename of_right::given::contract>(),
                           .left_input = of.left_stream.source.port,
                           .right_input = of.right_stream.source.port,
                           .where = place.step,
                           .result = &result,
                           .invalid = place.invalid,
                           .invalid_port = place.invalid_port,
                           .most_bytes = place.most_bytes};
  auto left_inputs =
      make_join_inputs(nullptr, hana::make_tuple(kernel::bind_field<Keys::left_name>(left_row)...),
                       bind_matched<asked_of::left_rows, joined>(
                           of.condition, lone_side_row<join_side::of_left, typename of_left::given::type>{left_row}));
  auto right_inputs = make_join_inputs(
      nullptr, hana::make_tuple(kernel::bind_field<Keys::right_name>(right_row)...),
      bind_matched<asked_of::right_rows, joined>(
          of.condition, lone_side_row<join_side::of_right, typename of_right::given::type>{right_row}));
  auto conditions = bind_matched<asked_of::pairs, joined>(of.condition, joined{left_row, right_row});
  using made = lookup_stage<decltype(left_inputs), decltype(right_inputs), decltype(conditions)>;
  typename made::entrances before{of_left::entrance(of.left_stream, place), of_right::entrance(of.right_stream, place)};
  return std::make_unique<made>(std::move(settings), std::move(left_inputs), std::move(right_inputs),
                                std::move(conditions), std::move(before));
}

}  // namespace etlantic::detail
