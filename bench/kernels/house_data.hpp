#pragma once
#include <etlantic/etlantic.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace house {

using namespace etlantic;

enum class order_status { paid, cancelled, refunded };

struct Order {
  checked<std::int64_t, gt<0>> customer_id;
  checked<decimal<18, 2>, ge<0>> order_total;
  order_status status;
  timestamp event_time;
};

struct CustomerWindow {
  std::int64_t customer_id;
  timestamp window_start, window_end;
  std::int64_t orders;
  decimal<28, 2> total;
  timestamp latest;
};

inline constexpr std::size_t rows_per_block = 8192;
inline constexpr std::int64_t hour = 3'600'000'000;
inline constexpr std::int64_t first_time = 490'896 * hour;  // 2026-01-01

struct shape {
  std::size_t rows;
  std::int64_t customers;
  std::int64_t hours;
  int hot_percent = 0;    // this share of the rows belongs to one customer
  bool shuffled = false;  // event times in any order, instead of ascending
  bool resident = false;  // a few blocks again and again, which stay in the second-level cache
};

constexpr std::uint64_t mixed(std::uint64_t word) {
  word = (word ^ (word >> 30)) * 0xBF58476D1CE4E5B9u;
  word = (word ^ (word >> 27)) * 0x94D049BB133111EBu;
  return word ^ (word >> 31);
}

/// Row i is a function of i, so that other programs can make the same rows.
inline void fill(block& into, std::size_t first, const shape& of) {
  for (std::size_t row = 0; row < into.rows; ++row) {
    const std::uint64_t i = first + row;
    const auto at = static_cast<std::int64_t>(of.shuffled ? mixed(4 * i + 4) % of.rows : i);
    const bool hot = static_cast<int>(mixed(4 * i) % 100) < of.hot_percent;
    const auto customer =
        hot ? 0 : static_cast<std::int64_t>(mixed(4 * i + 1) % static_cast<std::uint64_t>(of.customers));
    into.columns[0].set(row, 1 + customer);
    into.columns[1].set(row, static_cast<std::int64_t>(mixed(4 * i + 2) % 100'000));
    into.columns[2].set(row, static_cast<std::int8_t>(mixed(4 * i + 3) % 3));
    into.columns[3].set(row, first_time + at * of.hours * hour / static_cast<std::int64_t>(of.rows));
  }
}

inline std::vector<block> make_blocks(const shape& of) {
  std::vector<block> made;
  for (std::size_t first = 0; first < of.rows; first += rows_per_block) {
    block& next = made.emplace_back(schema_of<Order>());
    next.resize(std::min(rows_per_block, of.rows - first));
    fill(next, first, of);
  }
  return made;
}

/// What two programs must agree on. Sums of hashes, so that the order of the groups does not matter.
struct answer {
  std::uint64_t groups = 0;
  std::uint64_t hash = 0;

  void add(std::int64_t customer, std::int64_t start, std::int64_t count, std::int64_t total, std::int64_t latest) {
    std::uint64_t word = 0;
    for (std::int64_t each : {customer, start, count, total, latest})
      word = mixed(word + static_cast<std::uint64_t>(each));
    hash += word;
    ++groups;
  }
  friend bool operator==(const answer&, const answer&) = default;
};

}  // namespace house
