#pragma once
#include <etlantic/tool/default_profile.hpp>
#include <etlantic/tool/diagnostic_code.hpp>

#include <filesystem>

namespace etlantic {

[[gnu::used]] inline std::string snake_case(std::string_view name) {
  const auto is_upper = [](char c) { return c >= 'A' && c <= 'Z'; };
  const auto is_lower = [](char c) { return c >= 'a' && c <= 'z'; };
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  std::string snake;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    if (!is_upper(c)) {
      snake += is_lower(c) || is_digit(c) ? c : '_';  // the name becomes a file's: no separators, no blanks
      continue;
    }
    const bool after_word = i > 0 && (is_lower(name[i - 1]) || is_digit(name[i - 1]));
    const bool before_word = i > 0 && is_upper(name[i - 1]) && i + 1 < name.size() && is_lower(name[i + 1]);
    if (after_word || before_word) snake += '_';
    snake += static_cast<char>(c - 'A' + 'a');
  }
  return snake;
}

[[gnu::used]] inline profile_reading default_profile(const program& what, const std::string& data_folder) {
  namespace fs = std::filesystem;
  const auto in_folder = [&](const std::string& name) {
    return (fs::path(data_folder) / name).lexically_normal().string();
  };
  profile_reading reading;
  reading.usable = true;
  profile& settings = reading.settings;
  const std::string base = snake_case(what.id);
  for (const program_node& node : what.nodes) {
    if (node.kind == node_kind::extract) {
      std::error_code unknown;
      const std::string file = in_folder(node.asset + ".ndjson");
      const std::string folder = in_folder(node.asset);
      const bool is_folder = !fs::exists(file, unknown) && fs::is_directory(folder, unknown);
      settings.assets[node.asset] = {.connector = "file", .options = {{"path", is_folder ? folder : file}}};
    } else if (node.kind == node_kind::load) {
      settings.assets[node.asset] = {.connector = "sqlite",
                                     .options = {{"path", in_folder(base + ".db")}, {"table", node.asset}}};
    }
  }
  settings.checkpoint = in_folder(base + ".checkpoint");
  return reading;
}

[[gnu::used]] inline report check_default_inputs(const program& what, const profile_reading& reading) {
  report found;
  for (const program_node& node : what.nodes) {
    if (node.kind != node_kind::extract) continue;
    const auto binding = reading.settings.assets.find(node.asset);
    if (binding == reading.settings.assets.end()) continue;
    const std::string& path = binding->second.options.at("path");
    std::error_code unknown;
    if (std::filesystem::exists(path, unknown)) continue;
    found.add({std::string(code::location_missing),
               severity::error,
               "there is no input for the asset \"" + node.asset + "\"",
               path,
               "put " + node.asset + ".ndjson there, name another folder by --data DIR, or a profile by --profile FILE",
               {}});
  }
  return found;
}

}  // namespace etlantic
