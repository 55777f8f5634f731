#pragma once
#include <etlantic/connect/delta/change_feed.hpp>
#include <etlantic/connect/delta/failure.hpp>
#include <etlantic/core/rfc3339.hpp>

#include <algorithm>
#include <utility>

namespace etlantic::delta {

namespace detail {

inline constexpr std::string_view change_type = "_change_type", commit_version = "_commit_version",
                                  commit_timestamp = "_commit_timestamp";

inline constexpr field_description change_fields[] = {
    {.name = change_type, .data_name = change_type, .type = logical_type::text},
    {.name = commit_version, .data_name = commit_version, .type = logical_type::int64},
    {.name = commit_timestamp, .data_name = commit_timestamp, .type = logical_type::timestamp}};

inline table_schema_pointer schema_with(const table_schema_pointer& of, std::span<const field_description> more) {
  // Its names and children stay those of the other one, which lives as long.
  struct extended : table_schema {
    table_schema_pointer whole;
  };
  auto made = std::make_shared<extended>();
  made->whole = of;
  made->described = of->described;
  made->files_by_id = of->files_by_id;
  std::vector<field_description> fields(of->described.fields.begin(), of->described.fields.end());
  fields.insert(fields.end(), more.begin(), more.end());
  made->described.fields = made->keep(std::move(fields));
  return made;
}

inline source_file changed(const source_split& split, const add_file& file, const char* type,
                           std::int64_t milliseconds) {
  source_file made{split, file};
  made.file.partition[std::string(commit_version)] = std::to_string(split.version);
  made.file.partition[std::string(commit_timestamp)] = format_rfc3339({milliseconds * 1000});
  if (type == nullptr)
    made.part = file_part::changes;
  else
    made.file.partition[std::string(change_type)] = type;
  return made;
}

inline add_file file_of(const remove_file& removed) {
  return {removed.path, removed.partition, removed.size, 0, true, removed.statistics, removed.deleted};
}

/// A file of which a version only exchanged the deletion vector.
inline void add_exchanged(const add_file& added, const remove_file& removed, source_split split,
                          std::int64_t milliseconds, std::vector<source_file>& into) {
  const auto between = [&](const add_file& file, const std::optional<deletion_vector>& before, const char* type) {
    if (!file.deleted) return;
    into.push_back(changed(split, file, type, milliseconds));
    into.back().part = file_part::deleted_rows;
    into.back().deleted_before = before;
  };
  between(added, removed.deleted, "delete");
  ++split.index;
  between(file_of(removed), added.deleted, "insert");
}

}  // namespace detail

[[gnu::used]] inline table_layout with_change_columns(const table_layout& of, bool has_types_in_files) {
  table_layout made = of;
  const std::span<const field_description> all = detail::change_fields;
  made.whole = detail::schema_with(of.whole, all);
  if (has_types_in_files) made.in_files = detail::schema_with(of.in_files, all.first(1));
  for (std::size_t i = has_types_in_files ? 1 : 0; i < all.size(); ++i) {
    made.partition_columns.emplace_back(all[i].name);
    made.partition_indices.push_back(of.whole->described.fields.size() + i);
  }
  return made;
}

[[gnu::used]] inline result<void> check_feed(const table_state& table, const std::string& where) {
  const auto found = table.metadata->configuration.find("delta.enableChangeDataFeed");
  if (found != table.metadata->configuration.end() && found->second == "true") return {};
  return unsupported("the table did not keep its changes at version " + std::to_string(table.version) +
                         " (delta.enableChangeDataFeed)",
                     where,
                     "name a starting_version behind the one that set the property, set it, or leave out "
                     "read_change_feed");
}

[[gnu::used]] inline std::vector<source_file> files_changed_by(std::int64_t version, const commit_content& commit,
                                                               std::int64_t milliseconds) {
  std::vector<source_file> found;
  // Two places for each file: an exchanged vector may both delete rows and bring others back.
  std::int64_t place = 0;
  const auto next = [&](const std::string& path) {
    return source_split{split_kind::changes, version, std::exchange(place, place + 2), path};
  };
  if (!commit.changes.empty()) {
    for (const add_file& each : commit.changes)
      found.push_back(detail::changed(next(each.path), each, nullptr, milliseconds));
    return found;
  }
  const auto same_path = [](const auto& files, const std::string& path) {
    return std::find_if(files.begin(), files.end(), [&](const auto& each) { return each.path == path; });
  };
  for (const add_file& each : commit.added) {
    const source_split split = next(each.path);
    if (!each.changes_data) continue;
    if (const auto removed = same_path(commit.removed, each.path); removed != commit.removed.end())
      detail::add_exchanged(each, *removed, split, milliseconds, found);
    else
      found.push_back(detail::changed(split, each, "insert", milliseconds));
  }
  for (const remove_file& each : commit.removed) {
    const source_split split = next(each.path);
    if (each.changes_data && same_path(commit.added, each.path) == commit.added.end())
      found.push_back(detail::changed(split, detail::file_of(each), "delete", milliseconds));
  }
  return found;
}

[[gnu::used]] inline std::vector<source_file> table_as_inserts(const table_state& table, std::int64_t milliseconds) {
  std::vector<source_file> found;
  for (const source_file& each : files_of_table(table))
    found.push_back(detail::changed(each.split, each.file, "insert", milliseconds));
  return found;
}

}  // namespace etlantic::delta
