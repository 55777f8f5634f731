#pragma once
#include <etlantic/connect/sqlite/table.hpp>

#include <algorithm>

namespace etlantic::sqlite {
namespace detail {

inline std::string_view column_type(logical_type type) {
  switch (type) {
    case logical_type::boolean:
    case logical_type::int8:
    case logical_type::int16:
    case logical_type::int32:
    case logical_type::int64:
    case logical_type::uint8:
    case logical_type::uint16:
    case logical_type::uint32:
    case logical_type::uint64:
    case logical_type::duration: return "INTEGER";
    case logical_type::float32:
    case logical_type::float64: return "REAL";
    case logical_type::binary: return "BLOB";
    // DECIMAL or NUMERIC would be the natural name, but SQLite then turns the digits into binary floating point.
    case logical_type::decimal:
    case logical_type::text:
    case logical_type::date:
    case logical_type::timestamp:
    case logical_type::enumeration:
    case logical_type::structure:
    case logical_type::list: return "TEXT";
  }
  return "TEXT";
}

inline std::string in_upper_case(std::string_view name) {
  std::string upper(name);
  // Only ASCII, as SQLite compares names.
  for (char& c : upper)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  return upper;
}

/// What SQLite makes of a declared type. See "Determination Of Column Affinity" in its documentation.
inline std::string_view affinity_of(std::string_view declared) {
  const std::string type = in_upper_case(declared);
  const auto has = [&](std::string_view part) { return type.find(part) != std::string::npos; };
  if (has("INT")) return "INTEGER";
  if (has("CHAR") || has("CLOB") || has("TEXT")) return "TEXT";
  if (type.empty() || has("BLOB")) return "BLOB";
  if (has("REAL") || has("FLOA") || has("DOUB")) return "REAL";
  return "NUMERIC";
}

inline std::string joined(const std::vector<std::string>& parts, std::string_view between) {
  std::string all;
  for (const std::string& each : parts) {
    if (!all.empty()) all += between;
    all += each;
  }
  return all;
}

inline std::vector<std::string> all_sql_names(std::vector<std::string> names) {
  for (std::string& each : names) each = sql_name(each);
  return names;
}

inline failure not_a_table(const std::string& table, const std::string& why, const std::string& help) {
  return {failure_class::contract, "PMSTREAM432", why, "table " + table, help};
}

}  // namespace detail

inline std::string sql_name(std::string_view name) {
  std::string made = "\"";
  for (char c : name) {
    if (c == '"') made += '"';
    made += c;
  }
  return made + '"';
}

inline std::vector<std::string> table_plan::key() const {
  std::vector<const table_column*> found;
  for (const table_column& each : columns)
    if (each.key_position >= 0) found.push_back(&each);
  std::sort(found.begin(), found.end(),
            [](const table_column* a, const table_column* b) { return a->key_position < b->key_position; });
  std::vector<std::string> names;
  for (const table_column* each : found) names.push_back(each->name);
  return names;
}

inline result<table_plan> plan_table(const std::string& name, const std::vector<flat_field>& fields, bool is_keyed) {
  table_plan plan{name, {}};
  std::vector<std::string> taken;
  for (const flat_field& each : fields) {
    const std::string upper = detail::in_upper_case(each.name);
    if (std::find(taken.begin(), taken.end(), upper) != taken.end())
      return detail::not_a_table(name, "two fields of the contract become the column `" + each.name + "`",
                                 "rename one of them; SQLite does not tell upper from lower case");
    if (each.name.find('\0') != std::string::npos)
      return detail::not_a_table(name, "the name of a field contains U+0000", "rename it");
    taken.push_back(upper);
    const bool in_key = is_keyed && each.key_position >= 0;
    if (in_key && each.nullable)
      return detail::not_a_table(name, "the key field `" + each.name + "` can be null, and null equals nothing",
                                 "make it required, or use mode append");
    if (in_key && each.field->type == logical_type::list)
      return detail::not_a_table(name, "the key field `" + each.name + "` is a list", "use other fields as the key");
    plan.columns.push_back({each.name, std::string(detail::column_type(each.field->type)), each.nullable,
                            in_key ? each.key_position : -1});
  }
  if (plan.columns.empty()) return detail::not_a_table(name, "the contract has no fields", "add one");
  return plan;
}

inline std::string create_statement(const table_plan& plan) {
  std::vector<std::string> parts;
  for (const table_column& each : plan.columns)
    parts.push_back(sql_name(each.name) + ' ' + each.type + (each.nullable ? "" : " NOT NULL"));
  const std::vector<std::string> key = detail::all_sql_names(plan.key());
  if (!key.empty()) parts.push_back("PRIMARY KEY (" + detail::joined(key, ", ") + ")");
  // Without a rowid the rows stand in the key's own tree: one tree to search and to write instead of two.
  return "CREATE TABLE " + sql_name(plan.name) + " (\n  " + detail::joined(parts, ",\n  ") + "\n)" +
         (key.empty() ? "" : " WITHOUT ROWID");
}

inline std::string insert_statement(const table_plan& plan, insert_kind kind, std::size_t rows) {
  std::vector<std::string> names;
  std::vector<std::string> places;
  std::vector<std::string> updates;
  for (const table_column& each : plan.columns) {
    names.push_back(sql_name(each.name));
    places.push_back("?");
    if (each.key_position < 0) updates.push_back(names.back() + " = excluded." + names.back());
  }
  const std::vector<std::string> tuples(rows, "(" + detail::joined(places, ", ") + ")");
  std::string sql = "INSERT INTO " + sql_name(plan.name) + " (" + detail::joined(names, ", ") + ") VALUES " +
                    detail::joined(tuples, ", ");
  if (kind == insert_kind::add) return sql;
  sql += " ON CONFLICT (" + detail::joined(detail::all_sql_names(plan.key()), ", ") + ") DO ";
  return sql + (updates.empty() ? "NOTHING" : "UPDATE SET " + detail::joined(updates, ", "));
}

namespace detail {

struct existing_column {
  std::string name;
  std::string type;
  bool nullable = false;
  bool has_default = false;
  bool is_generated = false;
  int key_position = -1;
};

inline result<std::vector<existing_column>> existing_columns(database& in, const std::string& table) {
  auto query =
      in.prepare("SELECT name, type, \"notnull\", dflt_value IS NOT NULL, pk, hidden FROM pragma_table_xinfo(?)");
  if (!query) return query.error();
  query->bind(1, table);
  std::vector<existing_column> columns;
  while (query->step()) {
    const auto place = static_cast<int>(query->number(4)) - 1;
    // A key column of a table with a rowid takes nulls unless it says NOT NULL; none come from us.
    columns.push_back({std::string(query->text(0)), std::string(query->text(1)), query->number(2) == 0 && place < 0,
                       query->number(3) != 0, query->number(5) != 0, place});
  }
  if (query->code() != SQLITE_DONE) return failure_of(in.connection(), in.path());
  return columns;
}

inline std::string key_in_words(const std::vector<std::string>& key) {
  return key.empty() ? "no primary key" : "the primary key (" + joined(key, ", ") + ")";
}

inline std::vector<std::string> key_of(const std::vector<existing_column>& columns) {
  table_plan as_plan;
  for (const existing_column& each : columns) as_plan.columns.push_back({each.name, "", false, each.key_position});
  return as_plan.key();
}

inline void compare_column(std::vector<std::string>& differences, const table_column& wanted,
                           const existing_column& found) {
  const std::string name = "column `" + wanted.name + "` ";
  if (found.is_generated) differences.push_back(name + "is generated by the table");
  if (affinity_of(found.type) != wanted.type)
    differences.push_back(name + "is " + (found.type.empty() ? "without a type" : found.type) + " and should be " +
                          wanted.type);
  if (found.nullable && !wanted.nullable) differences.push_back(name + "is nullable and should be NOT NULL");
  if (!found.nullable && wanted.nullable) differences.push_back(name + "is NOT NULL and should be nullable");
}

inline std::vector<std::string> differences(const table_plan& plan, const std::vector<existing_column>& existing) {
  std::vector<std::string> found;
  std::vector<std::string> known;
  for (const table_column& wanted : plan.columns) {
    const std::string upper = in_upper_case(wanted.name);
    known.push_back(upper);
    const auto same = std::find_if(existing.begin(), existing.end(),
                                   [&](const existing_column& each) { return in_upper_case(each.name) == upper; });
    if (same == existing.end())
      found.push_back("column `" + wanted.name + "` (" + wanted.type + ") is missing");
    else
      compare_column(found, wanted, *same);
  }
  for (const existing_column& each : existing) {
    const bool extra = std::find(known.begin(), known.end(), in_upper_case(each.name)) == known.end();
    if (extra && !each.nullable && !each.has_default && !each.is_generated)
      found.push_back("column `" + each.name + "` is NOT NULL without a default and not in the contract");
  }
  const std::vector<std::string> key = key_of(existing);
  if (in_upper_case(joined(key, "\1")) != in_upper_case(joined(plan.key(), "\1")))
    found.push_back("it has " + key_in_words(key) + " and should have " + key_in_words(plan.key()));
  return found;
}

/// Key columns that compare otherwise than by bytes: they would merge keys that differ (`a` and `A`).
inline result<std::vector<std::string>> collation_differences(database& in, const std::string& table) {
  auto query = in.prepare(
      "SELECT x.name, x.coll FROM pragma_index_list(?) AS l, pragma_index_xinfo(l.name) AS x "
      "WHERE l.origin = 'pk' AND x.key AND x.coll <> 'BINARY'");
  if (!query) return query.error();
  query->bind(1, table);
  std::vector<std::string> found;
  while (query->step())
    found.push_back("key column `" + std::string(query->text(0)) + "` has the collation " +
                    std::string(query->text(1)) + " and should have BINARY");
  if (query->code() != SQLITE_DONE) return failure_of(in.connection(), in.path());
  return found;
}

/// `table`, `view`, or empty if there is no such thing.
inline result<std::string> kind_of(database& in, const std::string& name) {
  auto query = in.prepare("SELECT type FROM sqlite_schema WHERE lower(name) = lower(?) AND type IN ('table', 'view')");
  if (!query) return query.error();
  query->bind(1, name);
  std::string kind;
  if (query->step()) kind = query->text(0);
  if (query->code() != SQLITE_DONE && query->code() != SQLITE_ROW) return failure_of(in.connection(), in.path());
  return kind;
}

}  // namespace detail

inline result<bool> table_exists_and_fits(database& in, const table_plan& plan) {
  auto kind = detail::kind_of(in, plan.name);
  if (!kind) return kind.error();
  if (kind->empty()) return false;
  const auto refused = [&](const std::string& why) {
    return failure{failure_class::sink_conflict, "PMSTREAM431", "the table does not fit the contract: " + why,
                   in.path() + ", table " + plan.name, "change the table, or bind the asset to another one"};
  };
  if (*kind != "table") return refused("it is a " + *kind);
  auto existing = detail::existing_columns(in, plan.name);
  if (!existing) return existing.error();
  std::vector<std::string> found = detail::differences(plan, *existing);
  auto collations = detail::collation_differences(in, plan.name);
  if (!collations) return collations.error();
  if (!plan.key().empty()) found.insert(found.end(), collations->begin(), collations->end());
  if (!found.empty()) return refused(detail::joined(found, "; "));
  return true;
}

}  // namespace etlantic::sqlite
