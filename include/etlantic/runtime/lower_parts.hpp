#pragma once
#include <etlantic/expression/mentions.hpp>
#include <etlantic/graph/accept_late.hpp>
#include <etlantic/graph/correct_late.hpp>
#include <etlantic/graph/inherited_watermark.hpp>
#include <etlantic/graph/stream.hpp>
#include <etlantic/graph/where.hpp>
#include <etlantic/kernel/bind.hpp>
#include <etlantic/kernel/filter.hpp>

#include <boost/hana/concat.hpp>
#include <boost/hana/tuple.hpp>

#include <cstddef>
#include <string_view>
#include <type_traits>
#include <utility>

// The parts of a chain, each of which is one stage, and what all stages bind: filters and the event time.

namespace etlantic::detail {

namespace hana = boost::hana;

template <class S, int I>
const auto& operator_of(const S& chain) {
  return hana::at_c<static_cast<std::size_t>(I)>(chain.operators);
}

/// How a stateful operator and what stands before it in its part become a stage: `make<S, Begin, At>(chain, place)`.
template <class Operator>
struct stage_maker;

template <class T>
concept WhereOperator = requires { typename T::where_tag; };

/// What holds for the part [Begin, End) of a chain: the watermark, the window and the group since the last aggregate,
/// which may stand in an earlier part; -1 where there is none.
template <class S, int Begin, int End>
struct part_facts {
  template <template <class> class Is, int From, int To>
  static constexpr int last = [] {
    int found = -1;
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      ((found = Is<operator_at<S, From + static_cast<int>(I)>>::value ? From + static_cast<int>(I) : found), ...);
    }(std::make_index_sequence<static_cast<std::size_t>(To - From)>{});
    return found;
  }();
  template <class T>
  struct is_aggregate : std::bool_constant<AggregateOperator<T>> {};
  template <class T>
  struct is_watermark : std::bool_constant<WatermarkOperator<T>> {};
  template <class T>
  struct is_window : std::bool_constant<WindowOperator<T>> {};
  template <class T>
  struct accepts_late : std::bool_constant<AcceptLateOperator<T>> {};
  template <class T>
  struct corrects_late : std::bool_constant<CorrectLateOperator<T>> {};
  template <class T>
  struct is_group : std::bool_constant<GroupOperator<T>> {};
  template <class T>
  struct is_keyed : std::bool_constant<KeyedOperator<T>> {};

  static constexpr int origin = last<is_aggregate, 0, Begin> + 1;
  static constexpr int watermark = last<is_watermark, origin, End>;
  static constexpr int cut = origin > last<is_keyed, 0, Begin> + 1 ? origin : last<is_keyed, 0, Begin> + 1;
  static constexpr int window = last<is_window, cut, End>;
  static constexpr int group = last<is_group, cut, End>;
  static constexpr int acceptance = last<accepts_late, cut, End>;
  static constexpr bool corrects = last<corrects_late, cut, End> >= 0;
  /// Whether this part's stage is the one that follows the greatest event time.
  static constexpr bool declares_watermark = [] {
    if constexpr (watermark < Begin)
      return false;
    else
      return DeclaredWatermark<operator_at<S, watermark>>;
  }();
  /// Whether this part's stage stands behind a union, and looks at the event times of rows for its parts: only the rows
  /// that pass the filters here move their watermarks.
  static constexpr bool looks_for_union = [] {
    if constexpr (watermark != 0 || Begin != 0)
      return false;
    else
      return InheritedWatermark<operator_at<S, 0>>;
  }();
  /// Whether rows still have the contract of the chain's start.
  static constexpr bool has_input_rows = origin == 0;
};

/// The event time's name in the chain's first row, if the watermark's field is there unchanged.
template <class S, int Watermark>
constexpr std::string_view event_time_field() {
  if constexpr (Watermark < 0)
    return {};
  else
    return operator_at<S, Watermark>::field.view();
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
  if constexpr (!WhereOperator<operator_at<S, I>>)
    return hana::tuple<>{};
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
  else
    return nullptr;
}

}  // namespace etlantic::detail
