#include <etlantic/contract/record.hpp>

#include <cstdint>

namespace shop {

using namespace etlantic;

struct order {
  checked<std::int64_t, gt<0>> order_id;
  checked<text, named_as<"when">> placed;
  checked<std::optional<double>, ge<0>> weight;
  using key = primary_key<"order_id">;
  static constexpr contract_identity identity{.id = "shop.order", .version = "1.2.3"};
};

struct details {
  record_timestamp written_at;
  record_header<"trace-id"> trace;
  record_key_bytes key;
  record_is_tombstone deleted;
};

struct wrong_type {
  record_offset offset;
  checked<std::int64_t, from_record<record_part::partition>> partition;
};
struct no_part {
  text topic;
};
struct nameless_header {
  record_header<""> header;
};
struct with_constraint {
  checked<text, from_record<record_part::topic>, min_length<1>> topic;
};
struct same_name {
  record_timestamp placed;
};
struct same_name_in_data {
  record_timestamp when;
};
struct no_contract {
  int* pointer;
};

}  // namespace shop

namespace etlantic {
namespace {

using shop::order;

// ---- the fields of the value, and behind them what the record has beside it
constexpr const schema& all = schema_of<record<order>>();
static_assert(all.id == "record<shop.order>" && all.version == "1.2.3");
static_assert(all.fields.size() == 8 && member_count<record<order>> == 8);
static_assert(all.fields[0].name == "order_id" && all.fields[0].key_position == 0 && !all.fields[0].nullable);
static_assert(all.fields[0].constraints.size() == 1 && all.fields[1].data_name == "when");
static_assert(all.fields[3].name == "topic" && all.fields[3].type == logical_type::text);
static_assert(all.fields[4].name == "partition" && all.fields[4].type == logical_type::int32);
static_assert(all.fields[5].name == "offset" && all.fields[5].type == logical_type::int64);
static_assert(all.fields[6].name == "timestamp" && all.fields[6].type == logical_type::timestamp);
static_assert(all.fields[7].name == "key" && all.fields[7].type == logical_type::text && all.fields[7].nullable);
static_assert(!all.fields[6].nullable && all.fields[7].key_position == -1);
static_assert(all.record->value == &schema_of<order>() && !all.record->has_tombstones);
static_assert(all.record->details.size() == 5 && all.record->details[2].part == record_part::offset);
static_assert(schema_of<order>().record == nullptr);
static_assert(detail::key_names_of<record<order>>.size() == 1);

// ---- what is wanted, under other names
using chosen = record<order, shop::details>;
static_assert(schema_of<chosen>().fields[4].name == "trace");
static_assert(schema_of<chosen>().record->details[1].part == record_part::header);
static_assert(schema_of<chosen>().record->details[1].header == "trace-id");
static_assert(schema_of<chosen>().fields[5].type == logical_type::binary);
static_assert(std::is_same_v<member_type<chosen, 0>, checked<std::int64_t, gt<0>>>);
static_assert(std::is_same_v<member_type<chosen, 3>, record_timestamp>);
static_assert(Contract<chosen> && std::is_same_v<contract_verdict<chosen>, pass>);

// ---- a value that may be absent: its fields may be null, and identify nothing
using change = record<std::optional<order>, shop::details>;
static_assert(schema_of<change>().record->has_tombstones);
static_assert(field_nullable<change, 0> && field_nullable<change, 2> && !field_nullable<change, 3>);
static_assert(std::is_same_v<field_value<change, 0>, std::int64_t>);
static_assert(schema_of<change>().fields[0].nullable && schema_of<change>().fields[0].key_position == -1);
static_assert(std::is_same_v<member_type<change, 2>, checked<std::optional<double>, ge<0>>>);
static_assert(detail::key_names_of<change>.empty() && Contract<change>);

// ---- what cannot be one
using rule::record_details_must_be_of_a_record;
template <class Details, fixed_string Member, class T>
inline constexpr bool refuses_detail =
    std::is_same_v<contract_verdict<record<order, Details>>,
                   fail<record_details_must_be_of_a_record, type<Details>, called<Member>, type<T>>>;
static_assert(
    refuses_detail<shop::wrong_type, "partition", checked<std::int64_t, from_record<record_part::partition>>>);
static_assert(refuses_detail<shop::no_part, "topic", text>);
static_assert(refuses_detail<shop::nameless_header, "header", record_header<"">>);
static_assert(
    refuses_detail<shop::with_constraint, "topic", checked<text, from_record<record_part::topic>, min_length<1>>>);
static_assert(refuses_detail<order, "order_id", checked<std::int64_t, gt<0>>>);

template <class Details, fixed_string Member>
inline constexpr bool refuses_name =
    std::is_same_v<contract_verdict<record<std::optional<order>, Details>>,
                   fail<rule::record_fields_must_differ, type<order>, type<Details>, called<Member>>>;
static_assert(refuses_name<shop::same_name, "placed">);
static_assert(refuses_name<shop::same_name_in_data, "when">);

static_assert(std::is_same_v<contract_verdict<record<shop::no_contract>>, contract_verdict<shop::no_contract>>);
static_assert(!Contract<record<order, shop::no_contract>> && !Contract<record<int>>);

}  // namespace
}  // namespace etlantic
