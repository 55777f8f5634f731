#pragma once
#include <etlantic/connect/sqlite/failure.hpp>
#include <etlantic/connect/sqlite/rejected_reader.hpp>
#include <etlantic/connect/sqlite/statement.hpp>
#include <etlantic/connect/sqlite/table.inl.hpp>
#include <etlantic/runtime/connector.hpp>

#include <filesystem>
#include <memory>
#include <string>

namespace etlantic {

[[gnu::used]] inline result<void> read_rejected_table(const asset_binding& binding, const program_node&,
                                                      const quarantine_visitor& visit) {
  const auto option = [&](const char* name) { return option_of(binding, name); };
  const std::string path = option("path");
  std::error_code none;
  if (!std::filesystem::exists(path, none)) return {};  // nothing has been published yet
  sqlite3* connection = nullptr;
  const int code = sqlite3_open_v2(path.c_str(), &connection, SQLITE_OPEN_READONLY | SQLITE_OPEN_EXRESCODE, nullptr);
  const auto close = [](sqlite3* opened) { sqlite3_close(opened); };
  const std::unique_ptr<sqlite3, decltype(close)> owner(connection, close);
  if (code != SQLITE_OK) return sqlite::failure_of(connection, path);
  sqlite3_busy_timeout(connection, 5000);

  auto known =
      sqlite::statement::prepare(connection, "SELECT 1 FROM sqlite_schema WHERE type='table' AND name=?", path);
  if (!known) return known.error();
  const std::string table = option("table");
  known->bind(1, table);
  if (!known->step()) return known->code() == SQLITE_DONE ? result<void>() : sqlite::failure_of(connection, path);
  auto rows = sqlite::statement::prepare(
      connection,
      "SELECT split, position, code, field, reason, violations, payload, observed_time, pipeline, contract FROM " +
          sqlite::sql_name(table) + " ORDER BY rowid",
      path);
  if (!rows) return rows.error();
  const auto text = [&](int column) { return std::string(rows->text(column)); };
  while (rows->step())
    if (!visit({text(0), rows->number(1), text(2), text(3), text(4), text(5), text(6), text(7), text(8), text(9)}))
      return {};
  return rows->code() == SQLITE_DONE ? result<void>() : sqlite::failure_of(connection, path);
}

}  // namespace etlantic
