#pragma once
#include <etlantic/graph/union_all.hpp>
#include <etlantic/kernel/may_overflow.hpp>
#include <etlantic/runtime/chained_stage.hpp>
#include <etlantic/runtime/lower_deduplicate.hpp>
#include <etlantic/runtime/lower_keyed.hpp>
#include <etlantic/runtime/lower_parts.hpp>
#include <etlantic/runtime/lower_session.hpp>
#include <etlantic/runtime/lower_transform.hpp>
#include <etlantic/runtime/stage_place.hpp>

#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

// From a chain of operators to the stage that runs it. A chain is cut behind every stateful operator; each part is a
// stage.

namespace etlantic {

namespace detail {

template <class S, int Begin>
constexpr int next_stateful() {
  constexpr int count = static_cast<int>(facts_of_stream<S>::count);
  int found = count;
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    ((found = found == count && StatefulOperator<operator_at<S, Begin + static_cast<int>(I)>>
                  ? Begin + static_cast<int>(I)
                  : found),
     ...);
  }(std::make_index_sequence<static_cast<std::size_t>(count - Begin)>{});
  return found;
}

template <class S>
constexpr bool can_reject();
template <class Source>
inline constexpr bool source_can_reject = false;
template <class C, class... Parts>
inline constexpr bool source_can_reject<union_source<C, Parts...>> = (can_reject<Parts>() || ...);

/// Whether a stream can have results that do not fit: not if it gives on what it gets, by predicates that compute
/// nothing.
template <class S>
constexpr bool can_reject() {
  constexpr int count = static_cast<int>(facts_of_stream<S>::count);
  if constexpr (source_can_reject<typename S::source_type> || part_facts<S, count, count>::origin != 0 ||
                !std::is_same_v<typename S::row_type, contract_row<typename S::source_type::contract>>)
    return true;
  else {
    constexpr int watermark = part_facts<S, 0, count>::watermark;
    return kernel::any_may_overflow<decltype(bind_filters<S, 0, count, watermark>(std::declval<const S&>()))>;
  }
}

/// Rows as a block holds them, with nothing to compute.
template <class Row>
inline constexpr bool plain_row = false;
template <class C>
inline constexpr bool plain_row<contract_row<C>> = true;

template <class S, int Begin>
void make_links(const S& chain, const stage_place& place, std::vector<std::unique_ptr<stage>>& links) {
  constexpr int count = static_cast<int>(facts_of_stream<S>::count);
  constexpr int at = next_stateful<S, Begin>();
  if constexpr (at < count) {
    // Only final rows may enter another stateful operator; what leaves the step follows the load's output mode.
    stage_place here = place;
    if (next_stateful<S, at + 1>() < count) here.mode = output_mode::append;
    links.push_back(stage_maker<operator_at<S, at>>::template make<S, Begin, at>(chain, here));
    constexpr bool has_result = at + 1 == count && plain_row<typename S::row_type>;
    if constexpr (!has_result) make_links<S, at + 1>(chain, place, links);
  } else
    links.push_back(make_transform_stage<S, Begin, count>(chain, place));
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
