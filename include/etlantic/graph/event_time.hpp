#pragma once
#include <etlantic/expression/mentions.hpp>
#include <etlantic/graph/inherited_watermark.hpp>
#include <etlantic/graph/stream.hpp>

#include <cstddef>
#include <string_view>
#include <utility>

// Which fields of a stream are the event time that its watermark follows. A field that only has its name is not.

namespace etlantic::detail {

/// Whether an operator gives the rows behind it another column of this name.
template <class Operator>
constexpr bool replaces_column(std::string_view name) {
  if constexpr (requires { typename Operator::derive_tag; })
    return Operator::name.view() == name;
  else
    return requires { typename Operator::select_tag; };
}

template <class In, int First>
constexpr bool keeps_column_from(std::string_view name) {
  bool kept = true;
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    ((kept = kept && !replaces_column<operator_at<In, First + static_cast<int>(I)>>(name)), ...);
  }(std::make_index_sequence<facts_of_stream<In>::count - static_cast<std::size_t>(First)>{});
  return kept;
}

/// Whether a field still is what the watermark of the stream follows.
template <class In, fixed_string Name>
constexpr bool is_event_time() {
  if constexpr (chain<In>.watermark < 0)
    return false;
  else {
    using watermark = operator_at<In, chain<In>.watermark>;
    constexpr int followed = plain_field_of<typename watermark::row_type, watermark::field>::index;
    constexpr int own = plain_field_of<typename In::row_type, Name>::index;
    if constexpr (followed >= 0)
      return own == followed;
    else
      return Name == watermark::field && keeps_column_from<In, chain<In>.watermark + 1>(Name.view());
  }
}

/// Whether a field is passed by the watermark when the event time is: it is the event time, or the end of the window
/// whose last microsecond is.
template <class In, fixed_string Name>
constexpr bool passes_with_event_time() {
  if constexpr (is_event_time<In, Name>())
    return true;
  else if constexpr (chain<In>.watermark < 0)
    return false;
  else {
    using watermark = operator_at<In, chain<In>.watermark>;
    constexpr bool of_window = InheritedWatermark<watermark> && watermark::field.view() == "window_time";
    constexpr int own = plain_field_of<typename In::row_type, Name>::index;
    return of_window && own >= 0 && own == plain_field_of<typename watermark::row_type, "window_end">::index;
  }
}

/// The place among some fields of the first one that is the event time; -1 where none is.
template <class In, fixed_string... Names>
constexpr int event_time_among() {
  int found = -1, at = 0;
  ((found = found < 0 && is_event_time<In, Names>() ? at : found, ++at), ...);
  return found;
}

}  // namespace etlantic::detail
