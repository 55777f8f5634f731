#include <etlantic/connect/delta/action_writer.hpp>
#include <etlantic/connect/delta/check_constraint.hpp>
#include <etlantic/connect/delta/optimize.hpp>

#include "support.hpp"

using namespace etlantic;
using namespace etlantic::test;

namespace {

using enum constraint_kind;

constant_description exactly(int128 value) { return {.exact = value}; }
constant_description characters(std::string_view text) { return {.characters = text}; }

/// A field with constraints; what it points to must live as long.
field_description bound(field_description field, std::span<const constraint_description> constraints) {
  field.constraints = constraints;
  return field;
}

/// `name: expression` of each, in order.
texts checks_of(const std::vector<field_description>& fields) {
  texts found;
  for (const delta::check_constraint& each : delta::check_constraints_of({.id = "c", .version = "1", .fields = fields}))
    found.push_back(each.name + ": " + each.expression);
  return found;
}

const constant_description zero[] = {exactly(0)};
const constraint_description positive[] = {{gt, zero}};
const std::string_view colours[] = {"red", "green"};
const field_description order_fields[] = {keyed(bound(plain_field("Order-Id", logical_type::int64), positive)),
                                          nullable(bound(decimal_field("total", 18, 2), positive)),
                                          enum_field("colour", colours)};
const schema orders{.id = "orders", .version = "1", .fields = order_fields};
const std::map<std::string, std::string> checked = {{"check_constraints", "true"}};

publication upsert(std::int64_t batch, const std::vector<std::vector<cell>>& rows) {
  return batch_of(batch, output_mode::update, make_block(orders, rows));
}

void set_property(const table_folder& at, const std::string& name, const std::string& value) {
  delta::commit_content content;
  const delta::table_state table = at.state();
  content.metadata = table.metadata;
  content.metadata->configuration[name] = value;
  REQUIRE(value_of(at.store().put_if_absent(delta::commit_name(table.version + 1),
                                            delta::write_commit({"ADD CONSTRAINT", {}, 0, false, "x", 1}, content))));
}

}  // namespace

TEST_CASE("delta: what a contract requires is said in SQL") {
  const constant_description five[] = {exactly(5)}, cent[] = {exactly(1)}, ten[] = {exactly(1000)},
                             day[] = {exactly(20513)}, half[] = {{.real = 0.5}}, two[] = {{.real = 2}},
                             words[] = {characters("EUR"), characters("USD")}, numbers[] = {exactly(1), exactly(-2)};
  const constraint_description range[] = {{ge, five}, {le, five}, {lt, five}},
                               lengths[] = {{min_length, five}, {max_length, five}}, cents[] = {{ge, cent}, {lt, ten}},
                               from_day[] = {{ge, day}}, above_half[] = {{gt, half}}, above_two[] = {{gt, two}},
                               currency[] = {{one_of, words}}, some[] = {{one_of, numbers}};
  CHECK(checks_of({bound(plain_field("n", logical_type::int32), range)}) ==
        texts{"n_ge: `n` >= 5", "n_le: `n` <= 5", "n_lt: `n` < 5"});
  CHECK(checks_of({nullable(bound(plain_field("t", logical_type::text), lengths))}) ==
        texts{"t_min_length: `t` IS NULL OR length(`t`) >= 5", "t_max_length: `t` IS NULL OR length(`t`) <= 5"});
  CHECK(checks_of({bound(decimal_field("d", 9, 2), cents)}) ==
        texts{"d_ge: `d` >= CAST('0.01' AS DECIMAL(9,2))", "d_lt: `d` < 10"});
  CHECK(checks_of({bound(plain_field("day", logical_type::date), from_day)}) ==
        texts{"day_ge: `day` >= DATE '2026-03-01'"});
  CHECK(checks_of({bound(plain_field("c", logical_type::text), currency)}) == texts{"c_one_of: `c` IN ('EUR', 'USD')"});
  CHECK(checks_of({bound(plain_field("n", logical_type::int64), some)}) == texts{"n_one_of: `n` IN (1, -2)"});
  CHECK(checks_of({bound(plain_field("f", logical_type::float32), above_two)}) == texts{"f_gt: `f` > 2"});
  CHECK(checks_of({order_fields[2]}) == texts{"colour_one_of: `colour` IN ('red', 'green')"});
  // Names that become the same one are told apart.
  CHECK(checks_of({bound(plain_field("a-b", logical_type::int8), positive),
                   bound(plain_field("A_b", logical_type::int8), positive)}) ==
        texts{"a_b_gt: `a-b` > 0", "a_b_gt_2: `A_b` > 0"});
  // What engines could understand differently is left out.
  CHECK(checks_of({bound(plain_field("f", logical_type::float64), above_half)}).empty());
  CHECK(checks_of({bound(plain_field("at", logical_type::timestamp), positive)}).empty());
  for (const char* each : {"it's", "a\\b", "\xc3\xa9", "say \"x\""}) {
    const constant_description strange[] = {characters("plain"), characters(each)};
    const constraint_description either[] = {{one_of, strange}};
    CHECK(checks_of({bound(plain_field("c", logical_type::text), either)}).empty());
  }
}

TEST_CASE("delta: a table that is created with constraints asks its writers to keep them, and we keep them") {
  const table_folder at;
  auto to = at.opened(orders, output_mode::update, {"q", "n"}, checked);
  publish(*to, upsert(0, {{1, 100, 0}, {2, nullptr, 1}}));
  const delta::table_state table = at.state();
  CHECK(table.protocol->writer == 3);
  CHECK(table.metadata->configuration.at("delta.constraints.order_id_gt") == "`Order-Id` > 0");
  CHECK(table.metadata->configuration.at("delta.constraints.total_gt") == "`total` IS NULL OR `total` > 0");
  CHECK(table.metadata->configuration.at("delta.constraints.colour_one_of") == "`colour` IN ('red', 'green')");
  publish(*at.opened(orders), upsert(1, {{3, 100, 0}}));  // the contract proves them, whatever the option says
  CHECK(at.rows() == texts{"1|1.00|red", "2|null|green", "3|1.00|red"});
  CHECK(value_of(delta::optimize(at.store(), {})).removed == 2);  // moves rows that meet them
  at.opened(orders, output_mode::update, {"q", "n"}, checked);
}

TEST_CASE("delta: without the option a table has no constraints and the old protocol") {
  const table_folder at;
  at.opened(orders);
  CHECK(at.state().protocol->writer == 2);
  CHECK(at.state().metadata->configuration.count("delta.constraints.order_id_gt") == 0);
  const auto opened = at.sink_for(checked)->open(orders, output_mode::update, {"q", "n"});
  REQUIRE_FALSE(opened.ok());
  CHECK(opened.error().code == "PMSTREAM431");
  CHECK(opened.error().message.find("ADD CONSTRAINT total_gt CHECK (`total` IS NULL OR `total` > 0)") !=
        std::string::npos);
  CHECK(opened.error().help == "change the table, or bind the asset to another one");
}

TEST_CASE("delta: constraints that the contract does not prove are refused by name, at the start and while it runs") {
  const table_folder at;
  auto to = at.opened(orders, output_mode::update, {"q", "n"}, checked);
  publish(*to, upsert(0, {{1, 100, 0}}));
  set_property(at, "delta.constraints.mine", "`Order-Id` > 0");  // ours by another name
  publish(*to, upsert(1, {{2, 100, 0}}));
  set_property(at, "delta.constraints.small", "total < 100");
  const auto prepared = to->prepare(upsert(2, {{3, 100, 0}}));
  REQUIRE_FALSE(prepared.ok());
  CHECK(prepared.error().code == "PMSTREAM446");
  CHECK(prepared.error().message.find("checkConstraints (small: total < 100)") != std::string::npos);
  CHECK_FALSE(at.sink_for()->open(orders, output_mode::update, {"q", "n"}).ok());
  CHECK(at.rows() == texts{"1|1.00|red", "2|1.00|red"});
}
