#include <etlantic/etlantic.hpp>

#include <type_traits>

namespace process_test {

using namespace etlantic;
using namespace std::chrono_literals;

struct Click {
  text visitor;
  std::int64_t page;
  timestamp time;
};
struct Page {
  std::int64_t page;
};
struct Visits {
  std::int64_t pages;
  std::optional<text> last;
};
using context = process_context<Page>;

struct Good {
  using state = Visits;
  using result = Page;
  duration pause{};
  void on_row(Visits&, const Click&, context&) const;
};
struct WithTimer {
  using state = Visits;
  using result = Page;
  void on_row(Visits&, const Click&, context&) const;
  void on_timer(Visits&, timestamp, context&) const;
};
struct NoResult {
  using state = Visits;
  void on_row(Visits&, const Click&, context&) const;
};
struct NoOnRow {
  using state = Visits;
  using result = Page;
  void on_timer(Visits&, timestamp, context&) const;
};
struct OtherRow {
  using state = Visits;
  using result = Page;
  void on_row(Visits&, const Page&, context&) const;
};
struct NotConst {
  using state = Visits;
  using result = Page;
  void on_row(Visits&, const Click&, context&);
};
struct OtherTimer {
  using state = Visits;
  using result = Page;
  void on_row(Visits&, const Click&, context&) const;
  void on_timer(Visits&, context&) const;
};
class Hidden {
  std::int64_t pages = 0;

 public:
  std::int64_t get() const { return pages; }
};
struct HiddenState {
  using state = Hidden;
  using result = Page;
  void on_row(Hidden&, const Click&, context&) const;
};
struct AnyRow {
  using state = Visits;
  using result = Page;
  template <class Row>
  void on_row(Visits&, const Row&, context&) const;
};

constexpr auto clicks = from<Click>("clicks");
constexpr auto timed = clicks | watermark<"time">(1min);

template <class B, class S>
consteval auto judged(const S&) {
  return etlantic::detail::judge_process<S, B>();
}
template <class Found, class Expected>
consteval bool is(Found, Expected) {
  return std::is_same_v<Found, Expected>;
}

static_assert(passed<decltype(judged<Good>(clicks))>);
static_assert(passed<decltype(judged<AnyRow>(clicks))>);
static_assert(passed<decltype(judged<WithTimer>(timed | group_by<"visitor">))>);
static_assert(is(judged<WithTimer>(clicks), fail<rule::process_timers_need_a_watermark, type<WithTimer>>{}));
static_assert(is(judged<NoResult>(clicks), fail<rule::process_must_name_state_and_result, type<NoResult>>{}));
static_assert(is(judged<NoOnRow>(timed), fail<rule::process_needs_on_row, type<NoOnRow>, type<Click>>{}));
static_assert(
    is(judged<OtherRow>(timed),
       fail<rule::process_must_be_able_to_call_on_row, type<OtherRow>, type<Visits>, type<Click>, type<Page>>{}));
static_assert(
    is(judged<NotConst>(timed),
       fail<rule::process_must_be_able_to_call_on_row, type<NotConst>, type<Visits>, type<Click>, type<Page>>{}));
static_assert(is(judged<OtherTimer>(timed),
                 fail<rule::process_must_be_able_to_call_on_timer, type<OtherTimer>, type<Visits>, type<Page>>{}));
static_assert(is(judged<HiddenState>(timed), contract_verdict<Hidden>{}));
static_assert(!passed<contract_verdict<Hidden>>);

// A column beside the fields may be a key; one in the place of a field, or a selection, would not be seen.
static_assert(passed<decltype(judged<Good>(clicks | derive<"even">(field<"page"> % 2) | group_by<"even">))>);
static_assert(is(judged<Good>(clicks | derive<"page">(field<"page"> + 1)),
                 fail<rule::process_takes_rows_as_they_are, type<Good>>{}));
static_assert(is(judged<Good>(clicks | select<Click>()), fail<rule::process_takes_rows_as_they_are, type<Good>>{}));

// What comes out are rows of its result; rows can be late where there is a watermark.
constexpr auto pages = timed | group_by<"visitor"> | process(Good{.pause = 1min});
static_assert(std::is_same_v<decltype(pages)::row_type, contract_row<Page>>);
static_assert(passed<etlantic::detail::result_verdict<std::remove_const_t<decltype(pages)>>>);
static_assert(etlantic::detail::late_origins<std::remove_const_t<decltype(pages)>>::inputs);
static_assert(!etlantic::detail::late_origins<decltype(clicks | process<Good>())>::inputs);
static_assert(is(etlantic::detail::result_verdict<decltype(pages | group_by<"page">)>{},
                 fail<rule::keyed_rows_stand_last, type<Page>>{}));

}  // namespace process_test
