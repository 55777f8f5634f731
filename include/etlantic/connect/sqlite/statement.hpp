#pragma once
#include <etlantic/connect/sqlite/failure.hpp>

#include <sqlite3.h>

#include <memory>
#include <string>
#include <string_view>

namespace etlantic::sqlite {

/// A prepared statement, finalized with its owner.
class statement {
 public:
  statement() = default;

  static result<statement> prepare(sqlite3* connection, std::string_view sql, const std::string& where) {
    sqlite3_stmt* made = nullptr;
    const int code = sqlite3_prepare_v3(connection, sql.data(), static_cast<int>(sql.size()), SQLITE_PREPARE_PERSISTENT,
                                        &made, nullptr);
    if (code != SQLITE_OK) return failure_of(connection, where);
    statement prepared;
    prepared.handle_.reset(made);
    return prepared;
  }

  sqlite3_stmt* get() const { return handle_.get(); }

  /// The text must stay where it is until the statement has run.
  void bind(int parameter, std::string_view text) {
    sqlite3_bind_text64(get(), parameter, text.data() == nullptr ? "" : text.data(), text.size(), SQLITE_STATIC,
                        SQLITE_UTF8);
  }
  void bind(int parameter, sqlite3_int64 number) { sqlite3_bind_int64(get(), parameter, number); }

  /// True while there is a row to look at; false at the end or after a failure (`code()` tells).
  bool step() { return (code_ = sqlite3_step(get())) == SQLITE_ROW; }
  int code() const { return code_; }
  void reset() { sqlite3_reset(get()); }

  std::string_view text(int column) const {
    const unsigned char* characters = sqlite3_column_text(get(), column);
    if (characters == nullptr) return {};
    return {reinterpret_cast<const char*>(characters), static_cast<std::size_t>(sqlite3_column_bytes(get(), column))};
  }
  sqlite3_int64 number(int column) const { return sqlite3_column_int64(get(), column); }

 private:
  struct finalize {
    void operator()(sqlite3_stmt* each) const { sqlite3_finalize(each); }
  };
  std::unique_ptr<sqlite3_stmt, finalize> handle_;
  int code_ = SQLITE_OK;
};

}  // namespace etlantic::sqlite
