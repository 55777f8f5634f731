#pragma once
#include <data/line.hpp>
#include <data/random.hpp>

#include <cstdint>

namespace bench {

/// Windows of an hour by customer, as a table holds them: the customers of one hour come one behind the other in an
/// order of their own, then those of the next.
struct window_rows {
  std::int64_t rows = 1'000'000;
  std::int64_t customers = 10'000;  ///< of an hour; they divide the rows

  std::int64_t hours() const { return rows / customers; }
};

/// A row of such a table. bench/peers/delta_rs_peer.py has the same formulas in SQL.
struct window_row {
  std::int64_t customer_id;
  std::int64_t window_start;  ///< microseconds since 1970
  std::int64_t order_count;
  std::int64_t order_cents;
  std::int64_t latest_event_time;
};

inline constexpr std::int64_t window_length = 3'600'000'000;

/// Windows of one customer and hour, whose values follow from `number`.
inline window_row make_window_row(std::int64_t customer, std::int64_t hour, std::int64_t number) {
  const auto chance = [number](std::uint32_t stream) { return mix(static_cast<std::uint32_t>(number), stream); };
  const std::int64_t start = january + hour * window_length;
  return {1 + customer, start, 1 + chance(1) % 9, chance(2) % 1'000'000,
          start + std::int64_t{chance(3) % 3600} * 1'000'000 + chance(4) % 1'000'000};
}

inline window_row table_row(const window_rows& table, std::int64_t number) {
  return make_window_row(number % table.customers * 7919 % table.customers, number / table.customers, number);
}

/// Row `place` of a batch of changed windows: of the newest hour, and one in twenty of the hour before; one in ten is
/// of a customer that the table does not have, or not before the first batch that has it.
inline window_row recent_row(const window_rows& table, std::int64_t batch, std::int64_t size, std::int64_t place) {
  const std::int64_t customer = (place * 37 + batch * 11) % table.customers + (place % 10 == 0 ? table.customers : 0);
  return make_window_row(customer, table.hours() - (place % 20 == 1 ? 2 : 1), table.rows + batch * size + place);
}

/// The same of a batch whose rows are spread evenly over the whole table.
inline window_row scattered_row(const window_rows& table, std::int64_t batch, std::int64_t size, std::int64_t place) {
  const std::int64_t step = table.rows / size, number = place * step + batch * 7 % step;
  return make_window_row(number % table.customers * 7919 % table.customers, number / table.customers,
                         table.rows + batch * size + place);
}

}  // namespace bench
