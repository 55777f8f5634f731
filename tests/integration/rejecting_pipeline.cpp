// A pipeline in which every step can have results that do not fit: of a row, of a window, and of a total that goes on.

#include <etlantic/etlantic.hpp>

using namespace etlantic;
using namespace std::chrono_literals;

struct Sale {
  std::int64_t account;
  std::int64_t price;
  std::int64_t amount;
  decimal<18, 2> value;
  timestamp time;
};

struct Priced {
  std::int64_t account;
  std::int64_t cost;
};
struct Price {
  input<Sale> sales;
  output<Priced> priced;
};
constexpr auto implement(const Price& t) {
  return t.sales | select<Priced>(named<"cost"> = field<"price"> * field<"amount">);
}

struct AccountWindow {
  std::int64_t account;
  timestamp window_start, window_end;
  decimal<18, 2> value;
  checked<std::int64_t, lt<9>> sales;
};
struct SumWindows {
  input<Sale> sales;
  output<AccountWindow> windows;
};
constexpr auto implement(const SumWindows& t) {
  return t.sales | watermark<"time">(0s) | group_by<"account"> | tumbling<"time">(10s) |
         aggregate<AccountWindow>(named<"value"> = sum(field<"value">), named<"sales"> = count());
}

struct Total {
  std::int64_t account;
  std::int64_t price;
  using key = primary_key<"account">;
};
struct SumTotals {
  input<Sale> sales;
  output<Total> totals;
};
constexpr auto implement(const SumTotals& t) {
  return t.sales | group_by<"account"> | aggregate<Total>(named<"price"> = sum(field<"price">));
}

struct Sales {
  extract<Sale, "sales"> sales;
  step<Price, "sales.valid"> price;
  load<Priced, "priced", "price.priced"> priced;
  load<rejected<Priced>, "rejected_priced", "price.invalid"> rejected_priced;
  step<SumWindows, "sales.valid"> windows;
  load<AccountWindow, "windows", "windows.windows"> closed;
  load<rejected<AccountWindow>, "rejected_windows", "windows.invalid"> rejected_windows;
  step<SumTotals, "sales.valid"> totals;
  load<Total, "totals", "totals.totals", output_mode::update> current;
  load<rejected<Total>, "rejected_totals", "totals.invalid"> rejected_totals;
};

int main(int argc, char** argv) { return etlantic::main<Sales>(argc, argv); }
