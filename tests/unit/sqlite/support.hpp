#pragma once
#include <etlantic/connect/sqlite/sink.hpp>

#include "support/catch.hpp"
#include "support/rows.hpp"

#include <sqlite3.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace etlantic::test {

struct temporary_database {
  std::filesystem::path directory;

  temporary_database() {
    std::string name = (std::filesystem::temp_directory_path() / "etlantic_sqlite_XXXXXX").string();
    directory = ::mkdtemp(name.data());
  }
  ~temporary_database() { std::filesystem::remove_all(directory); }
  temporary_database(const temporary_database&) = delete;
  temporary_database& operator=(const temporary_database&) = delete;

  std::string path() const { return (directory / "results.db").string(); }

  /// The rows of a query as SQL literals with `|` between them, read through a connection of its own.
  std::vector<std::string> rows(const std::string& sql) const {
    sqlite3* connection = nullptr;
    REQUIRE(sqlite3_open(path().c_str(), &connection) == SQLITE_OK);
    std::vector<std::string> found;
    const auto collect = [](void* to, int count, char** values, char**) {
      std::string row;
      for (int i = 0; i < count; ++i)
        row += (i == 0 ? "" : "|") + std::string(values[i] == nullptr ? "NULL" : values[i]);
      static_cast<std::vector<std::string>*>(to)->push_back(row);
      return 0;
    };
    char* message = nullptr;
    const int code = sqlite3_exec(connection, sql.c_str(), collect, &found, &message);
    INFO(sql << ": " << (message == nullptr ? "" : message));
    CHECK(code == SQLITE_OK);
    sqlite3_free(message);
    sqlite3_close(connection);
    return found;
  }

  asset_binding binding(const std::string& table, std::map<std::string, std::string> more = {}) const {
    more.insert({{"path", path()}, {"table", table}});
    return {.connector = "sqlite", .options = std::move(more)};
  }

  std::shared_ptr<sink> sink_for(const std::string& table, std::map<std::string, std::string> more = {}) const {
    auto made = make_sqlite_sink(binding(table, std::move(more)));
    REQUIRE(made.ok());
    return *made;
  }
};

using texts = std::vector<std::string>;

inline void succeed(const result<void>& done) {
  if (!done) FAIL(done.error().code << " " << done.error().message << " @ " << done.error().where);
}

inline publication batch_of(std::int64_t batch, output_mode mode, block rows) {
  publication made{batch, mode, {}};
  made.blocks.push_back(std::move(rows));
  return made;
}

inline void publish(sink& to, const publication& what) {
  succeed(to.prepare(what));
  succeed(to.commit(what.batch));
}

}  // namespace etlantic::test
