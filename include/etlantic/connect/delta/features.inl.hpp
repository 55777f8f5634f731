#pragma once
#include <etlantic/connect/delta/failure.hpp>
#include <etlantic/connect/delta/features.hpp>

#include <algorithm>
#include <array>
#include <string_view>

namespace etlantic::delta {

namespace detail {

inline std::string property_of(const table_state& table, const std::string& name) {
  const auto found = table.metadata->configuration.find(name);
  return found == table.metadata->configuration.end() ? std::string() : found->second;
}

inline bool is_on(const table_state& table, const std::string& name) { return property_of(table, name) == "true"; }

inline bool maps_columns(const table_state& table) {
  const std::string mode = property_of(table, "delta.columnMapping.mode");
  return !mode.empty() && mode != "none";
}

inline failure lacks(const std::string& feature, const std::string& who, const std::string& where) {
  return unsupported("the table asks its " + who + " for the feature " + feature + ", which etlantic does not have",
                     where,
                     "use a table without it, or drop the feature from the table (ALTER TABLE ... DROP FEATURE)");
}

/// We read such rows; a writer would have to keep the vectors of the files that it leaves and drop those of the others.
inline failure cannot_write_vectors(const std::string& where) {
  return unsupported(
      "the table has deletion vectors (feature deletionVectors), which etlantic reads and does not write", where,
      "set the property delta.enableDeletionVectors to false and purge the table (REORG TABLE ... APPLY "
      "(PURGE)), or bind the asset to another table");
}

inline result<void> check_state(const table_state& table, const std::string& where) {
  if (!table.protocol) return damaged_log("the log has no protocol action", where);
  if (!table.metadata) return damaged_log("the log has no metaData action", where);
  return {};
}

}  // namespace detail

[[gnu::used]] inline result<void> check_readable(const table_state& table, const std::string& where) {
  if (auto whole = detail::check_state(table, where); !whole) return whole;
  const table_protocol& protocol = *table.protocol;
  if (protocol.reader < 1 || protocol.reader > 3)
    return unsupported(
        "the table asks for readers of version " + std::to_string(protocol.reader) + "; etlantic knows versions 1 to 3",
        where, "use a newer etlantic, or a table of an older version");
  constexpr std::array<std::string_view, 6> known = {"timestampNtz",    "vacuumProtocolCheck", "columnMapping",
                                                     "deletionVectors", "v2Checkpoint",        "appendOnly"};
  if (protocol.reader == 3)
    for (const std::string& each : protocol.reader_features)
      if (std::find(known.begin(), known.end(), each) == known.end()) return detail::lacks(each, "readers", where);
  if (const std::string mode = detail::property_of(table, "delta.columnMapping.mode");
      !mode.empty() && mode != "none" && mode != "name" && mode != "id")
    return detail::lacks("columnMapping (" + mode + ")", "readers", where);
  return {};
}

[[gnu::used]] inline result<void> check_writable(const table_state& table, write_intent intent,
                                                 const std::string& where, std::span<const check_constraint> met) {
  if (auto readable = check_readable(table, where); !readable) return readable;
  const table_protocol& protocol = *table.protocol;
  const auto refuse = [&](const std::string& feature) { return detail::lacks(feature, "writers", where); };
  if (protocol.writer < 1 || protocol.writer > 7)
    return unsupported(
        "the table asks for writers of version " + std::to_string(protocol.writer) + "; etlantic knows versions 1 to 7",
        where, "use a newer etlantic, or a table of an older version");
  constexpr std::array<std::string_view, 10> known = {
      "appendOnly",    "invariants",      "checkConstraints", "changeDataFeed",      "generatedColumns",
      "columnMapping", "identityColumns", "deletionVectors",  "vacuumProtocolCheck", "timestampNtz"};
  if (protocol.writer == 7)
    for (const std::string& each : protocol.writer_features)
      if (std::find(known.begin(), known.end(), each) == known.end()) return refuse(each);
  if (detail::maps_columns(table)) return refuse("columnMapping");
  if (detail::is_on(table, "delta.enableChangeDataFeed")) return refuse("changeDataFeed");
  if (detail::is_on(table, "delta.enableDeletionVectors")) return detail::cannot_write_vectors(where);
  if (detail::is_on(table, "delta.enableRowTracking")) return refuse("rowTracking");
  if (detail::is_on(table, "delta.enableInCommitTimestamps")) return refuse("inCommitTimestamp");
  const auto is_met = [&](const std::string& expression) {
    return intent == write_intent::move_rows ||
           std::any_of(met.begin(), met.end(), [&](const auto& each) { return each.expression == expression; });
  };
  for (const auto& [name, value] : table.metadata->configuration)
    if (name.starts_with(constraint_prefix) && !is_met(value))
      return refuse("checkConstraints (" + name.substr(constraint_prefix.size()) + ": " + value + ")");
  for (const auto& [key, file] : table.files)
    if (file.deleted) return detail::cannot_write_vectors(where);
  const std::string& schema = table.metadata->schema;
  if (intent != write_intent::move_rows && schema.find("\"delta.invariants\"") != std::string::npos)
    return refuse("invariants");
  if (schema.find("\"delta.generationExpression\"") != std::string::npos) return refuse("generatedColumns");
  if (schema.find("\"delta.identity.") != std::string::npos) return refuse("identityColumns");
  if (intent == write_intent::change_rows && detail::is_on(table, "delta.appendOnly"))
    return unsupported("the table takes new rows only (delta.appendOnly), and this load replaces rows", where,
                       "set mode: append, or bind the asset to another table");
  return {};
}

}  // namespace etlantic::delta
