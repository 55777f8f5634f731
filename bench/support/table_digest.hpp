#pragma once
#include <support/block_digest.hpp>
#include <support/digest.hpp>

#include <etlantic/contract/schema.hpp>
#include <etlantic/core/rfc3339.hpp>

#include <sqlite3.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

namespace bench {

/// The digest of a table that the SQLite sink wrote. Reads it with SQLite alone.
class table_digest {
 public:
  table_digest(const std::string& path, const etlantic::schema& contract) : contract_(contract) {
    sqlite3* opened = nullptr;
    const int code = sqlite3_open_v2(path.c_str(), &opened, SQLITE_OPEN_READONLY, nullptr);
    database_.reset(opened);
    check(code);
  }

  std::string of(const std::string& table) {
    std::string select = "SELECT ";
    for (const etlantic::field_description& field : contract_.fields)
      select.append(select.size() > 7 ? ", \"" : "\"").append(field.data_name).append("\"");
    select.append(" FROM \"").append(table).append("\"");
    sqlite3_stmt* prepared = nullptr;
    check(sqlite3_prepare_v2(database_.get(), select.c_str(), -1, &prepared, nullptr));
    const std::unique_ptr<sqlite3_stmt, int (*)(sqlite3_stmt*)> rows(prepared, sqlite3_finalize);
    digest made;
    int code = SQLITE_ROW;
    while ((code = sqlite3_step(rows.get())) == SQLITE_ROW) add_row(made, rows.get());
    if (code != SQLITE_DONE) check(code);
    return made.to_json();
  }

 private:
  void check(int code) const {
    if (code != SQLITE_OK) throw std::runtime_error(sqlite3_errmsg(database_.get()));
  }

  void add_row(digest& into, sqlite3_stmt* row) const {
    std::size_t reals = 0;
    into.begin_row();
    int place = 0;
    for (const etlantic::field_description& field : contract_.fields) {
      const int column = place++;
      if (field.type == etlantic::logical_type::float64)
        into.add_real(reals++, sqlite3_column_double(row, column));
      else if (sqlite3_column_type(row, column) == SQLITE_NULL)
        into.add(digest::null);
      else if (sqlite3_column_type(row, column) == SQLITE_INTEGER)
        into.add(sqlite3_column_int64(row, column));
      else
        into.add(number_of(field.type, reinterpret_cast<const char*>(sqlite3_column_text(row, column))));
    }
    into.end_row();
  }

  static std::int64_t number_of(etlantic::logical_type type, std::string_view text) {
    if (type == etlantic::logical_type::text) return number_in(text);
    if (type == etlantic::logical_type::decimal) {
      std::string digits(text);
      std::erase(digits, '.');
      return std::stoll(digits);
    }
    const auto time = etlantic::parse_rfc3339(text);
    if (type != etlantic::logical_type::timestamp || !time)
      throw std::runtime_error("a table has a value that no digest is made of: " + std::string(text));
    return time->microseconds;
  }

  etlantic::schema contract_;
  std::unique_ptr<sqlite3, int (*)(sqlite3*)> database_{nullptr, sqlite3_close};
};

}  // namespace bench
