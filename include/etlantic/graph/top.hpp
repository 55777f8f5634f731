#pragma once
#include <etlantic/expression/extended_row.hpp>
#include <etlantic/graph/inherited_watermark.hpp>
#include <etlantic/graph/keyed.hpp>
#include <etlantic/graph/tumbling.hpp>
#include <etlantic/graph/window.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace etlantic {

template <class Row, std::size_t Limit, fixed_string Field, bool Ascending>
struct top_operator {
  using stateful_tag = void;
  using keyed_tag = void;
  using row_type = Row;
  static constexpr bool takes_window = true;
  static constexpr bool takes_group = true;
  Row row;
};

template <std::size_t Limit, fixed_string Field, bool Ascending = false>
struct top_step {
  using step_tag = void;

  /// The rows with the least values instead of the greatest.
  constexpr top_step<Limit, Field, true> ascending() const
    requires(!Ascending)
  {
    return {};
  }
};

/// The rows with the greatest values of a field, so many for each group and window:
/// `group_by<"region"> | tumbling<"time">(1h) | top<3, "amount">`. They come out when the watermark closes the window,
/// the first one first. Behind `aggregate` with a window it needs none of its own: results whose windows end together
/// are ranked together. Nulls come last in either direction, NaN is greater than all numbers, and of rows with equal
/// values the one comes first whose fields do, one after the other as the contract declares them.
///
/// Behind it, `select` finds the columns `rank` (from 1), `window_start` and `window_end`, unless the rows have fields
/// of these names themselves.
template <std::size_t Limit, fixed_string Field>
inline constexpr top_step<Limit, Field> top{};

namespace detail {

template <class Row, fixed_string Name>
inline constexpr bool names_field = passed<typename find_field<Row, Name>::type>;

/// The start of a window is known where the window was declared here.
template <class Row, bool KnowsStart>
using ranked_row =
    extended_row<Row, added_column<"rank", std::int64_t, false, names_field<Row, "rank">>,
                 added_column<"window_start", timestamp, false, !KnowsStart || names_field<Row, "window_start">>,
                 added_column<"window_end", timestamp, false, names_field<Row, "window_end">>>;

/// Whether the rows are results of a window, and no other window was declared since.
template <class In>
constexpr bool ranks_results_of_windows() {
  if constexpr (chain<In>.watermark < 0 || chain<In>.window >= 0 || !names_field<typename In::row_type, "window_time">)
    return false;
  else {
    using watermark = operator_at<In, chain<In>.watermark>;
    return InheritedWatermark<watermark> && watermark::field.view() == "window_time";
  }
}

template <class In>
constexpr bool has_plain_window() {
  if constexpr (chain<In>.window < 0)
    return false;
  else
    return !SessionOperator<operator_at<In, chain<In>.window>>;
}

template <class In, std::size_t Limit, fixed_string Field>
constexpr auto judge_top() {
  using field = decltype(judge_keyed_field<typename In::row_type, Field>());
  if constexpr (!passed<field>)
    return field{};
  else if constexpr (Limit == 0)
    return fail<rule::number_of_rows_must_be_positive, called<Field>>{};
  else if constexpr (!has_plain_window<In>() && !ranks_results_of_windows<In>())
    return fail<rule::top_needs_a_window, called<Field>>{};
  else if constexpr (chain<In>.watermark < 0)
    return fail<rule::top_needs_a_watermark, called<Field>>{};
  else
    return pass{};
}

}  // namespace detail

template <Stream In, std::size_t Limit, fixed_string Field, bool Ascending>
constexpr auto attach(const In& in, const top_step<Limit, Field, Ascending>&) {
  using Row = typename In::row_type;
  using found = decltype(detail::judge_top<In, Limit, Field>());
  using made = top_operator<Row, Limit, Field, Ascending>;
  enforce(found{});
  if constexpr (!passed<found>)
    return poisoned{};
  else if constexpr (detail::ranks_results_of_windows<In>()) {
    // Around the last microsecond of a window: closed when the window is.
    const auto windowed = attach(in, tumbling<"window_time">(std::chrono::microseconds{1}));
    return detail::append_operator(windowed, detail::ranked_row<Row, false>{in.row}, made{in.row});
  } else
    return detail::append_operator(in, detail::ranked_row<Row, true>{in.row}, made{in.row});
}

}  // namespace etlantic
