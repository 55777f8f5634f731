#include <etlantic/etlantic.hpp>

#include <type_traits>

namespace keyed_rows_test {

using namespace etlantic;
using namespace std::chrono_literals;

struct Trade {
  text symbol;
  double price;
  std::vector<text> tags;
  timestamp time;
};
struct Bar {
  text symbol;
  timestamp window_start, window_end;
  double high;
};

constexpr auto trades = from<Trade>("trades");
constexpr auto timed = trades | watermark<"time">(1min);
constexpr auto windowed = timed | tumbling<"time">(1h);
constexpr auto bars =
    timed | group_by<"symbol"> | tumbling<"time">(1min) | aggregate<Bar>(named<"high"> = max(field<"price">));
constexpr auto results = etlantic::detail::continued(bars);

// ---- top ------------------------------------------------------------------------------------------------------------

template <fixed_string Field, std::size_t Limit = 3, class S>
consteval auto top_of(const S&) {
  return etlantic::detail::judge_top<S, Limit, Field>();
}
template <class Rule, class... Culprits>
consteval bool is(fail<Rule, Culprits...>, auto expected) {
  return std::is_same_v<fail<Rule, Culprits...>, decltype(expected)>;
}

static_assert(passed<decltype(top_of<"price">(windowed))>);
static_assert(passed<decltype(top_of<"price">(timed | group_by<"symbol"> | sliding<"time">(1h, 1min)))>);
static_assert(passed<decltype(top_of<"high">(results))>);
static_assert(passed<decltype(top_of<"high">(results | tumbling<"window_time">(1h)))>);
static_assert(is(top_of<"high">(results | select<Bar>()), fail<rule::top_needs_a_window, called<"high">>{}));
static_assert(is(top_of<"price">(timed), fail<rule::top_needs_a_window, called<"price">>{}));
static_assert(is(top_of<"price">(timed | session<"time">(1min)), fail<rule::top_needs_a_window, called<"price">>{}));
static_assert(is(top_of<"price">(trades | tumbling<"time">(1h)), fail<rule::top_needs_a_watermark, called<"price">>{}));
static_assert(is(top_of<"price", 0>(windowed), fail<rule::number_of_rows_must_be_positive, called<"price">>{}));
static_assert(is(top_of<"tags">(windowed),
                 fail<rule::keyed_field_must_be_comparable, called<"tags">, type<std::vector<text>>>{}));
static_assert(is(top_of<"prize">(windowed),
                 fail<rule::field_must_exist, type<Trade>, called<"prize">, did_you_mean<called<"price">>>{}));

// Its columns are there by name, where the rows have none of these names.
template <fixed_string Name, class S>
consteval auto column_of(const S&) {
  return inferred<field_reference<Name>, typename S::row_type>{};
}
constexpr auto ranked = windowed | top<3, "price">;
static_assert(std::is_same_v<decltype(column_of<"rank">(ranked)), typed<std::int64_t>>);
static_assert(std::is_same_v<decltype(column_of<"window_start">(ranked)), typed<timestamp>>);
static_assert(std::is_same_v<decltype(column_of<"price">(ranked)), typed<double>>);
constexpr auto ranked_bars = bars | top<3, "high">;
static_assert(std::is_same_v<decltype(column_of<"rank">(ranked_bars)), typed<std::int64_t>>);
static_assert(etlantic::detail::plain_field_of<decltype(ranked_bars)::row_type, "window_end">::index == 2);
static_assert(etlantic::detail::plain_field_of<decltype(ranked)::row_type, "window_end">::index == 6);

// It takes the window and the group: neither is left for an aggregate.
constexpr auto facts =
    etlantic::detail::chain<decltype(timed | group_by<"symbol"> | tumbling<"time">(1h) | top<3, "price">)>;
static_assert(facts.window == -1 && facts.group == -1 && facts.watermark == 0);

// ---- latest_by ------------------------------------------------------------------------------------------------------

template <fixed_string... Names, class S>
consteval auto latest_of(const S&) {
  return etlantic::detail::judge_latest_by<S, Names...>();
}
static_assert(passed<decltype(latest_of<"symbol">(timed))>);
static_assert(is(latest_of<"symbol", "price">(trades),
                 fail<rule::latest_by_needs_a_watermark, called<"symbol">, called<"price">>{}));
static_assert(is(latest_of<"tags">(timed),
                 fail<rule::keyed_field_must_be_comparable, called<"tags">, type<std::vector<text>>>{}));

// ---- lag ------------------------------------------------------------------------------------------------------------

template <fixed_string Field, lag_memory Memory = lag_memory::undecided, std::size_t Distance = 1, class S>
consteval auto lag_of(const S&) {
  return etlantic::detail::judge_lag<S, Field, Distance, Memory>();
}
constexpr auto by_symbol = timed | group_by<"symbol">;
static_assert(passed<decltype(lag_of<"price">(timed))>);
static_assert(passed<decltype(lag_of<"price", lag_memory::for_a_time>(by_symbol))>);
static_assert(passed<decltype(lag_of<"price", lag_memory::everything>(by_symbol))>);
static_assert(is(lag_of<"price">(by_symbol), fail<rule::lag_must_forget, called<"price">>{}));
static_assert(is(lag_of<"price">(trades), fail<rule::lag_needs_a_watermark, called<"price">>{}));
static_assert(is(lag_of<"price", lag_memory::everything, 0>(timed),
                 fail<rule::number_of_rows_must_be_positive, called<"price">>{}));
static_assert(is(lag_of<"tags">(timed),
                 fail<rule::keyed_field_must_be_comparable, called<"tags">, type<std::vector<text>>>{}));

static_assert(std::is_same_v<decltype(column_of<"lag_price">(timed | lag<"price">)), typed<double, true>>);
static_assert(
    std::is_same_v<decltype(column_of<"before">(by_symbol | lag<"symbol", 2>.as<"before">().forget_after(1h))),
                   typed<text, true>>);

// ---- what stands around them ----------------------------------------------------------------------------------------

template <class S>
consteval auto result_of(const S&) {
  return etlantic::detail::result_verdict<S>{};
}
constexpr auto lagged = timed | lag<"price">;
static_assert(
    passed<decltype(result_of(lagged | where(field<"price"> > 1.0) | derive<"twice">(field<"price"> * 2.0)))>);
static_assert(passed<decltype(result_of(timed | deduplicate<"symbol", "time"> | lag<"price">))>);
static_assert(is(result_of(lagged | deduplicate<"symbol", "time">), fail<rule::keyed_rows_stand_last, type<Trade>>{}));
static_assert(is(result_of(timed | latest_by<"symbol"> | group_by<"symbol">),
                 fail<rule::keyed_rows_stand_last, type<Trade>>{}));
static_assert(is(result_of(timed | latest_by<"symbol"> | lag<"price">),
                 fail<rule::keyed_rows_stand_last, type<Trade>>{}));
static_assert(is(result_of(by_symbol | latest_by<"symbol">), fail<rule::group_must_be_aggregated, type<Trade>>{}));
static_assert(is(result_of(windowed | lag<"price">), fail<rule::group_must_be_aggregated, type<Trade>>{}));

// Rows can be late for them, but not where every key is kept.
template <class S>
consteval bool can_be_late(const S&) {
  return etlantic::detail::late_origins<S>::inputs;
}
static_assert(can_be_late(ranked) && can_be_late(lagged) && can_be_late(timed | latest_by<"symbol">));
static_assert(!can_be_late(timed | latest_by<"symbol">.keeping_every_key()));

// ---- delivery -------------------------------------------------------------------------------------------------------

struct Price {
  text symbol;
  double price;
  timestamp time;
  using key = primary_key<"symbol">;
};
template <int>
struct Work {
  input<Price> prices;
  output<Price> rows;
};
constexpr auto implement(const Work<0>& t) { return t.prices | watermark<"time">(1min) | latest_by<"symbol">; }
constexpr auto implement(const Work<1>& t) { return t.prices | watermark<"time">(1min) | latest_by<"time">; }
constexpr auto implement(const Work<2>& t) { return t.prices | watermark<"time">(1min) | lag<"price">; }
constexpr auto implement(const Work<4>& t) {
  return t.prices | group_by<"symbol"> |
         aggregate<Price>(named<"price"> = max(field<"price">), named<"time"> = max(field<"time">)) |
         watermark<"time">(1min) | lag<"price">;
}
constexpr auto implement(const Work<5>& t) {
  return t.prices | watermark<"time">(1min) | tumbling<"time">(1h) | top<3, "price">;
}
constexpr auto implement(const Work<6>& t) {
  return t.prices | watermark<"time">(1min) | group_by<"symbol"> | lag<"price">.forget_after(0s);
}
constexpr auto implement(const Work<7>& t) {
  return t.prices | watermark<"time">(1min) | group_by<"symbol"> | lag<"price">.forget_after(1s);
}
constexpr auto implement(const Work<3>& t) { return t.prices | where(field<"price"> > 0.0); }

template <int I, output_mode... Mode>
struct Pipeline {
  extract<Price, "prices"> prices;
  step<Work<I>, "prices.valid"> work;
  load<Price, "found", "work.rows", Mode...> found;
};
template <int First, int Second, output_mode... Mode>
struct Longer {
  extract<Price, "prices"> prices;
  step<Work<First>, "prices.valid"> work;
  step<Work<Second>, "work.rows"> behind;
  load<Price, "found", "behind.rows", Mode...> found;
};

template <class Rule, class... Culprits>
consteval bool of_rule(fail<Rule, Culprits...>, std::type_identity<Rule>) {
  return true;
}
consteval bool of_rule(auto, auto) { return false; }
template <class P, class Rule>
inline constexpr bool broken = of_rule(pipeline_verdict<P>{}, std::type_identity<Rule>{});
template <class P>
inline constexpr bool works = passed<pipeline_verdict<P>>;

static_assert(works<Pipeline<0>> && works<Pipeline<0, output_mode::update>>);
static_assert(broken<Pipeline<0, output_mode::append>, rule::latest_rows_must_be_updated>);
static_assert(broken<Pipeline<0, output_mode::complete>, rule::latest_rows_must_be_updated>);
static_assert(broken<Pipeline<1>, rule::latest_rows_must_be_updated>);  // the primary key is another one
static_assert(works<Pipeline<2>> && works<Pipeline<2, output_mode::append>>);
static_assert(broken<Pipeline<2, output_mode::update>, rule::keyed_rows_are_appended>);
static_assert(broken<Pipeline<2, output_mode::complete>, rule::keyed_rows_are_appended>);

static_assert(broken<Pipeline<4>, rule::keyed_rows_need_final_rows>);
static_assert(works<Pipeline<5>> && broken<Pipeline<5, output_mode::update>, rule::keyed_rows_are_appended>);
static_assert(broken<Pipeline<6>, rule::lag_memory_must_be_positive> && works<Pipeline<7>>);

// A step that works on single rows gives on what it reads; one with state takes final rows only.
static_assert(works<Longer<0, 3>>);
static_assert(broken<Longer<0, 3, output_mode::append>, rule::latest_rows_must_be_updated>);
static_assert(broken<Longer<0, 2>, rule::keyed_rows_need_final_rows>);
static_assert(works<Longer<2, 3>> && works<Longer<2, 0>>);
static_assert(broken<Longer<2, 3, output_mode::update>, rule::keyed_rows_are_appended>);
static_assert(broken<Longer<5, 3, output_mode::complete>, rule::keyed_rows_are_appended>);

}  // namespace keyed_rows_test
