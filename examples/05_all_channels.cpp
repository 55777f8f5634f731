// Several inputs as one, and windows over windows: orders of the web shop and of the stores in one stream, each with
// the delay of its own; counted by the minute, and the minutes by the hour.
// ctest: plan
// ctest: plan --json

#include <etlantic/etlantic.hpp>

using namespace etlantic;  // examples only
using namespace std::chrono_literals;

struct Sale {
  text article;
  checked<decimal<12, 2>, ge<0>> price;
  timestamp time;
};

struct Minute {
  timestamp window_start, window_end;
  std::int64_t sales;
  std::optional<decimal<22, 2>> turnover;
};

struct Hour {
  timestamp window_start, window_end;
  std::int64_t sales, busiest_minute;
  std::optional<decimal<32, 2>> turnover;
  using key = primary_key<"window_start", "window_end">;
};

struct CountSales {
  input<Sale> web, stores;
  parameter<duration> web_delay{10s};
  parameter<duration> store_delay{5min};  // their tills report in bundles
  output<Hour> hours;
};

constexpr auto implement(const CountSales& t) {
  return union_all(t.web | watermark<"time">(t.web_delay), t.stores | watermark<"time">(t.store_delay))
       | tumbling<"time">(1min)
       | aggregate<Minute>(named<"sales"> = count(), named<"turnover"> = sum(field<"price">))
       | tumbling<"window_time">(1h)  // the last microsecond of a minute
       | aggregate<Hour>(named<"sales"> = sum(field<"sales">), named<"busiest_minute"> = max(field<"sales">),
                         named<"turnover"> = sum(field<"turnover">));
}

struct AllChannels {
  extract<Sale, "web_sales"> web;
  extract<Sale, "store_sales"> stores;
  step<CountSales, "web.valid", "stores.valid"> sales;
  load<Hour, "hours", "sales.hours"> hours;
  load<late<Sale>, "late_sales", "sales.late"> late_sales;
};

int main(int argument_count, char** arguments) { return etlantic::main<AllChannels>(argument_count, arguments); }
