// Late rows that are put right later: the checkpoint keeps which hours they missed, and a correction run computes these
// hours again. On the command line of a pipeline this is `run` and then, when it suits, `correct`.
// ctest:

#include <etlantic/etlantic.hpp>

#include <cstdio>
#include <map>

using namespace etlantic;  // examples only
using namespace std::chrono_literals;

struct Sale {
  std::int64_t amount;
  timestamp time;
};

struct HourlyTotal {
  timestamp window_start, window_end;
  std::int64_t amount;
  using key = primary_key<"window_start">;
};

struct AddSales {
  input<Sale> sales;
  output<HourlyTotal> totals;
};

constexpr auto implement(const AddSales& t) {
  return t.sales | watermark<"time">(5min) | tumbling<"time">(1h) | correct_late() |
         aggregate<HourlyTotal>(named<"amount"> = sum(field<"amount">));
}

struct HourlyTotals {
  extract<Sale, "sales"> sales;
  step<AddSales, "sales.valid"> add;
  load<HourlyTotal, "hourly_totals", "add.totals", output_mode::append, target::keyed_table> totals;
};

int main() {
  const auto at = [](int minute) { return timestamp{minute * 60'000'000LL}; };
  auto sales = std::make_shared<memory_source<Sale>>();
  auto totals = std::make_shared<memory_sink<HourlyTotal>>();
  profile where_it_runs;
  where_it_runs.trigger.kind = trigger_kind::available_now;
  where_it_runs.checkpoint = "hourly_totals.checkpoint";
  where_it_runs.assets["sales"].made_source = sales;
  where_it_runs.assets["hourly_totals"].made_sink = totals;
  const auto check = [](const auto& done) {
    if (!done) std::fprintf(stderr, "%s\n", done.error().message.c_str());
    return done.ok();
  };

  // 30 minutes past one o'clock the first hour is out; the sale of 0:10 that comes then is late.
  sales->add({{10, at(5)}, {20, at(90)}});
  if (!check(run(HourlyTotals{}, where_it_runs))) return 1;
  sales->add({{5, at(10)}});
  if (!check(run(HourlyTotals{}, where_it_runs))) return 1;
  const auto corrected = correct<HourlyTotals>(where_it_runs);
  if (!check(corrected)) return 1;

  std::map<std::int64_t, std::int64_t> table;  // the last row of each key, as a keyed table has it
  for (const HourlyTotal& each : totals->rows()) table[each.window_start.microseconds] = each.amount;
  std::printf("%lld window corrected; the first hour is %lld\n", static_cast<long long>(corrected->windows),
              static_cast<long long>(table[0]));
  return table[0] == 15 && corrected->windows == 1 ? 0 : 1;
}
