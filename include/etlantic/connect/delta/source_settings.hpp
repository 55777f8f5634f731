#pragma once
#include <etlantic/core/result.hpp>
#include <etlantic/runtime/connector.hpp>

#include <cstdint>
#include <optional>
#include <string>

namespace etlantic::delta {

struct source_settings {
  std::string path;
  std::optional<std::int64_t> version_as_of{};
  std::optional<std::int64_t> timestamp_as_of{};  ///< milliseconds since 1970
  std::optional<std::int64_t> starting_version{};
  std::optional<std::int64_t> starting_timestamp{};
  bool skip_changes = false;
  bool prune_files = true;
  bool read_change_feed = false;
};

/// What a profile says of a table that is read.
result<source_settings> source_settings_of(const asset_binding& binding);

}  // namespace etlantic::delta
