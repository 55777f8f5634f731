#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace etlantic::kafka {

struct broker_statistics {
  double round_trip_seconds = 0;  ///< mean of the last interval
  double throttled_seconds = 0;   ///< how long the broker made the client wait, mean of the last interval
};

/// What is used of librdkafka's statistics (STATISTICS.md there).
struct client_statistics {
  std::int64_t queued_records = 0;  ///< fetched and not read yet
  std::int64_t queued_bytes = 0;
  std::map<std::string, broker_statistics> brokers;  ///< by address, those that have answered something
};

/// From the JSON that librdkafka gives; none if it is something else.
std::optional<client_statistics> read_statistics(std::string_view json);

}  // namespace etlantic::kafka
