#pragma once
#include <etlantic/graph/derive.hpp>
#include <etlantic/graph/select.hpp>
#include <etlantic/runtime/lower_parts.hpp>
#include <etlantic/runtime/stage_place.hpp>
#include <etlantic/runtime/transform_stage.hpp>

#include <memory>
#include <string_view>
#include <type_traits>
#include <utility>

// From the end of a chain that keeps no state to the stage that gives its rows on.

namespace etlantic::detail {

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
  auto time = bind_time < S, facts::declares_watermark || facts::looks_for_union ? facts::watermark : -1, -1 > (chain);
  auto filters = bind_filters<S, Begin, End, facts::watermark>(chain);
  auto columns = [&]<std::size_t... I>(std::index_sequence<I...>) {
    return hana::make_tuple(bind_column<C, I>(chain.row)...);
  }(std::make_index_sequence<member_count<C>>{});
  using made = transform_stage<decltype(time), decltype(filters), decltype(columns)>;
  transform_settings settings{.has_watermark = facts::declares_watermark,
                              .looks_for_union = facts::looks_for_union,
                              .is_union_part = place.is_union_part,
                              .keeps_origins = place.keeps_origins,
                              .result = &schema_of<C>(),
                              .where = place.step,
                              .invalid = place.invalid,
                              .invalid_port = place.invalid_port};
  return std::make_unique<made>(std::move(settings), std::move(time), std::move(filters), std::move(columns));
}

}  // namespace etlantic::detail
