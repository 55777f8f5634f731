#pragma once
#include <data/line.hpp>
#include <data/options.hpp>
#include <data/random.hpp>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace bench {

/// One order of the house workload. bench/peers/house.py has the same formula in SQL.
struct house_row {
  std::int64_t customer_id;
  std::int64_t order_cents;
  std::uint8_t status;
  std::int64_t event_time;  ///< microseconds since 1970
  std::int64_t order_id;
};

inline constexpr std::array<std::string_view, 3> house_statuses = {"paid", "cancelled", "refunded"};

inline house_row make_house_row(const data_options& options, std::uint32_t number) {
  house_row made{};
  made.customer_id = 1 + mix(number, 1) % options.customers;
  if (options.half && mix(number, 4) % 2 == 0) made.customer_id = 1;
  made.order_cents = mix(number, 2) % 100'000;
  made.status = static_cast<std::uint8_t>(mix(number, 3) % 3);
  made.event_time = january + std::int64_t{options.hours} * 3'600'000'000 * number / options.rows;
  made.order_id = number;
  return made;
}

inline void append_house_field(std::string& line, const data_options& options, const house_row& row,
                               std::size_t field) {
  switch (field) {
    case 0:
      line += options.text_keys ? R"("customer_id":"customer-)" : R"("customer_id":)";
      if (options.text_keys) {
        append_padded(line, row.customer_id, 7);
        line += '"';
      } else {
        append_number(line, row.customer_id);
      }
      return;
    case 1:
      line += R"("order_total":)";
      append_cents(line, row.order_cents);
      return;
    case 2:
      line += R"("status":")";
      line += house_statuses[row.status];
      line += '"';
      return;
    case 3:
      line += R"("event_time":")";
      append_january_time(line, row.event_time - january);
      line += '"';
      return;
    default: line += R"("order_id":)"; append_number(line, row.order_id);
  }
}

inline void append_house_line(std::string& line, const data_options& options, std::uint32_t number) {
  const house_row row = make_house_row(options, number);
  std::array<std::size_t, 5> order = {0, 1, 2, 3, 4};
  if (options.shuffled_keys) {
    std::uint32_t chance = mix(number, 5);
    for (std::size_t left = order.size(); left > 1; --left) {
      std::swap(order[left - 1], order[chance % left]);
      chance /= static_cast<std::uint32_t>(left);
    }
  }
  if (options.event_ids) {
    line += R"({"event_id":"order-)";
    append_padded(line, row.order_id, 10);
    line += '"';
  }
  for (std::size_t i = 0; i < order.size(); ++i) {
    line += i == 0 && !options.event_ids ? '{' : ',';
    append_house_field(line, options, row, order[i]);
  }
  line += "}\n";
}

}  // namespace bench
