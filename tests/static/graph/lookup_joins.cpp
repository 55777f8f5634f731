#include <etlantic/graph/derive.hpp>
#include <etlantic/graph/group_by.hpp>
#include <etlantic/graph/lookup_join.hpp>
#include <etlantic/graph/nodes.hpp>
#include <etlantic/graph/select.hpp>
#include <etlantic/graph/union_all.hpp>
#include <etlantic/graph/where.hpp>
#include <etlantic/plan/verify.hpp>

#include <type_traits>

namespace lookup_joins_test {

using namespace etlantic;
using namespace std::chrono_literals;

struct Order {
  std::int64_t customer;
  timestamp ordered_at;
  std::int64_t amount;
};
struct Customer {
  std::int64_t customer;
  timestamp changed_at;
  text name;
  std::int32_t small;
};
struct Named {
  std::int64_t customer;
  text name;
};
struct MaybeNamed {
  std::int64_t customer;
  std::optional<text> name;
};

using orders = input<Order>;
using customers = reference<Customer>;
using by_customer = join_keys<key_pair<"customer", "customer">>;

template <class L, class R, class... Options>
constexpr bool good = std::is_same_v<lookup_verdict<L, R, by_customer, Options...>, pass>;
template <class Verdict, class... Expected>
constexpr bool is_failure = std::is_same_v<Verdict, fail<Expected...>>;

// ---- sides, keys, times ---------------------------------------------------------------------------------------------
constexpr auto prepared = orders{} | where(field<"amount"> > 0) | derive<"double">(field<"amount"> * 2);
constexpr auto known = customers{} | where(field<"customer"> > 0) | select<Named>();
static_assert(good<orders, customers>);
static_assert(good<decltype(prepared), decltype(known)>);
static_assert(good<orders, customers, decltype(where_matched(left<"amount"> > 0 && right<"name"> != "none"))>);

static_assert(is_failure<lookup_verdict<orders, input<Customer>, by_customer>, rule::lookup_join_needs_a_reference,
                         type<Customer>>);
static_assert(is_failure<lookup_verdict<orders, int, by_customer>, rule::lookup_join_needs_a_reference, type<int>>);
using grouped = decltype(customers{} | group_by<"customer">);
static_assert(
    is_failure<lookup_verdict<orders, grouped, by_customer>, rule::lookup_join_needs_a_reference, type<Customer>>);
static_assert(
    is_failure<lookup_verdict<customers, customers, by_customer>, rule::reference_must_be_looked_up, type<Customer>>);
static_assert(is_failure<lookup_verdict<decltype(orders{} | group_by<"customer">), customers, by_customer>,
                         rule::join_takes_streams_of_inputs, type<Order>>);
static_assert(std::is_same_v<lookup_verdict<poisoned, customers, by_customer>, poisoned>);

static_assert(is_failure<lookup_verdict<orders, customers, join_keys<key_pair<"amount", "small">>>,
                         rule::join_keys_must_have_one_type, called<"amount">, type<std::int64_t>, called<"small">,
                         type<std::int32_t>>);
static_assert(is_failure<lookup_verdict<orders, customers, by_customer, range_rule>, rule::lookup_join_knows_no_times,
                         type<Order>, type<Customer>>);
using timed_orders = decltype(orders{} | watermark<"ordered_at">(1min));
using timed_customers = decltype(customers{} | watermark<"changed_at">(1min));
static_assert(
    is_failure<lookup_verdict<timed_orders, customers, by_customer>, rule::lookup_join_knows_no_times, type<Order>>);
static_assert(
    is_failure<lookup_verdict<orders, timed_customers, by_customer>, rule::lookup_join_knows_no_times, type<Customer>>);

// ---- elsewhere a reference is no stream -----------------------------------------------------------------------------
static_assert(is_failure<join_verdict<join_sort::inner, orders, customers, by_customer, unbounded_rule>,
                         rule::reference_must_be_looked_up, type<Customer>>);
static_assert(
    is_failure<decltype(detail::judge_union<decltype(as_stream(customers{})), decltype(as_stream(customers{}))>()),
               rule::reference_must_be_looked_up, type<Customer>>);

// ---- types of results -----------------------------------------------------------------------------------------------
constexpr auto inner_rows = lookup_join(orders{}, customers{}, on<"customer">);
constexpr auto left_rows = left_lookup_join(orders{}, customers{}, on<"customer">);
using inner_row = decltype(inner_rows)::row_type;
using left_row = decltype(left_rows)::row_type;
static_assert(std::is_same_v<inferred<field_reference<"name">, inner_row>, typed<text, false>>);
static_assert(std::is_same_v<inferred<field_reference<"name">, left_row>, typed<text, true>>);
static_assert(std::is_same_v<inferred<field_reference<"customer">, left_row>, typed<std::int64_t, false>>);

// ---- in a pipeline --------------------------------------------------------------------------------------------------
struct Name {
  input<Order> orders;
  reference<Customer> customers{refreshed_every(1h)};
  output<MaybeNamed> rows;
};
constexpr auto implement(const Name& t) {
  return left_lookup_join(t.orders, t.customers, on<"customer">) | select<MaybeNamed>();
}
struct Pass {
  reference<Customer> customers;
  output<Customer> rows;
};
constexpr auto implement(const Pass& t) { return t.customers | where(field<"customer"> > 0); }
struct Clean {
  input<Customer> customers;
  output<Customer> rows;
};
constexpr auto implement(const Clean& t) { return t.customers | where(field<"customer"> > 0); }

template <fixed_string Text>
using at = node<called<Text>>;
template <fixed_string Text>
using reading = reads<called<Text>>;

struct Good {
  extract<Order, "orders"> orders;
  extract<Customer, "customers"> customers;
  step<Name, "orders.valid", "customers.valid"> names;
  step<Name, "orders.valid", "customers.valid"> again;
  load<MaybeNamed, "named_orders", "names.rows"> named_orders;
  load<MaybeNamed, "others", "again.rows"> others;
  load<rejected<Customer>, "wrong", "customers.invalid"> wrong;
};
static_assert(std::is_same_v<pipeline_verdict<Good>, pass>);
struct GivenOut {
  extract<Customer, "customers"> customers;
  step<Pass, "customers.valid"> passes;
  load<Customer, "out", "passes.rows"> out;
};
static_assert(is_failure<pipeline_verdict<GivenOut>, rule::reference_must_be_looked_up, type<Customer>>);
struct OfStep {
  extract<Order, "orders"> orders;
  extract<Customer, "customers"> customers;
  step<Clean, "customers.valid"> clean;
  step<Name, "orders.valid", "clean.rows"> names;
  load<MaybeNamed, "named_orders", "names.rows"> named_orders;
};
static_assert(is_failure<pipeline_verdict<OfStep>, rule::reference_must_come_from_an_extract, at<"names">,
                         reading<"clean.rows">>);
struct AlsoStreamed {
  extract<Order, "orders"> orders;
  extract<Customer, "customers"> customers;
  step<Name, "orders.valid", "customers.valid"> names;
  load<MaybeNamed, "named_orders", "names.rows"> named_orders;
  load<Customer, "out", "customers.valid"> out;
};
static_assert(is_failure<pipeline_verdict<AlsoStreamed>, rule::reference_must_not_be_streamed, at<"names">,
                         reading<"customers.valid">, at<"out">>);
struct Updated {
  extract<Order, "orders"> orders;
  extract<Customer, "customers"> customers;
  step<Name, "orders.valid", "customers.valid"> names;
  load<MaybeNamed, "named_orders", "names.rows", output_mode::update> named_orders;
};
static_assert(
    is_failure<pipeline_verdict<Updated>, rule::join_results_are_appended, at<"named_orders">, reading<"names.rows">>);

}  // namespace lookup_joins_test
