#include "support/catch.hpp"
#include "unit/kafka/read_topic.hpp"

#include <cstdlib>
#include <set>

#include <etlantic/column/rows.hpp>
#include <etlantic/connect/kafka/embedded_broker.hpp>
#include <etlantic/connect/kafka/sink.hpp>
#include <etlantic/contract/contract.hpp>

using namespace etlantic;
using namespace etlantic::test;

namespace {

struct CustomerTotal {
  std::int64_t customer_id;
  text region;
  std::int64_t orders;
  using key = primary_key<"region", "customer_id">;
};

struct Counter {
  text name;
  std::int64_t value;
  using key = primary_key<"name">;
};

template <class C>
publication batch_of(std::int64_t number, const std::vector<C>& rows) {
  publication made{number, output_mode::append, {}};
  block given(schema_of<C>());
  for (const C& each : rows) append_row(given, each);
  made.blocks.push_back(std::move(given));
  return made;
}

std::vector<Counter> counters(std::int64_t from, std::int64_t to) {
  std::vector<Counter> made;
  for (std::int64_t i = from; i < to; ++i) made.push_back({"k", i});
  return made;
}

std::unique_ptr<kafka::embedded_broker> broker_with(const std::string& topic) {
  auto started = kafka::embedded_broker::start();
  if (!started) FAIL(started.error().message);
  REQUIRE((*started)->create_topic(topic, 1).ok());
  REQUIRE((*started)->create_topic("etlantic-ledger", 1).ok());
  return std::move(*started);
}

std::shared_ptr<sink> sink_to(const std::string& servers, const std::string& topic,
                              std::map<std::string, std::string> more = {}) {
  asset_binding binding{.connector = "kafka", .options = {{"bootstrap_servers", servers}, {"topic", topic}}};
  for (auto& [name, value] : more) binding.options[name] = value;
  auto made = make_kafka_sink(binding);
  if (!made) FAIL(made.error().message);
  return *made;
}

std::shared_ptr<sink> sink_to(const kafka::embedded_broker& broker, const std::string& topic,
                              std::map<std::string, std::string> more = {}) {
  return sink_to(broker.bootstrap_servers(), topic, std::move(more));
}

void succeed(const result<void>& done) {
  if (!done) FAIL(done.error().code + " " + done.error().message);
}

void publish(sink& to, const publication& what) {
  succeed(to.prepare(what));
  succeed(to.commit(what.batch));
}

const publisher who{"query-1", "curated"};

}  // namespace

TEST_CASE("a row is a record: its JSON, and its key") {
  const auto broker = broker_with("totals");
  const auto to = sink_to(*broker, "totals");
  succeed(to->open(schema_of<CustomerTotal>(), output_mode::append, who));
  publish(*to, batch_of<CustomerTotal>(0, {{7, "n\"th", 3}, {8, "south", 1}}));
  CHECK(read_topic(broker->bootstrap_servers(), "totals") ==
        std::vector<topic_record>{
            {R"({"region":"n\"th","customer_id":7})", R"({"customer_id":7,"region":"n\"th","orders":3})", ""},
            {R"({"region":"south","customer_id":8})", R"({"customer_id":8,"region":"south","orders":1})", ""}});
}

// librdkafka's broker in the process lets both go on; integration.test_kafka runs this against a real one.
TEST_CASE("of two processes that publish as one query and load the older one is refused", "[.real_broker]") {
  const char* const servers = std::getenv("ETLANTIC_TEST_KAFKA");
  REQUIRE(servers != nullptr);
  const auto older = sink_to(servers, "fenced");
  succeed(older->open(schema_of<Counter>(), output_mode::append, who));
  publish(*older, batch_of(0, counters(0, 1)));
  const publication next = batch_of(1, counters(1, 2));
  succeed(older->prepare(next));
  const auto newer = sink_to(servers, "fenced");
  CHECK(*newer->published(who) == std::optional<std::int64_t>(0));
  succeed(newer->open(schema_of<Counter>(), output_mode::append, who));
  const result<void> refused = older->commit(1);
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.error().kind == failure_class::sink_conflict);
  CHECK(refused.error().code == "PMSTREAM411");
  older->abort();
  publish(*newer, next);
  CHECK(read_topic(servers, "fenced").size() == 2);
}

TEST_CASE("a batch that the ledger has is not published again, by whatever process") {
  const auto broker = broker_with("counters");
  {
    const auto to = sink_to(*broker, "counters");
    CHECK(*to->published(who) == std::optional<std::int64_t>(nothing_published));
    succeed(to->open(schema_of<Counter>(), output_mode::append, who));
    publish(*to, batch_of(0, counters(0, 2)));
    publish(*to, batch_of(1, counters(2, 3)));
    publish(*to, batch_of<Counter>(2, {}));
    publish(*to, batch_of(1, counters(2, 3)));
  }
  const auto again = sink_to(*broker, "counters");
  CHECK(*again->published(who) == std::optional<std::int64_t>(2));
  CHECK(*again->published({"query-1", "other"}) == std::optional<std::int64_t>(nothing_published));
  succeed(again->open(schema_of<Counter>(), output_mode::append, who));
  publish(*again, batch_of<Counter>(2, {}));
  publish(*again, batch_of(3, counters(3, 4)));
  const auto records = read_topic(broker->bootstrap_servers(), "counters");
  REQUIRE(records.size() == 4);
  for (std::size_t i = 0; i < 4; ++i)
    CHECK(records[i] == topic_record{"k", "{\"name\":\"k\",\"value\":" + std::to_string(i) + "}", ""});
  const auto ledger = read_topic(broker->bootstrap_servers(), "etlantic-ledger");
  REQUIRE(ledger.size() == 4);
  CHECK(ledger[3] ==
        topic_record{R"(["query-1","curated"])", R"({"version":1,"query":"query-1","load":"curated","batch":3})", ""});
}

TEST_CASE("KP-01: without transactions a replay makes copies that carry their identity") {
  const auto broker = broker_with("counters");
  for (int start = 0; start < 2; ++start) {
    const auto to = sink_to(*broker, "counters", {{"delivery", "at_least_once"}});
    CHECK(*to->published(who) == std::nullopt);
    succeed(to->open(schema_of<Counter>(), output_mode::append, who));
    succeed(to->prepare(batch_of(5, counters(0, 3))));
    CHECK(read_topic(broker->bootstrap_servers(), "counters").size() == (start == 0 ? 0u : 3u));
    succeed(to->commit(5));
    publish(*to, batch_of(5, counters(0, 3)));  // within one run there are none
  }
  const auto records = read_topic(broker->bootstrap_servers(), "counters");
  REQUIRE(records.size() == 6);
  for (std::size_t i = 0; i < 6; ++i) {
    CHECK(records[i].value == "{\"name\":\"k\",\"value\":" + std::to_string(i % 3) + "}");
    CHECK(records[i].headers == "etlantic-query=query-1 etlantic-load=curated etlantic-batch=5 etlantic-index=" +
                                    std::to_string(i % 3) + " ");
  }
}

TEST_CASE("KP-03: a batch whose records did not arrive is not committed") {
  const auto broker = broker_with("counters");
  {
    const auto to = sink_to(*broker, "counters", {{"delivery", "at_least_once"}, {"timeout_ms", "1500"}});
    succeed(to->open(schema_of<Counter>(), output_mode::append, who));
    publish(*to, batch_of(0, counters(0, 500)));
    succeed(to->prepare(batch_of(1, counters(500, 1000))));
    broker->set_down(true);
    const auto done = to->commit(1);
    REQUIRE_FALSE(done.ok());
    CHECK(done.error().kind == failure_class::connectivity);
    CHECK(done.error().code == "PMSTREAM425");
    CHECK(done.error().message.ends_with("; 500 records did not arrive"));
    broker->set_down(false);
  }
  const auto again = sink_to(*broker, "counters", {{"delivery", "at_least_once"}});
  succeed(again->open(schema_of<Counter>(), output_mode::append, who));
  publish(*again, batch_of(1, counters(500, 1000)));
  std::set<std::string> distinct;
  for (const topic_record& each : read_topic(broker->bootstrap_servers(), "counters")) distinct.insert(each.value);
  CHECK(distinct.size() == 1000);
}

TEST_CASE("KP-06: records of a key keep their order when requests are tried again") {
  for (const char* delivery : {"exactly_once", "at_least_once"}) {
    const auto broker = broker_with("counters");
    const auto to = sink_to(
        *broker, "counters",
        {{"delivery", delivery}, {"librdkafka.batch.num.messages", "5"}, {"librdkafka.retry.backoff.ms", "10"}});
    succeed(to->open(schema_of<Counter>(), output_mode::append, who));
    broker->fail_requests(0, {0, 6, 0, 7, 6, 0, 0, 6, 7, 7, 0, 6});  // produce: not the leader, timed out
    publish(*to, batch_of(0, counters(0, 100)));
    const auto records = read_topic(broker->bootstrap_servers(), "counters");
    REQUIRE(records.size() == 100);
    for (std::size_t i = 0; i < 100; ++i)
      CHECK(records[i].value == "{\"name\":\"k\",\"value\":" + std::to_string(i) + "}");
  }
}

TEST_CASE("a record that is too large is told as that, and nothing of its batch is there") {
  const auto broker = broker_with("counters");
  const auto to = sink_to(*broker, "counters", {{"librdkafka.message.max.bytes", "1000"}});
  succeed(to->open(schema_of<Counter>(), output_mode::append, who));
  const auto done = to->prepare(batch_of<Counter>(0, {{std::string(2000, 'x'), 1}}));
  REQUIRE_FALSE(done.ok());
  CHECK(done.error().kind == failure_class::sink_rejected);
  CHECK(done.error().code == "PMSTREAM410");
  to->abort();
  publish(*to, batch_of(0, counters(0, 1)));
  CHECK(read_topic(broker->bootstrap_servers(), "counters").size() == 1);
}

TEST_CASE("a load in complete mode is refused, and a batch that was not prepared is not committed") {
  const auto broker = broker_with("counters");
  const auto to = sink_to(*broker, "counters");
  const auto refused = to->open(schema_of<Counter>(), output_mode::complete, who);
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.error().kind == failure_class::configuration);
  succeed(to->open(schema_of<Counter>(), output_mode::update, who));
  const auto done = to->commit(3);
  REQUIRE_FALSE(done.ok());
  CHECK(done.error().code == "PMSTREAM414");
}

TEST_CASE("without a broker nothing is said about what is published") {
  std::string servers;
  {
    const auto gone = broker_with("counters");
    servers = gone->bootstrap_servers();
  }
  auto made = make_kafka_sink(
      {.connector = "kafka", .options = {{"bootstrap_servers", servers}, {"topic", "t"}, {"timeout_ms", "1000"}}});
  REQUIRE(made.ok());
  const auto answer = (*made)->published(who);
  REQUIRE_FALSE(answer.ok());
  CHECK(answer.error().kind == failure_class::connectivity);
}
