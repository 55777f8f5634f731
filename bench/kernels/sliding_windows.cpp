// Sliding windows beside tumbling ones, over the same blocks of columns: the stage that a pipeline lowers to, with
// count, exact sum and latest time, or a sum of floating point, by customer. A batch is the rows of one slide, behind
// which the watermark closes a window. Counters: nanoseconds per input row in all, of taking rows in and of giving
// results out, and megabytes of state.

#include "house_data.hpp"

#include <benchmark/benchmark.h>

#include <cstdlib>
#include <ctime>
#include <limits>
#include <map>

using namespace house;
using namespace std::chrono_literals;

namespace {

struct Purchase {
  std::int64_t customer_id;
  decimal<18, 2> price;
  double weight;
  timestamp event_time;
};
struct Totals {
  std::int64_t customer_id;
  timestamp window_start;
  std::int64_t purchases;
  decimal<28, 2> total;
  timestamp latest;
};
struct Weights {
  std::int64_t customer_id;
  timestamp window_start;
  double weight;
};

constexpr auto slide = 1s;

auto purchases() { return from<Purchase>("purchases") | watermark<"event_time">(0s) | group_by<"customer_id">; }
auto totals() {
  return aggregate<Totals>(named<"purchases"> = count(), named<"total"> = sum(field<"price">),
                           named<"latest"> = max(field<"event_time">));
}
auto weights() { return aggregate<Weights>(named<"weight"> = sum(field<"weight">)); }

program tumbling_totals(duration length) {
  return *lower(purchases() | tumbling<"event_time">(length) | totals() | into<output_mode::append>("windows"));
}
program sliding_totals(duration length) {
  return *lower(purchases() | sliding<"event_time">(length, slide) | totals() | into<output_mode::append>("windows"));
}
program tumbling_weights(duration length) {
  return *lower(purchases() | tumbling<"event_time">(length) | weights() | into<output_mode::append>("windows"));
}
program sliding_weights(duration length) {
  return *lower(purchases() | sliding<"event_time">(length, slide) | weights() | into<output_mode::append>("windows"));
}

struct shape_of_stream {
  std::int64_t customers;
  std::size_t rows_per_slide;
  duration length;
  int disorder_percent = 0;  // this share of the rows is up to half a window old
};

std::size_t slides_measured() {
  const char* given = std::getenv("SLIDES");
  return given != nullptr ? std::strtoull(given, nullptr, 10) : 120;
}

/// The blocks of one slide. The next slide has the same rows, a slide later.
class slide_blocks {
 public:
  explicit slide_blocks(const shape_of_stream& of) : of_(of) {
    for (std::size_t first = 0; first < of.rows_per_slide; first += rows_per_block) {
      block& next = blocks_.emplace_back(schema_of<Purchase>());
      next.resize(std::min(rows_per_block, of.rows_per_slide - first));
      fill(next, first);
    }
  }

  void fill(block& into, std::size_t first) const {
    for (std::size_t row = 0; row < into.rows; ++row) {
      const std::uint64_t i = first + row;
      into.columns[0].set(row, static_cast<std::int64_t>(mixed(4 * i + 1) % static_cast<std::uint64_t>(of_.customers)));
      into.columns[1].set(row, static_cast<std::int64_t>(mixed(4 * i + 2) % 100'000));
      into.columns[2].set(row, static_cast<double>(mixed(4 * i + 3) % 100'000) / 7);
    }
  }

  const std::vector<block>& of_slide(std::size_t number) {
    const std::int64_t length = duration(slide).count();
    std::size_t i = 0;
    for (block& each : blocks_)
      for (std::size_t row = 0; row < each.rows; ++row, ++i) {
        const auto place = static_cast<std::int64_t>(i * static_cast<std::size_t>(length) / of_.rows_per_slide);
        std::int64_t time = first_time + static_cast<std::int64_t>(number) * length + place;
        if (static_cast<int>(mixed(4 * i + number) % 100) < of_.disorder_percent)
          time -=
              static_cast<std::int64_t>(mixed(4 * i + number + 1) % static_cast<std::uint64_t>(of_.length.count() / 2));
        each.columns[3].set(row, time);
      }
    return blocks_;
  }

 private:
  shape_of_stream of_;
  std::vector<block> blocks_;
};

struct counted_results final : stage_outputs {
  std::size_t rows = 0;
  result<void> emit(std::size_t, const block& given) override {
    rows += given.rows;
    return {};
  }
};

/// Of this thread alone, so that other programs on the machine disturb less. Nothing here waits.
double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

void run(benchmark::State& state, program (*make)(duration), shape_of_stream of) {
  const program lowered = make(of.length);
  const auto warm = static_cast<std::size_t>(of.length / slide) + 2, measured = slides_measured();
  double best_rows = std::numeric_limits<double>::max(), best_results = best_rows;
  std::size_t results = 0;
  std::int64_t bytes = 0;
  for (auto _ : state) {
    slide_blocks blocks(of);
    counted_results out;
    auto work = lowered.nodes.at(1).make_stage(output_mode::append);
    batch_context batch;
    double rows = 0, finish = 0;
    std::size_t before = 0;
    for (std::size_t number = 0; number < warm + measured; ++number) {
      const std::vector<block>& given = blocks.of_slide(number);
      const double start = processor_seconds();
      work->begin(batch);
      for (const block& each : given)
        if (!work->process(0, each, out)) std::abort();
      const double taken = processor_seconds();
      batch.late_watermark = batch.watermark;
      batch.watermark = {first_time + static_cast<std::int64_t>(number + 1) * duration(slide).count()};
      work->begin(batch);  // the batch without data that publishes what the watermark closed
      if (!work->finish(out)) std::abort();
      batch.late_watermark = batch.watermark;
      const double end = processor_seconds();
      if (number < warm) {
        before = out.rows;
        continue;
      }
      rows += taken - start;
      finish += end - taken;
      bytes = std::max(bytes, work->state().bytes);
    }
    state.SetIterationTime(rows + finish);
    best_rows = std::min(best_rows, rows);
    best_results = std::min(best_results, finish);
    results = out.rows - before;
  }
  const double all = static_cast<double>(of.rows_per_slide * measured);
  state.counters["ns_per_row"] = (best_rows + best_results) * 1e9 / all;
  state.counters["ns_rows"] = best_rows * 1e9 / all;
  state.counters["ns_results"] = best_results * 1e9 / all;
  state.counters["results"] = static_cast<double>(results);
  state.counters["MB"] = static_cast<double>(bytes) / 1e6;
}

void add(const std::string& name, const shape_of_stream& of) {
  const auto add_one = [&](const char* windows, program (*make)(duration)) {
    benchmark::RegisterBenchmark((name + "/" + windows).c_str(), run, make, of)
        ->UseManualTime()
        ->Unit(benchmark::kMillisecond)
        ->Iterations(3);
  };
  add_one("tumbling", tumbling_totals);
  add_one("sliding", sliding_totals);
  add_one("tumbling_floating_point", tumbling_weights);
  add_one("sliding_floating_point", sliding_weights);
}

}  // namespace

int main(int argc, char** argv) {
  add("10k_customers_60s_by_1s", {10'000, 1'000'000, 60s});
  add("10k_customers_4s_by_1s", {10'000, 1'000'000, 4s});
  add("10k_customers_60s_by_1s_disorder", {10'000, 1'000'000, 60s, 1});
  add("100k_customers_60s_by_1s", {100'000, 1'000'000, 60s});
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
