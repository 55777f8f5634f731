#include "support/catch.hpp"
#include "unit/tool/sample_program.hpp"

#include <etlantic/tool/profile_check.hpp>

#include <string>

using namespace etlantic;

namespace {

/// The mistakes that `validate` finds with the connectors of this program, one a line.
std::string mistakes(const std::string& read, const std::string& written) {
  const program what = sample::customer_orders();
  profile_reading reading =
      parse_profile("assets:\n  order_events: " + read + "\n  customer_order_windows: " + written +
                        "\n  rejected_order_events: {connector: console}\ncheckpoint: c\n",
                    "/p/local.yaml");
  complete_bindings(reading, what, available_connectors());
  report all = reading.found;
  all.add(check_profile(what, reading, available_connectors()));
  all.sort();
  std::string text;
  for (const diagnostic& each : all.found)
    if (each.weight == severity::error)
      text += std::to_string(each.place.line) + ":" + std::to_string(each.place.column) + " " + each.code + " " +
              each.path + ": " + each.message + "\n";
  return text;
}

const std::string orders = "{connector: file, path: orders.ndjson}";
const std::string table = "{connector: sqlite, path: orders.db}";

}  // namespace

TEST_CASE("values that connectors refuse are found before anything starts, each at its place") {
  CHECK(mistakes(orders, table).empty());
  CHECK(mistakes("{connector: file, path: orders.ndjson, tail: maybe, max_line_bytes: 0}", table) ==
        "2:56 PMCFG312 assets.order_events.tail: the option `tail` is `maybe`\n"
        "2:69 PMCFG312 assets.order_events.max_line_bytes: the option `max_line_bytes` is `0`\n");
  CHECK(mistakes("{connector: file, path: orders.ndjson, format: parquet}", table) ==
        "2:56 PMCFG312 assets.order_events.format: there is no reader for the format `parquet`\n");
  CHECK(mistakes(orders, "{connector: sqlite, path: orders.db, mode: apend, busy_timeout_ms: -1}") ==
        "3:64 PMCFG312 assets.customer_order_windows.mode: option mode of the sqlite sink is `apend`\n"
        "3:77 PMCFG312 assets.customer_order_windows.busy_timeout_ms: option busy_timeout_ms of the sqlite sink is "
        "`-1`\n");
  CHECK(mistakes(orders, "{connector: sqlite, path: orders.db, table: sqlite_orders}") ==
        "3:64 PMCFG312 assets.customer_order_windows.table: option table of the sqlite sink is `sqlite_orders`\n");
  CHECK(mistakes(orders, "{connector: console, rows: many}") ==
        "3:48 PMCFG312 assets.customer_order_windows.rows: option rows of the console sink is `many`\n");
  CHECK(mistakes(orders, "{connector: file, path: out, format: xml}") ==
        "3:56 PMCFG312 assets.customer_order_windows.format: option format of the file sink is `xml`\n");
}

TEST_CASE("references are not looked at before they are resolved, and what is missing is told once") {
  CHECK(mistakes("{connector: file, path: \"env:ORDERS\", tail: \"env:TAIL\"}", table).empty());
  CHECK(mistakes("{connector: file, tail: true}", table) ==
        "2:3 PMCFG322 assets.order_events: the connector file needs the option \"path\"\n");
}
