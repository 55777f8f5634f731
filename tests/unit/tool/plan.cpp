#include <etlantic/tool/delivery.hpp>
#include <etlantic/tool/plan.hpp>
#include <etlantic/tool/profile_check.hpp>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "sample_program.hpp"
#include "support/catch.hpp"
#include "support/data.hpp"

using namespace etlantic;

namespace {

std::string golden(const std::string& name) {
  const std::filesystem::path path = test::golden_folder() / "tool" / name;
  std::ifstream file(path);
  INFO(path.string());
  REQUIRE(file);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

// The fingerprint has its own tests; the documents are compared without it.
std::string without_fingerprint(std::string text, const program& what) {
  const std::string fingerprint = plan_fingerprint(what);
  const std::size_t at = text.find(fingerprint);
  REQUIRE(at != std::string::npos);
  return text.replace(at, fingerprint.size(), "FINGERPRINT");
}

profile_reading local_profile() {
  profile_reading reading = parse_profile(
      "name: local\n"
      "assets:\n"
      "  order_events: {connector: file, path: 'data/*.ndjson'}\n"
      "  customer_order_windows: {connector: sqlite, path: orders.db, password: hunter2}\n"
      "  rejected_order_events: {connector: console}\n"
      "trigger: {kind: interval, interval: 10s}\n"
      "checkpoint: {path: orders.checkpoint}\n",
      "local.yaml");
  complete_bindings(reading, sample::customer_orders(), sample::connectors);
  return reading;
}

}  // namespace

TEST_CASE("the plan of a pipeline is the same text every time") {
  const program what = sample::customer_orders();
  const profile where = local_profile().settings;
  CHECK(without_fingerprint(plan_text(what, &where), what) == golden("plan.txt"));
  CHECK(without_fingerprint(plan_text(what, nullptr), what) == golden("plan_without_profile.txt"));
  CHECK(without_fingerprint(plan_json(what, &where), what) == golden("plan.json"));
  CHECK(plan_text(what, &where).find("hunter2") == std::string::npos);
  CHECK(plan_json(what, &where).find("hunter2") == std::string::npos);
}

TEST_CASE("a plan says what is taken for granted where processes share an input") {
  const program what = sample::customer_orders();
  profile where = local_profile().settings;
  CHECK(plan_json(what, &where).find("assumption\": \"all") == std::string::npos);
  where.assets.at("order_events").intake = intake_mode::group;
  where.assets.at("order_events").partitioned_by = {"customer_id", "region"};
  const std::string sentence = "all rows of one 'customer_id, region' are in one partition, for ever";
  CHECK(plan_text(what, &where).find("assumes " + sentence + "\n") != std::string::npos);
  CHECK(plan_json(what, &where).find("\"intake\": \"group\"") != std::string::npos);
  CHECK(plan_json(what, &where).find("\"assumption\": \"" + sentence + "\"") != std::string::npos);
}

TEST_CASE("a plan says that each split has a watermark") {
  const program what = sample::customer_orders();
  profile where = local_profile().settings;
  CHECK(plan_json(what, &where).find("watermark_per") == std::string::npos);
  where.assets.at("order_events").watermark_per = watermark_unit::split;
  where.assets.at("order_events").idle_after = std::chrono::seconds{30};
  const std::string text = plan_text(what, &where);
  CHECK(text.find("of each split; the slowest holds the input's back\n") != std::string::npos);
  CHECK(text.find("after 30s without rows, when it holds no watermark back; each split by itself\n") !=
        std::string::npos);
  CHECK(plan_json(what, &where).find("\"watermark_per\": \"split\"") != std::string::npos);
  CHECK(plan_fingerprint(what) == plan_fingerprint(sample::customer_orders()));
}

TEST_CASE("the fingerprint covers parameters and settings, and nothing of the profile") {
  const program what = sample::customer_orders();
  CHECK(plan_fingerprint(what) == plan_fingerprint(sample::customer_orders()));
  program other = what;
  other.nodes[1].parameters[0].value = "20min";
  CHECK(plan_fingerprint(other) != plan_fingerprint(what));
  other = what;
  other.nodes[1].operators[1].settings[0].value = "status == refunded";
  CHECK(plan_fingerprint(other) != plan_fingerprint(what));
}

TEST_CASE("delivery is stated per source and sink, never promised in general") {
  profile with_checkpoint;
  with_checkpoint.checkpoint = "state";
  const auto between = [&](const char* from, const char* to, const profile& where) {
    return delivery_between({.connector = from, .options = {}}, {.connector = to, .options = {}}, where).guarantee;
  };
  CHECK(between("file", "sqlite", with_checkpoint) == "effectively exactly once");
  CHECK(between("file", "delta", with_checkpoint) == "effectively exactly once");
  CHECK(between("file", "file", with_checkpoint) == "effectively exactly once");
  CHECK(between("file", "console", with_checkpoint) == "at least once");
  CHECK(between("kafka", "sqlite", with_checkpoint) == "effectively exactly once");
  CHECK(between("kafka", "kafka", with_checkpoint) == "effectively exactly once");
  CHECK(between("kafka", "kafka", profile{}) == "at least once");
  const auto of_kafka = [&](const std::string& option, const std::string& value, const profile& where) {
    return delivery_between({.connector = "kafka", .options = {{option, value}}},
                            {.connector = "sqlite", .options = {}}, where);
  };
  CHECK(of_kafka("start", "latest", profile{}).guarantee == "at most once");
  CHECK(of_kafka("start", "latest", with_checkpoint).guarantee == "effectively exactly once");
  CHECK(of_kafka("on_data_loss", "continue", with_checkpoint).assumption.find("topics keep what was not read yet") !=
        std::string::npos);
  CHECK(of_kafka("on_data_loss", "fail", with_checkpoint).assumption.find("not read yet") == std::string::npos);
  CHECK(delivery_between({.connector = "file", .options = {}},
                         {.connector = "kafka", .options = {{"delivery", "at_least_once"}}}, with_checkpoint)
            .guarantee == "at least once");
  CHECK(between("file", "memory", with_checkpoint) == "not stated");
  CHECK(between("memory", "sqlite", with_checkpoint) == "not stated");
  CHECK(between("carrier pigeon", "sqlite", with_checkpoint) == "not stated");
  CHECK(between("file", "carrier pigeon", with_checkpoint) == "not stated");
  CHECK(between("file", "sqlite", profile{}) == "at least once");
}

TEST_CASE("rows of a load come from the extracts that reach it") {
  program what = sample::customer_orders();
  program_node second = sample::orders_extract();
  second.name = "more_orders";
  what.nodes.push_back(second);
  what.nodes.push_back(sample::load_of("more", "more_orders", sample::order_event, {4, 0}, output_mode::append));
  CHECK(extracts_of(what, 2) == std::vector<std::size_t>{0});
  CHECK(extracts_of(what, 5) == std::vector<std::size_t>{4});
}
