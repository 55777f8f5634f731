#pragma once
#include <etlantic/connect/kafka/topic_source.hpp>

#include <algorithm>
#include <chrono>
#include <iterator>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace etlantic::kafka::detail {

/// Takes records of a partition until so many bytes are there.
class topic_source::ahead_taker final : public record_taker {
 public:
  ahead_taker(topic_source& by, partition_cursor& at, std::size_t most) : by_(by), at_(at), most_(most) {}

  bool take(const record_view& record) override {
    ++records_;
    bytes_ += static_cast<std::int64_t>(record.size);
    at_.ahead.add(record, *at_.reader, by_.wanted_, by_.settings_.chunk_bytes, by_.spare_);
    return at_.ahead.bytes() < most_;
  }

  void count() const {
    if (records_ == 0) return;
    const std::lock_guard guard(by_.lock_);
    by_.bytes_read_ += bytes_;
    by_.records_read_ += records_;
  }

 private:
  topic_source& by_;
  partition_cursor& at_;
  std::size_t most_;
  std::int64_t bytes_ = 0;
  std::int64_t records_ = 0;
};

[[gnu::used]] inline result<void> topic_source::read(const split_range& range, intake& into) {
  if (range.begin >= range.end) return {};
  const partition which = partition_of(range.split);
  partition_cursor& at = cursor_of(which);
  const std::lock_guard alone(at.lock);
  if (at.next != range.begin) {
    drop(at);
    at.ahead.begin_at(range.begin, spare_);
  }
  at.next = -1;  // unless all goes well
  result<void> done = read_range(at, which, range, into);
  if (!done) {
    drop(at);
    return done;
  }
  at.next = range.end;
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
  begin_planned(**to, which);
  const std::vector<partition_cursor*> others = others_of(which);
  std::size_t turn = 0;
  int wait_ms = 1;
  auto moved = clock::now();
  auto looked = moved;
  for (;;) {
    take_others(others, turn);
    if (auto chunk = at.ahead.take(range.end, settings_.chunk_bytes, spare_)) {
      if (auto given = hand_over(*chunk, range, into); !given) return given;
      spare_.give(std::move(*chunk));
      moved = looked = clock::now();
      continue;
    }
    const std::int64_t before = at.ahead.reached();
    if (before >= range.end) break;
    if (at.reader == nullptr) {
      auto begun = (*to)->read_from(which, before);
      if (!begun) return begun.error();
      at.reader = std::move(*begun);
    }
    const auto got = fetch(at, wait_ms, settings_.chunk_bytes);
    if (!got) return got.error();
    const auto now = clock::now();
    wait_ms = std::min(2 * wait_ms, 100);
    if (at.ahead.reached() > before) {
      moved = looked = now;
      wait_ms = 1;  // there are others to look after
    }
    if (at.ahead.reached() >= range.end) continue;
    // A partition that says nothing may be slow, or it may have lost what was planned.
    const bool is_out_of_range = got->state == read_state::out_of_range;
    const auto patience = std::chrono::milliseconds(std::min(1000, settings_.reaching.timeout_ms / 2));
    if (!is_out_of_range && now - looked < patience) continue;
    if (now - moved > std::chrono::milliseconds(settings_.reaching.timeout_ms)) return silence(which);
    if (auto there = verify_still_there(at, which, range); !there) return there;
    looked = clock::now();
    if (is_out_of_range) at.reader.reset();
  }
  if (const std::int64_t deleted = at.ahead.take_deletions(range.end); deleted != 0) into.skipped(deleted);
  return {};
}

/// A partition that is begun while another one has nothing to give waits until the broker has given up waiting for that
/// one. So all of a batch are begun before the first one is waited for.
[[gnu::used]] inline void topic_source::begin_planned(client& with, const partition& own) {
  std::map<partition, std::int64_t> planned;
  std::vector<partition_cursor*> at;
  {
    const std::lock_guard guard(lock_);
    planned = std::exchange(to_begin_, {});
    planned.erase(own);
    for (const auto& [which, begin] : planned) at.push_back(&cursors_[which]);
  }
  std::size_t number = 0;
  for (const auto& [which, begin] : planned) {
    partition_cursor& each = *at[number++];
    const std::unique_lock alone(each.lock, std::try_to_lock);
    if (!alone || (each.reader != nullptr && each.next == begin)) continue;
    drop(each);
    auto begun = with.read_from(which, begin);
    if (!begun) continue;  // who reads it is told why
    each.reader = std::move(*begun);
    each.next = begin;
    each.ahead.begin_at(begin, spare_);
  }
}

/// Those behind it first, because they are read next.
[[gnu::used]] inline std::vector<partition_cursor*> topic_source::others_of(const partition& which) {
  const std::lock_guard guard(lock_);
  std::vector<partition_cursor*> found;
  const auto own = cursors_.find(which);
  for (auto each = std::next(own); each != cursors_.end(); ++each) found.push_back(&each->second);
  for (auto each = cursors_.begin(); each != own; ++each) found.push_back(&each->second);
  return found;
}

/// A record that waits in a queue of librdkafka is an allocation of its own, which another thread has made: taking it
/// out late, when it has left the cache, costs more than the copy.
[[gnu::used]] inline void topic_source::take_others(std::span<partition_cursor* const> others, std::size_t& turn) {
  constexpr std::size_t at_once = 16;
  const std::size_t most = std::max(settings_.chunk_bytes, settings_.ahead_bytes / (others.size() + 1));
  for (std::size_t i = 0; i < std::min(at_once, others.size()); ++i) {
    partition_cursor& each = *others[turn++ % others.size()];
    const std::unique_lock alone(each.lock, std::try_to_lock);
    if (!alone || each.reader == nullptr || each.ahead.bytes() >= most) continue;
    const auto got = fetch(each, 0, most);
    // Who reads it begins anew, and sees it again.
    if (!got)
      drop(each);
    else if (got->state == read_state::out_of_range)
      each.reader.reset();
  }
}

/// What comes, until so many bytes are there.
[[gnu::used]] inline result<fetched> topic_source::fetch(partition_cursor& at, int timeout_ms, std::size_t most) {
  ahead_taker taker(*this, at, most);
  result<fetched> got = [&] {
    try {
      return at.reader->fetch(timeout_ms, taker);
    } catch (...) {
      drop(at);
      throw;
    }
  }();
  taker.count();
  if (got) at.ahead.reach(got->reached);
  return got;
}

[[gnu::used]] inline void topic_source::drop(partition_cursor& at) {
  at.reader.reset();
  at.next = -1;
  at.ahead.begin_at(-1, spare_);
}

[[gnu::used]] inline result<void> topic_source::hand_over(record_chunk& chunk, const split_range& range, intake& into) {
  // Rows may point to the bytes until the next ones are handed over.
  std::swap(into.storage(), chunk.bytes);
  buffer& storage = into.storage();
  storage.reserve(storage.size());
  const std::string_view bytes(reinterpret_cast<const char*>(storage.data()), storage.size());
  if (!wanted_.any) return into.documents(range.split, bytes, chunk.documents);
  message_batch batch{.bytes = bytes, .documents = chunk.documents};
  chunk.details.put_into(batch, partition_of(range.split));
  return into.messages(range.split, batch);
}

/// What was planned may have expired, or have been cut off, before it was read.
[[gnu::used]] inline result<void> topic_source::verify_still_there(partition_cursor& at, const partition& which,
                                                                   const split_range& range) {
  const auto logs = look({which});
  if (!logs) return logs.error();
  const partition_log& log = logs->front();
  if (log.latest < range.end) {
    at.ahead.reach(range.end);
    at.reader.reset();
    return lose("offsets " + std::to_string(range.begin) + " to " + std::to_string(range.end) + " of " + range.split +
                    " were planned, but the partition ends at " + std::to_string(log.latest) +
                    " now: the topic was cut or created anew, and how many records are lost is not known",
                which);
  }
  const std::int64_t reached = at.ahead.reached();
  if (log.earliest <= reached) return {};
  const std::int64_t behind = std::min(log.earliest, range.end);
  auto lost = lose("offsets " + std::to_string(reached) + " to " + std::to_string(behind) + " of " + range.split +
                       " were planned, but the partition begins at " + std::to_string(log.earliest) + " now: up to " +
                       std::to_string(behind - reached) + " records expired before they were read",
                   which);
  at.ahead.reach(behind);
  at.reader.reset();
  return lost;
}

}  // namespace etlantic::kafka::detail
