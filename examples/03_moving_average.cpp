// Sliding windows: the mean load of the last minute, for each machine, every twenty seconds.
// ctest:

#include <etlantic/etlantic.hpp>

#include <cstdio>

using namespace etlantic;  // examples only
using namespace std::chrono_literals;

struct Sample {
  std::int32_t machine;
  checked<decimal<6, 2>, ge<0>> load;
  timestamp time;
};

struct MeanLoad {
  std::int32_t machine;
  timestamp window_start, window_end;
  std::int64_t samples;
  decimal<10, 6> mean;
  using key = primary_key<"machine", "window_start", "window_end">;
};

int main() {
  const auto at = [](int second) { return timestamp{second * 1'000'000LL}; };
  auto samples = std::make_shared<memory_source<Sample>>();
  samples->add({{7, decimal<6, 2>("0.50"), at(65)}, {7, decimal<6, 2>("1.00"), at(85)}, {7, decimal<6, 2>("3.00"), at(100)}});

  auto means = std::make_shared<memory_sink<MeanLoad>>();
  profile where_it_runs;
  where_it_runs.trigger.kind = trigger_kind::available_now;
  where_it_runs.assets["samples"].made_source = samples;
  where_it_runs.assets["means"].made_sink = means;

  const auto done = run(from<Sample>("samples")
                            | watermark<"time">(10s)
                            | group_by<"machine">
                            | sliding<"time">(1min, 20s)
                            | aggregate<MeanLoad>(named<"samples"> = count(), named<"mean"> = avg(field<"load">))
                            | into("means"),
                        where_it_runs);
  if (!done) {
    std::fprintf(stderr, "%s\n", done.error().message.c_str());
    return 1;
  }
  for (const MeanLoad& mean : means->rows())
    std::printf("machine %d, %lld s to %lld s: %lld samples, mean %.6f\n", static_cast<int>(mean.machine),
                static_cast<long long>(mean.window_start.microseconds / 1'000'000),
                static_cast<long long>(mean.window_end.microseconds / 1'000'000), static_cast<long long>(mean.samples),
                static_cast<double>(mean.mean.scaled) / 1e6);
  return 0;
}
