#pragma once
#include <etlantic/column/flatten.hpp>
#include <etlantic/connect/sqlite/database.hpp>
#include <etlantic/contract/schema.hpp>
#include <etlantic/core/result.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace etlantic::sqlite {

struct table_column {
  std::string name;
  std::string type;
  bool nullable = false;
  int key_position = -1;
};

/// What a table must look like.
struct table_plan {
  std::string name;
  std::vector<table_column> columns;

  std::vector<std::string> key() const;
};

/// A name as SQL has it, whatever characters it is made of.
std::string sql_name(std::string_view name);

/// The table of a contract. Refuses what cannot be one: two columns of one name (SQLite ignores case), and when
/// `keyed`, a key that can be null or is a list.
result<table_plan> plan_table(const std::string& name, const std::vector<flat_field>& fields, bool keyed);

std::string create_statement(const table_plan& plan);
enum class insert_kind : std::uint8_t { add, merge };
/// Adds some rows at once; `merge` replaces the columns of a row that has the same key.
std::string insert_statement(const table_plan& plan, insert_kind kind, std::size_t rows);

/// Whether there is a table of that name. One that differs is refused with all the differences. Changes nothing.
result<bool> table_exists_and_fits(database& where, const table_plan& plan);

}  // namespace etlantic::sqlite
