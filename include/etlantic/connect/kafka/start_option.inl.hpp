#pragma once
#include <etlantic/connect/kafka/failure.hpp>
#include <etlantic/connect/kafka/start_option.hpp>
#include <etlantic/core/rfc3339.hpp>

#include <algorithm>
#include <charconv>

namespace etlantic::kafka {

[[gnu::used]] inline std::string split_of(const partition& which) {
  return which.topic + "/" + std::to_string(which.number);
}

[[gnu::used]] inline partition partition_of(const std::string& split) {
  partition found{{}, -1};
  const std::size_t slash = split.rfind('/');
  if (slash == std::string::npos || slash == 0) return found;
  std::int32_t number = 0;
  const auto read = std::from_chars(split.data() + slash + 1, split.data() + split.size(), number);
  if (read.ec != std::errc() || read.ptr != split.data() + split.size() || number < 0) return found;
  return {split.substr(0, slash), number};
}

[[gnu::used]] inline result<start_option> parse_start(const std::string& text) {
  start_option made;
  if (text.empty() || text == "earliest") return made;
  if (text == "latest") {
    made.kind = start_kind::latest;
    return made;
  }
  if (const auto time = parse_rfc3339(text)) {
    made.kind = start_kind::time;
    // The first millisecond that is not before the time.
    made.milliseconds = time->microseconds / 1000 + (time->microseconds % 1000 > 0 ? 1 : 0);
    return made;
  }
  made.kind = start_kind::offsets;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    std::string part = text.substr(at, end - at);
    part.erase(0, part.find_first_not_of(' '));
    const std::size_t equals = part.find('=');
    const partition which = partition_of(part.substr(0, equals));
    std::int64_t offset = -1;
    if (equals != std::string::npos) {
      const auto read = std::from_chars(part.data() + equals + 1, part.data() + part.size(), offset);
      if (read.ec != std::errc() || read.ptr != part.data() + part.size()) offset = -1;
    }
    if (which.number < 0 || offset < 0)
      return wrong_option("the option start is `" + text + "`",
                          "write earliest, latest, a time such as 2026-03-01T00:00:00Z, or offsets by partition: "
                          "orders/0=5,orders/1=10");
    made.offsets[which] = offset;
    at = end + 1;
  }
  return made;
}

}  // namespace etlantic::kafka
