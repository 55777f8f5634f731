#pragma once
#include <etlantic/connect/delta/failure.hpp>
#include <etlantic/connect/delta/partition.hpp>
#include <etlantic/connect/delta/schema_match.hpp>
#include <etlantic/connect/delta/table_sink.hpp>
#include <etlantic/connect/delta/unique_id.hpp>

#include <algorithm>

// The table that a sink writes: how it is created, and whether one that is there takes the rows of the contract.

namespace etlantic::delta {

inline result<void> table_sink::find_key() {
  std::vector<const field_description*> keys;
  for (const field_description& each : contract_.fields)
    if (each.key_position >= 0) keys.push_back(&each);
  std::sort(keys.begin(), keys.end(), [](const auto* a, const auto* b) { return a->key_position < b->key_position; });
  key_names_.clear();
  const auto wrong = [&](const std::string& message, const std::string& help) {
    return failure{failure_class::configuration, "PMSTREAM430", message, describe(), help};
  };
  if (settings_.mode == write_mode::merge && keys.empty())
    return wrong("mode merge needs a contract with a primary key",
                 "declare the primary key in the contract, or use mode append");
  if (flag_.is_used() && (keys.empty() || settings_.mode == write_mode::append || mode_ == output_mode::complete))
    return wrong("delete_when needs rows that are merged by a primary key",
                 "declare the primary key in the contract and merge by it, or leave delete_when out");
  if (settings_.mode == write_mode::append) return {};
  for (const field_description* each : keys) {
    const std::string name(each->data_name);
    if (each->nullable)
      return unusable_contract("the key field `" + name + "` can be null, and null equals nothing", describe(),
                               "make it required, or use mode append");
    if (each->type == logical_type::structure || each->type == logical_type::list)
      return unusable_contract("the key field `" + name + "` is a " + std::string(name_of(each->type)), describe(),
                               "use other fields as the key, or mode append");
    key_names_.push_back(name);
  }
  return {};
}

inline result<void> table_sink::create_table() {
  auto columns = schema_of_contract(contract_, describe());
  if (!columns) return columns.error();
  auto id = make_uuid(), commit_id = make_uuid();
  if (!id || !commit_id) return id ? commit_id.error() : id.error();
  commit_content content;
  content.protocol = table_protocol{};
  if (settings_.check_constraints) content.protocol->writer = 3;
  content.metadata = table_metadata{};
  table_metadata& made = *content.metadata;
  made.id = *id;
  made.schema = schema_text((*columns)->described.fields);
  made.partition_columns = settings_.partition_by;
  // The default may differ from engine to engine, and a blind append must not slip past a merge.
  made.configuration["delta.isolationLevel"] = "Serializable";
  if (settings_.checkpoint_interval)
    made.configuration["delta.checkpointInterval"] = std::to_string(*settings_.checkpoint_interval);
  std::string key;
  for (const std::string& each : key_names_) key += (key.empty() ? "" : ",") + each;
  if (!key.empty()) made.configuration["etlantic.primaryKey"] = key;
  if (settings_.check_constraints)
    for (const check_constraint& each : met_)
      made.configuration[std::string(constraint_prefix) + each.name] = each.expression;
  made.created = milliseconds_now();
  if (auto fits = take_layout(made); !fits) return fits;
  if (auto fits = check_partition(); !fits) return fits;
  if (auto folders = store_.make_folders(); !folders) return folders;
  const std::string text = write_commit({"CREATE TABLE", {}, {}, false, *commit_id, *made.created}, content);
  auto put = store_.put_if_absent(commit_name(0), text);
  // Whoever created it, we or another, what is there now counts; an outcome that is unknown shows there too.
  auto table = load_table(store_);
  if (!table) return table.error();
  if (!table->exists() && !put) return put.error();
  if (!put)
    if (auto synced = store_.sync("_delta_log"); !synced) return synced;
  table_ = std::move(*table);
  return {};
}

inline result<void> table_sink::take_layout(const table_metadata& table) {
  auto layout = layout_of(table, describe());
  if (!layout) return layout.error();
  layout_ = std::move(*layout);
  return {};
}

inline result<void> table_sink::check_partition() const {
  for (const std::size_t column : layout_.partition_indices)
    if (!can_partition(layout_.whole->described.fields[column]))
      return failure{failure_class::configuration, "PMSTREAM430",
                     "the table cannot be partitioned by `" +
                         std::string(layout_.whole->described.fields[column].name) + "`, which is " +
                         type_text(layout_.whole->described.fields[column]),
                     describe(), "partition it by numbers, texts, dates or times"};
  if (layout_.partition_indices.size() >= layout_.whole->described.fields.size())
    return failure{failure_class::configuration, "PMSTREAM430",
                   "the table would have no columns besides those it is partitioned by", describe(),
                   "partition it by fewer columns"};
  return {};
}

inline failure table_sink::misfit(const std::vector<std::string>& differences) const {
  std::string all;
  for (const std::string& each : differences) all += (all.empty() ? "" : "; ") + each;
  const auto could_be = [&](schema_evolution allowed) {
    table_metadata table = *table_.metadata;
    auto text = evolved_schema(table, contract_, allowed, describe());
    if (!text || *text == table.schema) return false;
    table.schema = *text;
    auto evolved = parse_schema(table, describe());
    return evolved && differences_for_writing(contract_, (*evolved)->described).empty();
  };
  if (could_be(schema_evolution::add_nullable_fields))
    return table_differs(all, describe(), "set schema_evolution: add_nullable_fields, or change the table");
  if (could_be(schema_evolution::widen))
    return table_differs(all, describe(), "set schema_evolution: widen, or change the table");
  if (settings_.evolution == schema_evolution::none) return table_differs(all, describe());
  return table_differs(all, describe(),
                       "schema_evolution adds optional fields, and widens byte to short and integer, and short to "
                       "integer only; change the table, or bind the asset to another one");
}

inline bool table_sink::has_constraint(const std::string& expression) const {
  const auto& properties = table_.metadata->configuration;
  return std::any_of(properties.begin(), properties.end(), [&](const auto& each) {
    return each.first.starts_with(constraint_prefix) && each.second == expression;
  });
}

inline result<void> table_sink::check_table() {
  if (auto writable = check_writable(table_, intent(), describe(), met_); !writable) return writable;
  if (auto columns = schema_of_contract(contract_, describe()); !columns) return columns.error();
  table_metadata table = *table_.metadata;
  table_id_ = table.id;
  schema_ = table.schema;
  auto evolved = evolved_schema(table, contract_, settings_.evolution, describe());
  if (!evolved) return evolved.error();
  const bool changes = *evolved != table.schema;
  table.schema = std::move(*evolved);
  if (auto taken = take_layout(table); !taken) return taken;
  evolved_ = changes ? std::optional(std::move(table.schema)) : std::nullopt;
  if (auto fits = check_partition(); !fits) return fits;
  std::vector<std::string> found = differences_for_writing(contract_, layout_.whole->described);
  if (!settings_.partition_by.empty() &&
      !std::equal(settings_.partition_by.begin(), settings_.partition_by.end(), layout_.partition_columns.begin(),
                  layout_.partition_columns.end(), is_same_column))
    found.push_back("it is not partitioned by the columns of partition_by");
  if (settings_.check_constraints)
    for (const check_constraint& each : met_)
      if (!has_constraint(each.expression))
        found.push_back("it lacks the constraint that ALTER TABLE ... ADD CONSTRAINT " + each.name + " CHECK (" +
                        each.expression + ") adds");
  if (!found.empty()) return misfit(found);
  const auto columns = layout_.whole->described.fields;
  key_.clear();
  for (const std::string& name : key_names_)
    for (std::size_t i = 0; i < columns.size(); ++i)
      if (is_same_column(columns[i].name, name)) key_.push_back(i);
  given_.assign(columns.size(), false);
  for (std::size_t i = 0; i < columns.size(); ++i)
    for (const field_description& each : contract_.fields)
      if (is_same_column(columns[i].name, each.data_name)) given_[i] = true;
  return {};
}

}  // namespace etlantic::delta
