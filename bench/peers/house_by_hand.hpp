#pragma once
#include <support/digest.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <map>
#include <memory>
#include <new>
#include <string>

#include <sys/mman.h>

namespace bench {

/// Groups of one window by customer: linear probing with the key in the slot. Customers are above 0.
class customer_table {
 public:
  struct slot {
    std::int64_t customer = 0;
    std::int64_t orders = 0;
    std::int64_t cents = 0;
    std::int64_t latest = 0;
  };

  customer_table() { allocate(1'024); }

  bool is_large() const { return capacity_ * sizeof(slot) > (std::size_t{1} << 20); }
  void prefetch(std::int64_t customer) const { __builtin_prefetch(&slots_[home(customer)], 1); }

  void add(std::int64_t customer, std::int64_t cents, std::int64_t time) {
    slot& found = find(customer);
    ++found.orders;
    found.cents += cents;
    found.latest = std::max(found.latest, time);
    if (2 * size_ > capacity_) grow();
  }

  template <class Visit>
  void visit(Visit&& visit) const {
    for (std::size_t i = 0; i < capacity_; ++i)
      if (slots_[i].customer != 0) visit(slots_[i]);
  }

 private:
  struct release {
    void operator()(slot* slots) const { std::free(slots); }
  };

  std::size_t home(std::int64_t customer) const {
    return (static_cast<std::uint64_t>(customer) * 0x9E3779B97F4A7C15U) >> shift_;
  }

  slot& find(std::int64_t customer) {
    std::size_t at = home(customer);
    while (slots_[at].customer != customer) {
      if (slots_[at].customer == 0) {
        ++size_;
        slots_[at].customer = customer;
        slots_[at].latest = std::numeric_limits<std::int64_t>::min();
        break;
      }
      at = (at + 1) & (capacity_ - 1);
    }
    return slots_[at];
  }

  void allocate(std::size_t capacity) {
    constexpr std::size_t huge_page = std::size_t{2} << 20;
    const std::size_t bytes = capacity * sizeof(slot);
    auto* const place = static_cast<slot*>(std::aligned_alloc(bytes < huge_page ? 64 : huge_page, bytes));
    if (place == nullptr) throw std::bad_alloc();
    if (bytes >= huge_page) madvise(place, bytes, MADV_HUGEPAGE);
    std::uninitialized_fill_n(place, capacity, slot{});
    slots_.reset(place);
    capacity_ = capacity;
    shift_ = 64 - std::countr_zero(capacity);
  }

  [[gnu::noinline]] void grow() {
    const std::unique_ptr<slot[], release> old = std::move(slots_);
    const std::size_t old_capacity = capacity_;
    allocate(2 * capacity_);
    size_ = 0;
    for (std::size_t i = 0; i < old_capacity; ++i)
      if (old[i].customer != 0) find(old[i].customer) = old[i];
  }

  std::unique_ptr<slot[], release> slots_;
  std::size_t capacity_ = 0;
  std::size_t size_ = 0;
  int shift_ = 64;
};

/// The house query by hand, over columns: what a program for this query alone would do.
class house_by_hand {
 public:
  void add(const std::int64_t* customers, const std::int64_t* cents, const std::uint8_t* statuses,
           const std::int64_t* times, std::size_t rows) {
    for (std::size_t begin = 0; begin < rows; begin += batch) {
      const std::size_t end = std::min(begin + batch, rows);
      std::uint32_t selected[batch];
      std::size_t count = 0;
      // What the next batch reads is fetched while this one is added.
      if (end + batch <= rows) {
        fetch(statuses + end);
        fetch(times + end);
        fetch(customers + end);
        fetch(cents + end);
      }
      for (std::size_t row = begin; row < end; ++row) {
        selected[count] = static_cast<std::uint32_t>(row);
        count += statuses[row] == 0;
      }
      const auto [least, greatest] = bounds(times + begin, times + end);
      const bool one_window = least / hour == greatest / hour;
      if (one_window) enter(least / hour);
      for (std::size_t i = 0; i < count; ++i) {
        if (!one_window) enter(times[selected[i]] / hour);
        if (i + ahead < count && current_->is_large()) current_->prefetch(customers[selected[i + ahead]]);
        const std::size_t row = selected[i];
        current_->add(customers[row], cents[row], times[row]);
      }
    }
  }

  std::string result() const {
    digest made;
    for (const auto& [window, groups] : windows_)
      groups.visit([&, start = window * hour](const customer_table::slot& each) {
        made.begin_row();
        for (const std::int64_t value : {each.customer, start, each.orders, each.cents, each.latest}) made.add(value);
        made.end_row();
      });
    return made.to_json();
  }

 private:
  static constexpr std::int64_t hour = 3'600'000'000;
  static constexpr std::size_t batch = 512;
  static constexpr std::size_t ahead = 24;

  template <class T>
  static void fetch(const T* next) {
    constexpr std::size_t line = 64 / sizeof(T);
    for (std::size_t i = 0; i < batch; i += line) __builtin_prefetch(next + i);
  }

  struct time_bounds {
    std::int64_t least, greatest;
  };
  // Plain loops, which compilers turn into vector code; std::minmax_element is none.
  static time_bounds bounds(const std::int64_t* begin, const std::int64_t* end) {
    time_bounds found{*begin, *begin};
    for (; begin != end; ++begin) {
      found.least = std::min(found.least, *begin);
      found.greatest = std::max(found.greatest, *begin);
    }
    return found;
  }

  void enter(std::int64_t window) {
    if (current_ != nullptr && window == window_) return;
    current_ = &windows_[window];
    window_ = window;
  }

  std::map<std::int64_t, customer_table> windows_;
  customer_table* current_ = nullptr;
  std::int64_t window_ = 0;
};

}  // namespace bench
