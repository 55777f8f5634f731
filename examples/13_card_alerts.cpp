// Payments from a file that grows to alerts within milliseconds: the trigger `low_latency`, a checkpoint that survives a
// crash, and a sink of the program that is told of each batch. Of a topic it works in the same way.
// ctest:

#include <etlantic/etlantic.hpp>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <thread>

using namespace etlantic;  // examples only
using namespace std::chrono_literals;

struct Payment {
  std::int64_t card;
  checked<decimal<12, 2>, gt<0>> amount;
  timestamp time;
};

struct CardMinute {
  std::int64_t card;
  timestamp window_start, window_end;
  std::int64_t payments;
  decimal<18, 2> spent;
  timestamp last;                    // payment of the minute
  using key = primary_key<"card", "window_start">;
};

struct AddPayments {
  input<Payment> payments;
  output<CardMinute> minutes;
};

constexpr auto implement(const AddPayments& t) {
  return t.payments | watermark<"time">(10s) | group_by<"card"> | tumbling<"time">(1min) |
         aggregate<CardMinute>(named<"payments"> = count(), named<"spent"> = sum(field<"amount">),
                               named<"last"> = max(field<"time">));
}

struct CardAlerts {
  extract<Payment, "payments"> payments;
  step<AddPayments, "payments.valid"> add;
  load<CardMinute, "card_minutes", "add.minutes", output_mode::update> minutes;  // what changed, with every batch
  load<rejected<Payment>, "rejected_payments", "payments.invalid"> rejected_payments;
};

timestamp now() {
  return {std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::system_clock::now().time_since_epoch()).count()};
}

/// Warns of a card that is used more than twice in a minute. What is warned of twice after a crash does no harm, so
/// that it keeps no ledger.
class pager final : public sink {
 public:
  int alerts = 0;
  std::vector<double> milliseconds;  // from each payment to here

  result<void> open(const schema&, output_mode, const publisher&) override { return {}; }
  result<void> prepare(const publication& batch) override {
    for (const block& each : batch.blocks)
      for (std::size_t row = 0; row < each.rows; ++row) prepared_.push_back(row_at<CardMinute>(each, row));
    return {};
  }
  result<void> commit(std::int64_t) override {
    for (const CardMinute& minute : prepared_) {
      milliseconds.push_back(static_cast<double>(now().microseconds - minute.last.microseconds) / 1000);
      if (minute.payments <= 2) continue;
      ++alerts;
      std::printf("card %lld: %lld payments within a minute\n", static_cast<long long>(minute.card),
                  static_cast<long long>(minute.payments));
    }
    prepared_.clear();
    return {};
  }
  void abort() override { prepared_.clear(); }
  std::string describe() const override { return "pager"; }

 private:
  std::vector<CardMinute> prepared_;
};

int main() {
  std::filesystem::create_directory("payments");
  std::ofstream payments("payments/today.ndjson", std::ios::app);

  const auto alerts = std::make_shared<pager>();
  profile where_it_runs;
  where_it_runs.trigger.kind = trigger_kind::low_latency;
  where_it_runs.checkpoint = "card_alerts.checkpoint";
  where_it_runs.assets["payments"] = {.connector = "file", .options = {{"path", "payments/*.ndjson"}, {"tail", "true"}}};
  where_it_runs.assets["card_minutes"].made_sink = alerts;
  where_it_runs.assets["rejected_payments"].connector = "console";

  auto query = start<CardAlerts>(where_it_runs);
  if (!query) return std::fprintf(stderr, "%s\n", query.error().message.c_str()), 1;
  for (int i = 0; i < 200; ++i) {
    const int card = i % 40 == 0 ? 7 : 100 + i;  // one card is used five times
    payments << "{\"card\":" << card << ",\"amount\":12.50,\"time\":\"" << format_rfc3339(now()) << "\"}\n" << std::flush;
    std::this_thread::sleep_for(1ms);
  }
  const auto stopped = query->stop(stop_policy::drain);
  if (!stopped) return std::fprintf(stderr, "%s\n", stopped.error().message.c_str()), 1;

  std::sort(alerts->milliseconds.begin(), alerts->milliseconds.end());
  std::printf("%zu results, half of them within %.1f ms of the payment\n", alerts->milliseconds.size(),
              alerts->milliseconds[alerts->milliseconds.size() / 2]);
  return query->totals().rows_read() == 200 && alerts->alerts > 0 ? 0 : 1;
}
