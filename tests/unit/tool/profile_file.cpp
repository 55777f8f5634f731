#include <etlantic/tool/profile_check.hpp>
#include <etlantic/tool/profile_file.hpp>
#include <etlantic/tool/yaml_tree.hpp>

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "sample_program.hpp"
#include "support/catch.hpp"

using namespace etlantic;
using namespace std::chrono_literals;

namespace {

// What the command line would say about this profile of the sample pipeline.
std::string mistakes(const std::string& yaml, const std::string& file = "local.yaml") {
  const program what = sample::customer_orders();
  profile_reading reading = parse_profile(yaml, file);
  if (reading.usable) {
    complete_bindings(reading, what, sample::connectors);
    reading.found.add(check_profile(what, reading, sample::connectors));
    reading.found.sort();
  }
  std::string text;
  for (const diagnostic& each : reading.found.found) text += to_text(each);
  return text;
}

const std::string good_assets =
    "assets:\n"
    "  order_events: {connector: file, path: 'data/*.ndjson'}\n"
    "  customer_order_windows: {connector: sqlite, path: orders.db}\n"
    "  rejected_order_events: {connector: console}\n";
const std::string checkpoint = "checkpoint: {path: ./orders.checkpoint}\n";

}  // namespace

TEST_CASE("a time zone that the system does not have is an error of the definition") {
  program what = sample::customer_orders();
  what.nodes[0].zones = {"Mars/Olympus"};
  const profile_reading reading = parse_profile(good_assets + checkpoint, "local.yaml");
  const report found = check_profile(what, reading, sample::connectors);
  const auto told = std::find_if(found.found.begin(), found.found.end(),
                                 [](const diagnostic& each) { return each.code == code::unknown_zone; });
  REQUIRE(told != found.found.end());
  CHECK(told->weight == severity::error);
  CHECK(told->path == what.nodes[0].name);
  CHECK(told->message.starts_with("time zone 'Mars/Olympus' is not in this system's zone data, "));
}

TEST_CASE("an asset that is read says how far ahead times may lie and when it is idle") {
  const std::string assets = good_assets;
  const auto with = [&](const std::string& asset, const std::string& keys) {
    std::string changed = assets;
    const std::size_t brace = changed.find('}', changed.find("  " + asset));
    return changed.insert(brace, ", " + keys) + checkpoint;
  };
  const profile_reading reading =
      parse_profile(with("order_events", "reject_future: 1h, idle_after: 30s"), "local.yaml");
  CHECK(reading.found.found.empty());
  const asset_binding& orders = reading.settings.assets.at("order_events");
  CHECK(orders.reject_future == 1h);
  CHECK(orders.idle_after == 30s);
  CHECK(orders.options.size() == 1);
  CHECK(mistakes(with("order_events", "reject_future: soon")).find("\"soon\" is not a length of time") !=
        std::string::npos);
  CHECK(mistakes(with("order_events", "idle_after: 0s")).find("\"0s\" is not a length of time") != std::string::npos);
  CHECK(mistakes(with("rejected_order_events", "idle_after: 1s")).find("only what is read has an event time") !=
        std::string::npos);
  // The sample pipeline has a watermark on a field of its extract; without it there is nothing to guard.
  program what = sample::customer_orders();
  const auto unguarded = [&] {
    const report found = check_profile(what, reading, sample::connectors);
    return std::any_of(found.found.begin(), found.found.end(),
                       [](const diagnostic& each) { return each.code == code::unguarded_future; });
  };
  for (program_node& node : what.nodes) node.watermarks.clear();
  CHECK(unguarded());
}

TEST_CASE("a load that wants a keyed table is warned about where every row is kept") {
  program what = sample::customer_orders();
  const auto warnings = [&](const std::string& connector) {
    const profile_reading reading = parse_profile(
        "assets:\n  order_events: {connector: file, path: in}\n  customer_order_windows: {connector: " + connector +
            ", path: out}\n  rejected_order_events: {connector: file, path: rejected}\n" + checkpoint,
        "local.yaml");
    return to_text(check_profile(what, reading, sample::connectors));
  };
  CHECK_THAT(warnings("file"), !Catch::Contains("PMPLAN207"));
  what.nodes[2].bound_to = target::keyed_table;
  CHECK_THAT(warnings("file"), Catch::Contains("PMPLAN207") && Catch::Contains("warning") &&
                                   Catch::Contains("the load \"curated\" is declared to go into a keyed table") &&
                                   Catch::Contains("rows are replaced by key in sqlite"));
  CHECK_THAT(warnings("sqlite, table: t"), !Catch::Contains("PMPLAN207"));
}

TEST_CASE("a pipeline that keeps windows for a correction needs a checkpoint") {
  program what = sample::customer_orders();
  what.nodes[1].outputs[0].corrected = true;
  const auto found = [&](const std::string& end) {
    return to_text(check_profile(what, parse_profile(good_assets + end, "local.yaml"), sample::connectors));
  };
  CHECK_THAT(found(checkpoint), !Catch::Contains("PMPLAN208"));
  CHECK_THAT(found(""),
             Catch::Contains("error PMPLAN208") && Catch::Contains("the step \"aggregates\" keeps the windows"));
}

TEST_CASE("a full profile is read") {
  const profile_reading reading = parse_profile(
      "name: local\n"
      "resources:\n"
      "  orders_db: {connector: sqlite, path: orders.db}\n"
      "assets:\n"
      "  order_events: {connector: file, path: \"data/*.ndjson\"}\n"
      "  customer_order_windows: {resource: orders_db, table: windows}\n"
      "  rejected_order_events: {resource: orders_db, table: rejected, path: other.db}\n"
      "trigger: {kind: interval, interval: 10s}\n"
      "checkpoint: {path: ./orders.checkpoint, interval: 30s, retained_batches: 25, retained_snapshots: 3, "
      "compression: zstd}\n"
      "limits: {max_rows_per_trigger: 100k, max_bytes_per_trigger: 64MiB, max_files_per_trigger: 100, "
      "max_reference_bytes: 2GiB}\n"
      "workers: 3\n"
      "no_data_batches: false\n"
      "on_overflow: fail\n"
      "watermark_policy: max\n",
      "local.yaml");
  CHECK(reading.found.found.empty());
  const profile& where = reading.settings;
  CHECK(where.name == "local");
  CHECK(where.assets.at("order_events").connector == "file");
  CHECK(where.assets.at("order_events").options.at("path") == "data/*.ndjson");
  CHECK(where.assets.at("customer_order_windows").connector == "sqlite");
  CHECK(where.assets.at("customer_order_windows").options.at("path") == "orders.db");
  CHECK(where.assets.at("customer_order_windows").options.at("table") == "windows");
  CHECK(where.assets.at("rejected_order_events").options.at("path") == "other.db");
  CHECK(where.trigger.kind == trigger_kind::interval);
  CHECK(where.trigger.interval == 10s);
  CHECK(where.checkpoint == "./orders.checkpoint");
  CHECK(where.retained_batches == 25);
  CHECK(where.retained_snapshots == 3);
  CHECK(where.compression == snapshot_compression::zstd);
  CHECK(where.snapshot_interval == 30s);
  CHECK(where.limits.max_rows == 100'000);
  CHECK(where.limits.max_bytes == std::int64_t{64} * 1024 * 1024);
  CHECK(where.limits.max_files == 100);
  CHECK(where.limits.max_reference_bytes == std::int64_t{2} << 30);
  CHECK(where.workers == 3);
  CHECK_FALSE(where.no_data_batches);
  CHECK(where.on_overflow == overflow_policy::fail);
  CHECK(where.watermarks == watermark_policy::max);
}

TEST_CASE("an input that processes share says by what it is partitioned") {
  const auto shared = [](const std::string& keys) {
    return parse_profile("assets: {orders: {connector: kafka, topics: orders, " + keys + "}}", "local.yaml");
  };
  const asset_binding one = shared("intake: group, partitioned_by: customer_id").settings.assets.at("orders");
  CHECK(one.intake == intake_mode::group);
  CHECK(one.partitioned_by == std::vector<std::string>{"customer_id"});
  CHECK(one.on_added_split == added_split_policy::fail);
  CHECK_FALSE(one.options.contains("intake"));
  const asset_binding two =
      shared("intake: group, partitioned_by: [a, b], on_added_partition: continue").settings.assets.at("orders");
  CHECK(two.partitioned_by == std::vector<std::string>{"a", "b"});
  CHECK(two.on_added_split == added_split_policy::go_on);
  CHECK(shared("start: earliest").settings.assets.at("orders").intake == intake_mode::planned);
  CHECK(to_text(shared("intake: groups").found).find("did you mean \"group\"") != std::string::npos);
  CHECK(to_text(shared("partitioned_by: [[a]]").found).find("must be a list of names") != std::string::npos);

  const auto with = [](const std::string& asset, const std::string& keys) {
    std::string changed = good_assets;
    const std::size_t brace = changed.find('}', changed.find("  " + asset));
    return mistakes(changed.insert(brace, ", " + keys) + checkpoint);
  };
  CHECK(with("order_events", "intake: group").find("what the connector file reads cannot be shared") !=
        std::string::npos);
  CHECK(with("order_events", "partitioned_by: a").find("no option \"partitioned_by\"") != std::string::npos);
  CHECK(with("order_events", "on_added_partition: continue").find("or write intake: group") != std::string::npos);
  for (const char* keys : {"intake: group", "partitioned_by: a", "on_added_partition: continue"})
    CHECK(with("rejected_order_events", keys).find("only what is read can be shared") != std::string::npos);
}

TEST_CASE("an asset that is read says whether each split has a watermark") {
  const auto with = [&](const std::string& asset, const std::string& keys) {
    std::string changed = good_assets;
    const std::size_t brace = changed.find('}', changed.find("  " + asset));
    return changed.insert(brace, ", " + keys) + checkpoint;
  };
  const auto unit = [&](const std::string& keys) {
    return parse_profile(with("order_events", keys), "local.yaml").settings.assets.at("order_events").watermark_per;
  };
  CHECK(mistakes(with("order_events", "watermark_per: split")).empty());
  CHECK(unit("watermark_per: split") == watermark_unit::split);
  CHECK(unit("watermark_per: input") == watermark_unit::input);
  CHECK(unit("tail: true") == watermark_unit::input);
  const std::string wrong = mistakes(with("order_events", "watermark_per: splitt"));
  CHECK(wrong.find("PMCFG312") != std::string::npos);
  CHECK(wrong.find("assets.order_events.watermark_per") != std::string::npos);
  CHECK(wrong.find("\"splitt\" is not what an input can have a watermark for") != std::string::npos);
  CHECK(wrong.find("did you mean \"split\"") != std::string::npos);
  CHECK(mistakes(with("rejected_order_events", "watermark_per: split")).find("only what is read has an event time") !=
        std::string::npos);

  // Without a watermark there is nothing to follow.
  const profile_reading reading = parse_profile(with("order_events", "watermark_per: split"), "local.yaml");
  program what = sample::customer_orders();
  for (program_node& node : what.nodes) node.watermarks.clear();
  const report found = check_profile(what, reading, sample::connectors);
  REQUIRE(!found.found.empty());
  CHECK(found.found[0].code == code::unfollowed_splits);
  CHECK(found.found[0].path == "assets.order_events.watermark_per");
}

TEST_CASE("a good profile fits the pipeline without a word") { CHECK(mistakes(good_assets + checkpoint) == ""); }

TEST_CASE("a load without a table writes to the table of its asset's name") {
  profile_reading reading = parse_profile(good_assets, "local.yaml");
  complete_bindings(reading, sample::customer_orders(), sample::connectors);
  CHECK(reading.settings.assets.at("customer_order_windows").options.at("table") == "customer_order_windows");
  CHECK(reading.settings.assets.at("rejected_order_events").options.count("table") == 0);
}

TEST_CASE("relative paths start from the folder of the profile") {
  const profile_reading reading = parse_profile(
      "assets:\n"
      "  a: {connector: file, path: data/*.ndjson}\n"
      "  b: {connector: file, path: /var/data/*.ndjson}\n"
      "  c: {connector: sqlite, path: ':memory:', password: 'file:secrets/db'}\n"
      "  d: {connector: file, path: 'env:DATA', format: csv}\n"
      "checkpoint: ../state\n",
      "conf/local/profile.yaml");
  const auto& assets = reading.settings.assets;
  CHECK(assets.at("a").options.at("path") == "conf/local/data/*.ndjson");
  CHECK(assets.at("b").options.at("path") == "/var/data/*.ndjson");
  CHECK(assets.at("c").options.at("path") == ":memory:");
  CHECK(assets.at("c").options.at("password") == "file:conf/local/secrets/db");
  CHECK(assets.at("d").options.at("path") == "env:DATA");
  CHECK(assets.at("d").options.at("format") == "csv");
  CHECK(reading.settings.checkpoint == "conf/state");
}

TEST_CASE("a trigger and a checkpoint can be written on one line") {
  const profile_reading reading = parse_profile("trigger: available_now\ncheckpoint: state\n", "p.yaml");
  CHECK(reading.found.found.empty());
  CHECK(reading.settings.trigger.kind == trigger_kind::available_now);
  CHECK(reading.settings.checkpoint == "state");
}

TEST_CASE("an unknown key is named with its line and the nearest key") {
  CHECK(mistakes(good_assets + checkpoint + "triger: {kind: once}\n") ==
        "local.yaml:6:1: error PMCFG310: \"triger\" is not a key of a profile\n"
        "  where: triger\n"
        "  help: did you mean \"trigger\"?\n");
  CHECK(
      mistakes(good_assets + checkpoint + "limits: {max_rows: 5}\n") ==
      "local.yaml:6:10: error PMCFG310: \"max_rows\" is not a key of limits\n"
      "  where: limits.max_rows\n"
      "  help: it can be max_rows_per_trigger, max_bytes_per_trigger, max_files_per_trigger or max_reference_bytes\n");
  CHECK(mistakes(good_assets + "checkpoint: {pth: here}\n") ==
        "local.yaml:5:14: error PMCFG310: \"pth\" is not a key of checkpoint\n"
        "  where: checkpoint.pth\n"
        "  help: did you mean \"path\"?\n");
}

TEST_CASE("a profile without a checkpoint is warned about") {
  CHECK(mistakes(good_assets) ==
        "local.yaml: warning PMCFG342: no checkpoint: a restart reads everything again and appends it a second time\n"
        "  where: checkpoint\n"
        "  help: add checkpoint: {path: ...}\n");
}

TEST_CASE("a misspelt connector key is not also a missing one") {
  CHECK(mistakes("assets:\n"
                 "  order_events: {conector: file, path: a}\n"
                 "  customer_order_windows: {connector: sqlite, path: orders.db}\n"
                 "  rejected_order_events: {connector: console}\n" +
                 checkpoint) ==
        "local.yaml:2:18: error PMCFG310: \"conector\" is not a key of an asset\n"
        "  where: assets.order_events.conector\n"
        "  help: did you mean \"connector\"?\n");
}

TEST_CASE("an asset without a connector says so") {
  CHECK(mistakes("assets:\n"
                 "  order_events: {path: a}\n"
                 "  customer_order_windows: {connector: sqlite, path: orders.db}\n"
                 "  rejected_order_events: {connector: console}\n" +
                 checkpoint) ==
        "local.yaml:2:3: error PMCFG313: the asset \"order_events\" names no connector\n"
        "  where: assets.order_events\n"
        "  help: add connector: file, or another one\n");
}

TEST_CASE("an unknown connector lists those that there are") {
  CHECK(mistakes("assets:\n"
                 "  order_events: {connector: fil, path: a}\n"
                 "  customer_order_windows: {connector: kafka, topic: orders}\n"
                 "  rejected_order_events: {connector: console}\n" +
                 checkpoint) ==
        "local.yaml:2:18: error PMCFG320: there is no connector \"fil\"\n"
        "  where: assets.order_events.connector\n"
        "  help: did you mean \"file\"? this program has console, file and sqlite\n"
        "local.yaml:3:28: error PMCFG320: there is no connector \"kafka\"\n"
        "  where: assets.customer_order_windows.connector\n"
        "  help: this program has console, file and sqlite\n");
}

TEST_CASE("a connector that cannot read is refused for an extract") {
  CHECK(mistakes("assets:\n"
                 "  order_events: {connector: sqlite, path: a.db}\n"
                 "  customer_order_windows: {connector: sqlite, path: orders.db}\n"
                 "  rejected_order_events: {connector: console}\n" +
                 checkpoint) ==
        "local.yaml:2:18: error PMCFG321: the connector sqlite cannot be read from\n"
        "  where: assets.order_events.connector\n"
        "  help: to read there is file\n");
}

TEST_CASE("options are checked against the connector's own") {
  CHECK(mistakes("assets:\n"
                 "  order_events: {connector: file, pth: a}\n"
                 "  customer_order_windows: {connector: sqlite}\n"
                 "  rejected_order_events: {connector: console, colour: red}\n" +
                 checkpoint) ==
        "local.yaml:2:35: error PMCFG323: the connector file has no option \"pth\"\n"
        "  where: assets.order_events.pth\n"
        "  help: did you mean \"path\"?\n"
        "local.yaml:3:3: error PMCFG322: the connector sqlite needs the option \"path\"\n"
        "  where: assets.customer_order_windows\n"
        "  help: add path: the database file\n"
        "local.yaml:4:47: error PMCFG323: the connector console has no option \"colour\"\n"
        "  where: assets.rejected_order_events.colour\n"
        "  help: it takes none\n");
}

TEST_CASE("a mistake in a resource is reported once, where it stands") {
  CHECK(mistakes("resources:\n"
                 "  db: {connector: sqlite, path: orders.db, tabel: x}\n"
                 "assets:\n"
                 "  order_events: {connector: file, path: a}\n"
                 "  customer_order_windows: {resource: db, table: a}\n"
                 "  rejected_order_events: {resource: db, table: b}\n" +
                 checkpoint) ==
        "local.yaml:2:44: error PMCFG323: the connector sqlite has no option \"tabel\"\n"
        "  where: resources.db.tabel\n"
        "  help: did you mean \"table\"?\n");
}

TEST_CASE("resources that are unknown or unused are named") {
  CHECK(mistakes("resources:\n"
                 "  orders_db: {connector: sqlite, path: orders.db}\n"
                 "assets:\n"
                 "  order_events: {connector: file, path: a}\n"
                 "  customer_order_windows: {resource: order_db}\n"
                 "  rejected_order_events: {connector: console}\n" +
                 checkpoint) ==
        "local.yaml:2:3: warning PMCFG331: no asset refers to the resource \"orders_db\"\n"
        "  where: resources.orders_db\n"
        "  help: remove it, or write resource: orders_db in an asset\n"
        "local.yaml:5:38: error PMCFG330: there is no resource \"order_db\"\n"
        "  where: assets.customer_order_windows.resource\n"
        "  help: did you mean \"orders_db\"?\n");
}

TEST_CASE("PMPLAN201: an asset that is not bound is named with the one that was probably meant") {
  CHECK(mistakes("assets:\n"
                 "  order_event: {connector: file, path: a}\n"
                 "  customer_order_windows: {connector: sqlite, path: orders.db}\n" +
                 checkpoint) ==
        "local.yaml:1:1: error PMPLAN201: the asset \"order_events\" of the extract \"orders\" is not bound\n"
        "  where: assets.order_events\n"
        "  help: rename the asset \"order_event\" to it, or add order_events: {connector: file, ...}\n"
        "local.yaml:1:1: error PMPLAN201: the asset \"rejected_order_events\" of the load \"quarantine\" is not bound\n"
        "  where: assets.rejected_order_events\n"
        "  help: add rejected_order_events: {connector: sqlite, ...} to assets\n"
        "local.yaml:2:3: warning PMCFG340: the pipeline CustomerOrders has no asset \"order_event\"\n"
        "  where: assets.order_event\n"
        "  help: did you mean \"order_events\"?\n");
}

TEST_CASE("two loads into one table are refused") {
  CHECK(mistakes("assets:\n"
                 "  order_events: {connector: file, path: a}\n"
                 "  customer_order_windows: {connector: sqlite, path: orders.db, table: t}\n"
                 "  rejected_order_events: {connector: sqlite, path: orders.db, table: t}\n" +
                 checkpoint) ==
        "local.yaml:4:3: error PMCFG341: the assets \"customer_order_windows\" and \"rejected_order_events\" are bound "
        "to the "
        "same target\n"
        "  where: assets.rejected_order_events\n"
        "  help: give each its own path or table\n");
}

TEST_CASE("values of the wrong kind are named with what they are") {
  CHECK(mistakes("assets:\n"
                 "  order_events: [a, b]\n"
                 "  customer_order_windows: {connector: sqlite, path: [a.db]}\n"
                 "  rejected_order_events: {connector: console}\n" +
                 checkpoint + "name:\n") ==
        "local.yaml:2:17: error PMCFG311: \"order_events\" must be a mapping, but is a list\n"
        "  where: assets.order_events\n"
        "  help: such as order_events: {connector: file, path: order_events.ndjson}\n"
        "local.yaml:3:53: error PMCFG311: \"path\" must be a single value, but is a list\n"
        "  where: assets.customer_order_windows.path\n"
        "  help: write path: and its value on one line\n"
        "local.yaml:6:1: error PMCFG311: \"name\" has no value\n"
        "  where: name\n"
        "  help: such as name: local\n");
}

TEST_CASE("the trigger may be low_latency") {
  CHECK(parse_profile("trigger: low_latency\n", "p.yaml").settings.trigger.kind == trigger_kind::low_latency);
}

TEST_CASE("triggers, durations, sizes and numbers are checked") {
  const std::string good = good_assets + checkpoint;
  CHECK(mistakes(good + "trigger: {kind: intervall, interval: 10s}\n") ==
        "local.yaml:6:17: error PMCFG312: \"intervall\" is not a kind of trigger\n"
        "  where: trigger.kind\n"
        "  help: did you mean \"interval\"?\n");
  CHECK(mistakes(good + "trigger: {kind: interval, interval: 10}\n") ==
        "local.yaml:6:37: error PMCFG312: \"10\" is not a length of time\n"
        "  where: trigger.interval\n"
        "  help: write a whole number and a unit: 250ms, 10s, 5min, 1h, 1d\n");
  CHECK(mistakes(good + "trigger: {kind: interval}\n") ==
        "local.yaml:6:1: error PMCFG313: a trigger of kind interval needs an interval\n"
        "  where: trigger\n"
        "  help: write trigger: {kind: interval, interval: 10s}\n");
  CHECK(mistakes(good + "trigger: {kind: once, interval: 10s}\n") ==
        "local.yaml:6:23: error PMCFG312: a trigger of kind once has no interval\n"
        "  where: trigger.interval\n"
        "  help: remove it, or write kind: interval\n");
  CHECK(mistakes(good + "limits: {max_rows_per_trigger: 0, max_bytes_per_trigger: 64 MB!}\n") ==
        "local.yaml:6:32: error PMCFG312: \"max_rows_per_trigger\" must be greater than 0\n"
        "  where: limits.max_rows_per_trigger\n"
        "  help: write a whole number: 100000, 100k, 2M\n"
        "local.yaml:6:58: error PMCFG312: \"64 MB!\" is not a number that \"max_bytes_per_trigger\" can be\n"
        "  where: limits.max_bytes_per_trigger\n"
        "  help: write a whole number of bytes, with a unit if you like: 4096, 100k, 64MiB, 1GB\n");
  CHECK(mistakes(good + "no_data_batches: yes\n") ==
        "local.yaml:6:18: error PMCFG312: \"yes\" is neither true nor false\n"
        "  where: no_data_batches\n"
        "  help: it can be true or false\n");
  CHECK(mistakes(good + "workers: 0\n").find("\"workers\" must be greater than 0") != std::string::npos);
  CHECK(mistakes(good + "workers: many\n").find("\"many\" is not a number that \"workers\" can be") !=
        std::string::npos);
  CHECK(mistakes(good + "workers: 5000\n").find("more than 1024 workers") != std::string::npos);
  CHECK(mistakes(good + "on_overflow: quarantene\n") ==
        "local.yaml:6:14: error PMCFG312: \"quarantene\" is not what can be done about overflow\n"
        "  where: on_overflow\n"
        "  help: did you mean \"quarantine\"?\n");
  CHECK(mistakes(good + "watermark_policy: mn\n") ==
        "local.yaml:6:19: error PMCFG312: \"mn\" is not a choice between several watermarks\n"
        "  where: watermark_policy\n"
        "  help: did you mean \"min\"?\n");
  CHECK(mistakes(good + "on_overflw: fail\n") ==
        "local.yaml:6:1: error PMCFG310: \"on_overflw\" is not a key of a profile\n"
        "  where: on_overflw\n"
        "  help: did you mean \"on_overflow\"?\n");
}

TEST_CASE("what a profile says about a query's life is understood, and its mistakes are named") {
  const profile where = parse_profile(
                            "retry: {attempts: 5, backoff: 2s, longest_backoff: 1min}\non_stop: drain\n"
                            "reports: {path: seen, retained: 7}\n",
                            "/p/local.yaml")
                            .settings;
  CHECK(where.retry.attempts == 5);
  CHECK(where.retry.backoff == std::chrono::seconds(2));
  CHECK(where.retry.longest_backoff == std::chrono::minutes(1));
  CHECK(where.on_stop == stop_policy::drain);
  CHECK(where.reports.path == "/p/seen");
  CHECK(where.reports.retained == 7);
  // A long backoff needs no second one that says the same.
  CHECK(parse_profile("retry: {attempts: 1, backoff: 1h}\n", "p").settings.retry.longest_backoff ==
        std::chrono::hours(1));

  const auto first = [](const std::string& text) {
    const report found = parse_profile(text, "p.yaml").found;
    return found.found.empty() ? std::string() : found.found[0].code + " " + found.found[0].path;
  };
  CHECK(first("retry: 5\n") == "PMCFG311 retry");
  CHECK(first("retry: {backoff: 1s}\n") == "PMCFG313 retry");
  CHECK(first("retry: {attempt: 5}\n") == "PMCFG310 retry.attempt");
  CHECK(first("retry: {attempts: 0}\n") == "PMCFG312 retry.attempts");
  CHECK(first("retry: {attempts: 3, backoff: 0s}\n") == "PMCFG312 retry.backoff");
  CHECK(first("retry: {attempts: 3, backoff: 1min, longest_backoff: 1s}\n") == "PMCFG312 retry.longest_backoff");
  CHECK(first("on_stop: never\n") == "PMCFG312 on_stop");
  CHECK(first("reports: {retaind: 3}\n") == "PMCFG310 reports.retaind");
  CHECK(first("reports: {retained: none}\n") == "PMCFG312 reports.retained");
}

TEST_CASE("failures cannot be tried again without a checkpoint to go on from") {
  const std::string text = mistakes(
      "assets:\n  order_events: {connector: file, path: a}\n  customer_order_windows: {connector: console}\n"
      "  rejected_order_events: {connector: console}\nretry: {attempts: 5}\n");
  CHECK(text.find("PMCFG345: failures are to be tried again, but there is no checkpoint to go on from\n"
                  "  where: retry\n") != std::string::npos);
}

TEST_CASE("a key that appears twice is an error, and the first one counts") {
  const std::string yaml = good_assets + checkpoint + "name: a\nname: b\n";
  CHECK(mistakes(yaml) ==
        "local.yaml:7:1: error PMCFG302: \"name\" appears twice in this mapping\n"
        "  where: name\n"
        "  help: it stands in line 6 already; remove one of the two\n");
  CHECK(parse_profile(yaml, "local.yaml").settings.name == "a");
}

TEST_CASE("text that is not YAML is refused with its place") {
  CHECK(mistakes("assets: {order_events: [\n") ==
        "local.yaml:2:1: error PMCFG301: this is not YAML: end of sequence flow not found\n"
        "  help: look at the line and the one before it: indentation by spaces, a space after each colon, quotes "
        "closed\n");
  CHECK(mistakes("name: a\n---\nname: b\n") ==
        "local.yaml:3:1: error PMCFG301: the file holds more than one document\n"
        "  help: keep the part before the second \"---\"\n");
  CHECK(mistakes("- a\n- b\n") ==
        "local.yaml:1:1: error PMCFG311: a profile is a mapping, but this is a list\n"
        "  help: docs/profile.md shows a full example\n");
}

TEST_CASE("an empty profile is refused, whatever it is empty with") {
  for (const char* text : {"", "\n\n", "# nothing here\n", "---\n", "~\n"})
    CHECK(mistakes(text) ==
          "local.yaml: error PMCFG100: the profile is empty\n"
          "  help: docs/profile.md shows a full example\n");
}

TEST_CASE("a secret that is written out is warned about and its value not shown") {
  const std::string text = mistakes(
      "assets:\n"
      "  order_events: {connector: file, path: a}\n"
      "  customer_order_windows: {connector: sqlite, path: orders.db, password: hunter2}\n"
      "  rejected_order_events: {connector: console}\n" +
      checkpoint);
  CHECK(text ==
        "local.yaml:3:64: warning PMCFG351: \"password\" is written out in the profile\n"
        "  where: assets.customer_order_windows.password\n"
        "  help: say where it is instead: password: env:NAME or password: file:PATH\n");
}

TEST_CASE("hostile documents end in a diagnostic") {
  std::string bomb = "a: &a [x, x, x, x, x, x, x, x, x]\n";
  for (char name = 'b'; name <= 'z'; ++name) {
    const std::string before(1, static_cast<char>(name - 1));
    bomb += std::string(1, name) + ": &" + name + " [";
    for (int i = 0; i < 9; ++i) bomb += (i > 0 ? ", *" : "*") + before;
    bomb += "]\n";
  }
  CHECK(parse_profile(bomb, "bomb.yaml").found.count(severity::error) == 26);  // one for each key that is none

  const auto only_code = [](const std::string& text) {
    const profile_reading reading = parse_profile(text, "p.yaml");
    REQUIRE(reading.found.found.size() == 1);
    return reading.found.found[0].code;
  };
  CHECK(only_code(std::string(100'000, '[')) == "PMCFG303");
  CHECK(only_code(std::string(profile_bytes_at_most + 1, 'x')) == "PMCFG303");
  std::string many = "assets: [";
  for (std::size_t i = 0; i <= profile_values_at_most; ++i) many += "x,";
  CHECK(only_code(many + "]") == "PMCFG303");
  CHECK(only_code("a: &a [*a]\n") == "PMCFG301");
  CHECK(only_code("a: *nowhere\n") == "PMCFG301");
  CHECK(only_code("{[a]: b}\n") == "PMCFG301");
  CHECK(only_code(std::string("\x00\x01\x02\xff", 4)) != "");
}

TEST_CASE("a load that writes into the folder that an extract reads is refused") {
  const auto with = [&](std::string input, std::string output) {
    return mistakes("assets:\n  order_events: {connector: file, path: '" + input +
                    "'}\n  customer_order_windows: {connector: sqlite, path: orders.db}\n"
                    "  rejected_order_events: {connector: file, path: '" +
                    output + "'}\n" + checkpoint);
  };
  const std::string sentence = "is written into the folder that \"order_events\" is read from";
  CHECK(with("in/*.ndjson", "in").find(sentence) != std::string::npos);
  CHECK(with("in/*.ndjson", "out/../in").find(sentence) != std::string::npos);
  CHECK(with("in/orders.ndjson", "in").find(sentence) != std::string::npos);
  CHECK(with("in/*.ndjson", "out").empty());
}

TEST_CASE("files that cannot be read are refused with the reason") {
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("etlantic_profile_file_" + std::to_string(::getpid()));
  std::filesystem::create_directories(folder);
  const auto text_of = [](const std::string& file) {
    const profile_reading reading = read_profile(file);
    CHECK_FALSE(reading.usable);
    return reading.found.found.empty() ? std::string() : to_text(reading.found.found[0]);
  };
  const std::string missing = (folder / "none.yaml").string();
  CHECK(text_of(missing) == missing +
                                ": error PMCFG100: there is no such file\n"
                                "  help: check the path; docs/profile.md shows a full example\n");
  CHECK(text_of(folder.string()) == folder.string() +
                                        ": error PMCFG100: this is a folder, not a profile\n"
                                        "  help: name the file in it\n");
  const std::string below_file = (folder / "file" / "p.yaml").string();
  std::ofstream(folder / "file") << "x";
  CHECK(text_of(below_file) == below_file +
                                   ": error PMCFG100: the profile cannot be opened: Not a directory\n"
                                   "  help: check who may read it: ls -l " +
                                   below_file + "\n");
  std::filesystem::remove_all(folder);
}
