#pragma once
#include <optional>
#include <string>
#include <vector>

namespace etlantic::kafka {

struct record_header_text {
  std::string name;
  std::optional<std::string> value;
};

/// A record to send, with all that it can have.
struct outgoing_record {
  std::optional<std::string> key{};
  std::optional<std::string> value{};  ///< none: a tombstone
  std::vector<record_header_text> headers{};
};

}  // namespace etlantic::kafka
