#pragma once
#include <etlantic/connect/json/numbers.inl.hpp>
#include <etlantic/connect/kafka/statistics.hpp>

namespace etlantic::kafka {

namespace detail {

/// Partition -1 holds what has no partition yet; a consumer has none of it.
struct statistics_reader final : number_visitor {
  client_statistics found;

  void number(std::span<const std::string_view> path, double value) override {
    if (path.size() == 4 && path[0] == "brokers" && path[3] == "avg" && value > 0) {
      // Round trips are microseconds, throttling is milliseconds.
      if (path[2] == "rtt") found.brokers[std::string(path[1])].round_trip_seconds = value / 1e6;
      if (path[2] == "throttle") found.brokers[std::string(path[1])].throttled_seconds = value / 1e3;
    }
    if (path.size() == 5 && path[0] == "topics" && path[2] == "partitions") {
      if (path[4] == "fetchq_cnt") found.queued_records += static_cast<std::int64_t>(value);
      if (path[4] == "fetchq_size") found.queued_bytes += static_cast<std::int64_t>(value);
    }
  }
};

}  // namespace detail

[[gnu::used]] inline std::optional<client_statistics> read_statistics(std::string_view json) {
  detail::statistics_reader reader;
  if (!visit_numbers(json, reader)) return std::nullopt;
  return std::move(reader.found);
}

}  // namespace etlantic::kafka
