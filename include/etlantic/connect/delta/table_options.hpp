#pragma once
#include <etlantic/runtime/connector.hpp>

#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

// What a profile says of a Delta table, as source and as sink.

namespace etlantic::delta {

/// `end`: source or sink.
inline failure wrong_option(const std::string& end, const std::string& name, const std::string& value,
                            const std::string& valid) {
  return {failure_class::configuration, "PMSTREAM430",
          "option " + name + (value.empty() ? " is missing" : " of the delta " + end + " is `" + value + "`"),
          "delta " + end, "valid: " + valid};
}

/// The folder of the table, without slashes at its end.
inline result<std::string> path_option(const asset_binding& binding, const std::string& end) {
  std::string path = option_of(binding, "path");
  if (path.empty() || path.find('\0') != std::string::npos || path.find("://") != std::string::npos)
    return wrong_option(end, "path", path, "a folder of a local or POSIX file system");
  while (path.size() > 1 && path.back() == '/') path.pop_back();
  return path;
}

inline result<std::optional<std::int64_t>> number_option(const asset_binding& binding, const std::string& name,
                                                         std::int64_t most) {
  const std::string value = option_of(binding, name);
  if (!binding.options.contains(name)) return std::optional<std::int64_t>();
  std::int64_t number = 0;
  const auto read = std::from_chars(value.data(), value.data() + value.size(), number);
  if (read.ec != std::errc{} || read.ptr != value.data() + value.size() || number < 1 || number > most)
    return wrong_option("sink", name, value.empty() ? "\"\"" : value,
                        "a whole number from 1 to " + std::to_string(most));
  return std::optional(number);
}

inline std::vector<std::string> names_option(const asset_binding& binding, const std::string& name) {
  std::vector<std::string> names;
  std::string rest = option_of(binding, name);
  while (!rest.empty()) {
    const std::size_t comma = rest.find(',');
    const std::string each = rest.substr(0, comma);
    const std::size_t first = each.find_first_not_of(' ');
    if (first != std::string::npos) names.push_back(each.substr(first, each.find_last_not_of(' ') - first + 1));
    rest = comma == std::string::npos ? "" : rest.substr(comma + 1);
  }
  return names;
}

}  // namespace etlantic::delta
