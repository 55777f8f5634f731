#pragma once
#include <etlantic/column/buffer.hpp>
#include <etlantic/connect/kafka/client.hpp>
#include <etlantic/connect/kafka/collected_details.hpp>
#include <etlantic/runtime/source.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

namespace etlantic::kafka::detail {

/// Records that lie back to back, as they are decoded in one go.
struct record_chunk {
  buffer bytes;
  std::vector<document> documents;
  collected_details details;
  std::int64_t end = 0;  // behind the last of them

  bool empty() const { return documents.empty() && details.empty(); }
  std::size_t size() const { return bytes.size() + details.bytes(); }
  std::size_t records() const { return std::max(documents.size(), details.records()); }

  void add(const record_view& record, partition_reader& reader, const wanted_details& wanted) {
    end = record.offset + 1;
    if (wanted.any) details.add(record, reader, wanted);
    if (record.value == nullptr) return;
    const auto begin = static_cast<std::uint32_t>(bytes.size());
    documents.push_back({begin, static_cast<std::uint32_t>(record.size), record.offset});
    bytes.append(record.value, record.size);
    bytes.append("\n", 1);
  }

  /// Moves the records from an offset on to another, empty one.
  void split(std::int64_t offset, record_chunk& behind) {
    const auto cut = std::lower_bound(documents.begin(), documents.end(), offset,
                                      [](const document& each, std::int64_t at) { return each.position < at; });
    const std::size_t size = cut == documents.end() ? bytes.size() : cut->begin;
    behind.bytes.append(bytes.data() + size, bytes.size() - size);
    behind.documents.assign(cut, documents.end());
    for (document& each : behind.documents) each.begin -= static_cast<std::uint32_t>(size);
    behind.details = details.split(offset);
    behind.end = std::exchange(end, offset);
    documents.erase(cut, documents.end());
    bytes.resize(size);
  }

  void clear() {
    bytes.clear();
    documents.clear();
    details.clear();
  }
};

/// Memory of chunks that are done. The last one is taken again first, because it is in the cache.
class spare_chunks {
 public:
  record_chunk take() {
    const std::lock_guard guard(lock_);
    if (chunks_.empty()) return {};
    record_chunk last = std::move(chunks_.back());
    chunks_.pop_back();
    return last;
  }
  void give(record_chunk&& done) {
    done.clear();
    const std::lock_guard guard(lock_);
    chunks_.push_back(std::move(done));
  }

 private:
  std::mutex lock_;
  std::vector<record_chunk> chunks_;
};

/// Records of a partition that have come and are not handed over yet.
class records_ahead {
 public:
  /// All before this offset has come or does not exist.
  std::int64_t reached() const { return reached_; }
  void reach(std::int64_t offset) { reached_ = std::max(reached_, offset); }
  /// Behind the last record that has come, or where these begin: behind it only markers have been reached.
  std::int64_t end_of_records() const { return end_of_records_; }

  std::size_t bytes() const { return bytes_; }
  std::size_t records() const {
    std::size_t sum = 0;
    for (const record_chunk& each : chunks_) sum += each.records();
    return sum;
  }

  void begin_at(std::int64_t offset, spare_chunks& spare) {
    for (record_chunk& each : chunks_) spare.give(std::move(each));
    chunks_.clear();
    deletions_.clear();
    bytes_ = 0;
    reached_ = end_of_records_ = offset;
  }

  void add(const record_view& record, partition_reader& reader, const wanted_details& wanted, std::size_t chunk_bytes,
           spare_chunks& spare) {
    if (record.offset < reached_) return;
    reached_ = end_of_records_ = record.offset + 1;
    if (record.value == nullptr && !wanted.tombstones) {
      deletions_.push_back(record.offset);
      return;
    }
    if (chunks_.empty() || chunks_.back().size() >= chunk_bytes) chunks_.push_back(spare.take());
    record_chunk& last = chunks_.back();
    const std::size_t before = last.size();
    last.add(record, reader, wanted);
    bytes_ += last.size() - before;
  }

  /// The next records before `end`, as soon as a chunk of them is full or all of them are there.
  std::optional<record_chunk> take(std::int64_t end, std::size_t chunk_bytes, spare_chunks& spare) {
    if (chunks_.empty()) return std::nullopt;
    if (chunks_.size() == 1 && chunks_.front().size() < chunk_bytes && reached_ < end) return std::nullopt;
    record_chunk first = std::move(chunks_.front());
    bytes_ -= first.size();
    chunks_.pop_front();
    if (first.end > end) {
      record_chunk behind = spare.take();
      first.split(end, behind);
      bytes_ += behind.size();
      chunks_.push_front(std::move(behind));
    }
    if (!first.empty()) return first;
    spare.give(std::move(first));
    return std::nullopt;
  }

  /// How many records before `end` are no rows, each told once.
  std::int64_t take_deletions(std::int64_t end) {
    const auto last = std::lower_bound(deletions_.begin(), deletions_.end(), end);
    const auto count = last - deletions_.begin();
    deletions_.erase(deletions_.begin(), last);
    return count;
  }

 private:
  std::deque<record_chunk> chunks_;
  std::vector<std::int64_t> deletions_;
  std::size_t bytes_ = 0;
  std::int64_t reached_ = -1;
  std::int64_t end_of_records_ = -1;
};

}  // namespace etlantic::kafka::detail
