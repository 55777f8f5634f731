#include <etlantic/connect/sqlite/gathered_log.hpp>

#include "support.hpp"

#include <sys/resource.h>

#include <csignal>
#include <cstdint>
#include <filesystem>
#include <string>

using namespace etlantic;
using namespace etlantic::test;

namespace {

const field_description fields[] = {keyed(plain_field("id", logical_type::int64)),
                                    plain_field("what", logical_type::text)};
const schema things{.id = "things", .version = "1", .fields = fields};

/// About 1.2 MB: many times what is gathered.
publication many_things(std::int64_t batch) {
  std::vector<std::vector<cell>> rows;
  for (std::int64_t id = 0; id < 4'000; ++id)
    rows.push_back({id * 7919 % 4'000, std::string(300, 'x') + std::to_string(batch)});
  return batch_of(batch, output_mode::update, make_block(things, rows));
}

const std::string sums = "SELECT count(*), min(what) = max(what), substr(min(what), 301) FROM things";

/// The database as a crash at this moment would leave it to the next start.
std::string copy_of_files(const temporary_database& at) {
  const temporary_database crashed;
  for (const char* ending : {"", "-wal"}) std::filesystem::copy_file(at.path() + ending, crashed.path() + ending);
  const texts intact = crashed.rows("PRAGMA integrity_check");
  CHECK(intact == texts{"ok"});
  return crashed.rows(sums).at(0);
}

struct raw_connection {
  sqlite3* handle = nullptr;

  raw_connection(const std::string& path, const char* layer) {
    REQUIRE(sqlite3_open_v2(path.c_str(), &handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, layer) == SQLITE_OK);
    run("PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL");
  }
  ~raw_connection() { sqlite3_close(handle); }
  raw_connection(const raw_connection&) = delete;
  raw_connection& operator=(const raw_connection&) = delete;

  void run(const std::string& sql) const {
    INFO(sql);
    REQUIRE(sqlite3_exec(handle, sql.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK);
  }
};

/// Files may not grow beyond some bytes while it lives.
struct limit_of_files {
  rlimit before{};

  explicit limit_of_files(rlim_t most) {
    std::signal(SIGXFSZ, SIG_IGN);
    REQUIRE(getrlimit(RLIMIT_FSIZE, &before) == 0);
    const rlimit now{most, before.rlim_max};
    REQUIRE(setrlimit(RLIMIT_FSIZE, &now) == 0);
  }
  ~limit_of_files() {
    setrlimit(RLIMIT_FSIZE, &before);
    std::signal(SIGXFSZ, SIG_DFL);
  }
  limit_of_files(const limit_of_files&) = delete;
  limit_of_files& operator=(const limit_of_files&) = delete;
};

}  // namespace

TEST_CASE("sqlite: what is committed is in the files, for other connections and for the start after a crash") {
  const temporary_database at;
  auto to = at.sink_for("things");
  succeed(to->open(things, output_mode::update, {"q", "n"}));
  for (std::int64_t batch = 1; batch <= 3; ++batch) {
    succeed(to->prepare(many_things(batch)));
    CHECK(at.rows(sums).at(0).substr(0, 4) == (batch == 1 ? "0|NU" : "4000"));
    succeed(to->commit(batch));
    CHECK(at.rows(sums) == texts{"4000|1|" + std::to_string(batch)});
    CHECK(copy_of_files(at) == "4000|1|" + std::to_string(batch));
  }
}

TEST_CASE("sqlite: a batch in the middle of which the disk fills leaves the one before it, and is done later") {
  const temporary_database at;
  auto to = at.sink_for("things");
  succeed(to->open(things, output_mode::update, {"q", "n"}));
  publish(*to, many_things(1));
  {
    const limit_of_files full(std::filesystem::file_size(at.path() + "-wal") + 300'000);
    succeed(to->prepare(many_things(2)));
    const result<void> refused = to->commit(2);
    REQUIRE_FALSE(refused.ok());
    CHECK(refused.error().code == "PMSTREAM435");
  }
  CHECK(at.rows(sums) == texts{"4000|1|1"});
  CHECK(copy_of_files(at) == "4000|1|1");
  publish(*to, many_things(2));
  CHECK(at.rows(sums) == texts{"4000|1|2"});
  to.reset();
  CHECK(at.rows("PRAGMA integrity_check") == texts{"ok"});
  CHECK_FALSE(std::filesystem::exists(at.path() + "-wal"));
}

TEST_CASE("sqlite: with a gathered log, transactions that outgrow the cache end as they do without") {
  const temporary_database gathered;
  const temporary_database plain;
  const raw_connection one(gathered.path(), sqlite::layer_with_gathered_log());
  const raw_connection other(plain.path(), nullptr);
  for (const raw_connection* each : {&one, &other}) {
    // Pages go into the log before the commit, are read from there, and are written there again.
    each->run("PRAGMA cache_size=5; PRAGMA wal_autocheckpoint=300; CREATE TABLE t (id INTEGER PRIMARY KEY, what TEXT)");
    for (int round = 0; round < 6; ++round) {
      each->run(
          "BEGIN; INSERT INTO t (what) WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 900)"
          " SELECT printf('%*d', 700, i) FROM n; UPDATE t SET what = what || id WHERE id % 7 = " +
          std::to_string(round));
      each->run(round % 3 == 1 ? "ROLLBACK" : "COMMIT");
    }
  }
  const std::string everything = "SELECT count(*), sum(length(what)), sum(id * length(what)) FROM t";
  CHECK(gathered.rows("PRAGMA integrity_check") == texts{"ok"});
  CHECK(gathered.rows(everything) == plain.rows(everything));
  CHECK(gathered.rows("SELECT count(*) FROM t") == texts{"3600"});
}
