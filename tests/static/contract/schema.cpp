#include <etlantic/contract/contract.hpp>
#include <etlantic/contract/describe_members.hpp>

#include <cstdint>
#include <type_traits>

namespace shop {

using namespace etlantic;

enum class order_status { paid, cancelled, refunded };

struct address {
  checked<text, max_length<80>> city;
  std::optional<text> street;
};

struct order {
  checked<std::int64_t, gt<0>, named_as<"orderId">, described_as<"counts up">> order_id;
  checked<decimal<18, 2>, ge<0>, le<decimal<6, 1>("9999.9")>> total;
  std::optional<order_status> status;
  checked<text, one_of<"EUR", "USD">, min_length<3>> currency;
  epoch<std::chrono::milliseconds> created;
  address ship_to;
  std::vector<std::optional<double>> weights;
  rounded<decimal<38, 6>> rate;
  checked<double, lt<0.5>> discount;
  using key = primary_key<"currency", "order_id">;
  static constexpr contract_identity identity{.id = "shop.order", .version = "1.2.3", .description = "one order"};
};

class sealed_order {
 public:
  sealed_order() = default;
  std::int64_t number() const { return number_; }

 private:
  template <class>
  friend struct etlantic::described_members;
  std::int64_t number_ = 0;
  etlantic::checked<etlantic::text, etlantic::min_length<1>> owner_;
};

struct base {
  std::int64_t id;
};
struct extended : base {
  etlantic::text note;
};

}  // namespace shop

ETLANTIC_DESCRIBE(shop::sealed_order, number_, owner_);
ETLANTIC_DESCRIBE(shop::extended, id, note);

namespace etlantic {
namespace {

constexpr const schema& of = schema_of<shop::order>();
static_assert(of.id == "shop.order" && of.version == "1.2.3" && of.description == "one order");
static_assert(of.fields.size() == 9);

constexpr const field_description& id = of.fields[0];
static_assert(id.name == "order_id" && id.data_name == "orderId" && id.description == "counts up");
static_assert(id.type == logical_type::int64 && !id.nullable && id.key_position == 1);
static_assert(id.constraints.size() == 1 && id.constraints[0].kind == constraint_kind::gt);
static_assert(id.constraints[0].values.size() == 1 && id.constraints[0].values[0].exact == 0);

// Bounds are in the unit of their field: 9999.9 is 999990 hundredths.
constexpr const field_description& total = of.fields[1];
static_assert(total.type == logical_type::decimal && total.precision == 18 && total.scale == 2 && !total.rounds);
static_assert(total.data_name == "total" && total.key_position == -1);
static_assert(total.constraints.size() == 2 && total.constraints[0].kind == constraint_kind::ge);
static_assert(total.constraints[1].kind == constraint_kind::le && total.constraints[1].values[0].exact == 999'990);

constexpr const field_description& status = of.fields[2];
static_assert(status.type == logical_type::enumeration && status.nullable && status.constraints.empty());
static_assert(status.enumerators.size() == 3 && status.enumerators[0] == "paid" && status.enumerators[2] == "refunded");
static_assert(value_width(status) == 1);

constexpr const field_description& currency = of.fields[3];
static_assert(currency.type == logical_type::text && currency.key_position == 0);
static_assert(currency.constraints.size() == 2 && currency.constraints[0].kind == constraint_kind::one_of);
static_assert(currency.constraints[0].values.size() == 2);
static_assert(currency.constraints[0].values[0].characters == "EUR" &&
              currency.constraints[0].values[1].characters == "USD");
static_assert(currency.constraints[1].kind == constraint_kind::min_length &&
              currency.constraints[1].values[0].exact == 3);

constexpr const field_description& created = of.fields[4];
static_assert(created.type == logical_type::timestamp && created.form == time_form::epoch_milliseconds);
static_assert(value_width(created) == 8);

constexpr const field_description& ship_to = of.fields[5];
static_assert(ship_to.type == logical_type::structure && ship_to.children.size() == 2 && value_width(ship_to) == 0);
static_assert(ship_to.children[0].name == "city" && !ship_to.children[0].nullable);
static_assert(ship_to.children[0].constraints[0].kind == constraint_kind::max_length);
static_assert(ship_to.children[1].name == "street" && ship_to.children[1].nullable);

constexpr const field_description& weights = of.fields[6];
static_assert(weights.type == logical_type::list && weights.children.size() == 1);
static_assert(weights.children[0].name == "element" && weights.children[0].nullable);
static_assert(weights.children[0].type == logical_type::float64);

static_assert(of.fields[7].rounds && of.fields[7].precision == 38 && value_width(of.fields[7]) == 16);
static_assert(of.fields[8].constraints[0].values[0].real == 0.5);

// A type that has constraints keeps them where a field adds some.
using positive = checked<std::int64_t, gt<0>>;
struct limited {
  checked<positive, lt<100>, named_as<"percent">> share;
  checked<std::optional<positive>, le<9>> digit;
  checked<positive, named_as<"n">> number;
};
constexpr std::span<const field_description> limited_fields = schema_of<limited>().fields;
static_assert(limited_fields[0].constraints.size() == 2 && limited_fields[0].data_name == "percent");
static_assert(limited_fields[0].constraints[0].kind == constraint_kind::gt &&
              limited_fields[0].constraints[0].values[0].exact == 0);
static_assert(limited_fields[0].constraints[1].kind == constraint_kind::lt &&
              limited_fields[0].constraints[1].values[0].exact == 100);
static_assert(limited_fields[1].constraints.size() == 2 && limited_fields[1].nullable);
static_assert(limited_fields[2].constraints.size() == 1 && limited_fields[2].data_name == "n");

struct shown {
  std::optional<etlantic::local_time<"Asia/Tokyo">> when;
};
static_assert(schema_of<shown>().fields[0].type == logical_type::timestamp && schema_of<shown>().fields[0].nullable);
static_assert(schema_of<shown>().fields[0].form == time_form::local &&
              schema_of<shown>().fields[0].zone == "Asia/Tokyo");

// Without an identity the struct's own name is the id, without its namespace.
static_assert(schema_of<shop::address>().id == "address" && schema_of<shop::address>().version == "0.0.0");
static_assert(schema_of<shop::address>().fields[0].key_position == -1);

// ---- what PFR cannot take
static_assert(Contract<shop::sealed_order> && Contract<shop::extended>);
constexpr const schema& sealed = schema_of<shop::sealed_order>();
static_assert(sealed.id == "sealed_order" && sealed.fields.size() == 2);
static_assert(sealed.fields[0].name == "number_" && sealed.fields[0].type == logical_type::int64);
static_assert(sealed.fields[1].name == "owner_" && sealed.fields[1].constraints.size() == 1);
static_assert(member_index<shop::extended>("id") == 0 && member_index<shop::extended>("note") == 1);
static_assert(std::is_same_v<member_type<shop::extended, 1>, text>);

}  // namespace
}  // namespace etlantic
