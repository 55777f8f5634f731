#pragma once
#include <etlantic/connect/delta/checkpoint.hpp>
#include <etlantic/connect/delta/log_cleanup.hpp>
#include <etlantic/connect/delta/log_names.hpp>
#include <etlantic/connect/delta/log_upkeep.hpp>
#include <etlantic/connect/delta/unique_id.hpp>
#include <etlantic/core/json_writer.hpp>

#include <algorithm>
#include <charconv>
#include <string>

namespace etlantic::delta {

[[gnu::used]] inline result<void> write_checkpoint(const folder_store& store, const table_state& table) {
  auto checkpoint = encode_checkpoint(table, milliseconds_now());
  if (!checkpoint) return checkpoint.error();
  if (auto done = store.replace(checkpoint_name(table.version), checkpoint->bytes); !done) return done;
  json_writer hint;
  hint.begin_object().member("version", table.version).member("size", checkpoint->actions);
  hint.member("sizeInBytes", checkpoint->bytes.size()).member("numOfAddFiles", table.files.size()).end_object();
  return store.replace("_delta_log/_last_checkpoint", hint.text());
}

[[gnu::used]] inline result<void> log_upkeep::open(const folder_store& store) {
  auto names = store.list("_delta_log");
  if (!names) return names.error();
  const auto newest = log_listing(*names).newest_checkpoint(INT64_MAX);
  newest_ = newest ? newest->version : -1;
  return {};
}

[[gnu::used]] inline std::int64_t log_upkeep::interval_of(const table_metadata& table) const {
  if (interval_) return *interval_;
  const auto property = table.configuration.find("delta.checkpointInterval");
  if (property == table.configuration.end()) return 10;
  const std::string& text = property->second;
  std::int64_t number = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  return read.ec == std::errc{} && number > 0 ? number : 10;
}

[[gnu::used]] inline void log_upkeep::after_commit(const folder_store& store, const table_state& table) {
  if (table.version - std::max<std::int64_t>(newest_, 0) < interval_of(*table.metadata)) return;
  if (!write_checkpoint(store, table)) return;
  newest_ = table.version;
  (void)clean_log(store, *table.metadata, milliseconds_now());
}

}  // namespace etlantic::delta
