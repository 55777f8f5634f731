#include "recovery/hand_made_pipeline.hpp"
#include "support/catch.hpp"

#include <etlantic/runtime/bound_pipeline.hpp>

using namespace etlantic;
using namespace etlantic::test;

TEST_CASE("an asset that is bound to nothing is refused by name, with those that are bound") {
  const hand_made_pipeline pipeline;
  profile settings = pipeline.settings();
  settings.assets.erase("events");
  const result<query> started = start_program(pipeline.lowered(), settings, {}, pipeline.environment());
  REQUIRE_FALSE(started.ok());
  CHECK(started.error().kind == failure_class::configuration);
  CHECK(started.error().code == "PMPLAN201");
  CHECK(started.error().message == "asset 'events' of node 'events' is bound to nothing");
  CHECK(started.error().where == "profile 'default', assets.events (extract 'events')");
  CHECK(started.error().help == "Bind it to a connector in the profile. Bound are: curated, late_rows, quarantine.");
}

TEST_CASE("a connector that the program does not have is refused") {
  const hand_made_pipeline pipeline;
  profile settings = pipeline.settings();
  settings.assets["curated"] = {.connector = "teleprinter", .options = {}};
  const result<query> started = start_program(pipeline.lowered(), settings, {}, pipeline.environment());
  REQUIRE_FALSE(started.ok());
  CHECK(started.error().code == "PMPLAN201");
  CHECK(started.error().message ==
        "asset 'curated' of node 'curated' is bound to 'teleprinter', which this program does not have as a sink");
}

TEST_CASE("a time zone that the system does not have is refused before anything is opened") {
  const hand_made_pipeline pipeline;
  program what = pipeline.lowered();
  what.nodes[1].zones = {"Europe/Berlin", "Europe/Atlantis"};
  const result<query> started = start_program(what, pipeline.settings(), {}, pipeline.environment());
  REQUIRE_FALSE(started.ok());
  CHECK(started.error().kind == failure_class::configuration);
  CHECK(started.error().code == "PMPLAN205");
  CHECK(started.error().message.starts_with("time zone 'Europe/Atlantis' is not in this system's zone data, "));
  CHECK(started.error().where == "step 'windows'");
}

TEST_CASE("each output of a step works in the mode of the loads that it leads to") {
  program what = hand_made_pipeline().lowered();
  what.nodes[2].mode = output_mode::update;  // curated; the late rows are appended
  CHECK(output_modes(what)->at(1).at(0) == output_mode::update);
  CHECK(output_modes(what)->at(1).at(1) == output_mode::append);
  program_node other = what.nodes[2];
  other.mode = output_mode::append;
  what.nodes.push_back(other);
  CHECK(output_modes(what).error().code == "PMPLAN203");
  CHECK(output_modes(what).error().message ==
        "output 'result' of step 'windows' is wanted in mode append and in mode update");
}

TEST_CASE("a step with state takes final rows, one without hands on what its loads want") {
  program what = hand_made_pipeline().lowered();
  program_node& curated = what.nodes[2];
  curated.mode = output_mode::complete;
  program_node between = what.nodes[1];
  between.name = "between";
  between.inputs = {{1, 0}};
  between.state_schema.clear();
  curated.inputs = {{3, 0}};
  what.nodes = {what.nodes[0], what.nodes[1], what.nodes[1], between, curated};
  CHECK(output_modes(what)->at(3).at(0) == output_mode::complete);
  CHECK(output_modes(what)->at(1).at(0) == output_mode::complete);
  what.nodes[3].state_schema = "key customer int64";
  CHECK(output_modes(what)->at(3).at(0) == output_mode::complete);
  CHECK(output_modes(what)->at(1).at(0) == output_mode::append);
}

TEST_CASE("a program that reads a port which is not there is refused") {
  const hand_made_pipeline pipeline;
  program what = pipeline.lowered();
  what.nodes[2].inputs[0].port = 7;
  CHECK(start_program(what, pipeline.settings(), {}, pipeline.environment()).error().code == "PMSTREAM478");
}
