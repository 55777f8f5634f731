#pragma once
#include <etlantic/tool/diagnostic_code.hpp>
#include <etlantic/tool/reference.hpp>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace etlantic {

namespace detail {

inline failure unresolved(std::string message, std::string where, std::string help) {
  return {failure_class::configuration, std::string(code::reference_unresolved), std::move(message), std::move(where),
          std::move(help)};
}

inline result<std::string> content_of_reference(const std::string& path) {
  if (path.empty() || path.starts_with("//"))
    return unresolved("file: must be followed by the path of a file that holds the value", "file:" + path,
                      "a path to data is written without file:");
  std::FILE* opened = std::fopen(path.c_str(), "rb");
  if (opened == nullptr)
    return unresolved("the file of this reference cannot be opened: " + std::string(std::strerror(errno)),
                      "file:" + path, "check the path and who may read it; a path to data is written without file:");
  std::string content(64 * 1024 + 1, '\0');
  content.resize(std::fread(content.data(), 1, content.size(), opened));
  const bool failed = std::ferror(opened) != 0;
  std::fclose(opened);
  if (failed) return unresolved("the file of this reference cannot be read", "file:" + path, "is it a plain file?");
  if (content.size() > 64 * 1024)
    return unresolved("the file of this reference has more than 64 KiB", "file:" + path, "is it the right file?");
  if (content.ends_with('\n')) content.pop_back();
  if (content.ends_with('\r')) content.pop_back();
  if (content.empty())
    return unresolved("the file of this reference is empty", "file:" + path, "write the value into it");
  return content;
}

}  // namespace detail

[[gnu::used]] inline bool is_secret_name(std::string_view option) {
  std::string lower(option);
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  for (const char* part : {"password", "passwd", "secret", "token", "credential", "api_key", "private_key", "key.pem",
                           "oauthbearer.config"})
    if (lower.find(part) != std::string::npos) return true;
  return false;
}

[[gnu::used]] inline std::string printable_option(std::string_view name, std::string_view value) {
  if (is_reference(value)) return std::string(value);
  if (is_secret_name(name)) return "***";
  // user:password@ of an address
  const std::size_t scheme = value.find("://");
  const std::size_t at = scheme == std::string_view::npos ? scheme : value.find('@', scheme);
  if (at == std::string_view::npos) return std::string(value);
  return std::string(value.substr(0, scheme + 3)) + "***" + std::string(value.substr(at));
}

[[gnu::used]] inline result<std::string> resolve_reference(const std::string& value) {
  if (is_file_reference(value)) return detail::content_of_reference(value.substr(5));
  if (!is_reference(value)) return value;
  const std::string name = value.substr(4);
  const char* found = name.empty() ? nullptr : std::getenv(name.c_str());
  if (found == nullptr || *found == '\0')
    return detail::unresolved(
        found == nullptr ? "this environment variable is not set" : "this environment variable is empty", value,
        "set it before the start: export " + (name.empty() ? "NAME" : name) + "=...");
  return std::string(found);
}

[[gnu::used]] inline profile resolve_references(const profile_reading& reading, report& into) {
  profile resolved = reading.settings;
  for (auto& [asset, binding] : resolved.assets) {
    for (auto& [name, value] : binding.options) {
      auto known = resolve_reference(value);
      if (known) {
        value = std::move(known).value();
        continue;
      }
      const profile_origin origin = reading.origin_of("assets." + asset + "." + name);
      into.add({known.error().code, severity::error, known.error().message + " (" + known.error().where + ")",
                origin.path.empty() ? "assets." + asset + "." + name : origin.path, known.error().help, origin.place});
    }
  }
  return resolved;
}

}  // namespace etlantic
