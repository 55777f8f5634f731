#pragma once
#include <etlantic/connect/delta/source_settings.hpp>
#include <etlantic/connect/delta/table_options.hpp>
#include <etlantic/core/rfc3339.hpp>
#include <etlantic/core/time.hpp>

#include <charconv>
#include <utility>

namespace etlantic::delta {

[[gnu::used]] inline result<source_settings> source_settings_of(const asset_binding& binding) {
  const auto option = [&](const char* name) { return option_of(binding, name); };
  const auto wrong = [](const std::string& name, const std::string& value, const std::string& valid) {
    return wrong_option("source", name, value, valid);
  };
  auto path = path_option(binding, "source");
  if (!path) return path.error();
  source_settings settings;
  settings.path = std::move(*path);
  for (const auto& [name, to] : {std::pair{"version_as_of", &settings.version_as_of},
                                 std::pair{"starting_version", &settings.starting_version}}) {
    const std::string text = option(name);
    if (text.empty()) continue;
    std::int64_t number = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
    if (read.ec != std::errc{} || read.ptr != text.data() + text.size() || number < 0)
      return wrong(name, text, "a version of the table: 0 or more");
    *to = number;
  }
  for (const auto& [name, to] : {std::pair{"timestamp_as_of", &settings.timestamp_as_of},
                                 std::pair{"starting_timestamp", &settings.starting_timestamp}}) {
    const std::string text = option(name);
    if (text.empty()) continue;
    const auto time = parse_rfc3339(text.size() == 10 ? text + "T00:00:00Z" : text);
    if (!time) return wrong(name, text, "a time as 2026-01-31T08:00:00Z, or a date, which begins in UTC");
    *to = floor_divide(time->microseconds, 1000);
  }
  const char* chosen = nullptr;
  for (const char* name : {"version_as_of", "timestamp_as_of", "starting_version", "starting_timestamp"}) {
    if (option(name).empty()) continue;
    if (chosen != nullptr) return wrong(name, option(name), std::string("without ") + chosen + ": one of them");
    chosen = name;
  }
  for (const auto& [name, to] :
       {std::pair{"skip_changes", &settings.skip_changes}, std::pair{"prune_files", &settings.prune_files},
        std::pair{"read_change_feed", &settings.read_change_feed}}) {
    const std::string text = option(name);
    if (!text.empty() && text != "true" && text != "false") return wrong(name, text, "true, false");
    if (!text.empty()) *to = text == "true";
  }
  if (settings.read_change_feed && settings.skip_changes)
    return wrong("skip_changes", "true", "without read_change_feed, which is there to read them");
  return settings;
}

}  // namespace etlantic::delta
