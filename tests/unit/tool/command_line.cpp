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
  CHECK(parsed({"run", "--profile", "p.yaml"}).profile_file == "p.yaml");
  CHECK(parsed({"validate", "--json"}).json);
  CHECK(parsed({"plan", "--json", "--profile", "p.yaml"}).which == command::plan);
  CHECK(parsed({"--version"}).version);
  CHECK(parsed({"--help"}).help);
  CHECK(parsed({"run", "-h"}).help);
}

TEST_CASE("mistakes on the command line are named with what was probably meant") {
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
  CHECK(mistake({"run", "--progress", "jsno"}) == "--progress cannot be \"jsno\" / did you mean \"json\"?");
  CHECK(mistake({"run", "--profile", "p.yaml", "--data", "."}).starts_with("--profile and --data exclude each other"));
  CHECK(mistake({"run", "--profile"}).starts_with("--profile"));
  CHECK(mistake({"plan", "--once"}).starts_with("\"plan\" has no option --once"));
  CHECK(mistake({"run", "plan"}) != " / ");
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

TEST_CASE("help is given whatever else is on the line") {
  CHECK(parsed({"run", "--nonsense", "--help"}).mistake.empty());
  CHECK(parsed({"run", "--nonsense", "--help"}).help);
}

TEST_CASE("the help tells a newcomer what the pipeline reads and writes and how to use it") {
  const std::string text = help_text(sample::customer_orders(), "orders");
  for (const char* expected :
       {"CustomerOrders: a streaming pipeline.", "usage: orders run|validate|plan|checkpoint [options]\n",
        "  order_events: OrderEvent 1.2.0\n      id text, customer_id int64, order_total decimal(18,2),",
        "  customer_order_windows: CustomerOrderWindow 1.0.0\n",
        "  rejected_order_events: rejected<OrderEvent> 1.2.0\n",
        "  orders run --once\n      reads order_events.ndjson here, writes customer_orders.db,",
        "  0  done, and every row is accounted for\n", "  8  no connection, or not allowed in\n"})
    CHECK_THAT(text, Catch::Contains(expected));
  CHECK_THAT(help_text(sample::customer_orders(), "orders", command::run), Catch::Contains("--progress KIND"));
  CHECK(version_text(sample::customer_orders()) == "CustomerOrders 2.0.0 (etlantic 0.1.0)\n");
}
