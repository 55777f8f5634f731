#pragma once
#include <etlantic/column/state_io.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace etlantic::kernel {

/// How many values fell into each of the buckets that a DDSketch has: C. Masson, J. E. Rim, H. K. Lee, "DDSketch: a
/// fast and fully-mergeable quantile sketch with relative-error guarantees" (2019). Once more than `most_buckets` are
/// in use, all of them are joined by twos, as I. Epicoco and others do in "UDDSketch: accurate tracking of quantiles in
/// data streams" (2020), rather than the lowest ones only: then every quantile keeps a bound.
///
/// The level, how often that has happened, is the least at which the values need no more buckets. So what is kept is a
/// function of the values alone, and not of their order or of the parts that were merged.
class quantile_sketch {
 public:
  static constexpr std::size_t most_buckets = 4096;
  static constexpr int highest_level = 20;

  std::int64_t count() const { return count_; }
  int level() const { return level_; }

  /// A value that falls into a bucket of level 0.
  void add(std::int32_t bucket, std::int64_t times = 1) {
    put(bucket >> level_, times);
    while (buckets_.size() > most_buckets && level_ < highest_level) join();
  }

  void merge(const quantile_sketch& other) {
    while (level_ < other.level_) join();
    for (std::size_t i = 0; i < other.buckets_.size(); ++i)
      put(other.buckets_[i] >> (level_ - other.level_), other.counts_[i]);
    while (buckets_.size() > most_buckets && level_ < highest_level) join();
  }

  /// The bucket, of this level, of the value at a place in ascending order; the first is at 1.
  std::int32_t bucket_at(std::int64_t place) const {
    std::size_t i = 0;
    for (; i + 1 < buckets_.size() && place > counts_[i]; ++i) place -= counts_[i];
    return buckets_[i];
  }

  std::size_t heap_bytes() const {
    return buckets_.capacity() * sizeof(std::int32_t) + counts_.capacity() * sizeof(std::int64_t);
  }

  void save(state_writer& into) const {
    into.put(static_cast<std::uint8_t>(level_));
    into.put(static_cast<std::uint32_t>(buckets_.size()));
    for (std::size_t i = 0; i < buckets_.size(); ++i) {
      into.put(buckets_[i]);
      into.put(counts_[i]);
    }
  }
  void restore(state_reader& from) {
    *this = {};
    level_ = std::min(static_cast<int>(from.get<std::uint8_t>()), highest_level);  // it may be damaged
    const auto size = from.get<std::uint32_t>();
    for (std::uint32_t i = 0; i < size && from.ok(); ++i) {
      const auto bucket = from.get<std::int32_t>();
      const auto times = from.get<std::int64_t>();
      put(bucket, times);
      while (buckets_.size() > most_buckets && level_ < highest_level) join();
    }
  }

 private:
  void put(std::int32_t bucket, std::int64_t times) {
    count_ = plus(count_, times);
    if (last_ >= buckets_.size() || buckets_[last_] != bucket) {
      last_ = static_cast<std::size_t>(std::lower_bound(buckets_.begin(), buckets_.end(), bucket) - buckets_.begin());
      if (last_ == buckets_.size() || buckets_[last_] != bucket) {
        buckets_.insert(buckets_.begin() + static_cast<std::ptrdiff_t>(last_), bucket);
        counts_.insert(counts_.begin() + static_cast<std::ptrdiff_t>(last_), 0);
      }
    }
    counts_[last_] = plus(counts_[last_], times);
  }

  /// Joins the buckets by twos, so that each is twice as wide.
  void join() {
    ++level_;
    std::size_t kept = 0;
    for (std::size_t i = 0; i < buckets_.size(); ++i) {
      const std::int32_t wider = buckets_[i] >> 1;
      if (kept != 0 && buckets_[kept - 1] == wider)
        counts_[kept - 1] = plus(counts_[kept - 1], counts_[i]);
      else {
        buckets_[kept] = wider;
        counts_[kept++] = counts_[i];
      }
    }
    buckets_.resize(kept);
    counts_.resize(kept);
    last_ = 0;
  }

  // Without undefined overflow where the counts are those of a damaged state.
  static std::int64_t plus(std::int64_t a, std::int64_t b) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
  }

  std::vector<std::int32_t> buckets_;  // ascending
  std::vector<std::int64_t> counts_;
  std::int64_t count_ = 0;
  std::size_t last_ = 0;  // where the value before went
  int level_ = 0;
};

}  // namespace etlantic::kernel
