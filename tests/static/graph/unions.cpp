#include <etlantic/graph/aggregate.hpp>
#include <etlantic/graph/bare.hpp>
#include <etlantic/graph/derive.hpp>
#include <etlantic/graph/late_ports.hpp>
#include <etlantic/graph/nodes.hpp>
#include <etlantic/graph/select.hpp>
#include <etlantic/graph/tumbling.hpp>
#include <etlantic/graph/union_all.hpp>
#include <etlantic/graph/watermark.hpp>
#include <etlantic/graph/where.hpp>

#include <type_traits>

namespace etlantic {
namespace {

using namespace std::chrono_literals;

struct Trade {
  text symbol;
  double price;
  timestamp time, received;
};
struct Quote {
  text symbol;
  double bid;
  timestamp time, received;
};
struct Counts {
  timestamp window_start, window_end;
  std::int64_t count;
};
struct CountsByTime {
  timestamp time;
  std::int64_t count;
};

constexpr auto trades = as_stream(input<Trade>{});
constexpr auto quotes = as_stream(input<Quote>{1});
constexpr auto by_time = trades | watermark<"time">(1min);
constexpr auto by_receipt = trades | watermark<"received">(1min);
constexpr auto counted = by_time | tumbling<"time">(5s) | aggregate<Counts>(named<"count"> = count());

template <class Found, const auto&... Parts>
constexpr bool judged = std::is_same_v<decltype(detail::judge_union<std::remove_cvref_t<decltype(Parts)>...>()), Found>;

static_assert(judged<pass, trades, trades>);
static_assert(judged<pass, by_time, by_time>);
static_assert(judged<fail<rule::union_must_have_one_contract, type<Trade>, type<Quote>>, trades, quotes>);
static_assert(judged<fail<rule::union_must_have_one_event_time, type<Trade>>, by_time, by_receipt>);
static_assert(judged<fail<rule::union_must_have_one_event_time, type<Trade>>, by_time, trades>);
static_assert(judged<fail<rule::union_part_must_keep_no_state, type<Counts>>, counted, counted>);
constexpr auto shifted = by_time | derive<"time">(field<"time"> + 1h) | select<Trade>();
static_assert(judged<fail<rule::union_must_have_one_event_time, type<Trade>>, by_time, shifted>,
              "what has the name of the event time is none");

// The event time of the parts is that of the union.
constexpr auto both = union_all(by_time, by_time);
using Both = std::remove_const_t<decltype(both)>;
static_assert(detail::InheritedWatermark<detail::operator_at<Both, 0>>);
static_assert(detail::operator_at<Both, 0>::field == fixed_string{"time"});
static_assert(std::is_same_v<decltype(detail::judge_window<Both, "received">()),
                             fail<rule::window_must_use_the_watermark_field, called<"received">, called<"time">>>);
static_assert(std::is_same_v<decltype(union_all(trades, poisoned{})), poisoned>);
static_assert(judged<fail<rule::union_part_must_keep_no_state, type<Trade>>, by_time, both>);

constexpr auto bare = union_all(from<Trade>("a"), from<Trade>("b"));
static_assert(std::is_same_v<decltype(detail::judge_bare<std::remove_const_t<decltype(bare)>>()),
                             fail<rule::bare_pipeline_must_read_one_asset, type<Trade>>>);

// ---- behind windows -------------------------------------------------------------------------------------------------

constexpr auto behind = counted | where(field<"count"> > 1);
using Behind = std::remove_const_t<decltype(behind)>;
static_assert(detail::chain<Behind>.watermark == 3);
static_assert(detail::operator_at<Behind, 3>::field == fixed_string{"window_time"});
static_assert(std::is_same_v<inferred<field_reference<"window_time">, typename Behind::row_type>, typed<timestamp>>);
static_assert(
    std::is_same_v<decltype(detail::judge_window<Behind, "window_end">()),
                   fail<rule::window_must_use_the_watermark_field, called<"window_end">, called<"window_time">>>);
static_assert(std::is_same_v<decltype(detail::judge_watermark<Behind, "window_end">()),
                             fail<rule::watermark_must_be_declared_once, called<"window_time">, called<"window_end">>>);

constexpr auto by_key = by_time | group_by<"time"> | aggregate<CountsByTime>(named<"count"> = count()) | where(true);
using ByKey = std::remove_const_t<decltype(by_key)>;
static_assert(detail::operator_at<ByKey, 3>::field == fixed_string{"time"});

// ---- outputs for late rows ------------------------------------------------------------------------------------------

struct One {
  input<Trade> trades;
  output<Counts> result;
};
constexpr auto implement(const One& t) {
  return t.trades | watermark<"time">(1min) | tumbling<"time">(5s) | aggregate<Counts>(named<"count"> = count());
}
static_assert(detail::late_ports<One>::names == std::array<std::string_view, 1>{"late"});

struct Two {
  input<Trade> web;
  input<Quote> shop;
  output<Counts> of_web, of_shop;
};
constexpr auto implement(const Two& t) {
  constexpr auto counts = tumbling<"time">(5s);
  return outputs(
      named<"of_web"> = t.web | watermark<"time">(1min) | counts | aggregate<Counts>(named<"count"> = count()),
      named<"of_shop"> = t.shop | watermark<"time">(1min) | counts | aggregate<Counts>(named<"count"> = count()));
}
static_assert(detail::late_ports<Two>::names == std::array<std::string_view, 2>{"late_web", "late_shop"});
static_assert(std::is_same_v<detail::late_ports<Two>::contract<1>, late<Quote>>);

struct United {
  input<Trade> web;
  input<Quote> shop;
  output<Counts> result;
};
constexpr auto implement(const United& t) {
  return union_all(t.web | watermark<"time">(1min),
                   t.shop | select<Trade>(named<"price"> = field<"bid">) | watermark<"time">(5s)) |
         tumbling<"time">(5s) | aggregate<Counts>(named<"count"> = count());
}
static_assert(detail::late_ports<United>::names == std::array<std::string_view, 1>{"late"});
static_assert(std::is_same_v<detail::late_ports<United>::contract<0>, late<Trade>>);
static_assert(detail::node_traits<step<United, "a.valid", "b.valid">>::outputs.size() == 3);

// Late rows of several unions share an output, and so a contract.
template <class First, class Second>
struct TwoUnions {
  input<Trade> trades;
  input<Quote> quotes;
  output<Counts> first, second;
};
template <class C, class T>
constexpr auto united(const T& t) {
  constexpr auto counts = aggregate<Counts>(named<"count"> = count());
  if constexpr (std::is_same_v<C, Trade>)
    return union_all(t.trades | watermark<"time">(1s),
                     t.quotes | select<Trade>(named<"price"> = field<"bid">) | watermark<"time">(1s)) |
           tumbling<"time">(5s) | counts;
  else
    return union_all(t.trades | select<Quote>(named<"bid"> = field<"price">) | watermark<"time">(1s),
                     t.quotes | watermark<"time">(1s)) |
           tumbling<"time">(5s) | counts;
}
template <class First, class Second>
constexpr auto implement(const TwoUnions<First, Second>& t) {
  return outputs(named<"first"> = united<First>(t), named<"second"> = united<Second>(t));
}
template <class T>
using late_unions = typename detail::late_unions_verdict<T, detail::implementation_type<T>>::type;
static_assert(std::is_same_v<late_unions<TwoUnions<Quote, Quote>>, pass>);
static_assert(std::is_same_v<late_unions<TwoUnions<Trade, Quote>>,
                             fail<rule::unions_of_a_step_must_have_one_contract, type<TwoUnions<Trade, Quote>>,
                                  type<Trade>, type<Quote>>>);
static_assert(std::is_same_v<late_unions<United>, pass>);

}  // namespace
}  // namespace etlantic
