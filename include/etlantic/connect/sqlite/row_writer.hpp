#pragma once
#include <etlantic/column/flatten.hpp>
#include <etlantic/column/format.hpp>
#include <etlantic/column/format_json.hpp>
#include <etlantic/connect/sqlite/database.hpp>
#include <etlantic/connect/sqlite/row_order.hpp>
#include <etlantic/connect/sqlite/statement.hpp>
#include <etlantic/connect/sqlite/table.hpp>
#include <etlantic/core/timestamp_writer.hpp>

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace etlantic::sqlite {

/// An insert statement of a fixed number of rows, and what is bound to it. That stays where it is until the statement
/// has run, so that SQLite copies nothing but the values that go into the file.
class insert_statement_of_rows {
 public:
  insert_statement_of_rows() = default;
  insert_statement_of_rows(statement insert, const std::vector<flat_field>& fields, std::size_t rows);

  std::size_t rows() const { return rows_; }

  /// Adds the rows at `places`, as many as the statement has.
  result<void> run(const std::vector<flat_block>& blocks, const row_place* places, const std::string& where);

 private:
  struct list_text {
    json_member layout;
    std::string json;
  };
  struct parameter {
    const flat_field* field = nullptr;
    // Times repeat from row to row (windows): the text that is bound is kept as long as the value is the same.
    bool has_time = false;
    std::int64_t bound_time = 0;
    std::array<char, scalar_text_size> characters{};
    std::unique_ptr<list_text> list;  // apart, because few are lists, and all parameters should fit the nearest cache
  };

  bool bind(parameter& each, int place, const flat_column& source, std::size_t row);
  void bind_time(parameter& each, int place, std::int64_t value);
  void bind_real(int place, double value);
  void bind_buffer(parameter& each, int place, const char* end) {
    insert_.bind(place, {each.characters.data(), static_cast<std::size_t>(end - each.characters.data())});
  }

  statement insert_;
  std::size_t rows_ = 0;
  std::vector<parameter> parameters_;  // row by row
  timestamp_writer times_;
};

/// Writes all rows of a batch to a table.
class row_writer {
 public:
  /// Rows of a table with a key are written in its order, others in the order in which they come.
  static result<row_writer> prepare(database& to, const table_plan& table, insert_kind kind,
                                    const std::vector<flat_field>& fields);

  result<void> write(std::span<const block> rows, const std::string& where);

 private:
  const std::vector<flat_field>* fields_ = nullptr;
  bool sorts_ = false;
  insert_statement_of_rows many_;
  insert_statement_of_rows one_;
};

}  // namespace etlantic::sqlite
