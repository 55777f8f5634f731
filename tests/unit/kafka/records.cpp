#include "support/temporary_directory.hpp"
#include "unit/kafka/support.hpp"
#include "unit/kafka/write_topic.hpp"

#include <etlantic/connect/kafka/embedded_broker.hpp>
#include <etlantic/core/rfc3339.hpp>
#include <etlantic/etlantic.hpp>
#include <etlantic/tool/plan.hpp>
#include <etlantic/tool/profile_check.hpp>

#include <cstdlib>

using namespace etlantic;
using namespace etlantic::test;

// Pipelines that look at more of a record than its value, against librdkafka's broker within the process.

namespace {

struct Order {
  checked<std::int64_t, gt<0>> order_id;
  checked<text, max_length<40>> customer;
};

struct Details {
  record_topic topic;
  record_partition partition;
  record_offset offset;
  record_timestamp written_at;
  record_key key;
  record_header<"tenant"> tenant;
  record_header_bytes<"trace-id"> trace;
};

using OrderRecord = record<Order, Details>;

struct AllRecords {
  extract<OrderRecord, "orders"> orders;
  load<OrderRecord, "read", "orders.valid"> read;
  load<rejected<OrderRecord>, "rejected", "orders.invalid"> wrong;
};

struct AllValues {
  extract<Order, "orders"> orders;
  load<Order, "read", "orders.valid"> read;
};

struct PartitionHour {
  std::int32_t partition;
  timestamp window_start, window_end;
  std::int64_t orders;
  using key = primary_key<"partition", "window_start">;
};

struct CountOfTenant {
  input<OrderRecord> orders;
  output<PartitionHour> counts;
};

constexpr auto implement(const CountOfTenant& t) {
  return t.orders | watermark<"written_at">(std::chrono::minutes(1)) | where(field<"tenant"> == "acme") |
         where(field<"topic"> == "orders" && field<"offset"> >= 1) | group_by<"partition"> |
         tumbling<"written_at">(std::chrono::hours(1)) | aggregate<PartitionHour>(named<"orders"> = count());
}

struct CountsOfTenant {
  extract<OrderRecord, "orders"> orders;
  step<CountOfTenant, "orders.valid"> count;
  load<PartitionHour, "counts", "count.counts", output_mode::update> counts;
};

struct Changed {
  record_key key;
  record_is_tombstone deleted;
};

using Change = record<std::optional<Order>, Changed>;

struct Changes {
  extract<Change, "orders"> orders;
  load<Change, "read", "orders.valid"> read;
  load<rejected<Change>, "rejected", "orders.invalid"> wrong;
};

struct Deletion {
  std::optional<text> key;
};

struct Deletions {
  input<Change> changes;
  output<Deletion> deletions;
};

constexpr auto implement(const Deletions& t) {
  return t.changes | where(is_null(field<"order_id">)) | select<Deletion>();
}

struct DeletedOrders {
  extract<Change, "orders"> orders;
  step<Deletions, "orders.valid"> deletions;
  load<Deletion, "read", "deletions.deletions"> read;
};

constexpr std::int64_t ten_oclock = 1'772'359'200'000;  // 2026-03-01T10:00:00Z in milliseconds

std::unique_ptr<kafka::embedded_broker> broker_with(int partitions,
                                                    const std::vector<kafka::embedded_record>& records) {
  auto started = kafka::embedded_broker::start();
  if (!started) FAIL(started.error().message);
  REQUIRE((*started)->create_topic("orders", partitions).ok());
  for (const kafka::embedded_record& each : records) REQUIRE((*started)->add_record("orders", each).ok());
  REQUIRE((*started)->flush().ok());
  return std::move(*started);
}

asset_binding orders_of(const std::string& servers, const std::string& topic) {
  return {.connector = "kafka", .options = {{"bootstrap_servers", servers}, {"topics", topic}}};
}

/// Runs a pipeline of one extract to the end of the topic.
template <class Pipeline>
progress run_on(const std::string& servers, std::map<std::string, std::shared_ptr<sink>> sinks, std::size_t workers = 1,
                const std::string& topic = "orders") {
  profile where;
  where.trigger.kind = trigger_kind::available_now;
  where.workers = workers;
  where.assets["orders"] = orders_of(servers, topic);
  for (auto& [asset, to] : sinks) where.assets[asset].made_sink = std::move(to);
  auto done = run(Pipeline{}, where);
  if (!done) FAIL(done.error().code + " " + done.error().message);
  return *done;
}

template <class C>
std::shared_ptr<memory_sink<C>> sink_of() {
  return std::make_shared<memory_sink<C>>();
}

std::string shown(const std::optional<text>& value) { return value ? value->value : "null"; }

std::vector<kafka::embedded_record> three_orders() {
  return {{.value = R"({"order_id":1,"customer":"ann"})",
           .key = "key of more than twelve bytes",
           .headers = {{"tenant", "first"}, {"trace-id", std::string("\xff\x00z", 3)}, {"tenant", "acme"}},
           .partition = 1,
           .milliseconds = ten_oclock + 7},
          {.value = R"({"order_id":2,"customer":"a customer of many letters"})",
           .key = {},
           .headers = {{"tenant", std::nullopt}},
           .partition = 1,
           .milliseconds = ten_oclock},
          {.value = R"({"order_id":3,"customer":"eve"})",
           .key = "",
           .headers = {{"tenant", ""}},
           .partition = 0,
           .milliseconds = 1}};
}

void check_three_orders(const std::string& servers) {
  const auto read = sink_of<OrderRecord>();
  const progress done = run_on<AllRecords>(servers, {{"read", read}, {"rejected", sink_of<rejected<OrderRecord>>()}});
  auto rows = read->rows();
  REQUIRE(rows.size() == 3);
  std::sort(rows.begin(), rows.end(),
            [](const OrderRecord& a, const OrderRecord& b) { return a.value.order_id.value < b.value.order_id.value; });

  CHECK(rows[0].value.customer.value == "ann");
  CHECK(rows[0].details.topic.value == "orders");
  CHECK(rows[0].details.partition.value == 1);
  CHECK(rows[0].details.offset.value == 0);
  CHECK(format_rfc3339(rows[0].details.written_at.value) == "2026-03-01T10:00:00.007000Z");
  CHECK(shown(rows[0].details.key) == "key of more than twelve bytes");
  CHECK(shown(rows[0].details.tenant) == "acme");  // the last of two
  REQUIRE(rows[0].details.trace.value);
  CHECK(rows[0].details.trace.value->value == std::string("\xff\x00z", 3));

  CHECK(rows[1].value.customer.value == "a customer of many letters");
  CHECK(rows[1].details.offset.value == 1);
  CHECK(shown(rows[1].details.key) == "null");
  CHECK(shown(rows[1].details.tenant) == "null");
  CHECK_FALSE(rows[1].details.trace.value);

  CHECK(rows[2].details.partition.value == 0);
  CHECK(format_rfc3339(rows[2].details.written_at.value) == "1970-01-01T00:00:00.001000Z");
  CHECK(shown(rows[2].details.key) == "");
  CHECK(shown(rows[2].details.tenant) == "");
  CHECK(done.extracts[0].valid == 3);
}

std::vector<kafka::embedded_record> changes() {
  return {{.value = R"({"order_id":1,"customer":"ann"})", .key = "1"},
          {.value = {}, .key = "1"},
          {.value = R"({"order_id":2,"customer":"bob"})", .key = "2"},
          {.value = R"({"order_id":0,"customer":"wrong"})", .key = "3"},
          {.value = {}, .key = {}},
          {.value = {}, .key = "4"}};
}

void check_changes(const std::string& servers, const std::string& topic = "orders") {
  const auto read = sink_of<Change>();
  const auto wrong = sink_of<rejected<Change>>();
  const progress done = run_on<Changes>(servers, {{"read", read}, {"rejected", wrong}}, 1, topic);
  std::vector<std::string> told;
  for (const Change& each : read->rows())
    told.push_back(shown(each.details.key) + (each.details.deleted ? " deleted" : " ") +
                   (each.value ? each.value->customer.value.value : ""));
  CHECK(told == std::vector<std::string>{"1 ann", "1 deleted", "2 bob", "null deleted", "4 deleted"});
  CHECK(done.rows_read() == 6);
  CHECK(done.extracts[0].invalid == 1);
  CHECK(done.extracts[0].skipped == 0);
  REQUIRE(wrong->rows().size() == 1);
  CHECK(wrong->rows()[0].position == 3);

  const auto deletions = sink_of<Deletion>();
  run_on<DeletedOrders>(servers, {{"read", deletions}}, 1, topic);
  told.clear();
  for (const Deletion& each : deletions->rows()) told.push_back(shown(each.key));
  CHECK(told == std::vector<std::string>{"1", "null", "4"});
}

}  // namespace

TEST_CASE("topic, partition, offset, time, key and headers are fields of a row") {
  check_three_orders(broker_with(2, three_orders())->bootstrap_servers());
}

TEST_CASE("expressions filter by a header, group by the partition and take the record's time as event time") {
  std::vector<kafka::embedded_record> records;
  for (int i = 0; i < 3000; ++i)
    records.push_back({.value = R"({"order_id":1,"customer":"ann"})",
                       .key = {},
                       .headers = {{"tenant", i % 3 == 0 ? "acme" : "other"}},
                       .partition = i % 2,
                       .milliseconds = ten_oclock + (i < 1500 ? 0 : 3'600'000)});
  const auto broker = broker_with(2, records);
  const std::int64_t fast_values =
      run_on<AllValues>(broker->bootstrap_servers(), {{"read", sink_of<Order>()}}).extracts[0].fast;
  CHECK(fast_values >= 2990);  // layouts must be seen once
  for (const std::size_t workers : {std::size_t{1}, std::size_t{3}}) {
    const auto counts = sink_of<PartitionHour>();
    const progress done = run_on<CountsOfTenant>(broker->bootstrap_servers(), {{"counts", counts}}, workers);
    std::map<std::pair<std::int32_t, std::string>, std::int64_t> found;
    for (const PartitionHour& each : counts->rows())
      found[{each.partition, format_rfc3339(each.window_start)}] = each.orders;
    // Of 1,500 records every third is the tenant's, in turn of partitions 0 and 1; the first one has offset 0.
    CHECK(found == decltype(found){{{0, "2026-03-01T10:00:00.000000Z"}, 249},
                                   {{1, "2026-03-01T10:00:00.000000Z"}, 250},
                                   {{0, "2026-03-01T11:00:00.000000Z"}, 250},
                                   {{1, "2026-03-01T11:00:00.000000Z"}, 250}});
    CHECK(done.extracts[0].fast == fast_values);
  }
}

TEST_CASE("a record without a value is a row without one where the contract says so") {
  check_changes(broker_with(1, changes())->bootstrap_servers());
}

// integration.test_kafka runs this.
TEST_CASE("a real broker gives the same", "[.real_broker_records]") {
  const char* const servers = std::getenv("ETLANTIC_TEST_KAFKA");
  REQUIRE(servers != nullptr);
  write_topic(servers, "orders", three_orders());
  check_three_orders(servers);
  write_topic(servers, "changes", changes());
  check_changes(servers, "changes");
}

TEST_CASE("a value that may be absent must still have all its fields when it is there") {
  const auto broker = broker_with(1, {{.value = R"({"order_id":1})", .key = "1"}, {.value = "", .key = "2"}});
  const auto wrong = sink_of<rejected<Change>>();
  const progress done =
      run_on<Changes>(broker->bootstrap_servers(), {{"read", sink_of<Change>()}, {"rejected", wrong}});
  CHECK(done.extracts[0].valid == 0);
  REQUIRE(wrong->rows().size() == 2);
  CHECK(wrong->rows()[0].violations == "customer=missing");
  CHECK(wrong->rows()[1].reason == "malformed");
}

TEST_CASE("records without a value are no rows of a contract whose value is always there") {
  const auto broker = broker_with(1, {{.value = R"({"order_id":1,"customer":"ann"})", .key = "1"},
                                      {.value = {}, .key = "1"},
                                      {.value = R"({"order_id":2,"customer":"bob"})", .key = "2"}});
  const auto read = sink_of<OrderRecord>();
  const progress done =
      run_on<AllRecords>(broker->bootstrap_servers(), {{"read", read}, {"rejected", sink_of<rejected<OrderRecord>>()}});
  REQUIRE(read->rows().size() == 2);
  CHECK(shown(read->rows()[1].details.key) == "2");
  CHECK(read->rows()[1].details.offset.value == 2);
  CHECK(done.extracts[0].skipped == 1);
}

TEST_CASE("a key or header that is no text makes the row invalid and not another one") {
  const auto value = [](int number) { return "{\"order_id\":" + std::to_string(number) + ",\"customer\":\"ann\"}"; };
  const std::string values[] = {value(1), value(2), value(3)};
  const auto broker = broker_with(1, {{.value = values[0], .key = "1"},
                                      {.value = values[1], .key = "\xff", .headers = {{"tenant", "a\xc3"}}},
                                      {.value = values[2], .key = "3"}});
  const auto read = sink_of<OrderRecord>();
  const auto wrong = sink_of<rejected<OrderRecord>>();
  run_on<AllRecords>(broker->bootstrap_servers(), {{"read", read}, {"rejected", wrong}});
  REQUIRE(read->rows().size() == 2);
  CHECK(shown(read->rows()[0].details.key) == "1");
  CHECK(shown(read->rows()[1].details.key) == "3");
  CHECK(read->rows()[1].value.order_id.value == 3);
  REQUIRE(wrong->rows().size() == 1);
  CHECK(wrong->rows()[0].code == "PMSTREAM202");
  CHECK(wrong->rows()[0].field == "key");
  CHECK(wrong->rows()[0].violations == "key=bad_text;tenant=bad_text");
  CHECK(wrong->rows()[0].payload.value == values[1]);
  CHECK(wrong->rows()[0].split == "orders/0");
  CHECK(wrong->rows()[0].position == 1);
}

TEST_CASE("a connector without records is refused before anything is read") {
  temporary_directory folder;
  profile where;
  where.name = "local";
  where.assets["orders"] = {.connector = "file", .options = {{"path", folder.path()}}};
  where.assets["counts"].made_sink = sink_of<PartitionHour>();
  const auto done = run(CountsOfTenant{}, where);
  REQUIRE_FALSE(done.ok());
  CHECK(done.error().kind == failure_class::configuration);
  CHECK(done.error().code == "PMPLAN213");
  CHECK(
      done.error().message ==
      "the extract \"orders\" has the contract record<Order>, which asks for topic, partition, offset, timestamp, key, "
      "header tenant, header trace-id of records, and the connector file has no records");
  CHECK(done.error().help == "bind \"orders\" to kafka, or give the extract the contract Order");
}

TEST_CASE("lines that a program gives are no records either, and rows are") {
  profile where;
  where.trigger.kind = trigger_kind::available_now;
  const auto lines = std::make_shared<memory_lines_source>();
  lines->add({R"({"order_id":1,"customer":"ann"})"});
  where.assets["orders"].made_source = lines;
  where.assets["counts"].made_sink = sink_of<PartitionHour>();
  const auto done = run(CountsOfTenant{}, where);
  REQUIRE_FALSE(done.ok());
  CHECK(done.error().code == "PMSTREAM408");

  const auto counts = sink_of<PartitionHour>();
  OrderRecord one{{1, text("ann")},
                  {text("orders"), 7, 3, timestamp{ten_oclock * 1000}, {}, std::optional(text("acme")), {}}};
  OrderRecord wrong = one;
  wrong.value.order_id = -1;
  const auto rows = std::make_shared<memory_source<OrderRecord>>();
  rows->add({one, wrong});
  where.assets["orders"].made_source = rows;
  where.assets["counts"].made_sink = counts;
  const auto typed = run(CountsOfTenant{}, where);
  if (!typed) FAIL(typed.error().message);
  CHECK(typed->extracts[0].invalid == 1);
  REQUIRE(counts->rows().size() == 1);
  CHECK(counts->rows()[0].partition == 7);
}

TEST_CASE("validation says it, too, and where the connector is named") {
  const auto found_in = [](const std::string& binding) {
    const profile_reading reading = parse_profile("assets:\n  orders: " + binding +
                                                      "\n  counts: {connector: console}\n"
                                                      "checkpoint: {path: checkpoint}\n",
                                                  "local.yaml");
    return check_profile(*lower<CountsOfTenant>(), reading, available_connectors());
  };
  const report refused = found_in("{connector: file, path: orders}");
  REQUIRE(refused.found.size() == 1);
  CHECK(refused.found[0].code == "PMPLAN213");
  CHECK(refused.found[0].path == "assets.orders.connector");
  CHECK(found_in("{connector: kafka, bootstrap_servers: 'kafka:9092', topics: orders}").found.empty());
}

TEST_CASE("the plan says which field is which part of the record") {
  const program what = *lower<CountsOfTenant>();
  const std::string text = plan_text(what, nullptr);
  for (const char* line :
       {"contract    record<Order> 0.0.0\n", "      written_at  timestamp  timestamp of the record\n",
        "      tenant      text?      header tenant of the record\n",
        "      trace       binary?    header trace-id of the record\n"})
    CHECK_THAT(text, Catch::Contains(line));
  const std::string json = plan_json(what, nullptr);
  CHECK_THAT(json, Catch::Contains(R"("record": {)"));
  CHECK_THAT(json, Catch::Contains(R"("part": "header")"));
  CHECK_THAT(json, Catch::Contains(R"("header": "trace-id")"));
}
