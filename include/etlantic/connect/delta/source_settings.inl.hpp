#pragma once
#include <etlantic/connect/delta/source_settings.hpp>
#include <etlantic/connect/delta/table_options.hpp>

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
  for (const auto& [name, to] :
       {std::pair{"version", &settings.version}, std::pair{"from_version", &settings.from_version}}) {
    const std::string text = option(name);
    if (text.empty()) continue;
    std::int64_t number = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
    if (read.ec != std::errc{} || read.ptr != text.data() + text.size() || number < 0)
      return wrong(name, text, "a version of the table: 0 or more");
    *to = number;
  }
  if (settings.version && settings.from_version)
    return wrong("from_version", option("from_version"), "either version or from_version");
  const std::string skip = option("skip_changes");
  if (!skip.empty() && skip != "true" && skip != "false") return wrong("skip_changes", skip, "true, false");
  settings.skip_changes = skip == "true";
  return settings;
}

}  // namespace etlantic::delta
