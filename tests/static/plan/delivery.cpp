#include <etlantic/graph/aggregate.hpp>
#include <etlantic/graph/deduplicate.hpp>
#include <etlantic/graph/derive.hpp>
#include <etlantic/graph/nodes.hpp>
#include <etlantic/graph/where.hpp>
#include <etlantic/plan/verify.hpp>

#include <type_traits>

namespace delivery_test {

using namespace etlantic;
using namespace std::chrono_literals;

struct Trade {
  text symbol;
  double price;
  timestamp time;
};
struct Keyed {
  text symbol;
  double high;
  using key = primary_key<"symbol">;
};
struct Unkeyed {
  text symbol;
  double high;
};
struct PerTime {
  timestamp time;
  double high;
};
template <class P, class... Expected>
constexpr bool judged = std::is_same_v<pipeline_verdict<P>, fail<Expected...>>;
template <class P, std::size_t Load>
constexpr output_mode mode = detail::load_facts<P, Load>::mode;
template <fixed_string Name>
using at = node<called<Name>>;
template <fixed_string Text>
using reading = reads<called<Text>>;

template <class Result, bool Watermark, bool Window>
struct Highest {
  input<Trade> trades;
  output<Result> rows;
};
template <class Result, bool Watermark, bool Window>
constexpr auto implement(const Highest<Result, Watermark, Window>& t) {
  constexpr auto last = aggregate<Result>(named<"high"> = max(field<"price">));
  if constexpr (Watermark && Window)
    return t.trades | watermark<"time">(1min) | group_by<"symbol"> | tumbling<"time">(1min) | last;
  else if constexpr (Watermark)
    return t.trades | watermark<"time">(1min) | group_by<"symbol"> | last;
  else if constexpr (Window)
    return t.trades | group_by<"symbol"> | tumbling<"time">(1min) | last;
  else
    return t.trades | group_by<"symbol"> | last;
}
template <class Result, bool Watermark, bool Window, output_mode... Mode>
struct P {
  extract<Trade, "trades"> trades;
  step<Highest<Result, Watermark, Window>, "trades.valid"> find;
  load<Result, "highest", "find.rows", Mode...> highest;
};

// ---- the mode of a load ---------------------------------------------------------------------------------------------
static_assert(mode<P<Keyed, true, true>, 2> == output_mode::update);
static_assert(mode<P<Unkeyed, true, true>, 2> == output_mode::append);
static_assert(mode<P<Keyed, true, true, output_mode::append>, 2> == output_mode::append);
static_assert(mode<P<Unkeyed, false, false, output_mode::complete>, 2> == output_mode::complete);
struct Copy {
  extract<Keyed, "in"> in;
  load<Keyed, "out", "in.valid"> out;
  load<rejected<Keyed>, "bad", "in.invalid"> bad;
};
static_assert(mode<Copy, 1> == output_mode::append && mode<Copy, 2> == output_mode::append, "nothing is aggregated");
static_assert(std::is_same_v<pipeline_verdict<Copy>, pass>);

// ---- append_needs_watermark -----------------------------------------------------------------------------------------
using needs_watermark = fail<rule::append_needs_watermark, at<"highest">, reading<"find.rows">>;
static_assert(std::is_same_v<pipeline_verdict<P<Unkeyed, true, true>>, pass>);
static_assert(std::is_same_v<pipeline_verdict<P<Unkeyed, false, true>>, needs_watermark>);
static_assert(std::is_same_v<pipeline_verdict<P<Unkeyed, true, false>>, needs_watermark>, "the groups never close");
static_assert(std::is_same_v<pipeline_verdict<P<Unkeyed, false, false>>, needs_watermark>);
static_assert(std::is_same_v<pipeline_verdict<P<Keyed, false, false, output_mode::append>>, needs_watermark>);
// State that grows for ever has to be asked for.
static_assert(std::is_same_v<pipeline_verdict<P<Keyed, false, false>>, needs_watermark>);
static_assert(std::is_same_v<pipeline_verdict<P<Keyed, false, false, output_mode::update>>, pass>);
static_assert(std::is_same_v<pipeline_verdict<P<Unkeyed, false, false, output_mode::complete>>, pass>);

// The event time as a key closes groups as a window does.
struct ByTime {
  input<Trade> trades;
  output<PerTime> rows;
};
constexpr auto implement(const ByTime& t) {
  return t.trades | watermark<"time">(1min) | group_by<"time"> |
         aggregate<PerTime>(named<"high"> = max(field<"price">));
}
struct PerTimePipeline {
  extract<Trade, "trades"> trades;
  step<ByTime, "trades.valid"> find;
  load<PerTime, "highest", "find.rows", output_mode::append> highest;
};
static_assert(std::is_same_v<pipeline_verdict<PerTimePipeline>, pass>);

// A step in between does not make rows final.
struct Keep {
  input<Unkeyed> in;
  output<Unkeyed> rows;
};
constexpr auto implement(const Keep& t) { return t.in | where(field<"high"> > 0.0); }
template <bool Watermark, output_mode... Mode>
struct Kept {
  extract<Trade, "trades"> trades;
  step<Highest<Unkeyed, Watermark, Watermark>, "trades.valid"> find;
  step<Keep, "find.rows"> keep;
  load<Unkeyed, "highest", "keep.rows", Mode...> highest;
};
static_assert(std::is_same_v<pipeline_verdict<Kept<true>>, pass>);
static_assert(judged<Kept<false>, rule::append_needs_watermark, at<"highest">, reading<"keep.rows">>);
static_assert(std::is_same_v<pipeline_verdict<Kept<false, output_mode::update>>, pass>);

// What a step rejects is final, whatever it reads.
struct RejectedOpenRows {
  extract<Trade, "trades"> trades;
  step<Highest<Unkeyed, false, false>, "trades.valid"> find;
  load<rejected<Unkeyed>, "rejected_highest", "find.invalid"> rejected_highest;
  step<Keep, "find.rows"> keep;
  load<Unkeyed, "highest", "keep.rows", output_mode::update> highest;
  load<rejected<Unkeyed>, "rejected_kept", "keep.invalid"> rejected_kept;
};
static_assert(std::is_same_v<pipeline_verdict<RejectedOpenRows>, pass>);

// ---- sessions -------------------------------------------------------------------------------------------------------
template <class Result, bool Watermark>
struct FindSessions {
  input<Trade> trades;
  output<Result> rows;
};
template <class Result, bool Watermark>
constexpr auto implement(const FindSessions<Result, Watermark>& t) {
  constexpr auto last = aggregate<Result>(named<"high"> = max(field<"price">));
  if constexpr (Watermark)
    return t.trades | watermark<"time">(1min) | group_by<"symbol"> | session<"time">(1min) | last;
  else
    return t.trades | group_by<"symbol"> | session<"time">(1min) | last;
}
template <class Result, bool Watermark, output_mode... Mode>
struct OfSessions {
  extract<Trade, "trades"> trades;
  step<FindSessions<Result, Watermark>, "trades.valid"> find;
  load<Result, "highest", "find.rows", Mode...> highest;
  load<late<Trade>, "late", "find.late"> late_trades;
};
static_assert(mode<OfSessions<Keyed, true>, 2> == output_mode::append, "also with a key");
static_assert(std::is_same_v<pipeline_verdict<OfSessions<Keyed, true>>, pass>);
static_assert(std::is_same_v<pipeline_verdict<OfSessions<Unkeyed, true, output_mode::complete>>, pass>);
static_assert(std::is_same_v<pipeline_verdict<OfSessions<Keyed, false, output_mode::complete>>, pass>);
static_assert(judged<OfSessions<Keyed, true, output_mode::update>, rule::session_must_not_be_updated, at<"highest">,
                     reading<"find.rows">>);
static_assert(judged<OfSessions<Keyed, false, output_mode::update>, rule::session_must_not_be_updated, at<"highest">,
                     reading<"find.rows">>);
static_assert(judged<OfSessions<Keyed, false>, rule::session_needs_watermark, at<"highest">, reading<"find.rows">>);
template <bool Watermark, output_mode... Mode>
struct KeptSessions {
  extract<Trade, "trades"> trades;
  step<FindSessions<Unkeyed, Watermark>, "trades.valid"> find;
  step<Keep, "find.rows"> keep;
  load<Unkeyed, "highest", "keep.rows", Mode...> highest;
};
static_assert(std::is_same_v<pipeline_verdict<KeptSessions<true>>, pass>);
static_assert(judged<KeptSessions<true, output_mode::update>, rule::session_must_not_be_updated, at<"highest">,
                     reading<"keep.rows">>);
static_assert(judged<KeptSessions<false>, rule::session_needs_watermark, at<"highest">, reading<"keep.rows">>);

// ---- targets --------------------------------------------------------------------------------------------------------
template <class Result, auto... Options>
struct Targeted {
  extract<Trade, "trades"> trades;
  step<Highest<Result, true, true>, "trades.valid"> find;
  load<Result, "highest", "find.rows", Options...> highest;
};
static_assert(mode<Targeted<Keyed>, 2> == output_mode::update);
static_assert(mode<Targeted<Keyed, target::append_only>, 2> == output_mode::append, "what a log can take");
static_assert(mode<Targeted<Keyed, target::keyed_table>, 2> == output_mode::update);
static_assert(mode<Targeted<Keyed, target::keyed_table, output_mode::append>, 2> == output_mode::append);
static_assert(std::is_same_v<pipeline_verdict<Targeted<Keyed, target::append_only>>, pass>);
static_assert(std::is_same_v<pipeline_verdict<Targeted<Keyed, output_mode::complete, target::keyed_table>>, pass>);
static_assert(judged<Targeted<Keyed, output_mode::complete, target::append_only>,
                     rule::append_only_target_takes_final_rows, at<"highest">, reading<"find.rows">>);
static_assert(judged<Targeted<Keyed, target::append_only, output_mode::update>,
                     rule::append_only_target_takes_final_rows, at<"highest">, reading<"find.rows">>);
static_assert(judged<Targeted<Unkeyed, target::keyed_table>, rule::keyed_table_needs_a_primary_key, at<"highest">>);

// ---- correct_late ---------------------------------------------------------------------------------------------------
template <class Result>
struct Recomputed {
  input<Trade> trades;
  output<Result> rows;
};
template <class Result>
constexpr auto implement(const Recomputed<Result>& t) {
  return t.trades | watermark<"time">(1min) | group_by<"symbol"> | tumbling<"time">(1min) | correct_late() |
         aggregate<Result>(named<"high"> = max(field<"price">));
}
struct KeepRecomputed {
  input<Keyed> rows_in;
  output<Keyed> rows;
};
constexpr auto implement(const KeepRecomputed& t) { return t.rows_in | where(field<"high"> > 0.0); }
struct FirstTrades {
  input<Trade> trades;
  output<Trade> rows;
};
constexpr auto implement(const FirstTrades& t) {
  return t.trades | watermark<"time">(1min) | deduplicate<"symbol", "time">;
}
struct HighestKeyed {
  input<Keyed> rows_in;
  output<Unkeyed> rows;
};
constexpr auto implement(const HighestKeyed& t) {
  return t.rows_in | group_by<"symbol"> | aggregate<Unkeyed>(named<"high"> = max(field<"high">));
}
template <class Result, auto... Options>
struct Recomputing {
  extract<Trade, "trades"> trades;
  step<Recomputed<Result>, "trades.valid"> find;
  load<Result, "highest", "find.rows", Options...> highest;
};
static_assert(std::is_same_v<pipeline_verdict<Recomputing<Keyed>>, pass>);
static_assert(std::is_same_v<pipeline_verdict<Recomputing<Keyed, output_mode::append>>, pass>);
static_assert(std::is_same_v<pipeline_verdict<Recomputing<Keyed, target::keyed_table>>, pass>);
static_assert(judged<Recomputing<Keyed, output_mode::complete>, rule::corrected_results_must_be_replaced, at<"highest">,
                     reading<"find.rows">>);
static_assert(judged<Recomputing<Keyed, target::append_only>, rule::corrected_results_must_be_replaced, at<"highest">,
                     reading<"find.rows">>);
static_assert(
    judged<Recomputing<Unkeyed>, rule::corrected_results_must_be_replaced, at<"highest">, reading<"find.rows">>);
struct RecomputingFurther {
  extract<Trade, "trades"> trades;
  step<Recomputed<Keyed>, "trades.valid"> find;
  step<KeepRecomputed, "find.rows"> keep;
  step<HighestKeyed, "keep.rows"> again;
  load<Unkeyed, "highest", "again.rows", output_mode::update> highest;
};
static_assert(judged<RecomputingFurther, rule::corrected_results_end_in_loads, at<"again">, reading<"keep.rows">>);
struct RecomputingFirst {
  extract<Trade, "trades"> trades;
  step<FirstTrades, "trades.valid"> first;
  step<Recomputed<Keyed>, "first.rows"> find;
  load<Keyed, "highest", "find.rows"> highest;
};
static_assert(judged<RecomputingFirst, rule::correct_late_needs_rows_of_extracts, at<"find">, reading<"first.rows">>);

// ---- accept_late_needs_update_mode ----------------------------------------------------------------------------------
template <class Result>
struct Corrected {
  input<Trade> trades;
  output<Result> rows;
};
template <class Result>
constexpr auto implement(const Corrected<Result>& t) {
  return t.trades | watermark<"time">(1min) | group_by<"symbol"> | tumbling<"time">(1min) | accept_late(1h) |
         aggregate<Result>(named<"high"> = max(field<"price">));
}
struct KeepKeyed {
  input<Keyed> rows_in;
  output<Keyed> rows;
};
constexpr auto implement(const KeepKeyed& t) { return t.rows_in | where(field<"high"> > 0.0); }
template <class Result, output_mode... Mode>
struct Corrections {
  extract<Trade, "trades"> trades;
  step<Corrected<Result>, "trades.valid"> find;
  load<Result, "highest", "find.rows", Mode...> highest;
};
template <output_mode... Mode>
struct KeptCorrections {
  extract<Trade, "trades"> trades;
  step<Corrected<Keyed>, "trades.valid"> find;
  step<KeepKeyed, "find.rows"> keep;
  load<Keyed, "highest", "keep.rows", Mode...> highest;
};
static_assert(std::is_same_v<pipeline_verdict<Corrections<Keyed>>, pass>, "a key, so that it updates");
static_assert(std::is_same_v<pipeline_verdict<Corrections<Keyed, output_mode::update>>, pass>);
static_assert(judged<Corrections<Unkeyed>, rule::accept_late_needs_update_mode, at<"highest">, reading<"find.rows">>);
static_assert(judged<Corrections<Keyed, output_mode::append>, rule::accept_late_needs_update_mode, at<"highest">,
                     reading<"find.rows">>);
static_assert(judged<Corrections<Keyed, output_mode::complete>, rule::accept_late_needs_update_mode, at<"highest">,
                     reading<"find.rows">>);
static_assert(std::is_same_v<pipeline_verdict<KeptCorrections<output_mode::update>>, pass>);
static_assert(judged<KeptCorrections<output_mode::append>, rule::accept_late_needs_update_mode, at<"highest">,
                     reading<"keep.rows">>);

// What may be corrected is not final, so that nothing else with state takes it.
struct CorrectedTwice {
  input<Trade> trades;
  output<Unkeyed> rows;
};
constexpr auto implement(const CorrectedTwice& t) {
  return t.trades | watermark<"time">(1min) | group_by<"symbol"> | tumbling<"time">(1min) | accept_late(1h) |
         aggregate<Keyed>(named<"high"> = max(field<"price">)) | group_by<"symbol"> |
         aggregate<Unkeyed>(named<"high"> = max(field<"high">));
}
struct Twofold {
  extract<Trade, "trades"> trades;
  step<CorrectedTwice, "trades.valid"> find;
  load<Unkeyed, "highest", "find.rows", output_mode::complete> highest;
};
static_assert(judged<Twofold, rule::aggregation_needs_final_rows, at<"find">>);

// ---- aggregation_needs_final_rows -----------------------------------------------------------------------------------
struct Count {
  input<Unkeyed> in;
  output<Unkeyed> rows;
};
constexpr auto implement(const Count& t) {
  return t.in | group_by<"symbol"> | aggregate<Unkeyed>(named<"high"> = max(field<"high">));
}
template <bool Watermark>
struct Twice {
  extract<Trade, "trades"> trades;
  step<Highest<Unkeyed, Watermark, Watermark>, "trades.valid"> find;
  step<Keep, "find.rows"> keep;
  step<Count, "keep.rows"> again;
  load<Unkeyed, "highest", "again.rows", output_mode::update> highest;
};
static_assert(std::is_same_v<pipeline_verdict<Twice<true>>, pass>);
static_assert(judged<Twice<false>, rule::aggregation_needs_final_rows, at<"again">, reading<"keep.rows">>);

struct InOneChain {
  input<Trade> trades;
  output<Unkeyed> rows;
};
constexpr auto implement(const InOneChain& t) {
  return t.trades | group_by<"symbol"> | aggregate<Unkeyed>(named<"high"> = max(field<"price">)) | group_by<"symbol"> |
         aggregate<Unkeyed>(named<"high"> = max(field<"high">));
}
struct Chained {
  extract<Trade, "trades"> trades;
  step<InOneChain, "trades.valid"> find;
  load<Unkeyed, "highest", "find.rows", output_mode::update> highest;
};
static_assert(judged<Chained, rule::aggregation_needs_final_rows, at<"find">>);

// ---- deduplication_needs_final_rows ---------------------------------------------------------------------------------
template <class Result>
struct Unique {
  input<Result> highest;
  output<Result> rows;
};
template <class Result>
constexpr auto implement(const Unique<Result>& t) {
  return t.highest | deduplicate<"symbol", "high">.keeping_every_key();
}
template <bool Watermark>
struct UniqueHighest {
  extract<Trade, "trades"> trades;
  step<Highest<Unkeyed, Watermark, true>, "trades.valid"> find;
  step<Unique<Unkeyed>, "find.rows"> keep;
  load<Unkeyed, "highest", "keep.rows"> highest;
};
static_assert(std::is_same_v<pipeline_verdict<UniqueHighest<true>>, pass>);
static_assert(judged<UniqueHighest<false>, rule::deduplication_needs_final_rows, at<"keep">, reading<"find.rows">>);

template <bool Watermark>
struct UniqueInOneChain {
  input<Trade> trades;
  output<Unkeyed> rows;
};
template <bool Watermark>
constexpr auto implement(const UniqueInOneChain<Watermark>& t) {
  return implement(Highest<Unkeyed, Watermark, true>{t.trades, {}}) | deduplicate<"symbol", "high">.keeping_every_key();
}
template <bool Watermark>
struct UniqueChained {
  extract<Trade, "trades"> trades;
  step<UniqueInOneChain<Watermark>, "trades.valid"> find;
  load<Unkeyed, "highest", "find.rows"> highest;
};
static_assert(std::is_same_v<pipeline_verdict<UniqueChained<true>>, pass>);
static_assert(judged<UniqueChained<false>, rule::deduplication_needs_final_rows, at<"find">>);

// Its own rows are final, and may be aggregated.
struct AggregateOfUnique {
  input<Trade> trades;
  output<Unkeyed> rows;
};
constexpr auto implement(const AggregateOfUnique& t) {
  return t.trades | watermark<"time">(1min) | deduplicate<"symbol", "time"> | group_by<"symbol"> |
         tumbling<"time">(1min) | aggregate<Unkeyed>(named<"high"> = max(field<"price">));
}
struct UniqueFirst {
  extract<Trade, "trades"> trades;
  step<AggregateOfUnique, "trades.valid"> find;
  load<Unkeyed, "highest", "find.rows", output_mode::append> highest;
};
static_assert(std::is_same_v<pipeline_verdict<UniqueFirst>, pass>);

// ---- complete_mode_needs_an_aggregation
// ------------------------------------------------------------------------------
template <output_mode... Mode>
struct Copied {
  extract<Unkeyed, "in"> in;
  step<Keep, "in.valid"> keep;
  load<Unkeyed, "out", "keep.rows", Mode...> out;
};
static_assert(std::is_same_v<pipeline_verdict<Copied<>>, pass>);
static_assert(std::is_same_v<pipeline_verdict<Copied<output_mode::update>>, pass>, "a target with a key merges them");
static_assert(
    judged<Copied<output_mode::complete>, rule::complete_mode_needs_an_aggregation, at<"out">, reading<"keep.rows">>);
struct ReadDirectly {
  extract<Unkeyed, "in"> in;
  load<Unkeyed, "out", "in.valid", output_mode::complete> out;
};
static_assert(judged<ReadDirectly, rule::complete_mode_needs_an_aggregation, at<"out">, reading<"in.valid">>);
// A step without state keeps what it reads as it is; one that deduplicates gives each row on once.
static_assert(std::is_same_v<pipeline_verdict<Kept<false, output_mode::complete>>, pass>);
template <output_mode Mode>
struct UniqueOf {
  extract<Trade, "trades"> trades;
  step<Highest<Unkeyed, true, true>, "trades.valid"> find;
  step<Unique<Unkeyed>, "find.rows"> unique;
  step<Keep, "unique.rows"> keep;
  load<Unkeyed, "highest", "keep.rows", Mode> highest;
};
static_assert(std::is_same_v<pipeline_verdict<UniqueOf<output_mode::append>>, pass>);
static_assert(judged<UniqueOf<output_mode::complete>, rule::complete_mode_needs_an_aggregation, at<"highest">,
                     reading<"keep.rows">>);
struct RejectedCompletely {
  extract<Trade, "trades"> trades;
  step<Highest<Unkeyed, true, true>, "trades.valid"> find;
  load<rejected<Unkeyed>, "bad", "find.invalid", output_mode::complete> bad;
};
static_assert(judged<RejectedCompletely, rule::complete_mode_needs_an_aggregation, at<"bad">, reading<"find.invalid">>);

// ---- what only has the name of the event time
// ------------------------------------------------------------------------
struct HiddenTime {
  input<Trade> trades;
  output<PerTime> rows;
};
constexpr auto implement(const HiddenTime& t) {
  return t.trades | watermark<"time">(1min) | derive<"time">(field<"time"> + 1h) | group_by<"time"> |
         aggregate<PerTime>(named<"high"> = max(field<"price">));
}
struct Hidden {
  extract<Trade, "trades"> trades;
  step<HiddenTime, "trades.valid"> find;
  load<PerTime, "highest", "find.rows", output_mode::append> highest;
};
static_assert(judged<Hidden, rule::append_needs_watermark, at<"highest">, reading<"find.rows">>);

// ---- OM-03: a watermark behind the aggregation closes none of its groups
// -------------------------------------------------
struct WatermarkBehind {
  input<Trade> trades;
  output<PerTime> rows;
};
constexpr auto implement(const WatermarkBehind& t) {
  return t.trades | group_by<"symbol"> |
         aggregate<PerTime>(named<"time"> = max(field<"time">), named<"high"> = max(field<"price">)) |
         watermark<"time">(1min);
}
struct Behind {
  extract<Trade, "trades"> trades;
  step<WatermarkBehind, "trades.valid"> find;
  load<PerTime, "highest", "find.rows", output_mode::append> highest;
};
static_assert(judged<Behind, rule::append_needs_watermark, at<"highest">, reading<"find.rows">>);

// ---- loads_of_one_result_must_agree ---------------------------------------------------------------------------------
template <output_mode First, output_mode Second>
struct Both {
  extract<Trade, "trades"> trades;
  step<Highest<Keyed, true, true>, "trades.valid"> find;
  load<Keyed, "first", "find.rows", First> first;
  load<Keyed, "second", "find.rows", Second> second;
};
static_assert(std::is_same_v<pipeline_verdict<Both<output_mode::update, output_mode::update>>, pass>);
static_assert(judged<Both<output_mode::append, output_mode::update>, rule::loads_of_one_result_must_agree, at<"first">,
                     at<"second">>);
// The mode of a result that was reported as broken is not known.
struct Broken {
  input<Trade> trades;
  output<Keyed> rows;
};
constexpr auto implement(const Broken&) { return poisoned{}; }
struct BothOfBroken {
  extract<Trade, "trades"> trades;
  step<Broken, "trades.valid"> find;
  load<Keyed, "first", "find.rows"> first;
  load<Keyed, "second", "find.rows", output_mode::update> second;
};
static_assert(std::is_same_v<pipeline_verdict<BothOfBroken>, poisoned>);

}  // namespace delivery_test
