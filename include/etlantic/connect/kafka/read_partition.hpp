#pragma once
#include <etlantic/connect/kafka/client.hpp>
#include <etlantic/connect/kafka/failure.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <string>

namespace etlantic::kafka::detail {

/// Gives all records from `begin` to `end` to `visit`, with their reader, until it says false. `where` is for messages.
template <class Visit>
result<void> read_partition(client& from, const partition& which, std::int64_t begin, std::int64_t end, int timeout_ms,
                            const std::string& where, Visit visit) {
  using clock = std::chrono::steady_clock;
  if (begin >= end) return {};
  auto reader = from.read_from(which, begin);
  if (!reader) return reader.error();
  auto moved = clock::now();
  for (std::int64_t reached = begin; reached < end;) {
    const auto got = (*reader)->fetch(end, 100);
    if (!got) return got.error();
    for (const record_view& each : got->records)
      if (!visit(each, **reader)) return {};
    const auto now = clock::now();
    if (got->reached > reached) moved = now;
    reached = std::max(reached, got->reached);
    if (now - moved > std::chrono::milliseconds(timeout_ms))
      return unreachable("the topic `" + which.topic + "` cannot be read to its end", where);
  }
  return {};
}

}  // namespace etlantic::kafka::detail
