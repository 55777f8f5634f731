#include <etlantic/etlantic.hpp>

#include <type_traits>

namespace deduplicate_test {

using namespace etlantic;
using namespace std::chrono_literals;

struct Trade {
  text id;
  double price;
  std::vector<text> tags;
  timestamp time;
  timestamp received;
};

template <class S, class Step>
struct verdict_of;
template <class S, key_memory Memory, fixed_string... Names>
struct verdict_of<S, deduplicate_step<Memory, Names...>> {
  using type = decltype(etlantic::detail::judge_deduplication<S, Memory, Names...>());
};
template <class S, class Step>
consteval bool good(const S&, const Step&) {
  return passed<typename verdict_of<S, Step>::type>;
}
template <class Rule, class... Culprits, class S, class Step>
consteval bool broken(const S&, const Step&) {
  return std::is_same_v<typename verdict_of<S, Step>::type, fail<Rule, Culprits...>>;
}

constexpr auto trades = from<Trade>("trades");
constexpr auto timed = trades | watermark<"time">(1min);
using rule::deduplication_must_forget;

// A key is forgotten by the event time in it.
static_assert(good(timed, deduplicate<"id", "time">));
static_assert(good(timed, deduplicate<"time">));
static_assert(broken<deduplication_must_forget, called<"id">>(timed, deduplicate<"id">));
static_assert(broken<deduplication_must_forget, called<"id">, called<"time">>(trades, deduplicate<"id", "time">));
static_assert(broken<deduplication_must_forget, called<"id">, called<"received">>(timed,
                                                                                  deduplicate<"id", "received">));

// It has to be the event time itself, whatever it is called by now.
constexpr auto renamed = timed | derive<"when">(field<"time">);
constexpr auto shifted = timed | derive<"time">(field<"time"> + 1s);
constexpr auto made = trades | derive<"when">(field<"time"> + 1s) | watermark<"when">(1min);
static_assert(good(renamed, deduplicate<"id", "when">));
static_assert(!good(shifted, deduplicate<"id", "time">));
static_assert(good(made, deduplicate<"id", "when">));
static_assert(!good(made, deduplicate<"id", "time">));
static_assert(!good(made | derive<"when">(field<"time">), deduplicate<"id", "when">));

// Or never, on purpose.
static_assert(good(timed, deduplicate<"id">.keeping_every_key()));
static_assert(good(trades, deduplicate<"id", "price">.keeping_every_key()));

// Or one delay behind the first row, which takes a watermark.
static_assert(good(timed, deduplicate_within_watermark<"id">));
static_assert(good(timed, deduplicate_within_watermark<"id", "time">));
static_assert(broken<rule::deduplication_within_watermark_needs_a_watermark, called<"id">>(
    trades, deduplicate_within_watermark<"id">));

// Keys are fields that can be compared.
static_assert(broken<rule::deduplication_key_must_be_comparable, called<"tags">, type<std::vector<text>>>(
    timed, deduplicate<"tags", "time">));
static_assert(broken<rule::field_must_exist, type<Trade>, called<"idd">, did_you_mean<called<"id">>>(
    timed, deduplicate<"idd", "time">));

// Rows can be late where there is a watermark before it.
template <class S>
consteval bool can_be_late(const S&) {
  return etlantic::detail::late_origins<S>::inputs;
}
static_assert(can_be_late(timed | deduplicate<"id">.keeping_every_key()));
static_assert(!can_be_late(trades | deduplicate<"id">.keeping_every_key()));
static_assert(!can_be_late(trades | deduplicate<"id">.keeping_every_key() | watermark<"time">(1min)));

}  // namespace deduplicate_test
