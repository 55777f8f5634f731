#pragma once
#include <etlantic/core/bytes_ahead.hpp>
#include <etlantic/kernel/lanes.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace etlantic::kernel {

/// The used ones among the slots of a table. A morsel of slots is looked at at once, in a way that leaves nothing to
/// guess for the processor, and the next morsel is fetched into the cache while the used ones of this one are visited.
template <class Layout>
class used_slots {
  using slot = typename Layout::slot;

 public:
  used_slots(const slot* slots, std::size_t count) : slots_(slots), count_(count) {}

  /// Calls `visit` with the place of each.
  template <class Visit>
  void for_each(Visit&& visit) const {
    std::uint16_t used[morsel_rows];
    for (std::size_t begin = 0; begin < count_; begin += morsel_rows) {
      const std::size_t end = std::min(begin + morsel_rows, count_);
      const std::size_t found = find(begin, end, used);
      bytes_ahead next = bytes(end, end + morsel_rows);
      for (std::size_t i = 0; i < found; ++i) {
        next.fetch(fetched_per_slot);
        visit(begin + used[i]);
      }
    }
  }

  /// From the last one to the first, while `visit` says true. It also gets the place of one that comes some visits
  /// later, and may empty the slot at hand and fill any behind it.
  template <class Visit>
  void for_each_backwards(Visit&& visit) const {
    constexpr std::size_t some = 8;
    std::uint16_t used[morsel_rows];
    for (std::size_t end = count_; end > 0;) {
      const std::size_t begin = (end - 1) / morsel_rows * morsel_rows;
      bytes_ahead next = bytes(begin - std::min(begin, morsel_rows), begin);
      for (std::size_t i = find(begin, end, used); i-- > 0;) {
        next.fetch(fetched_per_slot);
        if (!visit(begin + used[i], begin + used[i - std::min(i, some)])) return;
      }
      end = begin;
    }
  }

  /// In the order of their hashes: runs are sorted as a whole, which end where a slot is empty. The last one has to be.
  template <class Visit>
  void for_each_by_hash(Visit&& visit) const {
    std::vector<placed> found;
    for (std::size_t begin = 0, end = 0; begin < count_; begin = end) {
      end = std::min(begin + morsel_rows, count_);
      while (slots_[end - 1].mark != 0) ++end;
      find(begin, end, found);
      sort(found);
      bytes_ahead next = bytes(end, end + morsel_rows);
      for (const placed& each : found) {
        next.fetch(fetched_per_slot);
        visit(each.at);
      }
    }
  }

 private:
  struct placed {
    std::uint64_t hash;
    std::size_t at;
  };

  static constexpr std::size_t fetched_per_slot = 128;  // in most tables every third one is used at least

  bytes_ahead bytes(std::size_t begin, std::size_t end) const {
    end = std::min(end, count_);
    return bytes_ahead({reinterpret_cast<const char*>(slots_ + begin), (end - begin) * sizeof(slot)});
  }

  /// Counted from `begin`; how many there are.
  std::size_t find(std::size_t begin, std::size_t end, std::uint16_t* used) const {
    std::size_t count = 0;
    for (std::size_t at = begin; at < end; ++at) {
      used[count] = static_cast<std::uint16_t>(at - begin);
      count += slots_[at].mark != 0;
    }
    return count;
  }

  void find(std::size_t begin, std::size_t end, std::vector<placed>& used) const {
    used.resize(end - begin);
    std::size_t count = 0;
    for (std::size_t at = begin; at < end; ++at) {
      used[count].at = at;
      count += slots_[at].mark != 0;
    }
    used.resize(count);
    for (placed& each : used) each.hash = Layout::hash_of(slots_[each.at]);
  }

  /// Groups with the same hash are put in the order of their keys. Nearly all are where they have to be, unless keys
  /// were made to collide.
  void sort(std::vector<placed>& found) const {
    constexpr std::size_t far = 32;
    const auto precedes = [this](const placed& a, const placed& b) {
      return a.hash != b.hash ? a.hash < b.hash : Layout::precedes(slots_[a.at], slots_[b.at]);
    };
    for (std::size_t i = 1; i < found.size(); ++i) {
      if (!precedes(found[i], found[i - 1])) continue;
      const placed moved = found[i];
      std::size_t to = i;
      for (; to > 0 && i - to < far && precedes(moved, found[to - 1]); --to) found[to] = found[to - 1];
      found[to] = moved;
      if (i - to == far) return std::sort(found.begin(), found.end(), precedes);
    }
  }

  const slot* slots_;
  std::size_t count_;
};

}  // namespace etlantic::kernel
