#pragma once
#include <etlantic/connect/kafka/topic_source.hpp>

#include <algorithm>
#include <chrono>
#include <mutex>
#include <string>
#include <utility>

namespace etlantic::kafka::detail {

[[gnu::used]] inline result<void> topic_source::read(const split_range& range, intake& into) {
  if (range.begin >= range.end) return {};
  const partition which = partition_of(range.split);
  partition_cursor* at = nullptr;
  {
    const std::lock_guard guard(lock_);
    at = &cursors_[which];
  }
  const std::lock_guard alone(at->lock);
  result<void> done = read_range(*at, which, range, into);
  if (!done) {
    at->reader.reset();
    return done;
  }
  const std::lock_guard guard(lock_);
  read_up_to_[which] = range.end;
  return done;
}

[[gnu::used]] inline failure topic_source::silence(const partition& which) const {
  return unreachable("nothing has come from the partition for " + std::to_string(settings_.reaching.timeout_ms) + " ms",
                     split_of(which) + " of " + settings_.reaching.bootstrap_servers);
}

[[gnu::used]] inline result<void> topic_source::read_range(partition_cursor& at, const partition& which,
                                                           const split_range& range, intake& into) {
  auto to = connected();
  if (!to) return to.error();
  if (at.next != range.begin) at.reader.reset();
  at.next = range.begin;
  into.storage().clear();
  at.documents.clear();
  at.details.clear();
  auto moved = clock::now();
  auto looked = moved;
  while (at.next < range.end) {
    if (at.reader == nullptr) {
      auto begun = (*to)->read_from(which, at.next);
      if (!begun) return begun.error();
      at.reader = std::move(*begun);
    }
    const auto got = at.reader->fetch(range.end, 100);
    if (!got) return got.error();
    if (auto taken = take(at, *got, range, into); !taken) return taken;
    const auto now = clock::now();
    if (!got->records.empty() || got->reached > at.next) moved = looked = now;
    at.next = std::max(at.next, std::min(got->reached, range.end));
    if (at.next >= range.end) break;
    // A partition that says nothing may be slow, or it may have lost what was planned.
    const bool is_out_of_range = got->state == read_state::out_of_range;
    const auto patience = std::chrono::milliseconds(std::min(1000, settings_.reaching.timeout_ms / 2));
    if (!is_out_of_range && now - looked < patience) continue;
    if (now - moved > std::chrono::milliseconds(settings_.reaching.timeout_ms)) return silence(which);
    if (auto there = verify_still_there(at, which, range); !there) return there;
    looked = clock::now();
    if (is_out_of_range) at.reader.reset();
  }
  return hand_over(at, range, into);
}

[[gnu::used]] inline result<void> topic_source::take(partition_cursor& at, const fetched& got, const split_range& range,
                                                     intake& into) {
  std::int64_t deleted = 0;
  std::int64_t bytes = 0;
  for (const record_view& each : got.records) {
    if (each.offset < at.next) continue;
    at.next = each.offset + 1;
    if (each.value == nullptr && !wanted_.tombstones) {
      ++deleted;
      continue;
    }
    buffer& arena = into.storage();
    if (wanted_.any) at.details.add(each, *at.reader, wanted_);
    if (each.value != nullptr) {
      at.documents.push_back(
          {static_cast<std::uint32_t>(arena.size()), static_cast<std::uint32_t>(each.size), each.offset});
      arena.append(each.value, each.size);
      arena.append("\n", 1);
      bytes += static_cast<std::int64_t>(each.size);
    }
    if (arena.size() + at.details.bytes() >= settings_.chunk_bytes)
      if (auto given = hand_over(at, range, into); !given) return given;
  }
  if (deleted != 0) into.skipped(deleted);
  if (got.records.empty()) return {};
  const std::lock_guard guard(lock_);
  bytes_read_ += bytes;
  records_read_ += static_cast<std::int64_t>(got.records.size());
  return {};
}

[[gnu::used]] inline result<void> topic_source::hand_over(partition_cursor& at, const split_range& range,
                                                          intake& into) {
  if (at.documents.empty() && at.details.empty()) return {};
  buffer& arena = into.storage();
  arena.reserve(arena.size());
  const std::string_view bytes(reinterpret_cast<const char*>(arena.data()), arena.size());
  auto given =
      wanted_.any ? hand_over_messages(at, range, bytes, into) : into.documents(range.split, bytes, at.documents);
  arena.clear();
  at.details.clear();
  at.documents.clear();
  return given;
}

[[gnu::used]] inline result<void> topic_source::hand_over_messages(partition_cursor& at, const split_range& range,
                                                                   std::string_view bytes, intake& into) {
  message_batch batch{.bytes = bytes, .documents = at.documents};
  at.details.put_into(batch, partition_of(range.split));
  return into.messages(range.split, batch);
}

/// What was planned may have expired, or have been cut off, before it was read.
[[gnu::used]] inline result<void> topic_source::verify_still_there(partition_cursor& at, const partition& which,
                                                                   const split_range& range) {
  const auto logs = look({which});
  if (!logs) return logs.error();
  const partition_log& log = logs->front();
  if (log.latest < range.end) {
    at.next = range.end;
    at.reader.reset();
    return lose("offsets " + std::to_string(range.begin) + " to " + std::to_string(range.end) + " of " + range.split +
                    " were planned, but the partition ends at " + std::to_string(log.latest) +
                    " now: the topic was cut or created anew, and how many records are lost is not known",
                which);
  }
  if (log.earliest <= at.next) return {};
  const std::int64_t behind = std::min(log.earliest, range.end);
  auto lost = lose("offsets " + std::to_string(at.next) + " to " + std::to_string(behind) + " of " + range.split +
                       " were planned, but the partition begins at " + std::to_string(log.earliest) + " now: up to " +
                       std::to_string(behind - at.next) + " records expired before they were read",
                   which);
  at.next = behind;
  at.reader.reset();
  return lost;
}

}  // namespace etlantic::kafka::detail
