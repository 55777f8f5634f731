#include "unit/kafka/fake_cluster.hpp"
#include "unit/kafka/support.hpp"

#include <etlantic/connect/kafka/settings.hpp>
#include <etlantic/connect/kafka/topic_pattern.hpp>

using namespace etlantic;
using namespace etlantic::test;

namespace {

using texts = std::vector<std::string>;

kafka::source_settings all_orders() {
  kafka::source_settings settings;
  settings.pattern = *kafka::topic_pattern::compile("orders[.].*");
  settings.reaching.timeout_ms = 500;
  return settings;
}

std::vector<std::string> problems(std::map<std::string, std::string> options) {
  options["bootstrap_servers"] = "localhost:1";
  std::vector<std::string> found;
  for (const option_problem& each : kafka::problems_of_source({.connector = "kafka", .options = std::move(options)}))
    found.push_back(each.option + ": " + each.message);
  return found;
}

}  // namespace

TEST_CASE("a pattern fits whole names, and no topic of Kafka's own") {
  const auto pattern = *kafka::topic_pattern::compile("orders|[a-z_]+[.]v[0-9]{1,3}");
  CHECK(pattern.fits("orders"));
  CHECK(pattern.fits("refunds.v12"));
  CHECK_FALSE(pattern.fits("orders2"));
  CHECK_FALSE(pattern.fits("my-orders"));
  CHECK_FALSE(pattern.fits("__x.v1"));
  CHECK_FALSE(kafka::topic_pattern{}.fits("orders"));
}

TEST_CASE("a profile names topics or a pattern") {
  CHECK(problems({{"topic_pattern", "orders[.].*"}}).empty());
  CHECK(problems({}) == texts{"topics: the option topics is missing"});
  CHECK(problems({{"topics", "a"}, {"topic_pattern", "b"}}) ==
        texts{"topics: topics and topic_pattern exclude each other"});
  const auto wrong = problems({{"topic_pattern", "orders("}});
  REQUIRE(wrong.size() == 1);
  CHECK(wrong[0].starts_with("topic_pattern: the option topic_pattern is `orders(`: "));
}

TEST_CASE("topics that fit are read, and new ones from their first record") {
  for (const char* start : {"earliest", "latest"}) {
    fake_cluster cluster;
    cluster.logs[{"orders.eu", 0}] = fake_log::filled(0, 3);
    cluster.logs[{"other", 0}] = fake_log::filled(0, 9);
    auto settings = all_orders();
    settings.start = *kafka::parse_start(start);
    const auto from = cluster.source_of(settings);
    const bool all = std::string(start) == "earliest";
    const auto first = planned(*from);
    CHECK(texts_of(first) == texts{all ? "orders.eu/0 0..3" : "orders.eu/0 3..3"});
    cluster.logs[{"orders.us", 0}] = fake_log::filled(0, 2);
    cluster.logs[{"orders.us", 1}] = fake_log::filled(4, 6);
    const auto second = planned(*from);
    CHECK(texts_of(second) == texts{"orders.us/0 0..2", "orders.us/1 4..6"});
    CHECK(read_all(*from, second).by_split["orders.us/1"] == texts{"4:4", "5:5"});
    CHECK(planned(*from).empty());
    // A restart knows each topic's place, and is not new.
    cluster.logs[{"orders.za", 0}] = fake_log::filled(0, 1);
    const auto again = cluster.source_of(settings);
    REQUIRE(again->restore({first[0], second[0], second[1]}).ok());
    CHECK(texts_of(planned(*again)) == texts{"orders.za/0 0..1"});
  }
}

TEST_CASE("a pattern that no topic fits yet waits for one, and says so once") {
  fake_cluster cluster;
  auto settings = all_orders();
  settings.start = *kafka::parse_start("latest");
  const auto from = cluster.source_of(settings);
  CHECK(planned(*from).empty());
  CHECK(planned(*from).empty());
  CHECK(from->take_warnings() == texts{"no topic fits orders[.].* yet; new ones are looked for"});
  cluster.logs[{"orders.eu", 0}] = fake_log::filled(0, 3);
  CHECK(texts_of(planned(*from)) == texts{"orders.eu/0 0..3"});
}

TEST_CASE("a topic of a pattern that was deleted is a loss") {
  for (const bool continues : {false, true}) {
    fake_cluster cluster;
    cluster.logs[{"orders.eu", 0}] = fake_log::filled(0, 3);
    cluster.logs[{"orders.us", 0}] = fake_log::filled(0, 3);
    auto settings = all_orders();
    settings.continues_after_loss = continues;
    const auto from = cluster.source_of(settings);
    CHECK(planned(*from).size() == 2);
    cluster.logs.erase({"orders.us", 0});
    const auto after = from->plan({});
    if (!continues) {
      REQUIRE_FALSE(after.ok());
      CHECK(after.error().code == "PMSTREAM428");
      CHECK(after.error().kind == failure_class::source_data);
      CHECK(after.error().message.starts_with("the topic `orders.us`, which had been read, is not there any more"));
      continue;
    }
    CHECK(after->empty());
    CHECK(from->take_warnings().size() == 1);
    CHECK(planned(*from).empty());
    CHECK(from->take_warnings().empty());
    cluster.logs[{"orders.us", 0}] = fake_log::filled(0, 1);
    CHECK(texts_of(planned(*from)) == texts{"orders.us/0 0..1"});
  }
}
