#include "unit/kafka/support.hpp"

#include <etlantic/connect/kafka/embedded_broker.hpp>
#include <etlantic/connect/kafka/settings.hpp>

#include <new>
#include <thread>

using namespace etlantic;
using namespace etlantic::test;

// Against librdkafka's broker within the process: real requests over real connections.

namespace {

using texts = std::vector<std::string>;

std::unique_ptr<kafka::embedded_broker> broker_with(const std::string& topic, int partitions) {
  auto started = kafka::embedded_broker::start();
  if (!started) FAIL(started.error().message);
  REQUIRE((*started)->create_topic(topic, partitions).ok());
  return std::move(*started);
}

void fill(kafka::embedded_broker& broker, const std::string& topic, std::int32_t partition, int from, int to) {
  for (int i = from; i < to; ++i) REQUIRE(broker.add(topic, std::to_string(i), partition).ok());
  REQUIRE(broker.flush().ok());
}

std::shared_ptr<source> source_of(const std::string& servers, std::map<std::string, std::string> more = {}) {
  asset_binding binding{.connector = "kafka",
                        .options = {{"bootstrap_servers", servers},
                                    {"topics", "orders"},
                                    {"discover_interval_ms", "0"},
                                    {"timeout_ms", "20000"}}};
  for (auto& [name, value] : more) binding.options[name] = value;
  auto made = make_kafka_source(binding);
  if (!made) FAIL(made.error().message);
  return *made;
}

}  // namespace

TEST_CASE("who waits is told when records come, and what came is all there is to read") {
  const auto broker = broker_with("orders", 2);
  for (std::int32_t partition = 0; partition < 2; ++partition) fill(*broker, "orders", partition, 0, 10);
  const auto from = source_of(broker->bootstrap_servers());
  CHECK(read_all(*from, planned(*from)).count() == 20);
  REQUIRE(from->await_rows(duration(0)).has_value());  // it is fetched from here on
  for (int round = 0; round < 5; ++round) {
    fill(*broker, "orders", round % 2, 0, 3);
    std::size_t read = 0;
    for (int patience = 1000; read < 3 && patience > 0; --patience)
      if (from->await_rows(std::chrono::milliseconds(20)) == true) read += read_all(*from, planned(*from)).count();
    CHECK(read == 3);
  }
}

TEST_CASE("records of all partitions are read once, batch after batch, and again after a restart") {
  const auto broker = broker_with("orders", 3);
  for (std::int32_t partition = 0; partition < 3; ++partition) fill(*broker, "orders", partition, 0, 2000);
  const auto from = source_of(broker->bootstrap_servers());
  std::map<std::string, texts> all;
  std::vector<std::vector<split_range>> batches;
  for (;;) {
    batches.push_back(planned(*from, {.max_rows = 900}));
    if (batches.back().empty()) break;
    for (auto& [split, rows] : read_all(*from, batches.back()).by_split)
      all[split].insert(all[split].end(), rows.begin(), rows.end());
  }
  CHECK(batches.size() == 8);
  REQUIRE(all.size() == 3);
  for (const auto& [split, rows] : all) {
    REQUIRE(rows.size() == 2000);
    for (std::size_t i = 0; i < rows.size(); ++i) CHECK(rows[i] == std::to_string(i) + ":" + std::to_string(i));
  }
  const auto again = source_of(broker->bootstrap_servers());
  REQUIRE(again->restore(batches[3]).ok());
  CHECK(texts_of(planned(*again, {.max_rows = 900})) == texts_of(batches[4]));
  auto replay = read_all(*again, batches[3]);
  CHECK(replay.by_split["orders/1"].front() == "900:900");
  CHECK(replay.by_split["orders/1"].size() == 300);
}

TEST_CASE("KS-13: null and empty values stay apart") {
  const auto broker = broker_with("orders", 1);
  REQUIRE(broker->add("orders", std::nullopt, 0, "k").ok());
  REQUIRE(broker->add("orders", "", 0, "k").ok());
  REQUIRE(broker->add("orders", "{}", 0, "k").ok());
  REQUIRE(broker->flush().ok());
  const auto from = source_of(broker->bootstrap_servers());
  auto taken = read_all(*from, planned(*from));
  CHECK(taken.by_split["orders/0"] == texts{"1:", "2:{}"});
  CHECK(taken.skipped_records == 1);
}

TEST_CASE("what throws while records are taken is thrown to who reads, and the range can be read again") {
  struct full_intake final : intake {
    result<void> lines(std::string_view, std::int64_t, std::string_view) override { return {}; }
    result<void> rows(const block&) override { return {}; }
    result<void> documents(std::string_view, std::string_view, std::span<const document>) override {
      throw std::bad_alloc();
    }
  };
  const auto broker = broker_with("orders", 1);
  fill(*broker, "orders", 0, 0, 100);
  kafka::source_settings settings;
  settings.topics = {"orders"};
  settings.reaching.bootstrap_servers = broker->bootstrap_servers();
  settings.chunk_bytes = 20;  // so that it is while they are taken, and not behind them
  const auto from = kafka::make_source(settings);
  const auto ranges = planned(*from);
  full_intake full;
  CHECK_THROWS_AS((void)from->read(ranges[0], full), std::bad_alloc);
  CHECK(read_all(*from, ranges).count() == 100);
}

TEST_CASE("several threads read partitions of one batch") {
  const auto broker = broker_with("orders", 4);
  for (std::int32_t partition = 0; partition < 4; ++partition) fill(*broker, "orders", partition, 0, 3000);
  const auto from = source_of(broker->bootstrap_servers());
  const auto ranges = planned(*from);
  REQUIRE(ranges.size() == 4);
  std::vector<taken_documents> taken(4);
  std::vector<std::thread> threads;
  std::vector<int> done(4);
  for (std::size_t i = 0; i < 4; ++i) threads.emplace_back([&, i] { done[i] = from->read(ranges[i], taken[i]).ok(); });
  for (std::thread& each : threads) each.join();
  for (std::size_t i = 0; i < 4; ++i) {
    CHECK(done[i] == 1);
    CHECK(taken[i].count() == 3000);
  }
}

TEST_CASE("KS-16: a broker that is slow is not the end") {
  const auto broker = broker_with("orders", 1);
  fill(*broker, "orders", 0, 0, 1000);
  const auto from = source_of(broker->bootstrap_servers());
  REQUIRE(from->freeze().ok());
  const auto first = planned(*from, {.max_rows = 500});
  CHECK(read_all(*from, first).count() == 500);
  broker->set_round_trip(1500);
  CHECK(read_all(*from, planned(*from)).count() == 500);
  broker->set_round_trip(0);
  CHECK(planned(*from).empty());
}

TEST_CASE("a broker that is not there is a failure of connection") {
  std::string servers;
  {
    const auto gone = broker_with("orders", 1);
    servers = gone->bootstrap_servers();
  }
  const auto from = source_of(servers, {{"timeout_ms", "1500"}});
  const auto nothing = from->plan({});
  REQUIRE_FALSE(nothing.ok());
  CHECK(nothing.error().kind == failure_class::connectivity);
  CHECK(nothing.error().code == "PMSTREAM425");
  CHECK(nothing.error().where == servers);
}

TEST_CASE("a broker that goes away in a batch is a failure of connection, and the batch can be read again") {
  const auto broker = broker_with("orders", 1);
  fill(*broker, "orders", 0, 0, 10);
  const auto from = source_of(broker->bootstrap_servers(), {{"timeout_ms", "1500"}});
  CHECK(read_all(*from, planned(*from)).count() == 10);
  fill(*broker, "orders", 0, 10, 20);
  const auto ranges = planned(*from);
  broker->set_down(true);
  taken_documents taken;
  const auto done = from->read(ranges[0], taken);
  // It may have been fetched ahead already; else it must fail in this way.
  if (!done) {
    CHECK(done.error().kind == failure_class::connectivity);
    CHECK(done.error().code == "PMSTREAM425");
  }
  broker->set_down(false);
  const auto again = source_of(broker->bootstrap_servers());
  REQUIRE(again->restore(ranges).ok());
  CHECK(read_all(*again, ranges).count() == 10);
}

TEST_CASE("a login that is refused is told without the password") {
  const auto broker = broker_with("orders", 1);
  const auto from = source_of(broker->bootstrap_servers(), {{"timeout_ms", "5000"},
                                                            {"librdkafka.security.protocol", "SASL_PLAINTEXT"},
                                                            {"librdkafka.sasl.mechanism", "PLAIN"},
                                                            {"librdkafka.sasl.username", "reader"},
                                                            {"librdkafka.sasl.password", "open-sesame"}});
  const auto nothing = from->plan({});
  REQUIRE_FALSE(nothing.ok());
  const failure& why = nothing.error();
  CHECK((why.message + why.where + why.help).find("open-sesame") == std::string::npos);
  CHECK(from->describe().find("open-sesame") == std::string::npos);
}
