#include "support.hpp"

#include <etlantic/core/overflow_policy.hpp>
#include <etlantic/runtime/durable_file_fault.hpp>

#include <limits>

using namespace etlantic;
using namespace etlantic::test;

namespace {

const field_description total_fields[] = {keyed(plain_field("k", logical_type::int64)),
                                          plain_field("v", logical_type::int64)};
const schema totals{.id = "totals", .version = "1", .fields = total_fields};
const field_description plain_fields[] = {plain_field("k", logical_type::int64), plain_field("v", logical_type::int64)};
const schema events{.id = "events", .version = "1", .fields = plain_fields};

publication upsert(std::int64_t batch, const std::vector<std::vector<cell>>& rows) {
  return batch_of(batch, output_mode::update, make_block(totals, rows));
}
publication add(std::int64_t batch, const std::vector<std::vector<cell>>& rows) {
  return batch_of(batch, output_mode::append, make_block(events, rows));
}

failure refusal(result<void> done) {
  REQUIRE_FALSE(done.ok());
  return done.error();
}

}  // namespace

TEST_CASE("DL-01: a batch at or below the last one of the publisher is skipped") {
  const table_folder at;
  auto to = at.opened(events, output_mode::append);
  for (const std::int64_t batch : {0, 1, 2, 1, 2, 3}) publish(*to, add(batch, {{batch, 0}}));
  CHECK(at.rows() == texts{"0|0", "1|0", "2|0", "3|0"});
  CHECK(at.version() == 4);  // the table and four batches
  CHECK(at.data_files() == 4);
  CHECK(value_of(at.sink_for()->published({"q", "n"})) == 3);
}

TEST_CASE("DL-02: another query is another publisher, and so is another load of the same query") {
  const table_folder at;
  auto to = at.opened(events, output_mode::append);
  for (std::int64_t batch = 0; batch < 6; ++batch) publish(*to, add(batch, {{batch, 0}}));
  auto other = at.opened(events, output_mode::append, {"another query", "n"});
  CHECK(value_of(other->published({"another query", "n"})) == nothing_published);
  publish(*other, add(0, {{100, 0}}));
  auto load = at.opened(events, output_mode::append, {"q", "m"});
  publish(*load, add(0, {{200, 0}}));
  CHECK(at.rows().size() == 8);
}

TEST_CASE("DL-05: a publisher's batch survives a checkpoint of the log and the removal of the commits before it") {
  const table_folder at;
  {
    auto to = at.opened(events, output_mode::append);
    for (std::int64_t batch = 0; batch <= 12; ++batch) publish(*to, add(batch, {{batch, 0}}));
  }
  REQUIRE(std::filesystem::exists(at.path() + "/" + delta::checkpoint_name(10)));
  CHECK(std::filesystem::exists(at.log(10)));  // beside its checkpoint
  CHECK(contents_of(at.path() + "/_delta_log/_last_checkpoint").find("{\"version\":10,\"size\":13,") == 0);
  for (std::int64_t version = 0; version < 10; ++version) std::filesystem::remove(at.log(version));
  auto again = at.opened(events, output_mode::append);
  CHECK(value_of(again->published({"q", "n"})) == 12);
  publish(*again, add(12, {{12, 0}}));
  CHECK(at.version() == 13);
  publish(*again, add(13, {{13, 0}}));
  CHECK(at.rows().size() == 14);
}

TEST_CASE("DL-07: of two rows of one key in a batch the last one stays") {
  const table_folder at;
  auto to = at.opened(totals);
  publish(*to, upsert(0, {{1, 1}}));
  publication two = upsert(1, {{1, 9}, {1, 2}, {2, 5}});
  two.blocks.push_back(make_block(totals, {{1, 3}}));
  publish(*to, two);
  CHECK(at.rows() == texts{"1|3", "2|5"});
}

TEST_CASE("DL-09: a key that can be null is refused before anything is written") {
  const field_description fields[] = {keyed(nullable(plain_field("k", logical_type::int64))),
                                      plain_field("v", logical_type::int64)};
  const schema loose{.id = "loose", .version = "1", .fields = fields};
  const table_folder at;
  CHECK(refusal(at.sink_for()->open(loose, output_mode::update, {"q", "n"})).code == "PMSTREAM432");
  CHECK_FALSE(std::filesystem::exists(at.path()));
  auto to = at.opened(loose, output_mode::append, {"q", "n"}, {{"mode", "append"}});
  publish(*to, batch_of(0, output_mode::append, make_block(loose, {{nullptr, 1}})));
  CHECK(at.rows() == texts{"null|1"});
}

TEST_CASE("DL-24: a merge that is replayed after its commit changes nothing, and neither does a late replay") {
  const table_folder at;
  {
    auto to = at.opened(totals);
    publish(*to, upsert(0, {{1, 10}}));
    publish(*to, upsert(1, {{1, 25}}));
  }
  auto to = at.opened(totals);
  publish(*to, upsert(1, {{1, 25}}));
  publish(*to, upsert(2, {{1, 30}}));
  publish(*to, upsert(1, {{1, 25}}));
  CHECK(at.rows() == texts{"1|30"});
  CHECK(at.version() == 3);
}

TEST_CASE("delta: a merge rewrites only files that may have a key of the batch, and keeps their other rows") {
  const table_folder at;
  auto to = at.opened(totals, output_mode::update, {"q", "n"}, {{"rows_per_file", "4"}});
  std::vector<std::vector<cell>> rows;
  for (int i = 0; i < 12; ++i) rows.push_back({i, 0});
  publish(*to, upsert(0, rows));
  const auto before = at.state().files;
  REQUIRE(before.size() == 3);
  publish(*to, upsert(1, {{5, 1}, {100, 1}}));
  const auto after = at.state();
  std::size_t kept = 0;
  for (const auto& [key, file] : before) kept += after.files.contains(key);
  CHECK(kept == 2);
  CHECK(after.removed.size() == 1);
  CHECK(at.rows().size() == 13);
  publish(*to, upsert(2, {}));  // nothing to merge still counts as published
  CHECK(value_of(to->published({"q", "n"})) == 2);
  CHECK(at.state().files.size() == after.files.size());
}

TEST_CASE("delta: merging many batches in any order gives what a map gives") {
  const table_folder at;
  const field_description fields[] = {keyed(plain_field("b", logical_type::text), 1),
                                      keyed(plain_field("a", logical_type::timestamp), 0),
                                      nullable(plain_field("v", logical_type::int64))};
  const schema both{.id = "both", .version = "1", .fields = fields};
  auto to = at.opened(both, output_mode::update, {"q", "n"}, {{"rows_per_file", "7"}, {"checkpoint_interval", "5"}});
  std::map<std::pair<std::string, std::int64_t>, std::string> model;
  std::uint64_t seed = 1;
  const auto random = [&](std::uint64_t below) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (seed >> 33) % below;
  };
  for (std::int64_t batch = 0; batch < 40; ++batch) {
    std::vector<std::vector<cell>> rows;
    for (std::uint64_t i = random(30); i-- > 0;) {
      const std::string name(random(40), static_cast<char>('a' + random(3)));
      const auto time = static_cast<std::int64_t>(random(20)) * 333'333 - 3'000'000;
      const bool is_null = random(5) == 0;
      rows.push_back({name, time, is_null ? cell(nullptr) : cell(batch)});
      model[{name, time}] = is_null ? "null" : std::to_string(batch);
    }
    publish(*to, batch_of(batch, output_mode::update, make_block(both, rows)));
  }
  texts expected;
  for (const auto& [key, value] : model)
    expected.push_back(key.first + (key.first.empty() ? "" : "|") + std::to_string(key.second) + "|" + value);
  std::sort(expected.begin(), expected.end());
  CHECK(at.rows() == expected);
}

TEST_CASE("delta: complete mode replaces all rows") {
  const table_folder at;
  auto to = at.opened(totals, output_mode::complete);
  publish(*to, batch_of(0, output_mode::complete, make_block(totals, {{1, 1}, {2, 2}})));
  publish(*to, batch_of(1, output_mode::complete, make_block(totals, {{3, 3}})));
  CHECK(at.rows() == texts{"3|3"});
  publish(*to, batch_of(2, output_mode::complete, make_block(totals, {})));
  CHECK(at.rows().empty());
}

TEST_CASE("DL-18: partition values carry the true text, and an empty one is refused") {
  const field_description fields[] = {nullable(plain_field("p", logical_type::text)),
                                      plain_field("v", logical_type::int64)};
  const schema parted{.id = "parted", .version = "1", .fields = fields};
  const table_folder at;
  auto to = at.opened(parted, output_mode::append, {"q", "n"}, {{"partition_by", "p"}});
  publish(*to, batch_of(0, output_mode::append,
                        make_block(parted, {{"you/there", 1},
                                            {"A%B", 2},
                                            {"B B", 3},
                                            {"x=1", 4},
                                            {nullptr, 5},
                                            {"you/there", 6},
                                            {"\xc3\xa9%20", 7}})));
  CHECK(at.rows() == texts{"A%B|2", "B B|3", "null|5", "x=1|4", "you/there|1", "you/there|6", "\xc3\xa9%20|7"});
  const std::string log = contents_of(at.log(1));
  CHECK(log.find(R"("partitionValues":{"p":"you/there"})") != std::string::npos);
  CHECK(log.find(R"("partitionValues":{"p":null})") != std::string::npos);
  const failure why = refusal(to->prepare(batch_of(1, output_mode::append, make_block(parted, {{"a", 1}, {"", 2}}))));
  CHECK(why.code == "PMSTREAM452");
  CHECK(at.version() == 1);
}

TEST_CASE("delta: a table can be partitioned by numbers, dates and times, and merged into by them") {
  const field_description fields[] = {keyed(plain_field("d", logical_type::date), 0),
                                      keyed(plain_field("t", logical_type::timestamp), 1),
                                      keyed(decimal_field("n", 20, 2), 2), plain_field("v", logical_type::int64)};
  const schema parted{.id = "parted", .version = "1", .fields = fields};
  const table_folder at;
  auto to = at.opened(parted, output_mode::update, {"q", "n"}, {{"partition_by", "d, t, n"}});
  publish(*to,
          batch_of(0, output_mode::update,
                   make_block(parted, {{date{-1}, std::int64_t{123}, 150, 1}, {date{1}, std::int64_t{-5}, -1, 2}})));
  publish(*to,
          batch_of(1, output_mode::update,
                   make_block(parted, {{date{-1}, std::int64_t{123}, 150, 7}, {date{1}, std::int64_t{-5}, 0, 8}})));
  CHECK(at.rows() == texts{"-1|123|1.50|7", "1|-5|-0.01|2", "1|-5|0.00|8"});
  CHECK(contents_of(at.log(1)).find(
            R"("partitionValues":{"d":"1969-12-31","n":"1.50","t":"1970-01-01T00:00:00.000123Z"})") !=
        std::string::npos);
  CHECK(refusal(at.sink_for({{"partition_by", "v"}})->open(parted, output_mode::update, {"q", "n"}))
            .message.find("partition_by") != std::string::npos);
  const table_folder other;
  CHECK(refusal(other.sink_for({{"partition_by", "nothing"}})->open(parted, output_mode::update, {"q", "n"}))
            .message.find("nothing") != std::string::npos);
  CHECK(refusal(other.sink_for({{"partition_by", "d,t,n,v"}})->open(parted, output_mode::update, {"q", "n"})).code ==
        "PMSTREAM430");
  CHECK_FALSE(std::filesystem::exists(other.path()));
}

TEST_CASE("DL-22: a table that does not fit the contract is refused with all differences, and has no new version") {
  const field_description table_fields[] = {decimal_field("amount", 2, 1), plain_field("id", logical_type::int64),
                                            plain_field("name", logical_type::text),
                                            nullable(plain_field("note", logical_type::text))};
  const schema wide{.id = "wide", .version = "1", .fields = table_fields};
  const table_folder at;
  at.opened(wide, output_mode::append);
  const auto why = [&](std::vector<field_description> fields) {
    const schema contract{.id = "c", .version = "1", .fields = fields};
    const auto opened = at.sink_for()->open(contract, output_mode::append, {"q", "n"});
    CHECK(at.version() == 0);
    return opened.ok() ? std::string() : opened.error().code + ": " + opened.error().message;
  };
  const field_description amount = decimal_field("amount", 2, 1), id = plain_field("id", logical_type::int64),
                          name = plain_field("name", logical_type::text);
  CHECK(why({amount, id, name}).empty());
  CHECK(why({amount, plain_field("id", logical_type::int32), name}).empty());  // int into long
  CHECK(why({decimal_field("amount", 3, 1), id, name})
            .find("PMSTREAM431: the table does not fit the contract: column `amount` is decimal(2,1)") == 0);
  CHECK(why({amount, id, nullable(name)}).find("`name` cannot be null in the table") != std::string::npos);
  CHECK(why({amount, id, name, plain_field("more", logical_type::int64)}).find("`more` is not in the table") !=
        std::string::npos);
  CHECK(why({amount, id, name, plain_field("ID", logical_type::int64)}).empty() == false);
  CHECK(why({amount, id}).find("`name` cannot be null in the table and is not in the contract") != std::string::npos);
  const std::string both = why({amount, plain_field("id", logical_type::text), nullable(name)});
  CHECK(both.find("`id`") != std::string::npos);
  CHECK(both.find("`name`") != std::string::npos);
}

TEST_CASE("DL-22: names that differ in case only, and names that no Delta table has, are refused") {
  for (const char* name : {"ID", "a b", "a,b", "a=b", ""}) {
    const field_description fields[] = {plain_field("id", logical_type::int64), plain_field(name, logical_type::int64)};
    const schema contract{.id = "c", .version = "1", .fields = fields};
    const table_folder at;
    CHECK(refusal(at.sink_for()->open(contract, output_mode::append, {"q", "n"})).code == "PMSTREAM432");
    CHECK_FALSE(std::filesystem::exists(at.path()));
  }
}

TEST_CASE("delta: every type of a contract has a type of the table, and its values come back") {
  const std::string_view colours[] = {"red", "green"};
  const field_description inner[] = {plain_field("a", logical_type::int32), nullable(enum_field("c", colours))};
  const field_description element[] = {nullable(plain_field("element", logical_type::uint8))};
  const field_description fields[] = {plain_field("b", logical_type::boolean),
                                      plain_field("i8", logical_type::int8),
                                      plain_field("i16", logical_type::int16),
                                      plain_field("i32", logical_type::int32),
                                      plain_field("i64", logical_type::int64),
                                      plain_field("u8", logical_type::uint8),
                                      plain_field("u16", logical_type::uint16),
                                      plain_field("u32", logical_type::uint32),
                                      plain_field("u64", logical_type::uint64),
                                      plain_field("f32", logical_type::float32),
                                      plain_field("f64", logical_type::float64),
                                      decimal_field("d1", 5, 2),
                                      decimal_field("d2", 38, 10),
                                      plain_field("t", logical_type::text),
                                      plain_field("y", logical_type::binary),
                                      plain_field("day", logical_type::date),
                                      plain_field("time", logical_type::timestamp),
                                      plain_field("took", logical_type::duration),
                                      enum_field("e", colours),
                                      nullable(nested_field("s", logical_type::structure, inner)),
                                      nullable(nested_field("l", logical_type::list, element))};
  const schema all{.id = "all", .version = "1", .fields = fields};
  const table_folder at;
  auto to = at.opened(all, output_mode::append);
  const std::vector<cell> first = {true,
                                   -128,
                                   -32768,
                                   1,
                                   -1,
                                   255,
                                   65535,
                                   4294967295u,
                                   std::numeric_limits<std::uint64_t>::max(),
                                   1.5,
                                   -0.25,
                                   -12345,
                                   (int128{1} << 120),
                                   "long enough to be kept apart",
                                   std::string("\0\xff", 2),
                                   date{-5},
                                   timestamp{-1},
                                   77,
                                   1,
                                   std::vector<cell>{3, 0},
                                   std::vector<cell>{255, nullptr}};
  std::vector<cell> second = first;
  second[19] = nullptr;
  second[20] = nullptr;
  std::vector<cell> third = first;
  third[19] = std::vector<cell>{4, nullptr};
  third[20] = std::vector<cell>{};
  publish(*to, batch_of(0, output_mode::append, make_block(all, {first, second, third})));
  const std::string begin =
      "true|-128|-32768|1|-1|255|65535|4294967295|18446744073709551615|1.500000|-0.250000|-123.45|"
      "132922799578491587290380706.0280344576|long enough to be kept apart|" +
      std::string("\0\xff", 2) + "|-5|-1|77|green|";
  CHECK(at.rows() == texts{begin + "null|null", begin + "{3,red}|[255,null]", begin + "{4,null}|[]"});
  CHECK(at.state().metadata->schema.find(R"j({"name":"u64","type":"decimal(20,0)","nullable":false,"metadata":{}})j") !=
        std::string::npos);
  CHECK(
      at.state().metadata->schema.find(
          R"({"name":"l","type":{"type":"array","elementType":"short","containsNull":true},"nullable":true,"metadata":{}})") !=
      std::string::npos);
}

TEST_CASE("delta: what lies in a list, or in a struct that can be null, can be null in the table") {
  const field_description inner[] = {plain_field("a", logical_type::int32)};
  const field_description deep[] = {nested_field("inner", logical_type::structure, inner)};
  const field_description element[] = {plain_field("element", logical_type::int64)};
  const field_description fields[] = {nested_field("sure", logical_type::structure, inner),
                                      nullable(nested_field("maybe", logical_type::structure, deep)),
                                      nested_field("numbers", logical_type::list, element)};
  const schema nested{.id = "nested", .version = "1", .fields = fields};
  const table_folder at;
  auto to = at.opened(nested, output_mode::append);
  const std::string a = R"({"name":"a","type":"integer","nullable":)", is_true = R"(true,"metadata":{}})",
                    is_false = R"(false,"metadata":{}})";
  const auto group = [](const std::string& field) { return R"({"type":"struct","fields":[)" + field + "]}"; };
  CHECK(at.state().metadata->schema ==
        group(R"({"name":"sure","type":)" + group(a + is_false) + R"(,"nullable":)" + is_false +
              R"(,{"name":"maybe","type":)" +
              group(R"({"name":"inner","type":)" + group(a + is_true) + R"(,"nullable":)" + is_true) +
              R"(,"nullable":)" + is_true +
              R"(,{"name":"numbers","type":{"type":"array","elementType":"long","containsNull":true},"nullable":)" +
              is_false));
  publish(*to, batch_of(0, output_mode::append,
                        make_block(nested, {{std::vector<cell>{1}, nullptr, std::vector<cell>{5, 6}},
                                            {std::vector<cell>{2}, std::vector<cell>{cell(std::vector<cell>{3})},
                                             std::vector<cell>{}}})));
  CHECK(at.rows() == texts{"{1}|null|[5,6]", "{2}|{{3}}|[]"});
  auto again = at.opened(nested, output_mode::append);  // the contract is stricter than its own table
}

TEST_CASE("delta: columns that the contract does not have keep their values when a row is replaced") {
  const field_description wide_fields[] = {keyed(plain_field("k", logical_type::int64)),
                                           nullable(plain_field("extra", logical_type::text)),
                                           plain_field("v", logical_type::int64)};
  const schema wide{.id = "wide", .version = "1", .fields = wide_fields};
  const table_folder at;
  auto first = at.opened(wide);
  publish(*first, batch_of(0, output_mode::update, make_block(wide, {{1, "one", 1}, {2, "two", 2}})));
  auto second = at.opened(totals, output_mode::update, {"another", "n"});
  publish(*second, upsert(0, {{3, 30}, {2, 20}}));
  CHECK(at.rows() == texts{"1|one|1", "2|two|20", "3|null|30"});
}

TEST_CASE("delta: a merge that another writer overtakes is done again on the new version") {
  const table_folder at;
  auto ours = at.opened(totals, output_mode::update, {"a", "n"});
  publish(*ours, upsert(0, {{1, 1}, {2, 1}}));
  auto theirs = at.opened(totals, output_mode::update, {"b", "n"});
  succeed(ours->prepare(upsert(1, {{1, 2}, {3, 2}})));
  publish(*theirs, upsert(0, {{2, 9}, {3, 9}}));
  succeed(ours->commit(1));
  CHECK(at.rows() == texts{"1|2", "2|9", "3|2"});
  // What the first attempt wrote is gone: the files are those that the log has named.
  CHECK(at.data_files() == at.state().files.size() + at.state().removed.size());
}

TEST_CASE("delta: an append follows the commits of others without being done again") {
  const table_folder at;
  auto ours = at.opened(events, output_mode::append, {"a", "n"});
  auto theirs = at.opened(events, output_mode::append, {"b", "n"});
  succeed(ours->prepare(add(0, {{1, 1}})));
  publish(*theirs, add(0, {{2, 2}}));
  publish(*theirs, add(1, {{3, 3}}));
  succeed(ours->commit(0));
  CHECK(at.rows() == texts{"1|1", "2|2", "3|3"});
}

TEST_CASE("delta: what was prepared and not committed is not there, and its files are removed") {
  const table_folder at;
  auto to = at.opened(events, output_mode::append);
  succeed(to->prepare(add(0, {{1, 1}})));
  CHECK(at.data_files() == 1);
  to->abort();
  CHECK(at.data_files() == 0);
  CHECK(at.version() == 0);
  CHECK(refusal(to->commit(0)).code == "PMSTREAM438");
}

TEST_CASE("delta: asking what is published makes nothing, and opening what is there changes nothing") {
  const table_folder at;
  CHECK(value_of(at.sink_for()->published({"q", "n"})) == nothing_published);
  CHECK_FALSE(std::filesystem::exists(at.path()));
  at.opened(events, output_mode::append);
  const std::string log = contents_of(at.log(0));
  at.opened(events, output_mode::append);
  CHECK(at.version() == 0);
  CHECK(contents_of(at.log(0)) == log);
}

TEST_CASE("delta: a table that was removed or replaced while a query runs is noticed") {
  const table_folder at;
  auto to = at.opened(events, output_mode::append);
  publish(*to, add(0, {{1, 1}}));
  std::filesystem::remove_all(at.path());
  CHECK(refusal(to->prepare(add(1, {{2, 2}}))).code == "PMSTREAM431");
  at.opened(events, output_mode::append);
  CHECK(refusal(to->prepare(add(1, {{2, 2}}))).message.find("another table has taken its place") != std::string::npos);
}

TEST_CASE("delta: options that are wrong are told with what is right") {
  const auto why = [](std::map<std::string, std::string> options) {
    const auto made = make_delta_sink({.connector = "delta", .options = std::move(options)});
    return made.ok() ? std::string() : made.error().code + ' ' + made.error().message;
  };
  CHECK(why({}) == "PMSTREAM430 option path is missing");
  CHECK(why({{"path", "s3://bucket/table"}}).find("s3://bucket/table") != std::string::npos);
  CHECK(why({{"path", "t"}, {"mode", "upsert"}}).find("option mode of the delta sink is `upsert`") !=
        std::string::npos);
  CHECK(why({{"path", "t"}, {"checkpoint_interval", "0"}}).find("checkpoint_interval") != std::string::npos);
  CHECK(why({{"path", "t"}, {"rows_per_file", "many"}}).find("rows_per_file") != std::string::npos);
  CHECK(why({{"path", "t"}, {"compression", "gzip"}}).find("compression") != std::string::npos);
  CHECK(why({{"path", "t"}, {"partition_by", "a"}, {"compression", "none"}}).empty());
  const table_folder at;
  CHECK(refusal(at.sink_for({{"mode", "merge"}})->open(events, output_mode::update, {"q", "n"})).code == "PMSTREAM430");
}

namespace {

/// Fails the n-th operation on a file, and all of the kind behind it if `for_good`.
struct failing : file_fault_injector {
  int at = 0;
  int error = EIO;
  bool for_good = false;
  int seen = 0;

  explicit failing(int given, bool given_for_good) : at(given), for_good(given_for_good) {
    injected_file_faults = this;
  }
  ~failing() override { injected_file_faults = nullptr; }
  file_fault before(file_operation, const std::string&) override {
    ++seen;
    return seen == at || (for_good && seen > at) ? file_fault{error, false} : file_fault{};
  }
};

}  // namespace

TEST_CASE(
    "DL-03: whatever operation on a file fails, a batch is in the table once or not at all, as its transaction says") {
  int operations = 0;
  for (int at = 1; at == 1 || at <= operations + 1; ++at)
    for (const bool for_good : {false, true}) {
      const table_folder folder;
      {
        auto to = folder.opened(totals, output_mode::update, {"q", "n"}, {{"checkpoint_interval", "2"}});
        publish(*to, upsert(0, {{1, 1}, {2, 1}}));
        failing fault(at, for_good);
        if (to->prepare(upsert(1, {{1, 2}, {3, 2}}))) (void)to->commit(1);
        operations = std::max(operations, fault.seen);
      }
      const auto newest = value_of(folder.sink_for()->published({"q", "n"}));
      INFO("operation " << at << (for_good ? " and all behind it" : "") << ", newest batch " << *newest);
      const texts before = {"1|1", "2|1"}, after = {"1|2", "2|1", "3|2"};
      CHECK(folder.rows() == (*newest == 1 ? after : before));
      auto again = folder.opened(totals);
      publish(*again, upsert(1, {{1, 2}, {3, 2}}));
      publish(*again, upsert(2, {{3, 3}}));
      CHECK(folder.rows() == texts{"1|2", "2|1", "3|3"});
    }
  CHECK(operations > 15);
}
