#include "unit/kafka/fake_cluster.hpp"
#include "unit/kafka/support.hpp"

#include <etlantic/connect/kafka/statistics.hpp>

using namespace etlantic;
using namespace etlantic::test;

TEST_CASE("statistics of librdkafka are summed up over partitions and kept by broker") {
  const auto read = kafka::read_statistics(R"({
    "name": "etlantic#consumer-2", "ts": 5, "replyq": 0, "queued": [1, {"fetchq_cnt": 99}],
    "brokers": {
      "one:9092/1": {"name": "one:9092/1", "nodeid": 1, "rtt": {"min": 1, "max": 90000, "avg": 1500, "cnt": 3},
                     "throttle": {"avg": 20}, "toppars": {"orders-0": {"topic": "orders", "partition": 0}}},
      "two:9092/2": {"rtt": {"avg": 250000}, "throttle": {"avg": 0}},
      "GroupCoordinator": {"rtt": {"avg": 0}}
    },
    "topics": {
      "orders": {"topic": "orders", "age": 1000, "partitions": {
        "0": {"partition": 0, "fetchq_cnt": 10, "fetchq_size": 1580, "consumer_lag": -1},
        "12": {"partition": 12, "fetchq_cnt": 3, "fetchq_size": 474},
        "-1": {"partition": -1, "fetchq_cnt": 0, "fetchq_size": 0}}},
      "refunds": {"partitions": {"0": {"fetchq_cnt": 1, "fetchq_size": 7}}}
    }})");
  REQUIRE(read);
  CHECK(read->queued_records == 14);
  CHECK(read->queued_bytes == 2061);
  REQUIRE(read->brokers.size() == 2);
  CHECK(read->brokers.at("one:9092/1").round_trip_seconds == Approx(0.0015));
  CHECK(read->brokers.at("one:9092/1").throttled_seconds == Approx(0.02));
  CHECK(read->brokers.at("two:9092/2").round_trip_seconds == Approx(0.25));
  CHECK(read->brokers.at("two:9092/2").throttled_seconds == 0);
}

TEST_CASE("what is no JSON are no statistics") {
  CHECK_FALSE(kafka::read_statistics(""));
  CHECK_FALSE(kafka::read_statistics(R"({"brokers":{)"));
  CHECK(kafka::read_statistics("{}")->brokers.empty());
}

TEST_CASE("a client tells the partitions that are furthest behind and the slowest brokers, five of each") {
  fake_cluster cluster;
  for (std::int32_t number = 0; number < 40; ++number)
    cluster.logs[{"orders", number}] = fake_log::filled(0, 10 * (number % 20));
  kafka::source_settings settings;
  settings.topics = {"orders"};
  const auto from = cluster.source_of(settings);
  CHECK_FALSE(from->metrics());
  (void)planned(*from, {.max_rows = 1});
  CHECK_FALSE(from->metrics());
  cluster.told.emplace();
  cluster.told->queued_records = 7;
  cluster.told->queued_bytes = 700;
  for (int i = 0; i < 9; ++i) cluster.told->brokers["b" + std::to_string(i)] = {0.001 * i, 0};
  const auto told = from->metrics();
  REQUIRE(told);
  CHECK(told->queued_rows == 7);
  CHECK(told->queued_bytes == 700);
  // One row of each partition that has any was planned: a share below one is one.
  REQUIRE(told->furthest_behind.size() == 5);
  CHECK(told->furthest_behind[0].rows == 189);
  CHECK(told->furthest_behind[1].rows == 189);
  CHECK(told->furthest_behind[2].rows == 179);
  CHECK(told->furthest_behind[4].rows == 169);
  const auto split = told->furthest_behind[0].split;
  CHECK((split == "orders/19" || split == "orders/39"));
  REQUIRE(told->slowest_brokers.size() == 5);
  CHECK(told->slowest_brokers[0].name == "b8");
  CHECK(told->slowest_brokers[4].name == "b4");
}
