// The house query: paid orders by customer and hour.
#include <data/house.hpp>
#include <queries/house_contract.hpp>
#include <queries/query.hpp>

#include <etlantic/etlantic.hpp>

namespace bench {

namespace {

using namespace etlantic;
using namespace std::chrono_literals;

/// The same with a text as the customer.
struct TextOrder {
  checked<text, min_length<1>> customer_id;
  checked<decimal<18, 2>, ge<0>> order_total;
  order_status status;
  timestamp event_time;
  checked<std::int64_t, ge<0>> order_id;
};

/// The same with a text that no query asks for.
struct OrderEvent {
  text event_id;
  checked<std::int64_t, gt<0>> customer_id;
  checked<decimal<18, 2>, ge<0>> order_total;
  order_status status;
  timestamp event_time;
  checked<std::int64_t, ge<0>> order_id;
};

template <class Key>
struct CustomerHour {
  Key customer_id;
  timestamp window_start;
  std::int64_t orders;
  decimal<28, 2> total;
  timestamp latest;
  using key = primary_key<"customer_id", "window_start">;
};

template <class Order, class Key>
program lower_house() {
  return *lower(from<Order>("in") | watermark<"event_time">(15min) | where(field<"status"> == order_status::paid) |
                group_by<"customer_id"> | tumbling<"event_time">(1h) |
                aggregate<CustomerHour<Key>>(named<"orders"> = count(), named<"total"> = sum(field<"order_total">),
                                             named<"latest"> = max(field<"event_time">)) |
                into<output_mode::update>("out"));
}

template <bool Text>
void fill_house(block& into, std::uint32_t first, const data_options& options) {
  std::string name;
  for (std::size_t row = 0; row < into.rows; ++row) {
    const house_row made = make_house_row(options, first + static_cast<std::uint32_t>(row));
    if constexpr (Text) {
      name = "customer-";
      append_padded(name, made.customer_id, 7);
      into.columns[0].set_text(row, name);
    } else {
      into.columns[0].set(row, made.customer_id);
    }
    into.columns[1].set(row, made.order_cents);
    into.columns[2].set(row, static_cast<std::int8_t>(made.status));
    into.columns[3].set(row, made.event_time);
    into.columns[4].set(row, made.order_id);
  }
}

}  // namespace

std::vector<query> house_queries() {
  return {{"house", &schema_of<HouseOrder>(), lower_house<HouseOrder, std::int64_t>, fill_house<false>},
          {"house.text", &schema_of<TextOrder>(), lower_house<TextOrder, text>, fill_house<true>},
          {"house.events", &schema_of<OrderEvent>(), lower_house<OrderEvent, std::int64_t>, nullptr}};
}

}  // namespace bench
