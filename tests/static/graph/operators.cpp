#include <etlantic/graph/aggregate.hpp>
#include <etlantic/graph/bare.hpp>
#include <etlantic/graph/derive.hpp>
#include <etlantic/graph/select.hpp>
#include <etlantic/graph/watermark.hpp>
#include <etlantic/graph/where.hpp>

#include <type_traits>

namespace etlantic {
namespace {

using namespace std::chrono_literals;

struct Trade {
  text symbol;
  double price;
  std::optional<double> fee;
  std::int32_t quantity;
  decimal<10, 2> total;
  timestamp time;
  timestamp received;
  std::vector<text> tags;
};
using row = contract_row<Trade>;
using trades = stream<asset_source<Trade>, row>;

// ---- event time -----------------------------------------------------------------------------------------------------
static_assert(std::is_same_v<event_time_verdict<row, "time">, pass>);
static_assert(std::is_same_v<event_time_verdict<row, "tiem">,
                             fail<rule::field_must_exist, type<Trade>, called<"tiem">, did_you_mean<called<"time">>>>);
static_assert(std::is_same_v<event_time_verdict<row, "price">,
                             fail<rule::event_time_must_be_a_timestamp, type<Trade>, called<"price">, type<double>>>);

constexpr auto watched = trades{} | watermark<"time">(1min);
using watched_trades = std::remove_const_t<decltype(watched)>;
static_assert(detail::chain<watched_trades>.watermark == 0);
static_assert(std::is_same_v<decltype(detail::judge_watermark<watched_trades, "received">()),
                             fail<rule::watermark_must_be_declared_once, called<"time">, called<"received">>>);
static_assert(std::is_same_v<decltype(detail::judge_window<watched_trades, "time">()), pass>);
static_assert(std::is_same_v<decltype(detail::judge_window<watched_trades, "received">()),
                             fail<rule::window_must_use_the_watermark_field, called<"received">, called<"time">>>);
static_assert(std::is_same_v<decltype(detail::judge_window<trades, "received">()), pass>, "no watermark, any time");
// The event time under another name still is one, and another time under its name is none.
constexpr auto renamed = watched | derive<"at">(field<"time">);
constexpr auto other_time = watched | derive<"time">(field<"received">);
static_assert(std::is_same_v<decltype(detail::judge_window<std::remove_const_t<decltype(renamed)>, "at">()), pass>);
static_assert(std::is_same_v<decltype(detail::judge_window<std::remove_const_t<decltype(other_time)>, "time">()),
                             fail<rule::window_must_use_the_watermark_field, called<"time">, called<"time">>>);

// ---- the zone of a calendar's window -------------------------------------------------------------------------------
template <fixed_string Field, fixed_string Zone>
using calendar_in = decltype(detail::judge_calendar_window<watched_trades, Field, Zone>());
static_assert(std::is_same_v<calendar_in<"time", "America/Argentina/Ushuaia">, pass>);
static_assert(std::is_same_v<calendar_in<"time", "">, fail<rule::window_must_name_a_zone, called<"">>>);
static_assert(std::is_same_v<calendar_in<"time", "../UTC">, fail<rule::window_must_name_a_zone, called<"../UTC">>>);
static_assert(std::is_same_v<calendar_in<"received", "UTC">,
                             fail<rule::window_must_use_the_watermark_field, called<"received">, called<"time">>>);

// ---- accept_late ----------------------------------------------------------------------------------------------------
template <class S>
using accepted = decltype(detail::judge_accept_late<std::remove_cvref_t<S>>());
using nothing_to_correct = fail<rule::accept_late_needs_a_window, type<Trade>>;
static_assert(std::is_same_v<accepted<decltype(watched | tumbling<"time">(1min))>, pass>);
static_assert(std::is_same_v<accepted<decltype(watched | sliding<"time">(1min, 1s))>, pass>);
static_assert(std::is_same_v<accepted<decltype(watched | tumbling<"time">(calendar::week))>, pass>);
static_assert(std::is_same_v<accepted<watched_trades>, nothing_to_correct>);
static_assert(std::is_same_v<accepted<decltype(trades{} | tumbling<"time">(1min))>, nothing_to_correct>);
static_assert(std::is_same_v<accepted<decltype(watched | session<"time">(1min))>, nothing_to_correct>);

// ---- correct_late ---------------------------------------------------------------------------------------------------
template <class S>
using corrected = decltype(detail::judge_correct_late<std::remove_cvref_t<S>>());
using no_window_to_correct = fail<rule::correct_late_needs_a_tumbling_window, type<Trade>>;
static_assert(std::is_same_v<corrected<decltype(watched | tumbling<"time">(1min))>, pass>);
static_assert(std::is_same_v<corrected<decltype(watched | tumbling<"time">(calendar::week))>, pass>);
static_assert(std::is_same_v<corrected<decltype(watched | tumbling<"time">(1min) | accept_late(1h))>, pass>);
static_assert(std::is_same_v<corrected<decltype(watched | sliding<"time">(1min, 1s))>, no_window_to_correct>);
static_assert(std::is_same_v<corrected<decltype(watched | session<"time">(1min))>, no_window_to_correct>);
static_assert(std::is_same_v<corrected<watched_trades>, no_window_to_correct>);
static_assert(std::is_same_v<corrected<decltype(trades{} | tumbling<"time">(1min))>, no_window_to_correct>);

// ---- the gap of a session -------------------------------------------------------------------------------------------
template <class E>
using gap = decltype(detail::judge_session_gap<row, E>());
static_assert(std::is_same_v<gap<literal<duration>>, pass>);
static_assert(std::is_same_v<gap<field_reference<"quantity">>, pass>, "seconds");
static_assert(std::is_same_v<gap<decltype(field<"received"> - field<"time">)>, pass>);
static_assert(std::is_same_v<gap<field_reference<"price">>,
                             fail<rule::session_gap_must_be_a_duration, type<double>, field_reference<"price">>>);
static_assert(std::is_same_v<gap<field_reference<"quantitty">>, inferred<field_reference<"quantitty">, row>>);

// ---- value_fits -----------------------------------------------------------------------------------------------------
template <class From, class To>
constexpr bool fits = detail::value_fits<From, To>();
static_assert(fits<text, text> && !fits<text, binary> && !fits<bool, std::int64_t> && !fits<std::int64_t, bool>);
static_assert(fits<std::int8_t, std::int64_t> && fits<std::uint8_t, std::uint64_t> && fits<std::int64_t, std::int64_t>);
static_assert(!fits<std::int64_t, std::int32_t> && !fits<std::uint32_t, std::int64_t> &&
              !fits<std::int8_t, std::uint64_t>);
static_assert(fits<float, double> && !fits<double, float> && !fits<std::int32_t, double> &&
              !fits<double, std::int64_t>);
static_assert(fits<decimal<10, 2>, decimal<18, 2>> && fits<decimal<28, 2>, decimal<18, 2>>,
              "digits are checked per value");
static_assert(!fits<decimal<10, 2>, decimal<10, 3>> && !fits<decimal<10, 2>, double> &&
              !fits<std::int64_t, decimal<19, 0>>);
static_assert(!fits<timestamp, date> && !fits<timestamp, std::int64_t>);

// ---- select ---------------------------------------------------------------------------------------------------------
struct Net {
  text symbol;
  double net;
};
template <class C, class... Assignments>
using selected = select_verdict<row, C, Assignments...>;
template <fixed_string Name, class E>
using set = assignment<Name, E>;
using price = field_reference<"price">;

static_assert(std::is_same_v<selected<Net, set<"net", price>>, pass>);
static_assert(std::is_same_v<selected<Net>, fail<rule::output_field_must_be_computed, type<Net>, called<"net">>>);
static_assert(
    std::is_same_v<selected<Net, set<"nett", price>>,
                   fail<rule::output_field_must_exist, type<Net>, called<"nett">, did_you_mean<called<"net">>>>);
static_assert(
    std::is_same_v<selected<Net, set<"net", field_reference<"symbol">>>,
                   fail<rule::output_field_must_have_this_type, type<Net>, called<"net">, type<text>, type<double>>>);
static_assert(std::is_same_v<selected<Net, set<"net", field_reference<"fee">>>,
                             fail<rule::null_must_not_enter_a_required_field, type<Net>, called<"net">>>);
static_assert(
    std::is_same_v<selected<Net, set<"net", field_reference<"pirce">>>,
                   fail<rule::field_must_exist, type<Trade>, called<"pirce">, did_you_mean<called<"price">>>>);
using highest_price = aggregate_call<aggregate_function::max, price>;
static_assert(std::is_same_v<selected<Net, set<"net", highest_price>>,
                             fail<rule::aggregate_function_needs_an_aggregate, called<"net">, highest_price>>);
static_assert(std::is_same_v<selected<Net, set<"net", std::vector<int>>>,
                             fail<rule::value_must_be_an_expression, called<"net">, type<std::vector<int>>>>);
template <class E>
using derived_value = decltype(detail::judge_derived<row, "more", E>());
static_assert(std::is_same_v<derived_value<price>, pass>);
static_assert(std::is_same_v<derived_value<highest_price>,
                             fail<rule::aggregate_function_needs_an_aggregate, called<"more">, highest_price>>);
static_assert(std::is_same_v<derived_value<int*>, fail<rule::value_must_be_an_expression, called<"more">, type<int*>>>);
static_assert(std::is_same_v<derived_value<field_reference<"pirce">>, inferred<field_reference<"pirce">, row>>);
struct NotAContract {
  double values[2];
};
static_assert(std::is_same_v<selected<NotAContract>, contract_verdict<NotAContract>>);
struct Optional {
  text symbol;
  std::optional<double> fee;
  std::optional<double> price;
};
static_assert(std::is_same_v<selected<Optional>, pass>, "values go into optional fields");

// ---- group_by -------------------------------------------------------------------------------------------------------
static_assert(std::is_same_v<decltype(detail::judge_group_key<row, "symbol">()), pass>);
static_assert(std::is_same_v<decltype(detail::judge_group_key<row, "tags">()),
                             fail<rule::group_key_must_be_comparable, called<"tags">, type<std::vector<text>>>>);

// ---- aggregate ------------------------------------------------------------------------------------------------------
struct Bar {
  text symbol;
  timestamp window_start, window_end;
  double high;
  decimal<10, 2> total;
};
constexpr auto grouped = watched | group_by<"symbol"> | tumbling<"time">(1min);
using grouped_trades = std::remove_const_t<decltype(grouped)>;
template <class In, class C, class... Assignments>
using aggregated = aggregate_verdict_of<In, C, Assignments...>;
using total_sum = set<"total", aggregate_call<aggregate_function::sum, field_reference<"total">>>;
using high = set<"high", highest_price>;

static_assert(std::is_same_v<aggregated<grouped_trades, Bar, high, total_sum>, pass>);
constexpr auto sliding_groups = watched | group_by<"symbol"> | sliding<"time">(1min, 10s);
using sliding_trades = std::remove_const_t<decltype(sliding_groups)>;
static_assert(std::is_same_v<aggregated<sliding_trades, Bar, high, total_sum>, pass>);
constexpr auto sessions = watched | group_by<"symbol"> | session<"time">(field<"quantity">);
using session_trades = std::remove_const_t<decltype(sessions)>;
static_assert(std::is_same_v<aggregated<session_trades, Bar, high, total_sum>, pass>);
static_assert(std::is_same_v<aggregated<grouped_trades, Bar, high>,
                             fail<rule::output_field_must_be_computed, type<Bar>, called<"total">>>);
static_assert(std::is_same_v<aggregated<grouped_trades, Bar, set<"high", price>, total_sum>,
                             fail<rule::aggregate_needs_an_aggregate_function, called<"high">, price>>);
static_assert(
    std::is_same_v<aggregated<grouped_trades, Bar, high, total_sum, set<"hihg", highest_price>>,
                   fail<rule::output_field_must_exist, type<Bar>, called<"hihg">, did_you_mean<called<"high">>>>);
// Without a window nothing gives window_start.
constexpr auto only_grouped = trades{} | group_by<"symbol">;
static_assert(std::is_same_v<aggregated<std::remove_const_t<decltype(only_grouped)>, Bar, high, total_sum>,
                             fail<rule::output_field_must_be_computed, type<Bar>, called<"window_start">>>);
// A field that is no key has no single value in a group.
struct Other {
  double price;
};
static_assert(std::is_same_v<aggregated<grouped_trades, Other>,
                             fail<rule::output_field_must_be_computed, type<Other>, called<"price">>>);
struct Fees {
  double fee;
};
static_assert(std::is_same_v<aggregated<grouped_trades, Fees,
                                        set<"fee", aggregate_call<aggregate_function::sum, field_reference<"fee">>>>,
                             fail<rule::null_must_not_enter_a_required_field, type<Fees>, called<"fee">>>);

// A field window_start could be the key or the window; without a window it is the key.
struct Windowed {
  timestamp window_end;
  timestamp traded;
  double high;
};
constexpr auto ambiguous = stream<asset_source<Windowed>, contract_row<Windowed>>{} | group_by<"high", "window_end"> |
                           tumbling<"traded">(1min);
struct Highest {
  timestamp window_end;
  std::int64_t rows;
};
using rows = set<"rows", aggregate_call<aggregate_function::count_rows, literal<bool>>>;
static_assert(std::is_same_v<aggregated<std::remove_const_t<decltype(ambiguous)>, Highest, rows>,
                             fail<rule::group_key_must_not_have_a_name_of_the_window, called<"window_end">>>);
constexpr auto by_window = stream<asset_source<Windowed>, contract_row<Windowed>>{} | group_by<"window_end">;
static_assert(std::is_same_v<aggregated<std::remove_const_t<decltype(by_window)>, Highest, rows>, pass>);

// ---- the rows at the end --------------------------------------------------------------------------------------------
static_assert(std::is_same_v<detail::result_verdict<trades>, pass>);
static_assert(
    std::is_same_v<detail::result_verdict<grouped_trades>, fail<rule::group_must_be_aggregated, type<Trade>>>);
static_assert(
    std::is_same_v<detail::result_verdict<sliding_trades>, fail<rule::group_must_be_aggregated, type<Trade>>>);
static_assert(
    std::is_same_v<detail::result_verdict<session_trades>, fail<rule::group_must_be_aggregated, type<Trade>>>);
constexpr auto derived = trades{} | derive<"notional">(field<"price"> * field<"quantity">);
static_assert(std::is_same_v<detail::result_verdict<std::remove_const_t<decltype(derived)>>, pass>);
constexpr auto hidden = trades{} | derive<"price">(field<"symbol">);
static_assert(std::is_same_v<
              detail::result_verdict<std::remove_const_t<decltype(hidden)>>,
              fail<rule::output_field_must_have_this_type, type<Trade>, called<"price">, type<text>, type<double>>>);

// ---- what a broken rule left behind is taken in silence by every operator -------------------------------------------
constexpr auto silent = poisoned{} | where(field<"x"> > 1) | watermark<"x">(1min) | group_by<"x"> |
                        tumbling<"x">(1min) | sliding<"x">(1min, 1s) | session<"x">(1min) |
                        aggregate<Bar>(named<"x"> = count()) | select<Bar>() | derive<"y">(field<"x">) | into("there");
static_assert(std::is_same_v<std::remove_const_t<decltype(silent)>, poisoned>);

}  // namespace
}  // namespace etlantic
