#include "support/catch.hpp"
#include "unit/tool/sample_program.hpp"

#include <etlantic/tool/profile_check.hpp>
#include <etlantic/tool/reference.hpp>

using namespace etlantic;

namespace {

constexpr connector_option topic_options[] = {{"topics", true, "names"}, {"librdkafka", false, "settings"}};

std::vector<option_problem> problems(const asset_binding& binding) {
  std::vector<option_problem> found;
  for (const auto& [name, value] : binding.options) {
    if (name == "librdkafka.fetch.siez")
      found.push_back({name, "no such setting", "did you mean \"fetch.size\"?", true});
    if (name == "topics" && value == "two,words here") found.push_back({name, "no topic", "without blanks", false});
  }
  return found;
}

const connector with_members{
    "topics",      topic_options,
    topic_options, [](const asset_binding&) -> result<std::shared_ptr<source>> {
      return std::shared_ptr<source>(); },
    nullptr,       nullptr,
    false,         problems,
    nullptr};

profile_reading read(const std::string& asset, const std::string& more = {}) {
  return parse_profile("assets:\n  order_events: " + asset + "\n" + more, "/p/local.yaml");
}

std::string told(profile_reading reading) {
  program what;
  what.nodes.push_back(sample::orders_extract());
  report all = reading.found;
  all.add(check_profile(what, reading, {&with_members, 1}));
  all.sort();
  std::string text;
  for (const diagnostic& each : all.found)
    if (each.weight == severity::error)
      text += std::to_string(each.place.line) + ":" + std::to_string(each.place.column) + " " + each.code + " " +
              each.path + ": " + each.message + " / " + each.help + "\n";
  return text;
}

}  // namespace

TEST_CASE("members of an option become options, and a list becomes one value") {
  const auto reading =
      read("{connector: topics, topics: [a, b], librdkafka: {sasl.password: \"env:P\", client.id: me}}");
  CHECK(reading.settings.assets.at("order_events").options ==
        std::map<std::string, std::string>{
            {"topics", "a,b"}, {"librdkafka.sasl.password", "env:P"}, {"librdkafka.client.id", "me"}});
  CHECK(told(reading).empty());
}

TEST_CASE("what a connector says about its options is told at their places") {
  CHECK(told(read("{connector: topics, topics: [two, words here], librdkafka: {fetch.siez: 1}}")) ==
        "2:37 PMCFG312 assets.order_events.topics: no topic / without blanks\n"
        "2:77 PMCFG323 assets.order_events.librdkafka.fetch.siez: no such setting / did you mean \"fetch.size\"?\n");
}

TEST_CASE("a resource may hold them too") {
  const auto reading = read("{resource: cluster, topics: orders}",
                            "resources:\n  cluster: {connector: topics, librdkafka: {fetch.siez: 1, client.id: me}}\n");
  CHECK(reading.settings.assets.at("order_events").options.at("librdkafka.client.id") == "me");
  CHECK(told(reading) ==
        "4:45 PMCFG323 resources.cluster.librdkafka.fetch.siez: no such setting / did you mean \"fetch.size\"?\n");
}

TEST_CASE("other options stay single values") {
  CHECK(told(read("{connector: topics, topics: {a: b}}")).find("PMCFG311") != std::string::npos);
  CHECK(told(read("{connector: [topics], topics: a}")).find("PMCFG311") != std::string::npos);
  CHECK(told(read("{connector: topics, topics: [[a]]}")).find("PMCFG311") != std::string::npos);
  CHECK(told(read("{connector: topics, topics: a, librdkafka: {x: [1]}}")).find("PMCFG311") != std::string::npos);
  CHECK(told(read("{connector: topics, topics: []}")).find("PMCFG311") != std::string::npos);
}

TEST_CASE("secrets of librdkafka are secrets by their names") {
  for (const char* name : {"librdkafka.sasl.password", "librdkafka.ssl.key.pem", "librdkafka.ssl.key.password",
                           "librdkafka.sasl.oauthbearer.config", "librdkafka.sasl.oauthbearer.client.secret"})
    CHECK(printable_option(name, "hush") == "***");
  CHECK(printable_option("librdkafka.client.id", "me") == "me");
}
