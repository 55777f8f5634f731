#include "support.hpp"

#include <cstdint>

using namespace etlantic;
using namespace etlantic::test;

namespace {

const field_description fields[] = {plain_field("id", logical_type::int64), plain_field("count", logical_type::uint64)};
const schema counted{.id = "counted", .version = "1", .fields = fields};

publication rows(std::int64_t batch, std::uint64_t count) {
  return batch_of(batch, output_mode::append, make_block(counted, {{batch, count}}));
}

constexpr std::uint64_t too_much = ~std::uint64_t{0};

struct two_sinks {
  temporary_database at;
  std::shared_ptr<sink> first = at.sink_for("first");
  std::shared_ptr<sink> second;

  two_sinks() {
    // Another spelling of the same file.
    auto made =
        make_sqlite_sink({.connector = "sqlite",
                          .options = {{"path", (at.directory / "." / "results.db").string()}, {"table", "second"}}});
    REQUIRE(made.ok());
    second = *made;
    succeed(first->open(counted, output_mode::append, {"q", "first"}));
    succeed(second->open(counted, output_mode::append, {"q", "second"}));
  }

  texts counts() const { return at.rows("SELECT (SELECT count(*) FROM first), (SELECT count(*) FROM second)"); }
};

/// A connection of another program that holds the write lock.
struct foreign_writer {
  sqlite3* connection = nullptr;

  explicit foreign_writer(const std::string& path) {
    REQUIRE(sqlite3_open(path.c_str(), &connection) == SQLITE_OK);
    REQUIRE(sqlite3_exec(connection, "BEGIN IMMEDIATE", nullptr, nullptr, nullptr) == SQLITE_OK);
  }
  ~foreign_writer() { sqlite3_close(connection); }
  foreign_writer(const foreign_writer&) = delete;
  foreign_writer& operator=(const foreign_writer&) = delete;
};

}  // namespace

TEST_CASE("RC-14: two sinks of one query and file are one transaction, committed by the first commit") {
  two_sinks both;
  succeed(both.first->prepare(rows(1, 1)));
  succeed(both.second->prepare(rows(1, 1)));
  CHECK(both.counts() == texts{"0|0"});
  succeed(both.first->commit(1));
  CHECK(both.counts() == texts{"1|1"});
  succeed(both.second->commit(1));
  CHECK(both.counts() == texts{"1|1"});
}

TEST_CASE("RC-14: a crash between the commits of two sinks is none, and a replay adds nothing") {
  two_sinks both;
  succeed(both.first->prepare(rows(1, 1)));
  succeed(both.second->prepare(rows(1, 1)));
  succeed(both.second->commit(1));
  const std::string path = both.at.path();
  both.first.reset();
  both.second.reset();
  for (const char* name : {"first", "second"}) {
    auto again = both.at.sink_for(name);
    succeed(again->open(counted, output_mode::append, {"q", name}));
    publish(*again, rows(1, 1));
  }
  CHECK(both.counts() == texts{"1|1"});
}

TEST_CASE("sqlite: when the second sink fails nothing of the first is written, and the next try works") {
  two_sinks both;
  succeed(both.first->prepare(rows(1, 1)));
  CHECK_FALSE(both.second->prepare(rows(1, too_much)).ok());
  const auto refused = both.first->commit(1);
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.error().code == "PMSTREAM438");
  both.first->abort();
  both.second->abort();
  CHECK(both.counts() == texts{"0|0"});
  succeed(both.first->prepare(rows(1, 1)));
  succeed(both.second->prepare(rows(1, 2)));
  succeed(both.first->commit(1));
  succeed(both.second->commit(1));
  CHECK(both.counts() == texts{"1|1"});
}

TEST_CASE("sqlite: an abort of one sink takes the batch back from all") {
  two_sinks both;
  succeed(both.first->prepare(rows(1, 1)));
  succeed(both.second->prepare(rows(1, 1)));
  both.second->abort();
  CHECK_FALSE(both.first->commit(1).ok());
  CHECK(both.counts() == texts{"0|0"});
}

TEST_CASE("sqlite: two queries have transactions of their own, and one waits for the other") {
  const temporary_database at;
  auto first = at.sink_for("first", {{"busy_timeout_ms", "1"}});
  auto second = at.sink_for("second", {{"busy_timeout_ms", "1"}});
  succeed(first->open(counted, output_mode::append, {"q", "n"}));
  succeed(second->open(counted, output_mode::append, {"r", "n"}));
  succeed(first->prepare(rows(1, 1)));
  const auto locked = second->prepare(rows(1, 1));
  REQUIRE_FALSE(locked.ok());
  CHECK(locked.error().code == "PMSTREAM434");
  succeed(first->commit(1));
  publish(*second, rows(1, 1));
  CHECK(at.rows("SELECT (SELECT count(*) FROM first), (SELECT count(*) FROM second)") == texts{"1|1"});
}

TEST_CASE("sqlite: a database that another program holds is reported, and works when it is free") {
  const temporary_database at;
  auto to = at.sink_for("counted", {{"busy_timeout_ms", "1"}});
  succeed(to->open(counted, output_mode::append, {"q", "n"}));
  {
    const foreign_writer other(at.path());
    const auto locked = to->prepare(rows(1, 1));
    REQUIRE_FALSE(locked.ok());
    CHECK(locked.error().message == "the database is locked by another program");
    CHECK(locked.error().kind == failure_class::connectivity);
  }
  publish(*to, rows(1, 1));
  CHECK(at.rows("SELECT count(*) FROM counted") == texts{"1"});
}

TEST_CASE("sqlite: a full disk takes the whole batch back, and a smaller one fits") {
  const temporary_database at;
  auto to = at.sink_for("texts", {{"max_pages", "20"}});
  const field_description text_fields[] = {plain_field("t", logical_type::text)};
  const schema texts_schema{.id = "texts", .version = "1", .fields = text_fields};
  succeed(to->open(texts_schema, output_mode::append, {"q", "n"}));
  block many(texts_schema);
  const block row = make_block(texts_schema, {{std::string(1000, 'x')}});
  for (int i = 0; i < 1000; ++i) many.append(row, 0);
  const auto full = to->prepare(batch_of(1, output_mode::append, many));
  REQUIRE_FALSE(full.ok());
  CHECK(full.error().kind == failure_class::resource_exhausted);
  CHECK(full.error().code == "PMSTREAM435");
  CHECK(at.rows("SELECT count(*) FROM texts") == texts{"0"});
  publish(*to, batch_of(1, output_mode::append, row));
  CHECK(at.rows("SELECT count(*) FROM texts") == texts{"1"});
}

TEST_CASE("sqlite: the cache of a connection grows up to what the profile says") {
  const field_description text_fields[] = {plain_field("t", logical_type::text)};
  const schema texts_schema{.id = "texts", .version = "1", .fields = text_fields};
  block many(texts_schema);
  const block row = make_block(texts_schema, {{std::string(1000, 'x')}});
  for (int i = 0; i < 6000; ++i) many.append(row, 0);
  const auto memory_after = [&](const std::map<std::string, std::string>& options) {
    const temporary_database at;
    const std::int64_t before = sqlite3_memory_used();
    auto to = at.sink_for("texts", options);
    succeed(to->open(texts_schema, output_mode::append, {"q", "n"}));
    publish(*to, batch_of(1, output_mode::append, many));
    return sqlite3_memory_used() - before;
  };
  CHECK(memory_after({{"cache_mib", "1"}}) < 2 << 20);
  CHECK(memory_after({}) > 6 << 20);
}

TEST_CASE("sqlite: a constraint of the table that a row breaks takes the whole batch back") {
  const temporary_database at;
  at.rows("CREATE TABLE counted (id INTEGER NOT NULL CHECK (id < 10), count INTEGER NOT NULL)");
  auto to = at.sink_for("counted");
  succeed(to->open(counted, output_mode::append, {"q", "n"}));
  const auto refused = to->prepare(batch_of(1, output_mode::append, make_block(counted, {{1, 1}, {10, 1}})));
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.error().kind == failure_class::sink_rejected);
  CHECK(refused.error().message == "the database refused a row: CHECK constraint failed: id < 10");
  CHECK(at.rows("SELECT count(*) FROM counted") == texts{"0"});
}

TEST_CASE("sqlite: two sinks that name a file relative to here, not there yet, share one connection") {
  temporary_database at;
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(at.directory);
  {
    std::shared_ptr<sink> sinks[2];
    for (int i = 0; i < 2; ++i) {
      const std::string table = i == 0 ? "first" : "second";
      auto made = make_sqlite_sink({.connector = "sqlite", .options = {{"path", "results.db"}, {"table", table}}});
      REQUIRE(made.ok());
      sinks[i] = *made;
      succeed(sinks[i]->open(counted, output_mode::append, {"q", table}));
    }
    for (auto& each : sinks) succeed(each->prepare(rows(0, 1)));
    for (auto& each : sinks) succeed(each->commit(0));
  }
  std::filesystem::current_path(before);
  CHECK(at.rows("SELECT (SELECT count(*) FROM first), (SELECT count(*) FROM second)") == texts{"1|1"});
}
