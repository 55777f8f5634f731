#pragma once
#include <etlantic/connect/delta/features.hpp>
#include <etlantic/connect/delta/optimize.hpp>
#include <etlantic/connect/delta/statistics.hpp>
#include <etlantic/connect/delta/table_history.hpp>
#include <etlantic/connect/delta/table_schema.hpp>
#include <etlantic/connect/delta/table_verification.hpp>
#include <etlantic/connect/delta/vacuum.hpp>
#include <etlantic/tool/json_writer.hpp>
#include <etlantic/tool/quantity.hpp>

#include <optional>
#include <string>
#include <vector>

// What the commands of a Delta table answer, for people and as JSON.

namespace etlantic::detail {

inline std::string time_of_log(std::int64_t milliseconds) { return to_text(timestamp{milliseconds * 1000}); }

inline std::string counted(std::size_t number, const std::string& noun) {
  return grouped(static_cast<std::int64_t>(number)) + ' ' + noun + (number == 1 ? "" : "s");
}

inline std::string partition_text(const delta::partition_values& values) {
  std::string text;
  for (const auto& [name, value] : values) text += (text.empty() ? "" : ", ") + name + '=' + value.value_or("null");
  return text;
}

/// A table at a version.
struct table_overview {
  const std::string& path;
  const delta::table_state& table;
  delta::log_listing log;
  const schema& columns;

  std::optional<std::int64_t> rows() const {
    std::int64_t sum = 0;
    for (const auto& [key, file] : table.files) {
      const auto of_file = delta::rows_in_statistics(file.statistics);
      if (!of_file) return {};
      sum += *of_file - (file.deleted ? file.deleted->rows : 0);
    }
    return sum;
  }
  std::int64_t bytes() const {
    std::int64_t sum = 0;
    for (const auto& [key, file] : table.files) sum += file.size;
    return sum;
  }
};

inline void table_line(std::string& text, std::string_view name, const std::string& value) {
  text += "  " + std::string(name) + std::string(name.size() < 14 ? 14 - name.size() : 1, ' ') + value + "\n";
}

inline std::string overview_text(const table_overview& what) {
  const delta::table_state& table = what.table;
  std::string text = "table " + what.path + "\n";
  const auto rows = what.rows();
  const auto checkpoint = what.log.newest_checkpoint(INT64_MAX);
  table_line(text, "version", std::to_string(table.version));
  table_line(text, "files",
             counted(table.files.size(), "file") + ", " + short_size(what.bytes()) + ", " +
                 (rows ? counted(static_cast<std::size_t>(*rows), "row") : "rows not counted"));
  table_line(text, "commits",
             what.log.commits().empty() ? "none"
                                        : std::to_string(*what.log.commits().begin()) + " to " +
                                              std::to_string(*what.log.commits().rbegin()) + " are in the log");
  table_line(text, "checkpoint", checkpoint ? "of version " + std::to_string(checkpoint->version) : "none");
  table_line(text, "id", table.metadata->id);
  if (table.metadata->created) table_line(text, "created", time_of_log(*table.metadata->created));
  table_line(
      text, "protocol",
      "readers " + std::to_string(table.protocol->reader) + ", writers " + std::to_string(table.protocol->writer));
  std::string names;
  for (const std::string& each : table.metadata->partition_columns) names += (names.empty() ? "" : ", ") + each;
  if (!names.empty()) table_line(text, "partitioned", "by " + names);
  const char* label = "columns";
  for (const field_description& each : what.columns.fields) {
    table_line(text, label, std::string(each.name) + ' ' + delta::type_text(each) + (each.nullable ? "" : " not null"));
    label = "";
  }
  label = "properties";
  for (const auto& [name, value] : table.metadata->configuration) {
    table_line(text, label, name + " = " + value);
    label = "";
  }
  label = "publishers";
  for (const auto& [name, of] : table.transactions) {
    table_line(text, label, name + ": batch " + std::to_string(of.version));
    label = "";
  }
  return text;
}

inline std::string overview_json(const table_overview& what) {
  const delta::table_state& table = what.table;
  json_writer json(json_writer::layout::indented);
  json.begin_object().member("table", what.path).member("version", table.version).member("id", table.metadata->id);
  json.member("files", table.files.size()).member("bytes", what.bytes()).key("rows");
  const auto rows = what.rows();
  rows ? json.value(*rows) : json.null();
  json.key("checkpoint");
  const auto checkpoint = what.log.newest_checkpoint(INT64_MAX);
  checkpoint ? json.value(checkpoint->version) : json.null();
  json.key("oldest_commit");
  what.log.commits().empty() ? json.null() : json.value(*what.log.commits().begin());
  json.key("created");
  table.metadata->created ? json.value(time_of_log(*table.metadata->created)) : json.null();
  json.member("reader_version", table.protocol->reader).member("writer_version", table.protocol->writer);
  json.key("partition_columns").begin_array();
  for (const std::string& each : table.metadata->partition_columns) json.value(each);
  json.end_array().key("columns").begin_array();
  for (const field_description& each : what.columns.fields)
    json.begin_object()
        .member("name", each.name)
        .member("type", delta::type_text(each))
        .member("nullable", each.nullable)
        .end_object();
  json.end_array().key("properties").begin_object();
  for (const auto& [name, value] : table.metadata->configuration) json.member(name, value);
  json.end_object().key("publishers").begin_object();
  for (const auto& [name, of] : table.transactions) json.member(name, of.version);
  return json.end_object().end_object().text() + "\n";
}

inline std::string files_text(const delta::table_state& table) {
  std::string text;
  for (const auto& [key, file] : table.files) {
    const auto rows = delta::rows_in_statistics(file.statistics);
    text +=
        file.path + "  " + short_size(file.size) + (rows ? "  " + counted(static_cast<std::size_t>(*rows), "row") : "");
    if (!file.partition.empty()) text += "  " + partition_text(file.partition);
    text += "\n";
  }
  return text;
}

inline std::string files_json(const delta::table_state& table) {
  std::string text;
  for (const auto& [key, file] : table.files) {
    json_writer json;
    json.begin_object().member("path", file.path).member("bytes", file.size).key("rows");
    const auto rows = delta::rows_in_statistics(file.statistics);
    rows ? json.value(*rows) : json.null();
    json.member("modified", time_of_log(file.modified)).key("partition").begin_object();
    for (const auto& [name, value] : file.partition) {
      json.key(name);
      value ? json.value(*value) : json.null();
    }
    text += json.end_object().end_object().text() + "\n";
  }
  return text;
}

inline std::string history_text(const std::vector<delta::table_version>& versions) {
  std::string text;
  for (const auto& [version, content] : versions) {
    const auto& about = content.information;
    text += std::to_string(version) + "  " + (about ? time_of_log(about->timestamp) : "-") + "  " +
            (about && !about->operation.empty() ? about->operation : "-") + "  +" +
            std::to_string(content.added.size()) + " -" + std::to_string(content.removed.size()) + " files";
    for (const delta::transaction& each : content.transactions)
      text += "  " + each.application + " batch " + std::to_string(each.version);
    text += "\n";
  }
  return text;
}

inline std::string history_json(const std::vector<delta::table_version>& versions) {
  std::string text;
  for (const auto& [version, content] : versions) {
    const delta::commit_information about = content.information.value_or(delta::commit_information{});
    json_writer json;
    json.begin_object().member("version", version).member("time", time_of_log(about.timestamp));
    json.member("operation", about.operation).member("engine", about.engine);
    json.member("added_files", content.added.size()).member("removed_files", content.removed.size());
    json.key("publishers").begin_object();
    for (const delta::transaction& each : content.transactions) json.member(each.application, each.version);
    text += json.end_object().end_object().text() + "\n";
  }
  return text;
}

inline std::string vacuum_text(const delta::vacuum_outcome& done, const std::string& path, bool dry_run) {
  std::string text;
  for (const delta::stored_entry& each : done.files) text += each.name + "\n";
  return text + (dry_run ? "would remove " : "removed ") + counted(done.files.size(), "file") + " (" +
         short_size(done.bytes) + ") of table '" + path + "' that no version of the last " +
         to_text(duration(done.retention * 1000)) + " has\n";
}

inline std::string vacuum_json(const delta::vacuum_outcome& done, bool dry_run) {
  json_writer json(json_writer::layout::indented);
  json.begin_object().member("removed", !dry_run).member("bytes", done.bytes);
  json.member("retention", to_text(duration(done.retention * 1000))).key("files").begin_array();
  for (const delta::stored_entry& each : done.files) json.value(each.name);
  return json.end_array().end_object().text() + "\n";
}

inline std::string optimize_text(const delta::optimize_outcome& done, const std::string& path) {
  const std::string alone =
      done.left_alone == 0 ? "" : "; " + counted(done.left_alone, "file") + " were changed meanwhile and left alone";
  if (done.version < 0) return "table '" + path + "' has no small files to write together" + alone + "\n";
  return "version " + std::to_string(done.version) + " of table '" + path + "' has " + counted(done.added, "file") +
         " (" + short_size(done.added_bytes) + ") in place of " + std::to_string(done.removed) + " (" +
         short_size(done.removed_bytes) + ")" + alone + "\n";
}

inline std::string optimize_json(const delta::optimize_outcome& done) {
  json_writer json(json_writer::layout::indented);
  json.begin_object().key("version");
  done.version < 0 ? json.null() : json.value(done.version);
  return json.member("removed_files", done.removed)
             .member("removed_bytes", done.removed_bytes)
             .member("added_files", done.added)
             .member("added_bytes", done.added_bytes)
             .member("left_alone", done.left_alone)
             .end_object()
             .text() +
         "\n";
}

inline std::string verify_text(const delta::table_verification& found, const std::string& path) {
  std::string text;
  for (const failure& each : found.findings)
    text += each.code + ": " + each.message + "\n  where: " + each.where + "\n  help: " + each.help + "\n";
  if (!found.findings.empty())
    return text + "table '" + path + "' is damaged: " + counted(found.findings.size(), "mistake") + "\n";
  return "table '" + path + "' is whole: version " + std::to_string(found.version) + ", " +
         counted(found.commits, "commit") + ", " + counted(found.checkpoints, "checkpoint") + ", " +
         counted(found.files, "file") + ", " + counted(static_cast<std::size_t>(found.rows), "row") + "\n";
}

inline std::string verify_json(const delta::table_verification& found, const std::string& path) {
  json_writer json(json_writer::layout::indented);
  json.begin_object().member("table", path).member("version", found.version).member("whole", found.findings.empty());
  json.member("commits", found.commits).member("checkpoints", found.checkpoints).member("files", found.files);
  json.member("rows", found.rows).key("findings").begin_array();
  for (const failure& each : found.findings)
    json.begin_object()
        .member("code", each.code)
        .member("message", each.message)
        .member("where", each.where)
        .member("help", each.help)
        .end_object();
  return json.end_array().end_object().text() + "\n";
}

}  // namespace etlantic::detail
