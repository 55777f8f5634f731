#include <etlantic/tool/command_line.hpp>

#include "sample_program.hpp"
#include "support/catch.hpp"

using namespace etlantic;
using namespace std::chrono_literals;

namespace {

command_line parsed(std::vector<const char*> arguments) {
  arguments.insert(arguments.begin(), "orders");
  return parse_command_line(static_cast<int>(arguments.size()), arguments.data());
}

std::string mistake(std::vector<const char*> arguments) {
  const command_line asked = parsed(std::move(arguments));
  return asked.mistake + " / " + asked.mistake_help;
}

}  // namespace

TEST_CASE("the commands and their options are understood") {
  CHECK(parsed({}).which == command::none);
  CHECK(parsed({"run"}).which == command::run);
  CHECK(parsed({"run"}).data_folder == ".");
  CHECK_FALSE(parsed({"run"}).once);
  CHECK(parsed({"run", "--once"}).once);
  CHECK(parsed({"run", "--for", "30s"}).at_most == 30s);
  CHECK(parsed({"run", "--for=5min", "--data", "d"}).data_folder == "d");
  CHECK(parsed({"run", "--progress", "json"}).progress == progress_display::json);
  CHECK(parsed({"run", "--workers", "4"}).workers == 4);
  CHECK(parsed({"run"}).workers == 0);
  CHECK(parsed({"run", "--profile-stages"}).profile_stages);
  CHECK(parsed({"run", "--embedded-kafka", "records"}).embedded_kafka == "records");
  CHECK(parsed({"run"}).embedded_kafka.empty());
  CHECK(parsed({"run"}).accepted_batch == -1);
  CHECK(parsed({"run", "--accept-batch", "0"}).accepted_batch == 0);
  CHECK(parsed({"run", "--profile", "p.yaml"}).profile_file == "p.yaml");
  CHECK(parsed({"validate", "--json"}).json);
  CHECK(parsed({"plan", "--json", "--profile", "p.yaml"}).which == command::plan);
  CHECK(parsed({"correct", "--json", "--data", "d"}).which == command::correct);
  CHECK(parsed({"--version"}).version);
  CHECK(parsed({"--help"}).help);
  CHECK(parsed({"run", "-h"}).help);
}

TEST_CASE("quarantine takes an action, ids and filters in any order") {
  const command_line asked =
      parsed({"quarantine", "--json", "redrive", "a1", "--reason", "missing", "b2", "--limit", "5k", "--dry-run"});
  CHECK(asked.mistake.empty());
  CHECK(asked.json);
  CHECK(asked.quarantine.action == "redrive");
  CHECK(asked.quarantine.ids == std::vector<std::string>{"a1", "b2"});
  CHECK(asked.quarantine.reason == "missing");
  CHECK(asked.quarantine.limit == 5000);
  CHECK(asked.quarantine.dry_run);
  CHECK(mistake({"quarantine", "list", "--limit", "0"}) ==
        "--limit needs a number of rows, not \"0\" / write a whole number: 100000, 100k, 2M");
  CHECK(mistake({"quarantine", "rediver", "--all"}) == "quarantine cannot \"rediver\" / did you mean \"redrive\"?");
  CHECK(mistake({"quarantine", "list", "--repaired", "f"}) ==
        "--all, --dry-run and --repaired are for redrive / leave them out");
}

TEST_CASE("mistakes on the command line are named with what was probably meant") {
  CHECK(mistake({"run", "--profile"}) == "--profile needs a value behind it / --help shows how to use it");
  CHECK(mistake({"run", "--data="}) == "--data needs a value behind it / --help shows how to use it");
  CHECK(mistake({"rnu"}) == "there is no command \"rnu\" / did you mean \"run\"?");
  CHECK(mistake({"run", "--onec"}) == "\"run\" has no option --onec / did you mean \"--once\"?");
  CHECK(mistake({"run", "--profil=p.yaml"}) == "\"run\" has no option --profil / did you mean \"--profile\"?");
  CHECK(mistake({"run", "p.yaml"}) == "\"p.yaml\" is one argument too many / a profile is named by --profile FILE");
  CHECK(mistake({"run", "--once", "--for", "3s"}) == "--once and --for exclude each other / --once ends by itself");
  CHECK(mistake({"run", "--for", "3"}) ==
        "--for needs a length of time, not \"3\" / write a whole number and a unit: 250ms, 10s, 5min, 1h, 1d");
  CHECK(mistake({"run", "--for", "0s"}).starts_with("--for needs a length of time"));
  CHECK(mistake({"run", "--workers", "0"}) ==
        "--workers needs a number from 1 to 1024, not \"0\" / without it every core is used");
  CHECK(mistake({"run", "--workers", "all"}).starts_with("--workers needs a number"));
  CHECK(mistake({"run", "--accept-batch", "last"}) ==
        "--accept-batch needs the id of a batch, not \"last\" / a query that a quality gate paused says which");
  CHECK(mistake({"run", "--progress", "jsno"}) == "--progress cannot be \"jsno\" / did you mean \"json\"?");
  CHECK(mistake({"run", "--profile", "p.yaml", "--data", "."}).starts_with("--profile and --data exclude each other"));
  CHECK(mistake({"run", "--profile"}).starts_with("--profile"));
  CHECK(mistake({"plan", "--once"}).starts_with("\"plan\" has no option --once"));
  CHECK(mistake({"run", "plan"}) != " / ");
}

TEST_CASE("the commands that look at a query's checkpoint are understood") {
  CHECK(parsed({"status", "--json", "--checkpoint", "c"}).which == command::status);
  CHECK(parsed({"status", "--checkpoint", "c"}).checkpoint == "c");
  CHECK_FALSE(parsed({"stop"}).stop_how);
  CHECK(parsed({"stop"}).stop_wait == 1min);
  CHECK(parsed({"stop", "--how", "drain", "--wait", "0s"}).stop_how == stop_policy::drain);
  CHECK(parsed({"stop", "--how", "at_once", "--wait", "0s"}).stop_wait == 0s);
  CHECK(parsed({"report"}).reports.last == 1);
  CHECK(parsed({"report", "--last", "5"}).reports.last == 5);
  CHECK(parsed({"report", "--number", "7", "--compare", "previous"}).reports.compare == -1);
  CHECK(parsed({"report", "--compare", "3", "--json"}).reports.compare == 3);

  CHECK(mistake({"stop", "--how", "drian"}) == "--how cannot be \"drian\" / did you mean \"drain\"?");
  CHECK(mistake({"stop", "--wait", "soon"}).starts_with("--wait needs a length of time, not \"soon\""));
  CHECK(mistake({"report", "--last", "0"}).starts_with("--last needs a number from 1 on, not \"0\""));
  CHECK(mistake({"report", "--compare", "x"}).starts_with("--compare needs a number from 1 on, or previous"));
  CHECK(mistake({"report", "--compare", "1", "--last", "2"}).starts_with("--compare and --last exclude each other"));
  CHECK(mistake({"status", "--checkpoint", "c", "--profile", "p"}).starts_with("--checkpoint excludes --profile"));
  CHECK(mistake({"staus"}) == "there is no command \"staus\" / did you mean \"status\"?");
}

TEST_CASE("checkpoint is told what to do by the word behind it") {
  CHECK(parsed({"checkpoint", "inspect", "--json"}).action == "inspect");
  CHECK(parsed({"checkpoint", "inspect", "--json"}).json);
  CHECK(parsed({"checkpoint", "verify", "--checkpoint", "d"}).checkpoint == "d");
  const command_line rewind = parsed({"checkpoint", "rewind", "--to", "7", "--confirm", "--profile", "p.yaml"});
  CHECK(rewind.to_batch == 7);
  CHECK(rewind.confirmed);
  CHECK(rewind.profile_file == "p.yaml");
  CHECK_FALSE(parsed({"checkpoint", "rewind", "--to", "0"}).confirmed);
  CHECK(mistake({"checkpoint"}) == "\"checkpoint\" needs to be told what to do / inspect, verify, rewind or export");
  CHECK(mistake({"checkpoint", "inspct"}) == "\"checkpoint\" cannot \"inspct\" / did you mean \"inspect\"?");
  CHECK(mistake({"checkpoint", "rewind"}).starts_with("\"checkpoint rewind\" needs --to and the number of a batch"));
  CHECK(mistake({"checkpoint", "rewind", "--to", "x"}).starts_with("\"checkpoint rewind\" needs --to"));
  CHECK(mistake({"checkpoint", "verify", "--confirm"}).starts_with("--to and --confirm belong to"));
  CHECK(mistake({"checkpoint", "verify", "all"}).starts_with("\"all\" is one argument too many"));
}

TEST_CASE("table takes the folder of a table and no profile") {
  const command_line asked = parsed({"table", "vacuum", "--retention", "2d", "lake/t/", "--dry-run", "--json"});
  CHECK(asked.mistake.empty());
  CHECK(asked.json);
  CHECK(asked.table.action == "vacuum");
  CHECK(asked.table.path == "lake/t");
  CHECK(asked.table.retention == 48h);
  CHECK(asked.table.dry_run);
  CHECK(parsed({"table", "optimize", "t", "--target-size", "64MiB", "--rows", "500k"}).table.target_size == 64 << 20);
  CHECK(parsed({"table", "show", "t", "--at", "3"}).table.at == 3);
  CHECK(mistake({"table", "show", "t", "--at", "x"}).starts_with("--at needs the number of a version"));
  CHECK(mistake({"table", "vacuum", "t", "--retention", "7"}).starts_with("--retention needs a length of time"));
}

TEST_CASE("help is given whatever else is on the line") {
  CHECK(parsed({"run", "--nonsense", "--help"}).mistake.empty());
  CHECK(parsed({"run", "--nonsense", "--help"}).help);
}

TEST_CASE("the help tells a newcomer what the pipeline reads and writes and how to use it") {
  const std::string text = help_text(sample::customer_orders(), "orders");
  for (const char* expected :
       {"CustomerOrders: a streaming pipeline.",
        "usage: orders run|validate|plan|correct|status|stop|report|checkpoint|quarantine|table [options]\n",
        "  order_events: OrderEvent 1.2.0\n      id text, customer_id int64, order_total decimal(18,2),",
        "  customer_order_windows: CustomerOrderWindow 1.0.0\n",
        "  rejected_order_events: rejected<OrderEvent> 1.2.0\n",
        "  orders run --once\n      reads order_events.ndjson here, writes customer_orders.db,",
        "  0  done, and every row is accounted for\n", "  8  no connection, or not allowed in\n"})
    CHECK_THAT(text, Catch::Contains(expected));
  CHECK_THAT(help_text(sample::customer_orders(), "orders", command::run), Catch::Contains("--progress KIND"));
  CHECK(version_text(sample::customer_orders()) == "CustomerOrders 2.0.0 (etlantic 0.1.0)\n");
}
