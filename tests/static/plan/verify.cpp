#include <etlantic/graph/aggregate.hpp>
#include <etlantic/graph/nodes.hpp>
#include <etlantic/graph/select.hpp>
#include <etlantic/graph/where.hpp>
#include <etlantic/plan/verify.hpp>

#include <type_traits>

// Verdicts on whole pipelines: contracts, implementations, settings.

namespace verify_test {

using namespace etlantic;
using namespace std::chrono_literals;

struct Trade {
  text symbol;
  double price;
  timestamp time;
};
struct Bar {
  text symbol;
  timestamp window_start;
  double high;
};
template <class P, class... Expected>
constexpr bool judged = std::is_same_v<pipeline_verdict<P>, fail<Expected...>>;
template <fixed_string Name>
using at = node<called<Name>>;

template <class Transformation, class Result>
struct Through {
  extract<Trade, "trades"> trades;
  step<Transformation, "trades.valid"> work;
  load<Result, "results", "work.rows"> results;
};

// ---- contracts ------------------------------------------------------------------------------------------------------
struct Bad {
  double values[2];
};
struct BadExtract {
  extract<Bad, "bad"> bad;
};
static_assert(judged<BadExtract, rule::contract_must_be_a_plain_aggregate, type<Bad>, has_a_c_array>);
static_assert(judged<int, rule::pipeline_must_be_a_plain_aggregate, type<int>, is_not_a_struct>);
struct NoNodes {};
static_assert(judged<NoNodes, rule::pipeline_must_be_a_plain_aggregate, type<NoNodes>, has_no_fields>);

struct WithConstructor {
  input<Trade> trades;
  output<Trade> rows;
  WithConstructor() {}
};
constexpr auto implement(const WithConstructor& t) { return t.trades | where(true); }
static_assert(judged<Through<WithConstructor, Trade>, rule::pipeline_must_be_a_plain_aggregate, type<WithConstructor>,
                     has_constructors_or_private_fields>);

// ---- implementations ------------------------------------------------------------------------------------------------
struct Forgotten {
  input<Trade> trades;
  output<Trade> rows;
};
static_assert(judged<Through<Forgotten, Trade>, rule::transformation_must_be_implemented, type<Forgotten>>);

struct NoStream {
  input<Trade> trades;
  output<Trade> rows;
};
constexpr auto implement(const NoStream&) { return 5; }
static_assert(judged<Through<NoStream, Trade>, rule::implementation_must_be_a_stream, type<NoStream>,
                     gives<called<"rows">>, type<int>>);

struct OtherRows {
  input<Trade> trades;
  output<Bar> rows;
};
constexpr auto implement(const OtherRows& t) { return t.trades | where(true); }
static_assert(judged<Through<OtherRows, Bar>, rule::output_port_must_match_its_contract, type<OtherRows>,
                     gives<called<"rows">>, type<Trade>, type<Bar>>);

struct Ungrouped {
  input<Trade> trades;
  output<Trade> rows;
};
constexpr auto implement(const Ungrouped& t) { return t.trades | group_by<"symbol">; }
static_assert(judged<Through<Ungrouped, Trade>, rule::group_must_be_aggregated, type<Trade>>);

struct Split {
  input<Trade> trades;
  output<Trade> rows, rest;
};
constexpr auto implement(const Split& t) {
  return outputs(named<"rest"> = t.trades | where(field<"price"> <= 0.0),
                 named<"rows"> = t.trades | where(field<"price"> > 0.0));
}
static_assert(std::is_same_v<pipeline_verdict<Through<Split, Trade>>, pass>);

struct OneOfTwo {
  input<Trade> trades;
  output<Trade> rows, rest;
};
constexpr auto implement(const OneOfTwo& t) { return outputs(named<"rows"> = t.trades | where(true)); }
static_assert(judged<Through<OneOfTwo, Trade>, rule::output_port_must_be_fed, type<OneOfTwo>, gives<called<"rest">>>);
struct AloneForTwo {
  input<Trade> trades;
  output<Trade> rows, rest;
};
constexpr auto implement(const AloneForTwo& t) { return t.trades | where(true); }
static_assert(
    judged<Through<AloneForTwo, Trade>, rule::output_port_must_be_fed, type<AloneForTwo>, gives<called<"rows">>>);
struct Misnamed {
  input<Trade> trades;
  output<Trade> rows;
};
constexpr auto implement(const Misnamed& t) { return outputs(named<"rosw"> = t.trades | where(true)); }
static_assert(judged<Through<Misnamed, Trade>, rule::output_stream_must_have_a_port, type<Misnamed>,
                     gives<called<"rosw">>, did_you_mean<called<"rows">>>);

// What was reported in `implement` is not reported again, and hides no other mistake.
struct Broken {
  input<Trade> trades;
  output<Trade> rows;
};
constexpr auto implement(const Broken&) { return poisoned{}; }
static_assert(std::is_same_v<pipeline_verdict<Through<Broken, Trade>>, poisoned>);
struct BrokenTwice {
  extract<Trade, "trades"> trades;
  step<Broken, "trades.valid"> work;
  step<Misnamed, "work.rows"> more;
  load<late<Trade>, "late", "work.late"> late_rows;
};
static_assert(std::is_same_v<pipeline_verdict<BrokenTwice>, pipeline_verdict<Through<Misnamed, Trade>>>);
struct BrokenPart {
  input<Trade> trades;
  output<Trade> rows, rest;
};
constexpr auto implement(const BrokenPart& t) {
  return outputs(named<"rows"> = t.trades | where(true), named<"rest"> = poisoned{});
}
static_assert(std::is_same_v<pipeline_verdict<Through<BrokenPart, Trade>>, poisoned>);
static_assert(std::is_same_v<pipeline_verdict<poisoned>, poisoned>);

// ---- settings -------------------------------------------------------------------------------------------------------
struct MakeBars {
  input<Trade> trades;
  parameter<duration> delay{1min};
  parameter<duration> length{1min};
  parameter<duration> offset{0s};
  output<Bar> rows;
};
constexpr auto implement(const MakeBars& t) {
  return t.trades | watermark<"time">(t.delay) | group_by<"symbol"> | tumbling<"time">(t.length, t.offset) |
         aggregate<Bar>(named<"high"> = max(field<"price">));
}
template <int Delay, int Length, int Offset>
struct Bars {
  extract<Trade, "trades"> trades;
  step<MakeBars, "trades.valid"> make{{.trades = {},
                                       .delay = {std::chrono::seconds(Delay)},
                                       .length = {std::chrono::seconds(Length)},
                                       .offset = {std::chrono::seconds(Offset)},
                                       .rows = {}}};
};
static_assert(std::is_same_v<pipeline_verdict<Bars<0, 60, 59>>, pass> &&
              std::is_same_v<pipeline_verdict<Bars<60, 1, 0>>, pass>);
static_assert(std::is_same_v<pipeline_verdict<Bars<0, 60, -59>>, pass>);
static_assert(judged<Bars<60, 0, 0>, rule::window_length_must_be_positive, at<"make">>);
static_assert(judged<Bars<60, -5, 0>, rule::window_length_must_be_positive, at<"make">>);
static_assert(judged<Bars<60, 60, 60>, rule::window_offset_must_be_less_than_its_length, at<"make">>);
static_assert(judged<Bars<60, 60, -60>, rule::window_offset_must_be_less_than_its_length, at<"make">>);
static_assert(judged<Bars<-1, 60, 0>, rule::watermark_delay_must_not_be_negative, at<"make">>);

struct SlideBars {
  input<Trade> trades;
  parameter<duration> length{1min};
  parameter<duration> slide{10s};
  parameter<duration> offset{0s};
  output<Bar> rows;
};
constexpr auto implement(const SlideBars& t) {
  return t.trades | watermark<"time">(1min) | group_by<"symbol"> | sliding<"time">(t.length, t.slide, t.offset) |
         aggregate<Bar>(named<"high"> = max(field<"price">));
}
template <int Length, int Slide, int Offset>
struct SlidingBars {
  extract<Trade, "trades"> trades;
  step<SlideBars, "trades.valid"> make{{.trades = {},
                                        .length = {std::chrono::seconds(Length)},
                                        .slide = {std::chrono::seconds(Slide)},
                                        .offset = {std::chrono::seconds(Offset)},
                                        .rows = {}}};
};
static_assert(std::is_same_v<pipeline_verdict<SlidingBars<60, 10, 9>>, pass>);
static_assert(std::is_same_v<pipeline_verdict<SlidingBars<60, 60, -59>>, pass>);
static_assert(std::is_same_v<pipeline_verdict<SlidingBars<60, 7, -6>>, pass>);
static_assert(judged<SlidingBars<0, 10, 0>, rule::window_length_must_be_positive, at<"make">>);
static_assert(judged<SlidingBars<-5, 10, 0>, rule::window_length_must_be_positive, at<"make">>);
static_assert(judged<SlidingBars<60, 0, 0>, rule::window_slide_must_be_positive, at<"make">>);
static_assert(judged<SlidingBars<60, -1, 0>, rule::window_slide_must_be_positive, at<"make">>);
static_assert(judged<SlidingBars<10, 20, 0>, rule::window_slide_must_not_exceed_its_length, at<"make">>);
static_assert(judged<SlidingBars<60, 10, 10>, rule::window_offset_must_be_less_than_its_slide, at<"make">>);
static_assert(judged<SlidingBars<60, 10, -10>, rule::window_offset_must_be_less_than_its_slide, at<"make">>);

struct PatientBars {
  input<Trade> trades;
  parameter<duration> patience{1min};
  output<Bar> rows;
};
constexpr auto implement(const PatientBars& t) {
  return t.trades | watermark<"time">(1min) | group_by<"symbol"> | tumbling<"time">(1min) | accept_late(t.patience) |
         aggregate<Bar>(named<"high"> = max(field<"price">));
}
template <int Patience>
struct Patient {
  extract<Trade, "trades"> trades;
  step<PatientBars, "trades.valid"> make{{.trades = {}, .patience = {std::chrono::seconds(Patience)}, .rows = {}}};
};
static_assert(std::is_same_v<pipeline_verdict<Patient<1>>, pass>);
static_assert(judged<Patient<0>, rule::accepted_lateness_must_be_positive, at<"make">>);
static_assert(judged<Patient<-1>, rule::accepted_lateness_must_be_positive, at<"make">>);

struct SessionBars {
  input<Trade> trades;
  parameter<duration> gap{1min};
  output<Bar> rows;
};
constexpr auto implement(const SessionBars& t) {
  return t.trades | watermark<"time">(1min) | group_by<"symbol"> | session<"time">(t.gap) |
         aggregate<Bar>(named<"high"> = max(field<"price">));
}
template <int Gap>
struct Sessions {
  extract<Trade, "trades"> trades;
  step<SessionBars, "trades.valid"> make{{.trades = {}, .gap = {std::chrono::seconds(Gap)}, .rows = {}}};
};
static_assert(std::is_same_v<pipeline_verdict<Sessions<1>>, pass>);
static_assert(judged<Sessions<0>, rule::session_gap_must_be_positive, at<"make">>);
static_assert(judged<Sessions<-1>, rule::session_gap_must_be_positive, at<"make">>);
static_assert(sentence_of(setting_problem::session_gap) == "the gap of a session must be greater than zero");
static_assert(sentence_of(setting_problem::window_slide) == "the slide of a window must be greater than zero");
static_assert(sentence_of(setting_problem::watermark_delay) == "the delay of a watermark must not be negative");

static_assert(sentence_of(setting_problem::window_length) == "the length of a window must be greater than zero");

}  // namespace verify_test
