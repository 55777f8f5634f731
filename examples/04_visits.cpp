// Session windows: the visits of each user, which end when nothing was clicked for half an hour.
// ctest:

#include <etlantic/etlantic.hpp>

#include <cstdio>

using namespace etlantic;  // examples only
using namespace std::chrono_literals;

struct Click {
  text user;
  timestamp time;
};

struct Visit {
  text user;
  timestamp window_start, window_end;
  std::int64_t clicks;
};

int main() {
  const auto at = [](int minute) { return timestamp{minute * 60'000'000LL}; };
  auto clicks = std::make_shared<memory_source<Click>>();
  clicks->add({{text("ada"), at(0)}, {text("bob"), at(5)}, {text("ada"), at(40)}});
  clicks->add({{text("ada"), at(20)}});  // late enough to join what were two visits, and early enough to count
  clicks->add({{text("bob"), at(200)}});

  auto visits = std::make_shared<memory_sink<Visit>>();
  profile where_it_runs;
  where_it_runs.trigger.kind = trigger_kind::available_now;
  where_it_runs.assets["clicks"].made_source = clicks;
  where_it_runs.assets["visits"].made_sink = visits;

  const auto done = run(from<Click>("clicks")
                            | watermark<"time">(1h)
                            | group_by<"user">
                            | session<"time">(30min)
                            | aggregate<Visit>(named<"clicks"> = count())
                            | into("visits"),
                        where_it_runs);
  if (!done) {
    std::fprintf(stderr, "%s\n", done.error().message.c_str());
    return 1;
  }
  for (const Visit& visit : visits->rows())
    std::printf("%s, minute %lld to %lld: %lld clicks\n", visit.user.value.c_str(),
                static_cast<long long>(visit.window_start.microseconds / 60'000'000),
                static_cast<long long>(visit.window_end.microseconds / 60'000'000), static_cast<long long>(visit.clicks));
  return 0;
}
