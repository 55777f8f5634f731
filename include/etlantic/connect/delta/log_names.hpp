#pragma once
#include <algorithm>
#include <charconv>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace etlantic::delta {

/// `00000000000000000012`
inline std::string padded_version(std::int64_t version) {
  const std::string digits = std::to_string(version);
  return std::string(digits.size() < 20 ? 20 - digits.size() : 0, '0') + digits;
}

inline std::string commit_name(std::int64_t version) { return "_delta_log/" + padded_version(version) + ".json"; }
inline std::string checkpoint_name(std::int64_t version) {
  return "_delta_log/" + padded_version(version) + ".checkpoint.parquet";
}

/// The version that a commit (`N.json`), its checksum (`N.crc`) or a checkpoint of any kind belongs to.
inline std::optional<std::int64_t> version_of_log_file(std::string_view name) {
  std::int64_t version = 0;
  if (name.size() < 24 || name[20] != '.') return {};
  const auto read = std::from_chars(name.data(), name.data() + 20, version);
  if (read.ec != std::errc{} || read.ptr != name.data() + 20 || version < 0) return {};
  const std::string_view kind = name.substr(20);
  const bool is_known = kind == ".json" || kind == ".crc" || kind.starts_with(".checkpoint.");
  return is_known ? std::optional(version) : std::nullopt;
}

/// What lies in a log, by the names of its files. Names that we do not know are passed over: `.crc` files, temporary
/// files, checkpoints of other kinds.
class log_listing {
 public:
  explicit log_listing(const std::vector<std::string>& names) {
    for (const std::string& each : names) take(each);
  }

  const std::set<std::int64_t>& commits() const { return commits_; }
  bool empty() const { return commits_.empty() && parts_.empty(); }

  /// The newest version that is there, or -1.
  std::int64_t newest() const {
    const std::int64_t commit = commits_.empty() ? -1 : *commits_.rbegin();
    const auto last = newest_checkpoint(INT64_MAX);
    return std::max(commit, last ? last->version : -1);
  }

  struct checkpoint {
    std::int64_t version = -1;
    std::vector<std::string> files;
  };

  /// The newest checkpoint at or below a version that has all of its parts.
  std::optional<checkpoint> newest_checkpoint(std::int64_t most) const {
    for (auto version = parts_.rbegin(); version != parts_.rend(); ++version)
      if (version->first <= most)
        for (const auto& [count, files] : version->second)
          if (files.size() == count) return checkpoint{version->first, {files.begin(), files.end()}};
    return {};
  }

 private:
  static std::optional<std::int64_t> number(std::string_view digits) {
    std::int64_t value = 0;
    const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (read.ec != std::errc{} || read.ptr != digits.data() + digits.size() || value < 0) return {};
    return value;
  }

  void take(const std::string& name) {
    const std::string_view text = name;
    if (text.size() < 25) return;
    const auto version = number(text.substr(0, 20));
    if (!version) return;
    const std::string_view rest = text.substr(20);
    if (rest == ".json")
      commits_.insert(*version);
    else if (rest == ".checkpoint.parquet")
      parts_[*version][1].insert(name);
    // 00000000000000000012.checkpoint.0000000001.0000000003.parquet
    else if (rest.size() == 41 && rest.starts_with(".checkpoint.") && rest[22] == '.' && rest.ends_with(".parquet")) {
      const auto part = number(rest.substr(12, 10)), count = number(rest.substr(23, 10));
      if (part && count && *part >= 1 && *part <= *count)
        parts_[*version][static_cast<std::size_t>(*count)].insert(name);
    }
  }

  std::set<std::int64_t> commits_;
  std::map<std::int64_t, std::map<std::size_t, std::set<std::string>>> parts_;  // by version and number of parts
};

}  // namespace etlantic::delta
