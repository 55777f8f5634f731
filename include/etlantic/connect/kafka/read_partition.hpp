#pragma once
#include <etlantic/connect/kafka/client.hpp>
#include <etlantic/connect/kafka/failure.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <string>

namespace etlantic::kafka::detail {

/// Asks a function for each record before `end` whether it wants another one.
template <class Visit>
class visiting_taker final : public record_taker {
 public:
  visiting_taker(Visit& visit, partition_reader& reader, std::int64_t end)
      : visit_(visit), reader_(reader), end_(end) {}

  bool take(const record_view& record) override {
    if (record.offset >= end_) return false;
    return goes_on_ = visit_(record, reader_);
  }
  bool goes_on() const { return goes_on_; }

 private:
  Visit& visit_;
  partition_reader& reader_;
  std::int64_t end_;
  bool goes_on_ = true;
};

/// Gives all records from `begin` to `end` to `visit`, with their reader, until it says false. `where` is for messages.
template <class Visit>
result<void> read_partition(client& from, const partition& which, std::int64_t begin, std::int64_t end, int timeout_ms,
                            const std::string& where, Visit visit) {
  using clock = std::chrono::steady_clock;
  if (begin >= end) return {};
  auto reader = from.read_from(which, begin);
  if (!reader) return reader.error();
  visiting_taker<Visit> taker(visit, **reader, end);
  auto moved = clock::now();
  for (std::int64_t reached = begin; reached < end;) {
    const auto got = (*reader)->fetch(100, taker);
    if (!got) return got.error();
    if (!taker.goes_on()) return {};
    const auto now = clock::now();
    if (got->reached > reached) moved = now;
    reached = std::max(reached, got->reached);
    if (now - moved > std::chrono::milliseconds(timeout_ms))
      return unreachable("the topic `" + which.topic + "` cannot be read to its end", where);
  }
  return {};
}

}  // namespace etlantic::kafka::detail
