#include "support/catch.hpp"

#include <etlantic/connect/kafka/ledger_record.hpp>
#include <etlantic/connect/kafka/settings.hpp>
#include <etlantic/connect/kafka/sink.hpp>
#include <etlantic/connect/kafka/source.hpp>

using namespace etlantic;

namespace {

asset_binding source_with(std::map<std::string, std::string> more) {
  asset_binding made{.connector = "kafka", .options = {{"bootstrap_servers", "localhost:1"}, {"topics", "orders"}}};
  for (auto& [name, value] : more) made.options[name] = value;
  return made;
}

std::vector<std::string> problems(std::map<std::string, std::string> more) {
  std::vector<std::string> texts;
  for (const option_problem& each : kafka::problems_of_source(source_with(std::move(more))))
    texts.push_back(each.option + (each.is_unknown ? " unknown: " : " wrong: ") + each.message + " / " + each.help);
  return texts;
}

std::string only(std::map<std::string, std::string> more) {
  const auto found = problems(std::move(more));
  REQUIRE(found.size() == 1);
  return found[0];
}

}  // namespace

TEST_CASE("any setting of librdkafka may be given") {
  CHECK(problems({{"librdkafka.security.protocol", "SASL_SSL"},
                  {"librdkafka.sasl.mechanism", "PLAIN"},
                  {"librdkafka.sasl.password", "env:KAFKA_PASSWORD"},
                  {"librdkafka.fetch.wait.max.ms", "20"}})
            .empty());
  CHECK(kafka::client_settings_of(source_with({{"librdkafka.fetch.wait.max.ms", "20"}}), kafka::client_role::consumer)
            ->properties == std::map<std::string, std::string>{{"fetch.wait.max.ms", "20"}});
}

TEST_CASE("a setting that librdkafka does not have is told with the one that was meant") {
  const std::string told = only({{"librdkafka.sasl.pasword", "x"}});
  CHECK(told.starts_with("librdkafka.sasl.pasword unknown: librdkafka "));
  CHECK(told.ends_with("has no setting sasl.pasword / did you mean \"sasl.password\"?"));
}

TEST_CASE("a value that librdkafka does not take is told, and a secret is not") {
  CHECK(only({{"librdkafka.fetch.wait.max.ms", "soon"}}).find("fetch.wait.max.ms") != std::string::npos);
  CHECK(only({{"librdkafka.security.protocol", "tls"}}).find("cannot be that") != std::string::npos);
  for (const std::string& each : problems({{"librdkafka.ssl.key.pem", "hush hush"}}))
    CHECK(each.find("hush") == std::string::npos);
}

TEST_CASE("settings that the connector decides are refused with the reason") {
  CHECK(only({{"librdkafka.enable.auto.commit", "true"}}) ==
        "librdkafka.enable.auto.commit wrong: the setting enable.auto.commit is not for profiles / the checkpoint says "
        "how far the query has read; offsets of the group only show it");
  for (const char* name : {"group.id", "isolation.level", "auto.offset.reset", "bootstrap.servers", "transactional.id",
                           "debug", "enable.partition.eof"})
    CHECK(only({{std::string("librdkafka.") + name, "x"}}).find("is not for profiles") != std::string::npos);
}

TEST_CASE("values of the connector's own options are looked at") {
  CHECK(only({{"on_data_loss", "ignore"}}) ==
        "on_data_loss wrong: the option on_data_loss is `ignore` / write fail or continue");
  CHECK(only({{"topics", "orders,or ders"}}).find("`or ders` cannot be the name of a topic") != std::string::npos);
  CHECK(only({{"topics", "orders,orders"}}).find("twice") != std::string::npos);
  CHECK(only({{"start", "yesterday"}}).find("start") == 0);
  CHECK(only({{"timeout_ms", "30s"}}).find("milliseconds") != std::string::npos);
}

TEST_CASE("a source or sink with wrong options is not made") {
  const auto source = make_kafka_source(source_with({{"librdkafka.debug", "all"}}));
  REQUIRE_FALSE(source.ok());
  CHECK(source.error().code == "PMSTREAM429");
  CHECK_FALSE(make_kafka_sink({.connector = "kafka", .options = {{"topic", "t"}}}).ok());
  const auto sink = make_kafka_sink(
      {.connector = "kafka",
       .options = {{"bootstrap_servers", "localhost:1"}, {"topic", "t"}, {"delivery", "at_most_once"}}});
  REQUIRE_FALSE(sink.ok());
  CHECK(sink.error().help == "write exactly_once or at_least_once");
}

TEST_CASE("records of the ledger keep their form") {
  const publisher who{"q-1", "cu\"rated"};
  CHECK(kafka::ledger_key(who) == R"(["q-1","cu\"rated"])");
  const std::string value = kafka::ledger_value(who, 7);
  CHECK(value == R"({"version":1,"query":"q-1","load":"cu\"rated","batch":7})");
  CHECK(kafka::batch_in_ledger(value, kafka::ledger_prefix(who)) == 7);
  CHECK_FALSE(kafka::batch_in_ledger(value, kafka::ledger_prefix({"q-1", "other"})));
  CHECK_FALSE(kafka::batch_in_ledger("", kafka::ledger_prefix(who)));
  CHECK_FALSE(kafka::batch_in_ledger(value.substr(0, value.size() - 1), kafka::ledger_prefix(who)));
}

TEST_CASE("a folder of records is for the broker in the process only") {
  CHECK(only({{"embedded_folder", "records"}}).starts_with("embedded_folder wrong: the option embedded_folder is for"));
  CHECK(problems({{"embedded_folder", "records"}, {"bootstrap_servers", "embedded"}}).empty());
}
