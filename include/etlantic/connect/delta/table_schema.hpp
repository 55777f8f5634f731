#pragma once
#include <etlantic/connect/delta/action.hpp>
#include <etlantic/connect/parquet/field_names.hpp>
#include <etlantic/contract/schema.hpp>
#include <etlantic/core/result.hpp>

#include <deque>
#include <list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace etlantic::delta {

/// The schema of a table, known at run time, as a contract that owns its names. `name` is the name of a column in the
/// table, `data_name` that in the files. A map is a list of {key, value}; a time stamp without a zone has the form
/// `local`. Where the table maps its columns by id, `files_by_id` has these names of the files by the ids of their
/// fields.
struct table_schema {
  std::deque<std::string> names;
  std::list<std::vector<field_description>> fields;  // lists keep their places: the spans point to them
  schema described;
  std::optional<parquet::names_by_id> files_by_id;

  std::string_view keep(std::string name) { return names.emplace_back(std::move(name)); }
  std::span<const field_description> keep(std::vector<field_description> some) {
    return fields.emplace_back(std::move(some));
  }
};
using table_schema_pointer = std::shared_ptr<const table_schema>;

/// Parses the schema of a table. A type that we do not have is a failure that names the column.
result<table_schema_pointer> parse_schema(const table_metadata& table, const std::string& where);

/// The schema of a table that holds the rows of a contract: enumerations are texts, unsigned integers the next wider
/// type, durations microseconds. Refuses names that differ in case only, and those that Parquet files of a Delta table
/// cannot have.
result<table_schema_pointer> schema_of_contract(const schema& contract, const std::string& where);

/// As the log has it: a schema, and one field of it.
std::string schema_text(std::span<const field_description> fields);
std::string field_text(const field_description& field);

/// Without some columns: what the files of a partitioned table hold.
table_schema_pointer schema_without(const table_schema_pointer& of, const std::vector<std::string>& columns);

/// Column names are the same whatever the case of their ASCII letters.
bool is_same_column(std::string_view left, std::string_view right);

/// `decimal(18,2)`
std::string type_text(const field_description& field);

}  // namespace etlantic::delta
