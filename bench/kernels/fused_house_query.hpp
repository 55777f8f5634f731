#pragma once
#include "house_data.hpp"

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <map>
#include <memory>
#include <new>
#include <utility>

#include <sys/mman.h>

namespace house {

/// The house query as one would write it by hand for this query alone: one table per window, found once per block
/// where the block lies in one window; a row's line is fetched while the rows before it are added.
class fused_query {
 public:
  void process(const block& rows) {
    const auto* customer = rows.columns[0].data<std::int64_t>();
    const auto* cents = rows.columns[1].data<std::int64_t>();
    const auto* status = rows.columns[2].data<std::int8_t>();
    const auto* time = rows.columns[3].data<std::int64_t>();
    for (std::size_t begin = 0; begin < rows.rows; begin += batch) {
      const std::size_t end = std::min(begin + batch, rows.rows);
      std::uint32_t selected[batch];
      std::size_t count = 0;
      for (std::size_t row = begin; row < end; ++row) {
        selected[count] = static_cast<std::uint32_t>(row);
        count += status[row] == 0;
      }
      std::int64_t least = std::numeric_limits<std::int64_t>::max(),
                   greatest = std::numeric_limits<std::int64_t>::min();
      for (std::size_t i = 0; i < count; ++i) {
        least = std::min(least, time[selected[i]]);
        greatest = std::max(greatest, time[selected[i]]);
      }
      if (count == 0) continue;
      if (window_of(least) == window_of(greatest)) {
        enter(window_of(least));
        std::size_t ahead = current_->large() ? distance : 0;
        for (std::size_t i = 0; i < std::min(ahead, count); ++i) current_->fetch(customer[selected[i]]);
        for (std::size_t i = 0; i < count; ++i) {
          if (ahead != 0 && i + ahead < count) current_->fetch(customer[selected[i + ahead]]);
          const std::size_t row = selected[i];
          current_->add(customer[row], cents[row], time[row]);
        }
      } else {
        for (std::size_t i = 0; i < count; ++i) {
          const std::size_t row = selected[i];
          enter(window_of(time[row]));
          current_->add(customer[row], cents[row], time[row]);
        }
      }
    }
  }

  answer result() const {
    answer made;
    for (const auto& [start, groups] : windows_)
      groups.visit([&](const slot& each) { made.add(each.customer, start, each.count, each.total, each.latest); });
    return made;
  }

 private:
  static constexpr std::size_t batch = 1024;
  static constexpr std::size_t distance = 32;

  struct slot {
    std::int64_t count, total, latest, customer;
  };

  struct table {
    slot* slots = nullptr;
    std::size_t capacity = 0, size = 0;
    int shift = 64;

    table() { make(1024); }
    table(const table&) = delete;
    table& operator=(const table&) = delete;
    ~table() { std::free(slots); }

    void make(std::size_t count) {
      const std::size_t bytes = count * sizeof(slot);
      slots = static_cast<slot*>(std::aligned_alloc(bytes >= (2u << 20) ? (2u << 20) : 64, bytes));
      if (bytes >= (2u << 20)) madvise(slots, bytes, MADV_HUGEPAGE);
      std::memset(static_cast<void*>(slots), 0, bytes);
      capacity = count;
      shift = 64 - std::countr_zero(count);
    }

    bool large() const { return capacity * sizeof(slot) > (1u << 20); }
    std::size_t home(std::int64_t key) const {
      return (static_cast<std::uint64_t>(key) * 0x9E3779B97F4A7C15u) >> shift;
    }
    void fetch(std::int64_t key) const { __builtin_prefetch(&slots[home(key)], 1); }

    void add(std::int64_t key, std::int64_t cents, std::int64_t time) {
      std::size_t at = home(key);
      while (slots[at].customer != key) {
        if (slots[at].customer == 0) {
          if (3 * ++size > 2 * capacity) {
            grow();
            --size;
            return add(key, cents, time);
          }
          slots[at] = {0, 0, std::numeric_limits<std::int64_t>::min(), key};
          break;
        }
        at = (at + 1) & (capacity - 1);
      }
      slot& found = slots[at];
      ++found.count;
      found.total += cents;
      found.latest = std::max(found.latest, time);
    }

    [[gnu::noinline]] void grow() {
      slot* before = slots;
      const std::size_t count = capacity;
      make(2 * capacity);
      for (std::size_t i = 0; i < count; ++i) {
        if (before[i].customer == 0) continue;
        std::size_t at = home(before[i].customer);
        while (slots[at].customer != 0) at = (at + 1) & (capacity - 1);
        slots[at] = before[i];
      }
      std::free(before);
    }

    template <class Visit>
    void visit(Visit&& visit) const {
      for (std::size_t i = 0; i < capacity; ++i)
        if (slots[i].customer != 0) visit(slots[i]);
    }
  };

  static std::int64_t window_of(std::int64_t time) { return time / hour * hour; }
  void enter(std::int64_t start) {
    if (current_ != nullptr && start == current_start_) return;
    current_ = &windows_[start];
    current_start_ = start;
  }

  std::map<std::int64_t, table> windows_;
  table* current_ = nullptr;
  std::int64_t current_start_ = 0;
};

}  // namespace house
