// A pipeline without a struct, over rows in memory: one-minute bars of trades.
// ctest:

#include <etlantic/etlantic.hpp>

#include <cstdio>

using namespace etlantic;  // examples only
using namespace std::chrono_literals;

struct Trade {
  text symbol;
  checked<decimal<12, 4>, gt<0>> price;
  checked<std::int32_t, gt<0>> quantity;
  timestamp time;
};

struct Bar {
  text symbol;
  timestamp window_start, window_end;
  std::int64_t trades;
  decimal<12, 4> low, high;
  decimal<38, 4> turnover;
  using key = primary_key<"symbol", "window_start", "window_end">;
};

int main() {
  const auto at = [](int second) { return timestamp{second * 1'000'000LL}; };
  auto trades = std::make_shared<memory_source<Trade>>();
  trades->add({{"ACME", decimal<12, 4>("10.50"), 100, at(5)},
               {"ACME", decimal<12, 4>("10.75"), 50, at(42)},
               {"INIT", decimal<12, 4>("3.1415"), 1000, at(59)},
               {"ACME", decimal<12, 4>("10.25"), 10, at(61)}});

  auto bars = std::make_shared<memory_sink<Bar>>();
  profile where_it_runs;
  where_it_runs.trigger.kind = trigger_kind::available_now;
  where_it_runs.assets["trades"].made_source = trades;
  where_it_runs.assets["bars"].made_sink = bars;

  const auto done = run(from<Trade>("trades")
                            | watermark<"time">(10s)
                            | derive<"amount">(field<"price"> * field<"quantity">)
                            | group_by<"symbol">
                            | tumbling<"time">(1min)
                            | aggregate<Bar>(named<"trades"> = count(), named<"low"> = min(field<"price">),
                                             named<"high"> = max(field<"price">), named<"turnover"> = sum(field<"amount">))
                            | into("bars"),
                        where_it_runs);
  if (!done) {
    std::fprintf(stderr, "%s\n", done.error().message.c_str());
    return 1;
  }
  for (const Bar& bar : bars->rows())
    std::printf("%s %2lld s: %lld trades, turnover %.2f\n", bar.symbol.value.c_str(),
                static_cast<long long>(bar.window_start.microseconds / 1'000'000), static_cast<long long>(bar.trades),
                static_cast<double>(bar.turnover.scaled) / 1e4);
  return 0;
}
