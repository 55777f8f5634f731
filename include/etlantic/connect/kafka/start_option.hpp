#pragma once
#include <etlantic/connect/kafka/client.hpp>
#include <etlantic/core/result.hpp>

#include <cstdint>
#include <map>
#include <string>

namespace etlantic::kafka {

enum class start_kind : std::uint8_t { earliest, latest, time, offsets };

/// Where a query that has no checkpoint yet begins.
struct start_option {
  start_kind kind = start_kind::earliest;
  std::int64_t milliseconds = 0;                ///< since 1970, of a time
  std::map<partition, std::int64_t> offsets{};  ///< the other partitions begin at their earliest record
};

/// `earliest`, `latest`, a time such as `2026-03-01T00:00:00Z`, or offsets: `orders/0=5,orders/1=10`. Empty: earliest.
result<start_option> parse_start(const std::string& text);

/// The name of a split: `orders/0`.
std::string split_of(const partition& which);

/// The other way round; number -1 if it is none.
partition partition_of(const std::string& split);

}  // namespace etlantic::kafka
