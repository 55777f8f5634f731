#pragma once
#include <etlantic/core/result.hpp>
#include <etlantic/runtime/connector.hpp>

#include <cstdint>
#include <optional>
#include <string>

namespace etlantic::delta {

struct source_settings {
  std::string path;
  std::optional<std::int64_t> version{};
  std::optional<std::int64_t> from_version{};
  bool skip_changes = false;
};

/// What a profile says of a table that is read.
result<source_settings> source_settings_of(const asset_binding& binding);

}  // namespace etlantic::delta
