#include "support/catch.hpp"

#include <etlantic/etlantic.hpp>

#include <filesystem>
#include <fstream>

using namespace etlantic;
using namespace std::chrono_literals;

namespace {

struct Shift {
  std::int64_t id;
  local_time<"Europe/Berlin"> begun;
};
struct Late {
  std::int64_t id;
  local_time<"Europe/Berlin"> begun;
  timestamp next;
};
struct Nowhere {
  std::int64_t id;
  std::vector<local_time<"Europe/Atlantis">> begun;
};

profile reading(const char* name, const std::string& lines) {
  const auto folder = std::filesystem::temp_directory_path() / "etlantic_time_zones";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / name) << lines;
  profile where;
  where.trigger.kind = trigger_kind::available_now;
  where.assets["in"] = {.connector = "file", .options = {{"path", (folder / name).string()}}};
  return where;
}

}  // namespace

TEST_CASE("TS-15: a local time is a timestamp once it is read") {
  auto out = std::make_shared<memory_sink<Late>>();
  profile where = reading("shifts.ndjson",
                          "{\"id\":1,\"begun\":\"2024-03-31T02:30:00\"}\n"
                          "{\"id\":2,\"begun\":\"2024-10-27T02:30:00\"}\n"
                          "{\"id\":3,\"begun\":\"2024-10-27T02:30:00+01:00\"}\n"
                          "{\"id\":4,\"begun\":\"2024-10-27\"}\n");
  where.assets["out"].made_sink = out;
  const auto done = run(from<Shift>("in") | watermark<"begun">(1h) | derive<"next">(field<"begun"> + 1h) |
                            etlantic::where(field<"begun"> > timestamp{0}) | select<Late>() | into("out"),
                        where);
  REQUIRE(done.ok());
  CHECK(done->extracts[0].invalid == 1);
  REQUIRE(out->rows().size() == 3);
  CHECK(out->rows()[0].begun.value == timestamp{1'711'848'600'000'000});
  CHECK(out->rows()[1].begun.value == timestamp{1'729'989'000'000'000});
  CHECK(out->rows()[2].begun.value == timestamp{1'729'992'600'000'000});
  CHECK(out->rows()[2].next == timestamp{1'729'996'200'000'000});
}

TEST_CASE("TS-15: a pipeline whose contract names a zone that the system does not have does not start") {
  auto out = std::make_shared<memory_sink<Nowhere>>();
  profile where = reading("nowhere.ndjson", "");
  where.assets["out"].made_sink = out;
  const auto done = run(from<Nowhere>("in") | into("out"), where);
  REQUIRE(!done.ok());
  CHECK(done.error().code == "PMPLAN205");
  CHECK(done.error().where == "extract 'in'");
  CHECK(done.error().message.starts_with("time zone 'Europe/Atlantis' is not in this system's zone data"));
}
