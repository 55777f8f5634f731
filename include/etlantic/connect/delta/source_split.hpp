#pragma once
#include <etlantic/runtime/source.hpp>

#include <array>
#include <charconv>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace etlantic::delta {

/// Of what a file is read: of the table at a version, of the rows that a version added, or of those that it changed.
enum class split_kind : std::uint8_t { table, version, changes };

/// A file as part of what a source reads. Checkpoints know it by its name, so that the names of a source that reads on
/// must stay as they are.
struct source_split {
  split_kind kind = split_kind::table;
  std::int64_t version = 0;
  std::int64_t index = -1;  ///< its place among the files of the version; -1: an older checkpoint, which had none
  std::string path;

  /// `version 12 0 part-00000.parquet`
  std::string name() const {
    return std::string(words[static_cast<std::size_t>(kind)]) + ' ' + std::to_string(version) + ' ' +
           std::to_string(index) + ' ' + path;
  }

  static std::optional<source_split> parse(std::string_view name) {
    const auto word = [&](std::string_view wanted) {
      const bool is_it = name.starts_with(wanted) && name.size() > wanted.size() && name[wanted.size()] == ' ';
      if (is_it) name.remove_prefix(wanted.size() + 1);
      return is_it;
    };
    source_split split;
    for (std::size_t i = 0; i < words.size(); ++i) {
      if (!word(words[i])) continue;
      split.kind = static_cast<split_kind>(i);
      if (!take_number(name, split.version) || !take_number(name, split.index)) return {};
      split.path = std::string(name);
      return split;
    }
    split.kind = name.starts_with("snapshot ") ? split_kind::table : split_kind::version;
    if ((!word("snapshot") && !word("commit")) || !take_number(name, split.version)) return {};
    split.path = std::string(name);
    return split;
  }

 private:
  static constexpr std::array<std::string_view, 3> words = {"table", "version", "changes"};

  static bool take_number(std::string_view& from, std::int64_t& number) {
    const auto read = std::from_chars(from.data(), from.data() + from.size(), number);
    if (read.ec != std::errc{} || number < 0 || read.ptr == from.data() + from.size() || *read.ptr != ' ') return false;
    from.remove_prefix(static_cast<std::size_t>(read.ptr - from.data()) + 1);
    return true;
  }
};

}  // namespace etlantic::delta
