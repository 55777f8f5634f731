// A join of two streams: which impressions of an ad were clicked within an hour, and which were not.
// ctest:

#include <etlantic/etlantic.hpp>

#include <cstdio>

using namespace etlantic;  // examples only
using namespace std::chrono_literals;

struct Impression {
  std::int64_t ad;
  text page;
  timestamp shown_at;
};

struct Click {
  std::int64_t ad;
  timestamp clicked_at;
};

struct Outcome {
  std::int64_t ad;
  text page;
  timestamp shown_at;
  std::optional<timestamp> clicked_at;
  std::optional<duration> hesitation;
};

struct FindClicks {
  input<Impression> impressions;
  input<Click> clicks;
  parameter<duration> patience{1h};
  output<Outcome> outcomes;
};

constexpr auto implement(const FindClicks& t) {
  return left_join(t.impressions | watermark<"shown_at">(10s), t.clicks | watermark<"clicked_at">(10s), on<"ad">,
                   within(0s, t.patience)) |
         select<Outcome>(named<"hesitation"> = right<"clicked_at"> - left<"shown_at">);
}

struct ClickedImpressions {
  extract<Impression, "impressions"> impressions;
  extract<Click, "clicks"> clicks;
  step<FindClicks, "impressions.valid", "clicks.valid"> find;
  load<Outcome, "outcomes", "find.outcomes"> outcomes;
  load<late<Click>, "late_clicks", "find.late_clicks"> late_clicks;
};

int main() {
  const auto at = [](int minute) { return timestamp{minute * 60'000'000LL}; };
  auto impressions = std::make_shared<memory_source<Impression>>();
  impressions->add({{1, text("news"), at(1)}, {2, text("sport"), at(2)}, {3, text("news"), at(90)}});
  auto clicks = std::make_shared<memory_source<Click>>();
  clicks->add({{1, at(5)}, {2, at(70)}, {3, at(91)}});

  auto outcomes = std::make_shared<memory_sink<Outcome>>();
  profile where_it_runs;
  where_it_runs.trigger.kind = trigger_kind::available_now;
  where_it_runs.assets["impressions"].made_source = impressions;
  where_it_runs.assets["clicks"].made_source = clicks;
  where_it_runs.assets["outcomes"].made_sink = outcomes;
  where_it_runs.assets["late_clicks"].made_sink = std::make_shared<memory_sink<late<Click>>>();

  const auto done = run(ClickedImpressions{}, where_it_runs);
  if (!done) {
    std::fprintf(stderr, "%s\n", done.error().message.c_str());
    return 1;
  }
  for (const Outcome& each : outcomes->rows())
    if (each.hesitation)
      std::printf("ad %lld on %s: clicked after %lld s\n", static_cast<long long>(each.ad), each.page.value.c_str(),
                  static_cast<long long>(each.hesitation->count() / 1'000'000));
    else
      std::printf("ad %lld on %s: not clicked\n", static_cast<long long>(each.ad), each.page.value.c_str());
  return 0;
}
