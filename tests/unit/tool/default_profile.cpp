#include <etlantic/tool/default_profile.hpp>
#include <etlantic/tool/profile_check.hpp>

#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "sample_program.hpp"
#include "support/catch.hpp"

using namespace etlantic;

TEST_CASE("names of pipelines become names of files") {
  CHECK(snake_case("CustomerOrders") == "customer_orders");
  CHECK(snake_case("HTTPLog2Lines") == "http_log2_lines");
  CHECK(snake_case("orders") == "orders");
  CHECK(snake_case("../a b/c") == "___a_b_c");
  CHECK(snake_case("ABC") == "abc");
}

TEST_CASE("the built-in profile reads NDJSON and writes SQLite beside it") {
  const program what = sample::customer_orders();
  const profile_reading reading = default_profile(what, "/data");
  const auto& assets = reading.settings.assets;
  CHECK(assets.at("order_events").connector == "file");
  CHECK(assets.at("order_events").options.at("path") == "/data/order_events.ndjson");
  CHECK(assets.at("customer_order_windows").connector == "sqlite");
  CHECK(assets.at("customer_order_windows").options.at("path") == "/data/customer_orders.db");
  CHECK(assets.at("customer_order_windows").options.at("table") == "customer_order_windows");
  CHECK(reading.settings.checkpoint == "/data/customer_orders.checkpoint");
  CHECK(reading.settings.trigger.kind == trigger_kind::continuous);
  CHECK(check_profile(what, reading, sample::connectors).found.empty());
  CHECK(default_profile(what, ".").settings.checkpoint == "customer_orders.checkpoint");
}

TEST_CASE("a folder with the asset's name is read if there is no such file") {
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("etlantic_default_profile_" + std::to_string(::getpid()));
  std::filesystem::create_directories(folder / "order_events");
  const program what = sample::customer_orders();
  const auto bound = [&] {
    return default_profile(what, folder.string()).settings.assets.at("order_events").options.at("path");
  };
  CHECK(bound() == (folder / "order_events").string());
  CHECK(check_default_inputs(what, default_profile(what, folder.string())).valid());
  std::ofstream(folder / "order_events.ndjson") << "";
  CHECK(bound() == (folder / "order_events.ndjson").string());
  std::filesystem::remove_all(folder);
  CHECK(to_text(check_default_inputs(what, default_profile(what, folder.string()))) ==
        "error PMCFG201: there is no input for the asset \"order_events\"\n"
        "  where: " +
            (folder / "order_events.ndjson").string() +
            "\n"
            "  help: put order_events.ndjson there, name another folder by --data DIR, or a profile by --profile FILE\n"
            "1 error, 0 warnings\n");
}
