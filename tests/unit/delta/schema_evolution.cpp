#include <etlantic/connect/delta/action_writer.hpp>
#include <etlantic/connect/delta/schema_evolution.hpp>

#include "support.hpp"

using namespace etlantic;
using namespace etlantic::test;

namespace {

const field_description key = keyed(plain_field("k", logical_type::int64));
const field_description old_inner[] = {plain_field("a", logical_type::int8)};
const field_description old_fields[] = {key, plain_field("n", logical_type::int8),
                                        nullable(nested_field("s", logical_type::structure, old_inner))};
const schema before{.id = "before", .version = "1", .fields = old_fields};

const field_description new_inner[] = {plain_field("a", logical_type::int16),
                                       nullable(plain_field("b", logical_type::text))};
const field_description new_fields[] = {nullable(decimal_field("price", 9, 2)), key,
                                        plain_field("n", logical_type::int32),
                                        nullable(nested_field("s", logical_type::structure, new_inner))};
const schema after{.id = "after", .version = "1", .fields = new_fields};

publication upsert(std::int64_t batch, const schema& contract, const std::vector<std::vector<cell>>& rows) {
  return batch_of(batch, output_mode::update, make_block(contract, rows));
}

std::string evolved(const std::string& text, const schema& contract, delta::schema_evolution allowed) {
  delta::table_metadata table;
  table.schema = text;
  return value_of(delta::evolved_schema(table, contract, allowed, "here"));
}

failure refusal(const table_folder& at, const schema& contract, const std::string& evolution) {
  const std::int64_t version = at.version();
  const auto opened = at.sink_for({{"schema_evolution", evolution}})->open(contract, output_mode::update, {"q", "n"});
  REQUIRE_FALSE(opened.ok());
  CHECK(at.version() == version);
  return opened.error();
}

}  // namespace

TEST_CASE("delta: new optional fields and wider integers come with the first rows that have them, in one commit") {
  const table_folder at;
  {
    auto to = at.opened(before);
    publish(*to, upsert(0, before, {{1, 7, std::vector<cell>{8}}, {2, 7, nullptr}}));
  }
  {
    auto to = at.opened(after, output_mode::update, {"q", "n"}, {{"schema_evolution", "widen"}});
    CHECK(at.version() == 1);  // opening changes nothing
    publish(*to, upsert(1, after, {}));
    CHECK_FALSE(contents_of(at.log(2)).find("metaData") != std::string::npos);  // and neither does a batch without rows
    publish(*to, upsert(2, after, {{150, 2, 70'000, std::vector<cell>{300, "x"}}, {nullptr, 3, 5, nullptr}}));
    publish(*to, upsert(3, after, {{250, 3, 6, nullptr}}));
  }
  CHECK(at.rows() == texts{"1|7|{8,null}|null", "2|70000|{300,x}|1.50", "3|6|null|2.50"});
  const std::string log = contents_of(at.log(3));
  CHECK(log.find(R"("txn")") != std::string::npos);
  CHECK(log.find(R"({\"name\":\"price\",\"type\":\"decimal(9,2)\",\"nullable\":true,\"metadata\":{}})") !=
        std::string::npos);
  CHECK(contents_of(at.log(4)).find("metaData") == std::string::npos);
  CHECK(value_of(delta::load_table(at.store(), 2)).metadata->schema.find("price") == std::string::npos);
  at.opened(after);                                      // fits now without being told
  at.opened(before, output_mode::update, {"old", "n"});  // and so does the narrower contract
}

TEST_CASE("delta: a batch that is replayed after the commit that changed the schema changes nothing") {
  const table_folder at;
  publish(*at.opened(before), upsert(0, before, {{1, 7, nullptr}}));
  const std::map<std::string, std::string> widen = {{"schema_evolution", "widen"}};
  const publication rows = upsert(1, after, {{150, 2, 9, nullptr}});
  publish(*at.opened(after, output_mode::update, {"q", "n"}, widen), rows);
  publish(*at.opened(after, output_mode::update, {"q", "n"}, widen), rows);
  CHECK(at.version() == 2);
  CHECK(at.rows() == texts{"1|7|null|null", "2|9|null|1.50"});
}

TEST_CASE("delta: the rest of a schema stays as others wrote it") {
  const std::string text =
      R"({"type":"struct","fields":[{"name":"K","type":"long","nullable":false,"metadata":{"comment":"the \"key\""}},)"
      R"({"name":"n","type":"byte","nullable":true,"metadata":{}},{"name":"list","type":{"type":"array","elementType":)"
      R"({"type":"struct","fields":[{"name":"x","type":"short","nullable":true,"metadata":{}}]},"containsNull":true},)"
      R"("nullable":true,"metadata":{}},{"name":"m","type":{"type":"map","keyType":"string","valueType":"long",)"
      R"("valueContainsNull":true},"nullable":true,"metadata":{}}]})";
  const field_description element[] = {plain_field("x", logical_type::int32),
                                       nullable(plain_field("y", logical_type::date))};
  const field_description elements[] = {nullable(nested_field("element", logical_type::structure, element))};
  const field_description fields[] = {
      key, plain_field("n", logical_type::int16), nullable(nested_field("list", logical_type::list, elements)),
      plain_field("required", logical_type::text), nullable(plain_field("more", logical_type::text))};
  const schema contract{.id = "c", .version = "1", .fields = fields};
  CHECK(evolved(text, contract, delta::schema_evolution::none) == text);
  std::string expected = text;
  const auto replace = [&](const std::string& from, const std::string& to) {
    expected.replace(expected.find(from), from.size(), to);
  };
  const std::string y = R"(,{"name":"y","type":"date","nullable":true,"metadata":{}}]},"containsNull")";
  replace(R"(]},"containsNull")", y);
  expected.insert(expected.size() - 2, R"(,{"name":"more","type":"string","nullable":true,"metadata":{}})");
  CHECK(evolved(text, contract, delta::schema_evolution::add_nullable_fields) == expected);
  replace(R"("byte")", R"("short")");
  replace(R"("x","type":"short")", R"("x","type":"integer")");
  CHECK(evolved(text, contract, delta::schema_evolution::widen) == expected);
}

TEST_CASE("delta: what a schema may not become is refused field by field, and help says what would do") {
  const table_folder at;
  publish(*at.opened(before), upsert(0, before, {{1, 7, nullptr}}));
  const field_description wrong[] = {
      key, plain_field("n", logical_type::int64), plain_field("must", logical_type::text),
      nullable(plain_field("may", logical_type::text)), nullable(plain_field("s", logical_type::text))};
  const schema contract{.id = "c", .version = "1", .fields = wrong};
  const failure all = refusal(at, contract, "widen");
  CHECK(all.code == "PMSTREAM431");
  CHECK(all.message ==
        "the table does not fit the contract: column `n` is byte in the table and int64 in the contract; column `must` "
        "is not in the table; column `s` is struct in the table and text in the contract");
  CHECK(all.help.find("widens byte to short and integer") != std::string::npos);
  CHECK(refusal(at, after, "none").help == "set schema_evolution: widen, or change the table");
  CHECK(refusal(at, after, "add_nullable_fields").message.find("`n` is byte in the table") != std::string::npos);
  const field_description more[] = {key, old_fields[1], old_fields[2], nullable(plain_field("x", logical_type::text))};
  const schema wider{.id = "c", .version = "1", .fields = more};
  CHECK(refusal(at, wider, "none").help == "set schema_evolution: add_nullable_fields, or change the table");
  const auto made = make_delta_sink({.connector = "delta", .options = {{"path", "t"}, {"schema_evolution", "all"}}});
  REQUIRE_FALSE(made.ok());
  CHECK(made.error().help == "valid: none, add_nullable_fields, widen");
}

TEST_CASE("delta: properties that others set before the schema changes are kept") {
  const table_folder at;
  publish(*at.opened(before), upsert(0, before, {{1, 7, nullptr}}));
  auto to = at.opened(after, output_mode::update, {"q", "n"}, {{"schema_evolution", "widen"}});
  delta::commit_content content;
  content.metadata = at.state().metadata;
  content.metadata->configuration["theirs"] = "kept";
  REQUIRE(value_of(
      at.store().put_if_absent(delta::commit_name(2), delta::write_commit({"X", {}, 1, false, "x", 1}, content))));
  publish(*to, upsert(1, after, {{150, 2, 9, nullptr}}));
  CHECK(at.state().metadata->configuration.at("theirs") == "kept");
  CHECK(at.rows() == texts{"1|7|null|null", "2|9|null|1.50"});
}

TEST_CASE("delta: two writers that change a schema at once: the second starts again, and then fits") {
  const table_folder at;
  publish(*at.opened(before), upsert(0, before, {{1, 7, nullptr}}));
  const std::map<std::string, std::string> widen = {{"schema_evolution", "widen"}};
  auto ours = at.opened(after, output_mode::update, {"a", "n"}, widen);
  auto theirs = at.opened(after, output_mode::update, {"b", "n"}, widen);
  succeed(ours->prepare(upsert(0, after, {{150, 2, 9, nullptr}})));
  publish(*theirs, upsert(0, after, {{160, 3, 9, nullptr}}));
  const auto lost = ours->commit(0);
  REQUIRE_FALSE(lost.ok());
  CHECK(lost.error().code == "PMSTREAM447");
  ours->abort();
  succeed(ours->open(after, output_mode::update, {"a", "n"}));
  publish(*ours, upsert(0, after, {{150, 2, 9, nullptr}}));
  CHECK(at.rows() == texts{"1|7|null|null", "2|9|null|1.50", "3|9|null|1.60"});
}

TEST_CASE("delta: columns that another writer adds while a query runs are kept when it merges") {
  const table_folder at;
  auto ours = at.opened(before, output_mode::update, {"a", "n"});
  publish(*ours, upsert(0, before, {{1, 7, nullptr}, {2, 7, nullptr}}));
  auto theirs = at.opened(after, output_mode::update, {"b", "n"}, {{"schema_evolution", "widen"}});
  publish(*theirs, upsert(0, after, {{150, 1, 7, nullptr}}));
  publish(*ours, upsert(1, before, {{2, 8, nullptr}, {1, 9, nullptr}}));
  CHECK(at.rows() == texts{"1|9|null|1.50", "2|8|null|null"});
}

TEST_CASE("delta: an append and complete mode change a schema, too") {
  const field_description two[] = {plain_field("v", logical_type::int64)};
  const schema narrow{.id = "n", .version = "1", .fields = two};
  const field_description three[] = {plain_field("v", logical_type::int64),
                                     nullable(plain_field("w", logical_type::text))};
  const schema wide{.id = "w", .version = "1", .fields = three};
  const table_folder at;
  publish(*at.opened(narrow, output_mode::append), batch_of(0, output_mode::append, make_block(narrow, {{1}})));
  const std::map<std::string, std::string> adds = {{"schema_evolution", "add_nullable_fields"}};
  publish(*at.opened(wide, output_mode::append, {"q", "n"}, adds),
          batch_of(1, output_mode::append, make_block(wide, {{2, "x"}})));
  CHECK(at.rows() == texts{"1|null", "2|x"});
  const table_folder other;
  publish(*other.opened(narrow, output_mode::complete), batch_of(0, output_mode::complete, make_block(narrow, {{1}})));
  publish(*other.opened(wide, output_mode::complete, {"q", "n"}, adds),
          batch_of(1, output_mode::complete, make_block(wide, {{2, "x"}})));
  CHECK(other.rows() == texts{"2|x"});
}
