#pragma once
#include <etlantic/column/format_json.hpp>
#include <etlantic/runtime/sink.hpp>

#include <charconv>
#include <optional>
#include <string>
#include <string_view>

namespace etlantic::kafka {

// A record of the ledger topic, version 1. The key, by which the topic is compacted, is a JSON array of query and load;
// the value is {"version":1,"query":"...","load":"...","batch":7}, members in this order, no blanks. It is written in
// the transaction of the rows, so that it is seen exactly if they are.

inline std::string ledger_key(const publisher& who) {
  std::string key = "[";
  append_json_text(key, who.query);
  key += ',';
  append_json_text(key, who.node);
  return key + "]";
}

/// All of a value before its batch.
inline std::string ledger_prefix(const publisher& who) {
  std::string text = R"({"version":1,"query":)";
  append_json_text(text, who.query);
  text += R"(,"load":)";
  append_json_text(text, who.node);
  return text + R"(,"batch":)";
}

inline std::string ledger_value(const publisher& who, std::int64_t batch) {
  return ledger_prefix(who) + std::to_string(batch) + "}";
}

/// The batch that a record notes for a publisher; none if the record is another one's.
inline std::optional<std::int64_t> batch_in_ledger(std::string_view value, std::string_view prefix) {
  if (!value.starts_with(prefix) || !value.ends_with('}')) return std::nullopt;
  const char* const begin = value.data() + prefix.size();
  const char* const end = value.data() + value.size() - 1;
  std::int64_t batch = 0;
  const auto read = std::from_chars(begin, end, batch);
  if (read.ec != std::errc() || read.ptr != end || batch < 0) return std::nullopt;
  return batch;
}

}  // namespace etlantic::kafka
