#include "support/temporary_directory.hpp"
#include "unit/kafka/read_topic.hpp"
#include "unit/kafka/support.hpp"
#include "unit/kafka/write_topic.hpp"

#include <etlantic/connect/kafka/embedded_broker.hpp>
#include <etlantic/connect/kafka/rejected_reader.hpp>
#include <etlantic/connect/kafka/settings.hpp>
#include <etlantic/connect/kafka/sink.hpp>
#include <etlantic/etlantic.hpp>
#include <etlantic/tool/delivery.hpp>

#include <cstdlib>
#include <fstream>

using namespace etlantic;
using namespace etlantic::test;

// Rejected rows in a topic: as they came, with what is wrong with them in headers.

namespace {

struct Order {
  checked<std::int64_t, gt<0>> order_id;
  text customer;
};

struct ReadOrders {
  extract<Order, "orders"> orders;
  load<Order, "read", "orders.valid"> read;
  load<rejected<Order>, "dead", "orders.invalid"> dead_orders;
};

struct Details {
  record_key key;
};
using Change = record<std::optional<Order>, Details>;

struct ReadChanges {
  extract<Change, "orders"> orders;
  load<Change, "read", "orders.valid"> read;
  load<rejected<Change>, "dead", "orders.invalid"> dead_orders;
};

struct Total {
  std::int64_t order_id;
  decimal<4, 2> total;
  using key = primary_key<"order_id">;
};
struct AddTotals {
  input<Total> totals;
  output<Total> sums;
};
constexpr auto implement(const AddTotals& t) {
  return t.totals | group_by<"order_id"> | aggregate<Total>(named<"total"> = sum(field<"total">));
}
struct SumTotals {
  extract<Total, "orders"> orders;
  step<AddTotals, "orders.valid"> add;
  load<Total, "read", "add.sums", output_mode::update> read;
  load<rejected<Total>, "dead", "add.invalid"> dead_totals;
};

using options = std::map<std::string, std::string>;

asset_binding kafka_asset(const std::string& servers, options more) {
  more.emplace("bootstrap_servers", servers);
  return {.connector = "kafka", .options = std::move(more)};
}

asset_binding dead_topic(const std::string& servers, const options& more = {}) {
  options all{{"topic", "dead"}, {"format", "dead_letter"}};
  all.insert(more.begin(), more.end());
  return kafka_asset(servers, all);
}

std::unique_ptr<kafka::embedded_broker> broker_with(const std::vector<kafka::embedded_record>& orders,
                                                    int partitions = 1) {
  auto started = kafka::embedded_broker::start();
  if (!started) FAIL(started.error().message);
  REQUIRE((*started)->create_topic("orders", partitions).ok());
  for (const char* topic : {"dead", "etlantic-ledger"}) REQUIRE((*started)->create_topic(topic, 1).ok());
  for (const kafka::embedded_record& each : orders) REQUIRE((*started)->add_record("orders", each).ok());
  REQUIRE((*started)->flush().ok());
  return std::move(*started);
}

template <class Pipeline>
progress run_into(asset_binding orders, asset_binding dead, std::size_t workers = 1) {
  profile where;
  where.trigger.kind = trigger_kind::available_now;
  where.workers = workers;
  where.assets["orders"] = std::move(orders);
  where.assets["dead"] = std::move(dead);
  where.assets["read"].made_sink =
      std::make_shared<memory_sink<typename decltype(std::declval<Pipeline>().read)::contract>>();
  auto done = run(Pipeline{}, where);
  if (!done) FAIL(done.error().code + " " + done.error().message);
  return *done;
}

std::string header(const topic_record& of, const std::string& name) {
  const std::size_t at = (" " + of.headers).rfind(" " + name + "=");
  if (at == std::string::npos) return "none";
  const std::size_t begin = at + name.size() + 1;
  return of.headers.substr(begin, of.headers.find(' ', begin) - begin);
}

std::vector<quarantined_row> read_back(const std::string& servers, const std::string& load, const options& more = {}) {
  std::vector<quarantined_row> found;
  program_node node;
  node.name = load;
  const auto read = read_rejected_topic(dead_topic(servers, more), node, [&](quarantined_row&& row) {
    found.push_back(std::move(row));
    return true;
  });
  if (!read) FAIL(read.error().message);
  return found;
}

const std::string wrong_order = "{\"order_id\":0,\n  \"customer\":\"ann\"}";

}  // namespace

TEST_CASE("a rejected record keeps its bytes, its key and its headers, and says what is wrong with it") {
  const auto broker = broker_with({{.value = R"({"order_id":1,"customer":"ann"})", .key = "1"},
                                   {.value = wrong_order,
                                    .key = "k\xff",
                                    .headers = {{"tenant", "acme"}, {"etlantic-code", "of-before"}, {"tenant", "too"}},
                                    .milliseconds = 1'772'359'200'007},
                                   {.value = "no\xffjson", .key = {}},
                                   {.value = "", .key = ""}});
  const std::string servers = broker->bootstrap_servers();
  run_into<ReadOrders>(kafka_asset(servers, {{"topics", "orders"}}), dead_topic(servers));
  const auto letters = read_topic(servers, "dead");
  REQUIRE(letters.size() == 3);

  CHECK(letters[0].value == wrong_order);
  CHECK(letters[0].key == "k\xff");
  std::string told = letters[0].headers;
  for (const char* varying : {"etlantic-observed-time", "etlantic-query"}) {
    const std::string value = header(letters[0], varying);
    CHECK(value != "none");
    told.replace(told.find(value), value.size(), "*");
  }
  CHECK(told ==
        "tenant=acme tenant=too etlantic-pipeline=ReadOrders etlantic-contract=Order 0.0.0 etlantic-code=PMSTREAM202 "
        "etlantic-reason=constraint etlantic-field=order_id etlantic-violations=order_id=constraint "
        "etlantic-split=orders/0 etlantic-position=1 etlantic-topic=orders etlantic-partition=0 etlantic-offset=1 "
        "etlantic-timestamp=1772359200007 etlantic-observed-time=* etlantic-query=* etlantic-load=dead_orders "
        "etlantic-batch=0 etlantic-index=0 ");

  CHECK(letters[1].value == "no\xffjson");
  CHECK(letters[1].key == "null");
  CHECK(header(letters[1], "etlantic-code") == "PMSTREAM201");
  CHECK(header(letters[1], "etlantic-reason") == "malformed");
  CHECK(header(letters[1], "etlantic-field") == "none");
  CHECK(header(letters[1], "etlantic-violations") == "none");
  CHECK(header(letters[1], "etlantic-index") == "1");
  CHECK(letters[2].value == "");
  CHECK(letters[2].key == "");
}

TEST_CASE("each letter has the key of its own record, whoever read it") {
  constexpr int count = 4000;
  std::vector<std::string> values;
  std::vector<std::string> keys;
  for (int i = 0; i < count; ++i) {
    values.push_back("{\"order_id\":" + std::to_string(i % 3) + ",\"customer\":\"" + std::to_string(i) + "\"}");
    keys.push_back("key " + std::to_string(i));
  }
  std::vector<kafka::embedded_record> records;
  for (std::size_t i = 0; i < count; ++i)
    records.push_back({.value = values[i], .key = keys[i], .partition = static_cast<std::int32_t>(i % 2)});
  for (const std::size_t workers : {std::size_t{1}, std::size_t{3}}) {
    const auto broker = broker_with(records, 2);
    const std::string servers = broker->bootstrap_servers();
    run_into<ReadOrders>(kafka_asset(servers, {{"topics", "orders"}}), dead_topic(servers), workers);
    const auto letters = read_topic(servers, "dead");
    REQUIRE(letters.size() == 1334);  // 0, 3, ... 3999
    for (const topic_record& each : letters) {
      const std::string number = each.key.substr(4);
      CHECK(each.value == "{\"order_id\":0,\"customer\":\"" + number + "\"}");
      CHECK(header(each, "etlantic-offset") == std::to_string(std::stoi(number) / 2));
    }
  }
}

TEST_CASE("a record without a value whose key is wrong is a letter without a value") {
  const auto broker = broker_with({{.value = {}, .key = "\xff"}, {.value = {}, .key = "1"}});
  const std::string servers = broker->bootstrap_servers();
  const progress done = run_into<ReadChanges>(kafka_asset(servers, {{"topics", "orders"}}), dead_topic(servers));
  CHECK(done.extracts[0].valid == 1);
  const auto letters = read_topic(servers, "dead");
  REQUIRE(letters.size() == 1);
  CHECK(letters[0].value == "null");
  CHECK(letters[0].key == "\xff");
  CHECK(header(letters[0], "etlantic-violations") == "key=bad_text");
}

TEST_CASE("rows of files and of steps are letters without a key") {
  const auto broker = broker_with({});
  const std::string servers = broker->bootstrap_servers();
  temporary_directory folder;
  std::ofstream(folder.path() + "/a.ndjson") << "{\"order_id\":5,\"customer\":\"ann\"}\r\n{\"order_id\":-1}\r\n";
  const asset_binding files{.connector = "file", .options = {{"path", folder.path() + "/a.ndjson"}}};
  run_into<ReadOrders>(files, dead_topic(servers));
  auto letters = read_topic(servers, "dead");
  REQUIRE(letters.size() == 1);
  CHECK(letters[0].value == "{\"order_id\":-1}");
  CHECK(letters[0].key == "null");
  CHECK(header(letters[0], "etlantic-position") == "33");
  CHECK_THAT(header(letters[0], "etlantic-split"), Catch::Contains("a.ndjson"));
  CHECK(header(letters[0], "etlantic-violations") == "order_id=constraint;customer=missing");
  CHECK(header(letters[0], "etlantic-topic") == "none");

  std::ofstream(folder.path() + "/a.ndjson") << "{\"order_id\":5,\"total\":60}\n{\"order_id\":5,\"total\":60}\n";
  run_into<SumTotals>(files, dead_topic(servers));
  letters = read_topic(servers, "dead");
  REQUIRE(letters.size() == 2);
  CHECK(letters[1].key == "null");
  CHECK(header(letters[1], "etlantic-code") == "PMSTREAM481");
  CHECK(header(letters[1], "etlantic-split") == "add");
}

TEST_CASE("letters are published once with transactions, and otherwise copies have the same headers") {
  const auto broker = broker_with({});
  const std::string servers = broker->bootstrap_servers();
  const schema& contract = schema_of<rejected<Order>>();
  const rejected<Order> row{.split = "orders/0",
                            .position = 7,
                            .code = "PMSTREAM202",
                            .field = "order_id",
                            .reason = "constraint",
                            .violations = "order_id=constraint",
                            .payload = {"{}"},
                            .observed_time = {},
                            .pipeline = "p",
                            .contract = "c"};
  for (const char* delivery : {"exactly_once", "at_least_once"}) {
    publication batch{3, output_mode::append, {}};
    block& rows = batch.blocks.emplace_back(contract);
    append_row(rows, row);
    rows.origins.push_back({.topic = "orders", .partition = 0, .milliseconds = 5, .key = "k"});
    for (int start = 0; start < 2; ++start) {
      auto to = make_kafka_sink(dead_topic(servers, {{"delivery", delivery}}));
      REQUIRE(to.ok());
      CHECK((*to)->wants_origins());
      REQUIRE((*to)->open(contract, output_mode::append, {"query-1", delivery}).ok());
      REQUIRE((*to)->prepare(batch).ok());
      REQUIRE((*to)->commit(3).ok());
    }
  }
  const auto letters = read_topic(servers, "dead");
  REQUIRE(letters.size() == 3);
  CHECK(header(letters[0], "etlantic-load") == "exactly_once");
  CHECK(letters[1] == letters[2]);
  CHECK(header(letters[2], "etlantic-batch") == "3");

  CHECK(read_back(servers, "exactly_once").size() == 1);
  CHECK(read_back(servers, "at_least_once").size() == 2);
  const auto rows = read_back(servers, "at_least_once", {{"delivery", "at_least_once"}});
  REQUIRE(rows.size() == 1);
  CHECK(rows[0].split == "orders/0");
  CHECK(rows[0].position == 7);
}

TEST_CASE("letters are read back as rows, and what is none is passed over") {
  const auto broker = broker_with({{.value = wrong_order, .key = "1"}, {.value = "{", .key = "2"}});
  const std::string servers = broker->bootstrap_servers();
  REQUIRE(broker->add("dead", "a stranger", 0).ok());
  REQUIRE(broker->flush().ok());
  run_into<ReadOrders>(kafka_asset(servers, {{"topics", "orders"}}), dead_topic(servers));
  const auto rows = read_back(servers, "dead_orders");
  REQUIRE(rows.size() == 2);
  CHECK(rows[0].payload == wrong_order);
  CHECK(rows[0].split == "orders/0");
  CHECK(rows[0].position == 0);
  CHECK(rows[0].code == "PMSTREAM202");
  CHECK(rows[0].field == "order_id");
  CHECK(rows[0].reason == "constraint");
  CHECK(rows[0].violations == "order_id=constraint");
  CHECK(rows[0].pipeline == "ReadOrders");
  CHECK(rows[0].contract == "Order 0.0.0");
  CHECK_THAT(rows[0].observed_time, Catch::StartsWith("20"));
  CHECK(rows[1].reason == "malformed");
  CHECK(read_back(servers, "another_load").empty());

  const auto as_json = read_rejected_topic(kafka_asset(servers, {{"topic", "dead"}}), {}, [](auto&&) { return true; });
  REQUIRE_FALSE(as_json.ok());
  CHECK(as_json.error().code == "PMSTREAM419");
  CHECK(as_json.error().message == "the topic `dead` has rows as JSON, and only dead letters can be read back");
}

TEST_CASE("only rejected rows can be dead letters") {
  const auto broker = broker_with({});
  const auto to = make_kafka_sink(dead_topic(broker->bootstrap_servers()));
  REQUIRE(to.ok());
  const auto opened = (*to)->open(schema_of<Order>(), output_mode::append, {"query-1", "orders"});
  REQUIRE_FALSE(opened.ok());
  CHECK(opened.error().kind == failure_class::configuration);
  CHECK(opened.error().code == "PMSTREAM429");
  CHECK(opened.error().message ==
        "the rows of the load \"orders\" are no rejected ones, of which alone dead letters are made");

  const auto problems = kafka::problems_of_sink(dead_topic("there:9092", {}));
  CHECK(problems.empty());
  const auto misspelled = kafka::problems_of_sink(kafka_asset("there:9092", {{"topic", "t"}, {"format", "letters"}}));
  REQUIRE(misspelled.size() == 1);
  CHECK(misspelled[0].option == "format");
}

TEST_CASE("the plan says how letters are delivered") {
  profile where;
  where.checkpoint = "checkpoint";
  const asset_binding source = kafka_asset("there:9092", {{"topics", "orders"}});
  const auto once = delivery_between(source, dead_topic("there:9092"), where);
  CHECK(once.guarantee == "effectively exactly once");
  CHECK_THAT(once.assumption, Catch::Contains("rejected rows, as they came, and batch id are one transaction"));
  const auto copies = delivery_between(source, dead_topic("there:9092", {{"delivery", "at_least_once"}}), where);
  CHECK(copies.guarantee == "at least once");
  CHECK_THAT(copies.assumption, Catch::Contains("a replayed batch is written again, with the same headers"));
}
