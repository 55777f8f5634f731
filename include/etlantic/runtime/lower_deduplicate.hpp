#pragma once
#include <etlantic/graph/deduplicate.hpp>
#include <etlantic/graph/inherited_watermark.hpp>
#include <etlantic/graph/union_all.hpp>
#include <etlantic/kernel/forgetting_time.hpp>
#include <etlantic/kernel/group_table.hpp>
#include <etlantic/runtime/deduplicate_stage.hpp>
#include <etlantic/runtime/lower_parts.hpp>
#include <etlantic/runtime/stage_place.hpp>

#include <boost/hana/tuple.hpp>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>

// From filters and a deduplication to the stage that runs them.

namespace etlantic::detail {

/// The contract of the rows that a part receives.
template <class S, int Origin>
struct received_contract {
  using type = typename operator_at<S, Origin - 1>::contract;
};
template <class S>
struct received_contract<S, 0> {
  using type = typename S::source_type::contract;
};

template <class Source>
duration delay_of_source(const Source&) {
  return {};
}
template <class C, class... Parts>
duration delay_of_source(const union_source<C, Parts...>& source);

/// The delay of the watermark at a place in a chain: that of the one it follows, or the longest of a union.
template <int Watermark, class S>
duration delay_of(const S& of) {
  if constexpr (DeclaredWatermark<operator_at<S, Watermark>>)
    return operator_of<S, Watermark>(of).delay;
  else {
    constexpr int before = part_facts<S, 0, Watermark>::watermark;
    if constexpr (before >= 0)
      return delay_of<before>(of);
    else
      return delay_of_source(of.source);
  }
}

template <class C, class... Parts>
duration delay_of_source(const union_source<C, Parts...>& source) {
  duration longest{};
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    ((longest = std::max(longest, delay_of<chain<Parts>.watermark>(hana::at_c<I>(source.parts)))), ...);
  }(std::index_sequence_for<Parts...>{});
  return longest;
}

template <class Nodes>
struct seen_keys;
template <class... Nodes>
struct seen_keys<hana::tuple<Nodes...>> {
  template <class States>
  using table = kernel::group_table<hana::tuple<kernel::key_part<typename Nodes::value, Nodes::nullable>...>, States>;
};

template <class Row, key_memory Memory, bool JudgesLate, fixed_string... Names>
struct stage_maker<deduplicate_operator<Row, Memory, JudgesLate, Names...>> {
  template <class S, int Begin, int At>
  static std::unique_ptr<stage> make(const S& chain, const stage_place& place) {
    using facts = part_facts<S, Begin, At>;
    deduplicate_settings settings;
    settings.has_watermark = facts::declares_watermark;
    settings.looks_for_union = facts::looks_for_union;
    settings.drops_late = JudgesLate;
    if constexpr (Memory == key_memory::one_delay) {
      settings.kept_for = delay_of<facts::watermark>(chain);
      settings.forgets_without_time = true;
    }
    settings.rows = &schema_of<typename received_contract<S, facts::origin>::type>();
    settings.where = place.step;
    settings.late = facts::has_input_rows ? place.late : nullptr;
    settings.late_port = place.late_port;
    settings.invalid = place.invalid;
    settings.invalid_port = place.invalid_port;

    const Row& row = operator_of<S, At>(chain).row;
    static_cast<void>(row);
    auto time = bind_time<S, facts::watermark, -1>(chain);
    auto filters = bind_filters<S, Begin, At, facts::watermark>(chain);
    auto keys = hana::make_tuple(kernel::bind_field<Names>(row)...);
    using states =
        std::conditional_t<Memory == key_memory::everything, hana::tuple<>, hana::tuple<kernel::forgetting_time>>;
    using table = typename seen_keys<decltype(keys)>::template table<states>;
    using made = deduplicate_stage<decltype(time), decltype(filters), decltype(keys), table>;
    return std::make_unique<made>(std::move(settings), std::move(time), std::move(filters), std::move(keys));
  }
};

}  // namespace etlantic::detail
