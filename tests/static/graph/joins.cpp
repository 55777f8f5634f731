#include <etlantic/graph/aggregate.hpp>
#include <etlantic/graph/derive.hpp>
#include <etlantic/graph/join.hpp>
#include <etlantic/graph/nodes.hpp>
#include <etlantic/graph/select.hpp>
#include <etlantic/graph/tumbling.hpp>
#include <etlantic/graph/union_all.hpp>
#include <etlantic/graph/where.hpp>
#include <etlantic/plan/verify.hpp>

#include <type_traits>

namespace joins_test {

using namespace etlantic;
using namespace std::chrono_literals;
using enum join_sort;

struct Shown {
  std::int64_t ad;
  timestamp shown_at;
  text place;
  std::vector<text> tags;
};
struct Clicked {
  std::int64_t ad;
  timestamp clicked_at;
  text place;
  std::int32_t small;
};
struct Pair {
  std::int64_t ad;
  timestamp shown_at;
  timestamp clicked_at;
};
struct Maybe {
  std::int64_t ad;
  timestamp shown_at;
  std::optional<timestamp> clicked_at;
};

constexpr auto shown = input<Shown>{0} | watermark<"shown_at">(10s);
constexpr auto clicked = input<Clicked>{1} | watermark<"clicked_at">(10s);
using shown_type = std::remove_const_t<decltype(shown)>;
using clicked_type = std::remove_const_t<decltype(clicked)>;
using by_ad = join_keys<key_pair<"ad", "ad">>;

template <join_sort Sort, class L, class R, class Keys, class... Options>
constexpr bool good = std::is_same_v<join_verdict<Sort, L, R, Keys, Options...>, pass>;
template <class Verdict, class... Expected>
constexpr bool is_failure = std::is_same_v<Verdict, fail<Expected...>>;

// ---- what can be joined ---------------------------------------------------------------------------------------------
static_assert(good<inner, shown_type, clicked_type, by_ad, range_rule>);
static_assert(good<full_outer, shown_type, clicked_type, by_ad, same_time_rule>);
static_assert(good<left_outer, shown_type, clicked_type, by_ad, same_window_rule>);
static_assert(good<inner, input<Shown>, input<Clicked>, by_ad, unbounded_rule>);
static_assert(good<inner, shown_type, shown_type, by_ad, range_rule>, "a stream with itself");
constexpr auto prepared =
    input<Shown>{0} | where(field<"place"> != "none") | derive<"at">(field<"shown_at"> + 1s) | watermark<"at">(1s);
static_assert(good<inner, std::remove_const_t<decltype(prepared)>, clicked_type, by_ad, range_rule>);

constexpr auto summed = shown | group_by<"ad"> | tumbling<"shown_at">(1min);
using summed_type = std::remove_const_t<decltype(summed)>;
static_assert(is_failure<join_verdict<inner, summed_type, clicked_type, by_ad, range_rule>,
                         rule::join_takes_streams_of_inputs, type<Shown>>);
constexpr auto joined = inner_join(shown, clicked, on<"ad">, within(0s, 1h)) | select<Pair>();
using joined_type = std::remove_const_t<decltype(joined)>;
static_assert(is_failure<join_verdict<inner, joined_type, clicked_type, by_ad, range_rule>,
                         rule::join_takes_streams_of_inputs, type<Pair>>);
constexpr auto together = union_all(shown, shown);
static_assert(is_failure<join_verdict<inner, std::remove_const_t<decltype(together)>, clicked_type, by_ad, range_rule>,
                         rule::join_takes_streams_of_inputs, type<Shown>>);
static_assert(std::is_same_v<join_verdict<inner, poisoned, clicked_type, by_ad, range_rule>, poisoned>);
static_assert(std::is_same_v<decltype(inner_join(poisoned{}, clicked, on<"ad">, within(0s, 1h))), poisoned>);
static_assert(detail::union_part<joined_type>::keeps_state, "a union does not take a join");

// ---- keys -----------------------------------------------------------------------------------------------------------
template <fixed_string Left, fixed_string Right>
using by = join_verdict<inner, shown_type, clicked_type, join_keys<key_pair<Left, Right>>, range_rule>;
static_assert(std::is_same_v<by<"ad", "ad">, pass>);
static_assert(is_failure<by<"ad", "small">, rule::join_keys_must_have_one_type, called<"ad">, type<std::int64_t>,
                         called<"small">, type<std::int32_t>>);
static_assert(
    is_failure<by<"ad", "as">, rule::field_must_exist, type<Clicked>, called<"as">, did_you_mean<called<"ad">>>);
using tags = decltype(on_equal(left<"tags"> == right<"tags">));
static_assert(
    is_failure<join_verdict<inner, shown_type, shown_type, tags, range_rule>, rule::join_keys_must_have_one_type,
               called<"tags">, type<std::vector<text>>, called<"tags">, type<std::vector<text>>>);
static_assert(std::is_same_v<decltype(on_equal(right<"ad"> == left<"ad">)), by_ad>, "in either order");
using not_equal = decltype(left<"ad"> != right<"ad">);
static_assert(is_failure<join_verdict<inner, shown_type, clicked_type, decltype(on_equal(not_equal{})), range_rule>,
                         rule::join_keys_must_be_equal_fields, type<not_equal>>);

// ---- times ----------------------------------------------------------------------------------------------------------
static_assert(is_failure<join_verdict<inner, shown_type, clicked_type, by_ad>, rule::join_needs_a_time_bound,
                         type<Shown>, type<Clicked>>);
static_assert(is_failure<join_verdict<left_outer, shown_type, clicked_type, by_ad, unbounded_rule>,
                         rule::outer_join_needs_a_time_bound, type<Shown>, type<Clicked>>);
static_assert(is_failure<join_verdict<left_anti, shown_type, clicked_type, by_ad, unbounded_rule>,
                         rule::outer_join_needs_a_time_bound, type<Shown>, type<Clicked>>);
static_assert(good<left_semi, input<Shown>, input<Clicked>, by_ad, unbounded_rule>, "a match is certain when it comes");
static_assert(is_failure<join_verdict<left_semi, shown_type, clicked_type, by_ad>, rule::join_needs_a_time_bound,
                         type<Shown>, type<Clicked>>);
static_assert(is_failure<join_verdict<inner, shown_type, input<Clicked>, by_ad, range_rule>,
                         rule::join_needs_watermarks, type<Clicked>>);
static_assert(is_failure<join_verdict<inner, input<Shown>, clicked_type, by_ad, same_time_rule>,
                         rule::join_needs_watermarks, type<Shown>>);
constexpr auto problem_of(const auto& rule) { return detail::judge_join_setting(rule); }
static_assert(problem_of(within(0s, 0s)) == setting_problem::none);
static_assert(problem_of(within(1s, 0s)) == setting_problem::join_range);
static_assert(problem_of(within(0s, exclusive(0s))) == setting_problem::join_range);
static_assert(problem_of(same_window(0s)) == setting_problem::window_length);
static_assert(problem_of(same_window(1s, 1s)) == setting_problem::window_offset);

struct Visit {
  std::int64_t ad;
  timestamp clicked_at;
};
template <class S>
using with_right = join_verdict<inner, shown_type, std::remove_cvref_t<S>, by_ad, range_rule>;
constexpr auto kept = clicked | select<Visit>();
constexpr auto changed = clicked | select<Visit>(named<"clicked_at"> = field<"clicked_at"> + 1s);
constexpr auto hidden = clicked | derive<"clicked_at">(field<"clicked_at"> + 1s);
constexpr auto derived = clicked | derive<"later">(field<"clicked_at"> + 1s);
static_assert(std::is_same_v<with_right<decltype(kept)>, pass> && std::is_same_v<with_right<decltype(derived)>, pass>);
static_assert(
    is_failure<with_right<decltype(changed)>, rule::join_must_keep_the_event_time, type<Visit>, called<"clicked_at">>);
static_assert(
    is_failure<with_right<decltype(hidden)>, rule::join_must_keep_the_event_time, type<Clicked>, called<"clicked_at">>);

// ---- conditions -----------------------------------------------------------------------------------------------------
template <class E>
using with_condition = join_verdict<left_outer, shown_type, clicked_type, by_ad, range_rule,
                                    detail::matched_condition<std::remove_cvref_t<E>>>;
static_assert(std::is_same_v<with_condition<decltype(left<"place"> == right<"place">)>, pass>);
static_assert(is_failure<with_condition<decltype(left<"place">)>, rule::predicate_must_be_bool, type<text>,
                         side_reference<join_side::of_left, "place">>);
static_assert(is_failure<with_condition<decltype(field<"place"> == "x")>, rule::field_must_be_of_one_side,
                         called<"place">, type<Shown>, type<Clicked>>);

// ---- what stands behind a join --------------------------------------------------------------------------------------
template <class S>
using behind = typename detail::joined_rows_verdict<std::remove_cvref_t<S>>::type;
constexpr auto bare = inner_join(shown, clicked, on<"ad">, within(0s, 1h));
static_assert(is_failure<behind<decltype(bare)>, rule::join_must_be_selected, type<rows_of_join<Shown, Clicked>>>);
static_assert(std::is_same_v<behind<decltype(joined)>, pass>);
static_assert(std::is_same_v<behind<decltype(shown)>, pass>);
constexpr auto watched = joined | watermark<"clicked_at">(1s);
static_assert(is_failure<behind<decltype(watched)>, rule::joined_rows_are_not_aggregated, type<Pair>>);
constexpr auto missing = left_join(shown, clicked, on<"ad">, within(0s, 1h));
using missing_row = std::remove_const_t<decltype(missing)>::row_type;
static_assert(std::is_same_v<select_verdict<missing_row, Maybe>, pass>);
static_assert(std::is_same_v<select_verdict<missing_row, Pair>,
                             fail<rule::null_must_not_enter_a_required_field, type<Pair>, called<"clicked_at">>>);

// ---- ports ----------------------------------------------------------------------------------------------------------
struct Join {
  input<Shown> shown;
  input<Clicked> clicked;
  output<Pair> pairs;
};
constexpr auto implement(const Join& t) {
  return inner_join(t.shown | watermark<"shown_at">(10s), t.clicked | watermark<"clicked_at">(10s), on<"ad">,
                    within(t.shown.port == 0 ? 0s : 1s, 1h)) |
         select<Pair>();
}
static_assert(detail::late_ports<Join>::names[0] == "late_shown" &&
              detail::late_ports<Join>::names[1] == "late_clicked");
static_assert(std::is_same_v<detail::late_ports<Join>::contract<1>, late<Clicked>>);

struct Last {
  input<Clicked> clicks;
  output<Clicked> last;
};
constexpr auto implement(const Last& t) {
  return t.clicks | group_by<"ad"> |
         aggregate<Clicked>(named<"clicked_at"> = max(field<"clicked_at">), named<"place"> = max(field<"place">),
                            named<"small"> = max(field<"small">));
}
struct OfOpenRows {
  extract<Shown, "shown"> shown;
  extract<Clicked, "clicked"> clicked;
  step<Last, "clicked.valid"> last;
  step<Join, "shown.valid", "last.last"> join;
  load<Pair, "pairs", "join.pairs"> pairs;
};
static_assert(is_failure<pipeline_verdict<OfOpenRows>, rule::join_needs_final_rows, node<called<"join">>>);

template <output_mode... Mode>
struct Plain {
  extract<Shown, "shown"> shown;
  extract<Clicked, "clicked"> clicked;
  step<Join, "shown.valid", "clicked.valid"> join;
  load<Pair, "pairs", "join.pairs", Mode...> pairs;
};
static_assert(std::is_same_v<pipeline_verdict<Plain<>>, pass>);
static_assert(is_failure<pipeline_verdict<Plain<output_mode::update>>, rule::join_results_are_appended,
                         node<called<"pairs">>, reads<called<"join.pairs">>>);

// Whatever stands between the join and the load.
struct KeepPairs {
  input<Pair> pairs;
  output<Pair> kept;
};
constexpr auto implement(const KeepPairs& t) { return t.pairs | where(true); }
template <output_mode Mode>
struct Behind {
  extract<Shown, "shown"> shown;
  extract<Clicked, "clicked"> clicked;
  step<Join, "shown.valid", "clicked.valid"> join;
  step<KeepPairs, "join.pairs"> keep;
  load<Pair, "pairs", "keep.kept", Mode> pairs;
};
static_assert(std::is_same_v<pipeline_verdict<Behind<output_mode::append>>, pass>);
static_assert(is_failure<pipeline_verdict<Behind<output_mode::update>>, rule::join_results_are_appended,
                         node<called<"pairs">>, reads<called<"keep.kept">>>);
static_assert(is_failure<pipeline_verdict<Behind<output_mode::complete>>, rule::join_results_are_appended,
                         node<called<"pairs">>, reads<called<"keep.kept">>>);

struct EmptyRange {
  input<Shown> shown;
  input<Clicked> clicked;
  parameter<duration> last{-1s};
  output<Pair> pairs;
};
constexpr auto implement(const EmptyRange& t) {
  return inner_join(t.shown | watermark<"shown_at">(10s), t.clicked | watermark<"clicked_at">(10s), on<"ad">,
                    within(0s, t.last)) |
         select<Pair>();
}
struct OfEmptyRange {
  extract<Shown, "shown"> shown;
  extract<Clicked, "clicked"> clicked;
  step<EmptyRange, "shown.valid", "clicked.valid"> join;
  load<Pair, "pairs", "join.pairs"> pairs;
};
static_assert(is_failure<pipeline_verdict<OfEmptyRange>, rule::join_range_must_not_be_empty, node<called<"join">>>);

// ---- semi and anti joins give rows of the left stream ---------------------------------------------------------------
constexpr auto clicked_ones = semi_join(shown, clicked, on<"ad">, within(0s, 1h));
constexpr auto ignored_ones = anti_join(input<Shown>{0} | derive<"next">(field<"ad"> + 1) | watermark<"shown_at">(1s),
                                        clicked, on<"ad">, within(0s, 1h));
static_assert(std::is_same_v<decltype(clicked_ones)::row_type, contract_row<Shown>>);
static_assert(std::is_same_v<inferred<field_reference<"next">, decltype(ignored_ones)::row_type>, typed<std::int64_t>>);
struct Ignore {
  input<Shown> shown;
  input<Clicked> clicked;
  output<Shown> rows;
};
constexpr auto implement(const Ignore& t) {
  return anti_join(t.shown | watermark<"shown_at">(1s), t.clicked | watermark<"clicked_at">(1s), on<"ad">,
                   within(0s, 1h)) |
         where(field<"place"> != "none");
}
struct Ignored {
  extract<Shown, "shown"> shown;
  extract<Clicked, "clicked"> clicked;
  step<Ignore, "shown.valid", "clicked.valid"> ignore;
  load<Shown, "ignored", "ignore.rows"> ignored;
  load<late<Shown>, "late", "ignore.late_shown"> late_ones;
};
static_assert(std::is_same_v<pipeline_verdict<Ignored>, pass>);

}  // namespace joins_test
