#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace etlantic {

/// What the message of a row has beside its value, for those who pass the row on as a message.
struct row_origin {
  std::string topic;
  std::int32_t partition = 0;
  std::int64_t milliseconds = 0;  ///< its time, since 1970
  bool has_value = true;
  std::optional<std::string> key{};
  std::vector<std::pair<std::string, std::optional<std::string>>> headers{};
};

}  // namespace etlantic
