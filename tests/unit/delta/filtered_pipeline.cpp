#include "support/catch.hpp"
#include "support/temporary_directory.hpp"

#include <etlantic/etlantic.hpp>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

// A filter behind a Delta table, from the pipeline to the report.

using namespace etlantic;
using namespace etlantic::test;

namespace {

struct Measure {
  std::int64_t id;
  std::int64_t value;
};

}  // namespace

TEST_CASE("a filter on a Delta table reads the files that it needs, and the report says how many it did not") {
  const temporary_directory folder;
  const auto measures = std::make_shared<memory_source<Measure>>();
  profile filling;
  filling.trigger.kind = trigger_kind::available_now;
  filling.checkpoint = folder / "checkpoint";
  filling.assets["given"].made_source = measures;
  filling.assets["table"] = {.connector = "delta", .options = {{"path", folder / "table"}, {"mode", "append"}}};
  for (std::int64_t i = 0; i < 4; ++i) {
    measures->add({{i, i * 10}, {i, i * 10 + 9}});
    const auto filled = run(from<Measure>("given") | into("table"), filling);
    REQUIRE(filled.ok());
  }
  const auto kept = std::make_shared<memory_sink<Measure>>();
  profile reading;
  reading.trigger.kind = trigger_kind::available_now;
  reading.assets["table"] = {.connector = "delta", .options = {{"path", folder / "table"}}};
  reading.assets["kept"].made_sink = kept;
  const auto done = run(from<Measure>("table") | etlantic::where(field<"value"> >= 25) | into("kept"), reading);
  REQUIRE(done.ok());
  std::vector<std::int64_t> values;
  for (const Measure& each : kept->rows()) values.push_back(each.value);
  std::sort(values.begin(), values.end());
  CHECK(values == std::vector<std::int64_t>{29, 30, 39});
  const extract_progress& extract = done->extracts.at(0);
  CHECK(extract.read == 4);
  CHECK(extract.left_out.files == 2);
  CHECK(extract.left_out.rows == 4);
}
