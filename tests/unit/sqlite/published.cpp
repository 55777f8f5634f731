#include "support.hpp"

#include <cstdint>
#include <filesystem>
#include <fstream>

using namespace etlantic;
using namespace etlantic::test;

namespace {

const field_description fields[] = {plain_field("id", logical_type::int64)};
const schema numbers{.id = "numbers", .version = "1", .fields = fields};

publication number(std::int64_t batch) { return batch_of(batch, output_mode::append, make_block(numbers, {{batch}})); }

/// What a new process is told about a publisher.
std::int64_t asked(const temporary_database& at, const publisher& who, const std::string& table = "numbers") {
  const auto answer = at.sink_for(table)->published(who);
  if (!answer) FAIL(answer.error().code << " " << answer.error().message);
  REQUIRE(answer->has_value());
  return **answer;
}

void publish_two(const temporary_database& at) {
  auto to = at.sink_for("numbers");
  succeed(to->open(numbers, output_mode::append, {"q", "n"}));
  publish(*to, number(0));
  publish(*to, number(1));
}

}  // namespace

TEST_CASE("sqlite: nothing is published to a file that is not there, and asking does not make it") {
  const temporary_database at;
  CHECK(asked(at, {"q", "n"}) == nothing_published);
  CHECK(std::filesystem::is_empty(at.directory));
  auto deeper = make_sqlite_sink(
      {.connector = "sqlite", .options = {{"path", (at.directory / "new" / "results.db").string()}, {"table", "t"}}});
  REQUIRE(deeper.ok());
  REQUIRE((*deeper)->published({"q", "n"}).ok());
  CHECK(std::filesystem::is_empty(at.directory));
}

TEST_CASE("sqlite: the ledger answers for each query and node, also in another process") {
  const temporary_database at;
  publish_two(at);
  CHECK(asked(at, {"q", "n"}) == 1);
  CHECK(asked(at, {"q", "m"}) == nothing_published);
  CHECK(asked(at, {"r", "n"}) == nothing_published);
}

TEST_CASE("sqlite: a batch without rows counts as published") {
  const temporary_database at;
  {
    auto to = at.sink_for("numbers");
    succeed(to->open(numbers, output_mode::append, {"q", "n"}));
    publish(*to, {0, output_mode::append, {}});
    CHECK(**to->published({"q", "n"}) == 0);
    publish(*to, {1, output_mode::append, {}});
  }
  CHECK(asked(at, {"q", "n"}) == 1);
  CHECK(at.rows("SELECT count(*) FROM numbers") == texts{"0"});
}

TEST_CASE("sqlite: a batch that was only prepared is not published") {
  const temporary_database at;
  publish_two(at);
  auto to = at.sink_for("numbers");
  succeed(to->open(numbers, output_mode::append, {"q", "n"}));
  succeed(to->prepare(number(2)));
  to.reset();
  CHECK(asked(at, {"q", "n"}) == 1);
}

TEST_CASE("sqlite: nothing is published to a table that is gone, whatever the ledger says") {
  const temporary_database at;
  publish_two(at);
  CHECK(asked(at, {"q", "n"}, "elsewhere") == nothing_published);
  CHECK(asked(at, {"q", "n"}, "NUMBERS") == 1);
  at.rows("DROP TABLE numbers");
  CHECK(asked(at, {"q", "n"}) == nothing_published);
}

TEST_CASE("sqlite: nothing is published to a database that has no ledger, and asking does not make one") {
  const temporary_database at;
  at.rows("CREATE TABLE numbers (id INTEGER NOT NULL)");
  CHECK(asked(at, {"q", "n"}) == nothing_published);
  CHECK(at.rows("SELECT name FROM sqlite_schema") == texts{"numbers"});
  CHECK(at.rows("PRAGMA journal_mode") == texts{"delete"});
}

TEST_CASE("sqlite: a sink that was asked can be opened and goes on") {
  const temporary_database at;
  publish_two(at);
  auto to = at.sink_for("numbers");
  REQUIRE(to->published({"q", "n"}).ok());
  succeed(to->open(numbers, output_mode::append, {"q", "n"}));
  publish(*to, number(1));
  publish(*to, number(2));
  CHECK(at.rows("SELECT id FROM numbers") == texts{"0", "1", "2"});
}

TEST_CASE("sqlite: a file that is no database cannot answer") {
  const temporary_database at;
  std::ofstream(at.path()) << "this is a text and by no means a database, although it is long enough to be looked at";
  const auto answer = at.sink_for("numbers")->published({"q", "n"});
  REQUIRE_FALSE(answer.ok());
  CHECK(answer.error().code == "PMSTREAM436");
}
