#pragma once
#include <etlantic/connect/delta/schema_evolution.hpp>
#include <etlantic/connect/delta/table_options.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace etlantic::delta {

enum class write_mode : std::uint8_t { automatic, merge, append };

/// What a profile says of a table that is written.
struct sink_settings {
  std::string path;
  write_mode mode = write_mode::automatic;
  std::vector<std::string> partition_by{};
  std::optional<std::int64_t> checkpoint_interval{};
  std::optional<std::int64_t> rows_per_file{};
  std::string codec = "zstd";
  schema_evolution evolution = schema_evolution::none;
  std::string delete_when{};
  bool check_constraints = false;
};

/// One of some words, in the order of an enumeration; the first if the option is not given.
template <class Value>
result<Value> word_option(const asset_binding& binding, const std::string& name,
                          const std::vector<std::string>& words) {
  const std::string given = option_of(binding, name);
  if (given.empty()) return Value{};
  std::string all;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == given) return static_cast<Value>(i);
    all += (all.empty() ? "" : ", ") + words[i];
  }
  return wrong_option("sink", name, given, all);
}

inline result<sink_settings> read_sink_settings(const asset_binding& binding) {
  sink_settings settings;
  auto path = path_option(binding, "sink");
  if (!path) return path.error();
  settings.path = std::move(*path);
  const auto mode = word_option<write_mode>(binding, "mode", {"auto", "merge", "append"});
  if (!mode) return mode.error();
  settings.mode = *mode;
  settings.partition_by = names_option(binding, "partition_by");
  constexpr std::int64_t most = 100'000'000;
  const auto interval = number_option(binding, "checkpoint_interval", most);
  if (!interval) return interval.error();
  settings.checkpoint_interval = *interval;
  const auto rows = number_option(binding, "rows_per_file", most);
  if (!rows) return rows.error();
  settings.rows_per_file = *rows;
  if (const std::string codec = option_of(binding, "compression"); !codec.empty()) settings.codec = codec;
  if (settings.codec != "zstd" && settings.codec != "snappy" && settings.codec != "none")
    return wrong_option("sink", "compression", settings.codec, "zstd, snappy, none");
  const auto evolution =
      word_option<schema_evolution>(binding, "schema_evolution", {"none", "add_nullable_fields", "widen"});
  if (!evolution) return evolution.error();
  settings.evolution = *evolution;
  settings.delete_when = option_of(binding, "delete_when");
  const auto checks = word_option<bool>(binding, "check_constraints", {"false", "true"});
  if (!checks) return checks.error();
  settings.check_constraints = *checks;
  return settings;
}

}  // namespace etlantic::delta
