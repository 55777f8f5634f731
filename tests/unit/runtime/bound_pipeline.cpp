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

TEST_CASE("a step works in the mode of the loads that it leads to") {
  program what = hand_made_pipeline().lowered();
  what.nodes[2].mode = output_mode::update;  // curated; the late rows are appended
  CHECK(*output_modes(what) == std::vector<output_mode>{output_mode::update, output_mode::update, output_mode::update,
                                                        output_mode::append, output_mode::append});
  program_node other = what.nodes[2];
  other.mode = output_mode::append;
  what.nodes.push_back(other);
  CHECK(output_modes(what).error().code == "PMPLAN203");
}

TEST_CASE("a program that reads a port which is not there is refused") {
  const hand_made_pipeline pipeline;
  program what = pipeline.lowered();
  what.nodes[2].inputs[0].port = 7;
  CHECK(start_program(what, pipeline.settings(), {}, pipeline.environment()).error().code == "PMSTREAM478");
}
