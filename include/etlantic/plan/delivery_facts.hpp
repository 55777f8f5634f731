#pragma once
#include <etlantic/graph/accept_late.hpp>
#include <etlantic/graph/correct_late.hpp>
#include <etlantic/graph/stream.hpp>
#include <etlantic/graph/window.hpp>

#include <span>
#include <string_view>
#include <type_traits>

// What the operators of one stream say about the rows at its end.

namespace etlantic::detail {

/// The aggregations of a stream. The state of one is bounded, and its rows become final, if it has a window of the
/// watermark's event time, or the event time is one of its keys.
template <class Implementation>
struct delivery_facts {
  static constexpr bool aggregates = false;
  static constexpr bool bounded = true;
  static constexpr bool bounded_before = true;
  static constexpr bool gives_sessions = false;
  static constexpr bool corrects = false;
  static constexpr bool recomputes = false;
  static constexpr bool ends_recomputed = true;
  static constexpr bool deduplicates = false;
  static constexpr bool bounded_before_deduplication = true;
  static constexpr bool keeps_state = false;
  static constexpr bool keeps_results = false;
  static constexpr bool keeps_rows = false;
  static constexpr bool bounded_before_keyed = true;
  static constexpr std::span<const std::string_view> newest_by{};
};
template <class Source, class Row, class... Operators>
struct delivery_facts<stream<Source, Row, Operators...>> {
  struct found {
    bool aggregates = false;
    bool last = true;
    bool all_before = true;
    bool sessions = false;
    bool corrects = false;
    bool recomputes = false;
    bool ends_recomputed = true;
    bool deduplicates = false;
    bool before_deduplication = true;
    bool keeps_state = false;
    bool keeps_results = false;
    bool keeps_rows = false;
    bool before_keyed = true;
    std::span<const std::string_view> newest_by{};
  };
  static constexpr found facts = [] {
    found made;
    bool watermark = false, window = false, session = false, by_event_time = false, accepts = false;
    bool recomputes = false;
    const auto look = [&]<class Operator>(std::type_identity<Operator>) {
      if constexpr (WatermarkOperator<Operator>) watermark = true;
      if constexpr (StatefulOperator<Operator>) made.ends_recomputed = !made.recomputes;
      if constexpr (StatefulOperator<Operator>)
        made.keeps_state = true, made.keeps_results = AggregateOperator<Operator>;
      if constexpr (WindowOperator<Operator>) window = true, session = SessionOperator<Operator>;
      if constexpr (AcceptLateOperator<Operator>) accepts = true;
      if constexpr (CorrectLateOperator<Operator>) recomputes = true;
      if constexpr (GroupOperator<Operator>) by_event_time = Operator::event_time_key >= 0;
      if constexpr (requires { typename Operator::deduplicate_tag; }) {
        made.deduplicates = true;
        made.before_deduplication = made.before_deduplication && made.last;
      }
      if constexpr (KeyedOperator<Operator>) {
        made.before_keyed = made.all_before && made.last;
        made.keeps_rows = true;
        made.aggregates = made.sessions = false;  // what it gives on is as it says, whatever came in
        made.last = true;
        window = session = by_event_time = accepts = false;
        if constexpr (requires { typename Operator::latest_tag; }) made.newest_by = Operator::names;
      }
      if constexpr (AggregateOperator<Operator>) {
        made.aggregates = true;
        made.all_before = made.all_before && made.last;
        // What late rows may correct is not final when it comes out.
        made.last = !accepts && watermark && (window || by_event_time);
        made.sessions = session;
        made.corrects = accepts;
        made.recomputes = made.recomputes || recomputes;
        watermark = window = session = by_event_time = accepts = false;
      }
    };
    (look(std::type_identity<Operators>{}), ...);
    static_cast<void>(look);
    return made;
  }();
  static constexpr bool aggregates = facts.aggregates;
  static constexpr bool bounded = facts.last;                     ///< the last aggregation
  static constexpr bool bounded_before = facts.all_before;        ///< those in front of it
  static constexpr bool gives_sessions = facts.sessions;          ///< the last aggregation is one of sessions
  static constexpr bool corrects = facts.corrects;                ///< the last aggregation accepts late rows
  static constexpr bool recomputes = facts.recomputes;            ///< a correction run may compute an aggregation again
  static constexpr bool ends_recomputed = facts.ends_recomputed;  ///< ... and nothing with state stands behind that
  static constexpr bool deduplicates = facts.deduplicates;
  static constexpr bool bounded_before_deduplication = facts.before_deduplication;
  static constexpr bool keeps_state = facts.keeps_state;
  static constexpr bool keeps_results = facts.keeps_results;  ///< what keeps state last is an aggregation
  static constexpr bool keeps_rows = facts.keeps_rows;        ///< top, latest_by, lag or process
  static constexpr bool bounded_before_keyed = facts.before_keyed;
  static constexpr std::span<const std::string_view> newest_by = facts.newest_by;  ///< the keys of latest_by
};

}  // namespace etlantic::detail
