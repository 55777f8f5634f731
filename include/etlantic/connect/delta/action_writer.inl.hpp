#pragma once
#include <etlantic/connect/delta/action_writer.hpp>
#include <etlantic/core/json_writer.hpp>

namespace etlantic::delta {

namespace detail {

inline void write_partition(json_writer& to, const partition_values& values) {
  to.key("partitionValues").begin_object();
  for (const auto& [name, value] : values) {
    to.key(name);
    if (value)
      to.value(*value);
    else
      to.null();
  }
  to.end_object();
}

inline void write_deleted(json_writer& to, const std::optional<deletion_vector>& deleted) {
  if (!deleted) return;
  to.key("deletionVector").begin_object();
  to.member("storageType", deleted->storage).member("pathOrInlineDv", deleted->place);
  if (deleted->offset) to.member("offset", *deleted->offset);
  to.member("sizeInBytes", deleted->bytes).member("cardinality", deleted->rows).end_object();
}

inline void write_texts(json_writer& to, const char* name, const std::map<std::string, std::string>& texts) {
  to.key(name).begin_object();
  for (const auto& [key, value] : texts) to.member(key, value);
  to.end_object();
}

inline void write_action(json_writer& to, const add_file& file) {
  to.key("add").begin_object().member("path", file.path);
  write_partition(to, file.partition);
  to.member("size", file.size).member("modificationTime", file.modified).member("dataChange", file.changes_data);
  if (!file.statistics.empty()) to.member("stats", file.statistics);
  write_deleted(to, file.deleted);
  to.end_object();
}

inline void write_action(json_writer& to, const remove_file& file) {
  to.key("remove").begin_object().member("path", file.path);
  if (file.removed_at) to.member("deletionTimestamp", *file.removed_at);
  to.member("dataChange", file.changes_data).member("extendedFileMetadata", true);
  write_partition(to, file.partition);
  to.member("size", file.size);
  write_deleted(to, file.deleted);
  to.end_object();
}

inline void write_action(json_writer& to, const transaction& of) {
  to.key("txn").begin_object().member("appId", of.application).member("version", of.version);
  if (of.updated) to.member("lastUpdated", *of.updated);
  to.end_object();
}

inline void write_action(json_writer& to, const table_protocol& of) {
  to.key("protocol").begin_object().member("minReaderVersion", of.reader).member("minWriterVersion", of.writer);
  to.end_object();
}

inline void write_action(json_writer& to, const table_metadata& of) {
  to.key("metaData").begin_object().member("id", of.id);
  if (!of.name.empty()) to.member("name", of.name);
  if (!of.description.empty()) to.member("description", of.description);
  to.key("format").begin_object().member("provider", of.format).key("options").begin_object().end_object().end_object();
  to.member("schemaString", of.schema).key("partitionColumns").begin_array();
  for (const std::string& each : of.partition_columns) to.value(each);
  to.end_array();
  write_texts(to, "configuration", of.configuration);
  if (of.created) to.member("createdTime", *of.created);
  to.end_object();
}

template <class Action>
void write_line(std::string& to, const Action& action) {
  json_writer line;
  line.begin_object();
  write_action(line, action);
  line.end_object();
  to += line.text() + '\n';
}

inline void write_information(std::string& to, const commit_description& of) {
  json_writer line;
  line.begin_object().key("commitInfo").begin_object();
  line.member("timestamp", of.now).member("operation", of.operation);
  write_texts(line, "operationParameters", of.parameters);
  if (of.read_version) line.member("readVersion", *of.read_version);
  line.member("isolationLevel", "Serializable").member("isBlindAppend", of.blind_append);
  write_texts(line, "operationMetrics", of.metrics);
  line.member("engineInfo", "etlantic").member("txnId", of.id).end_object().end_object();
  to += line.text() + '\n';
}

}  // namespace detail

[[gnu::used]] inline std::string write_commit(const commit_description& description, const commit_content& content) {
  std::string text;
  detail::write_information(text, description);
  if (content.protocol) detail::write_line(text, *content.protocol);
  if (content.metadata) detail::write_line(text, *content.metadata);
  for (const transaction& each : content.transactions) detail::write_line(text, each);
  for (const remove_file& each : content.removed) detail::write_line(text, each);
  for (const add_file& each : content.added) detail::write_line(text, each);
  return text;
}

}  // namespace etlantic::delta
