#pragma once
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace etlantic::delta {

/// A file as part of what a source reads: one of the table at a version, or one that a version added.
struct source_split {
  bool of_snapshot = false;
  std::int64_t version = 0;
  std::string path;

  std::string name() const { return (of_snapshot ? "snapshot " : "commit ") + std::to_string(version) + ' ' + path; }

  static std::optional<source_split> parse(std::string_view name) {
    source_split split;
    split.of_snapshot = name.starts_with("snapshot ");
    if (!split.of_snapshot && !name.starts_with("commit ")) return {};
    name.remove_prefix(name.find(' ') + 1);
    const auto read = std::from_chars(name.data(), name.data() + name.size(), split.version);
    if (read.ec != std::errc{} || read.ptr == name.data() + name.size() || *read.ptr != ' ') return {};
    split.path = std::string(name.substr(static_cast<std::size_t>(read.ptr - name.data()) + 1));
    return split;
  }
};

}  // namespace etlantic::delta
