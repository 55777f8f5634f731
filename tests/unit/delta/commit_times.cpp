#include "support.hpp"

#include <etlantic/connect/delta/commit_times.hpp>
#include <etlantic/connect/delta/source.hpp>
#include <etlantic/runtime/source.hpp>

#include <fcntl.h>
#include <sys/stat.h>

using namespace etlantic;
using namespace etlantic::test;

namespace {

const field_description event_fields[] = {plain_field("k", logical_type::int64)};
const schema events{.id = "events", .version = "1", .fields = event_fields};

/// Versions 0 to 4: the table, and a row each.
struct timed_table : table_folder {
  timed_table() {
    const auto to = opened(events, output_mode::append);
    for (int i = 1; i <= 4; ++i) publish(*to, batch_of(i, output_mode::append, make_block(events, {{i}})));
  }

  void set_time(std::int64_t version, std::int64_t milliseconds) const {
    const timespec time{milliseconds / 1000, milliseconds % 1000 * 1'000'000};
    const timespec both[] = {time, time};
    REQUIRE(::utimensat(AT_FDCWD, log(version).c_str(), both, 0) == 0);
  }

  std::vector<std::int64_t> times() const {
    std::vector<std::int64_t> found;
    for (const delta::commit_time& each : value_of(delta::commit_times(store(), state())))
      found.push_back(each.milliseconds);
    return found;
  }

  result<texts> read(const std::string& option, const std::string& time) const {
    auto from = make_delta_source({.connector = "delta", .options = {{"path", path()}, {option, time}}});
    if (!from) return from.error();
    if (auto done = (*from)->open(events); !done) return done.error();
    auto planned = (*from)->plan({});
    if (!planned) return planned.error();
    row_collector into;
    for (const split_range& each : *planned)
      if (auto done = (*from)->read(each, into); !done) return done.error();
    std::sort(into.found.begin(), into.found.end());
    return into.found;
  }
};

}  // namespace

TEST_CASE("delta: a version's time is that of its commit file, and later than that of the one before") {
  const timed_table at;
  at.set_time(0, 1000);
  at.set_time(1, 5000);
  at.set_time(2, 3000);  // copied, or a clock that went back
  at.set_time(3, 5002);
  at.set_time(4, 9000);
  CHECK(at.times() == std::vector<std::int64_t>{1000, 5000, 5001, 5002, 9000});
}

TEST_CASE(
    "delta: a table is read as of a time, and from a time on; outside of its versions is a failure that names them") {
  const timed_table at;
  for (std::int64_t version = 0; version <= 4; ++version) at.set_time(version, version * 1000);
  CHECK(value_of(at.read("timestamp_as_of", "1970-01-01T00:00:02Z")) == texts{"1", "2"});
  CHECK(value_of(at.read("timestamp_as_of", "1970-01-01T01:00:02.999+01:00")) == texts{"1", "2"});
  CHECK(value_of(at.read("timestamp_as_of", "1970-01-01T00:00:00Z")).empty());
  CHECK(value_of(at.read("timestamp_as_of", "1970-01-01")).empty());
  CHECK(value_of(at.read("timestamp_as_of", "1970-01-01T00:00:04Z")).size() == 4);
  CHECK(value_of(at.read("starting_timestamp", "1970-01-01T00:00:02Z")) == texts{"2", "3", "4"});
  CHECK(value_of(at.read("starting_timestamp", "1970-01-01T00:00:02.001Z")) == texts{"3", "4"});
  CHECK(value_of(at.read("starting_timestamp", "1960-01-01T00:00:00Z")) == texts{"1", "2", "3", "4"});
  for (const auto& [option, time] :
       {std::pair{"timestamp_as_of", "1970-01-01T00:00:04.001Z"}, std::pair{"timestamp_as_of", "1969-12-31T23:59:59Z"},
        std::pair{"starting_timestamp", "1970-01-01T00:00:04.001Z"}}) {
    const auto read = at.read(option, time);
    REQUIRE_FALSE(read.ok());
    CHECK(read.error().code == "PMSTREAM444");
    CHECK(read.error().message.starts_with("the table has no version "));
    CHECK(
        read.error().help.find("version 0 of 1970-01-01T00:00:00.000000Z, version 4 of 1970-01-01T00:00:04.000000Z") !=
        std::string::npos);
  }
  CHECK(at.read("timestamp_as_of", "yesterday").error().code == "PMSTREAM430");
}

TEST_CASE("delta: versions that cannot be built up any more have no time") {
  const timed_table at;
  for (std::int64_t version = 0; version <= 4; ++version) at.set_time(version, version * 1000);
  const delta::table_state third = value_of(delta::load_table(at.store(), 3));
  std::ofstream(at.path() + '/' + delta::checkpoint_name(3), std::ios::binary)
      << value_of(delta::encode_checkpoint(third, 0)).bytes;
  std::filesystem::remove(at.log(0));
  std::filesystem::remove(at.log(1));
  CHECK(at.times() == std::vector<std::int64_t>{3000, 4000});
  const auto read = at.read("starting_timestamp", "1970-01-01T00:00:01Z");
  REQUIRE_FALSE(read.ok());
  CHECK(read.error().help.find("version 3 of 1970-01-01T00:00:03") != std::string::npos);
  CHECK(value_of(at.read("starting_timestamp", "1970-01-01T00:00:04Z")) == texts{"4"});
}

TEST_CASE("delta: a table that notes the times of its commits goes by these, and files before them lie before them") {
  const timed_table at;
  for (std::int64_t version = 0; version <= 4; ++version) at.set_time(version, 50'000 + version);
  const auto put = [&](std::int64_t version, const std::string& first, const std::string& more) {
    std::ofstream(at.log(version)) << "{\"commitInfo\":{" << first << "}}\n" << more;
  };
  delta::table_metadata metadata = *at.state().metadata;
  std::string quoted = metadata.schema;
  for (std::size_t i = 0; (i = quoted.find('"', i)) != std::string::npos; i += 2) quoted.insert(i, "\\");
  put(5, R"("inCommitTimestamp":30000)",
      R"({"metaData":{"id":")" + metadata.id + R"(","format":{"provider":"parquet","options":{}},"schemaString":")" +
          quoted +
          R"(","partitionColumns":[],"configuration":{"delta.enableInCommitTimestamps":"true",)"
          R"("delta.inCommitTimestampEnablementVersion":"5","delta.inCommitTimestampEnablementTimestamp":"30000"}}})"
          "\n");
  put(6, R"("operation":"X","inCommitTimestamp":40000)", "");
  CHECK(at.times() == std::vector<std::int64_t>{29'995, 29'996, 29'997, 29'998, 29'999, 30'000, 40'000});
  put(7, R"("operation":"X")", "");
  CHECK(delta::commit_times(at.store(), at.state()).error().message.find("inCommitTimestamp") != std::string::npos);
}
