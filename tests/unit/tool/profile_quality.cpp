#include <etlantic/tool/profile_check.hpp>
#include <etlantic/tool/profile_file.hpp>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "sample_program.hpp"
#include "support/catch.hpp"
#include "support/data.hpp"

// The section `quality` of profiles.

using namespace etlantic;
using namespace std::chrono_literals;

namespace {

const std::string around =
    "assets:\n"
    "  order_events: {connector: file, path: 'data/*.ndjson'}\n"
    "  customer_order_windows: {connector: sqlite, path: orders.db}\n"
    "  rejected_order_events: {connector: console}\n"
    "checkpoint: {path: ./orders.checkpoint}\n"
    "quality:\n";

/// The first mistake as `line code: message / help`; empty if there is none.
std::string mistake(const std::string& gate) {
  const program what = sample::customer_orders();
  profile_reading reading = parse_profile(around + "  - " + gate + "\n", "local.yaml");
  complete_bindings(reading, what, sample::connectors);
  reading.found.add(check_profile(what, reading, sample::connectors));
  reading.found.sort();
  if (reading.found.found.empty()) return {};
  const diagnostic& first = reading.found.found[0];
  CHECK(first.place.line >= 6);
  return first.code + " " + first.path + ": " + first.message + " / " + first.help;
}
quality_gate read(const std::string& gate) {
  const profile_reading reading = parse_profile(around + "  - " + gate + "\n", "local.yaml");
  INFO((reading.found.found.empty() ? "" : to_text(reading.found)));
  REQUIRE(reading.settings.quality.size() == 1);
  return reading.settings.quality[0];
}

}  // namespace

TEST_CASE("a gate is read with its bounds in the unit of its metric") {
  const quality_gate share =
      read("{name: few, of: order_events, metric: invalid_share, at_most: 1.5%, over: 10 batches, otherwise: warn}");
  CHECK(share.name == "few");
  CHECK(share.of == "order_events");
  CHECK(share.metric == quality_metric::invalid_share);
  CHECK(share.at_most == 0.015);
  CHECK_FALSE(share.at_least);
  CHECK(share.scope == gate_scope::batches);
  CHECK(share.batches == 10);
  CHECK(share.otherwise == gate_outcome::warn);
  const quality_gate fresh = read("{name: fresh, of: order_events, metric: freshness, at_most: 5min, over: 1h}");
  CHECK(fresh.at_most == 300);
  CHECK(fresh.scope == gate_scope::time);
  CHECK(fresh.time == 1h);
  CHECK(fresh.otherwise == gate_outcome::fail);
  const quality_gate rows =
      read("{name: rows, of: order_events, metric: row_count, at_least: 10, at_most: 2M, over: batch}");
  CHECK(rows.at_least == 10);
  CHECK(rows.at_most == 2'000'000);
  CHECK(rows.batches == 1);
  const quality_gate keys = read(
      "{name: once, of: order_events, metric: duplicate_share, field: 'event_id, customer_id', over: event, "
      "otherwise: continue}");
  CHECK(keys.fields == std::vector<std::string>{"event_id", "customer_id"});
  CHECK(keys.scope == gate_scope::event);
  CHECK(keys.otherwise == gate_outcome::proceed);
  CHECK(read("{name: full, of: order_events, metric: completeness, field: note, at_least: 0.95}").at_least == 0.95);
}

TEST_CASE("mistakes in gates are found with their place and what was probably meant") {
  CHECK(mistake("{name: few, of: order_events, metric: invalid_share, at_most: 1%}").empty());
  CHECK(mistake("{name: few, of: order_event, metric: invalid_share, at_most: 1%}") ==
        "PMCFG360 quality.few.of: the pipeline has no asset \"order_event\" / did you mean \"order_events\"?");
  CHECK(mistake("{name: few, of: order_events, metric: invalid_shares, at_most: 1%}") ==
        "PMCFG312 quality.few.metric: \"invalid_shares\" is no metric / did you mean \"invalid_share\"?");
  CHECK(mistake("{name: few, of: order_events, metric: completeness, field: nota, at_least: 1%}") ==
        "PMCFG360 quality.few.field: OrderEvent has no field \"nota\" / did you mean \"note\"?");
  CHECK(mistake("{name: few, of: order_events, metric: completeness, field: status, at_least: 1%}") ==
        "PMCFG360 quality.few.field: \"status\" cannot be null, so that it is always complete / name a field that is "
        "std::optional in the contract; a row without this one is invalid");
  CHECK(mistake("{name: few, of: order_events, metric: invalid_share, at_mots: 1%}") ==
        "PMCFG310 quality.few.at_mots: \"at_mots\" is not a key of a gate / did you mean \"at_most\"?");
  CHECK(mistake("{name: few, of: order_events, metric: invalid_share, at_most: 2}") ==
        "PMCFG312 quality.few.at_most: \"2\" is no bound of invalid_share / write a share of rows: 1%, 0.5% or 0.01");
  CHECK(mistake("{name: few, of: order_events, metric: freshness, at_most: 5}") ==
        "PMCFG312 quality.few.at_most: \"5\" is no bound of freshness / write a whole number and a unit: 250ms, 10s, "
        "5min, 1h, 1d");
  CHECK(mistake("{name: few, of: order_events, metric: row_count, at_most: 5, over: 0 batches}") ==
        "PMCFG312 quality.few.over: \"0 batches\" is nothing that a gate can be over / write event, batch, window, 10 "
        "batches (at most 10000) or a length of time such as 1h");
  CHECK(
      mistake("{name: few, of: order_events, metric: row_count, at_most: 5, over: window}") ==
      "PMCFG360 quality.few.over: \"order_events\" is read, and only results have windows / name the asset of a load, "
      "or write over: batch, 10 batches or 1h");
  CHECK(mistake("{name: few, of: order_events, metric: row_count, at_most: 5, otherwise: stop}")
            .find("PMCFG312 quality.few.otherwise: \"stop\" is no outcome of a gate") == 0);
  CHECK(mistake("{of: order_events, metric: row_count, at_most: 5}") ==
        "PMCFG313 quality.0: the gate has no name / add name: and a word that warnings and errors call it by");
  CHECK(mistake("{name: few, metric: row_count, at_most: 5}").find("PMCFG313 quality.few: the gate has no of") == 0);
  CHECK(mistake("{name: few, of: order_events, metric: row_count}") ==
        "PMCFG360 quality.few.metric: the gate has no bound / add at_most: or at_least:");
  CHECK(mistake("few_invalid").find("PMCFG311 quality.0: a gate is a mapping, but this is a single value") == 0);
  CHECK(mistake("{name: few, of: order_events, metric: row_count, at_most: 5}\n"
                "  - {name: few, of: order_events, metric: row_count, at_most: 6}") ==
        "PMCFG312 quality.few.name: two gates have the name \"few\" / give each a name of its own");
  const profile_reading no_list = parse_profile("quality: {name: few}\n", "local.yaml");
  CHECK(no_list.found.found.at(0).message == "\"quality\" must be a list of gates");
}

TEST_CASE("the example of docs/quality.md is read without mistakes") {
  std::ifstream file(test::tests_folder().parent_path() / "docs" / "quality.md");
  const std::string page{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  const std::size_t begin = page.find("```yaml\n") + 8;
  const profile_reading reading = parse_profile(page.substr(begin, page.find("```", begin) - begin), "local.yaml");
  CHECK(reading.found.found.empty());
  CHECK(reading.settings.quality.size() == 6);
}
