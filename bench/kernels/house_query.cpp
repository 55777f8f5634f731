// The house query (paid orders per customer and hour: count, exact sum, latest time) from blocks of columns: the stage
// that a pipeline lowers to, beside the same query written by hand. Counters: nanoseconds per input row of taking the
// rows in and of giving the results out, and bytes of state per group.

#include "fused_house_query.hpp"
#include "house_data.hpp"

#include <benchmark/benchmark.h>

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <limits>
#include <map>
#include <tuple>

using namespace house;
using namespace std::chrono_literals;

namespace {

auto pipeline() {
  return from<Order>("orders") | watermark<"event_time">(15min) |
         etlantic::where(field<"status"> == order_status::paid) | group_by<"customer_id"> | tumbling<"event_time">(1h) |
         aggregate<CustomerWindow>(named<"orders"> = count(), named<"total"> = sum(field<"order_total">),
                                   named<"latest"> = max(field<"event_time">)) |
         into<output_mode::append>("windows");
}

struct counted_results final : stage_outputs {
  bool compare = false;
  answer seen;

  result<void> emit(std::size_t, const block& rows) override {
    if (!compare) {
      seen.groups += rows.rows;
      return {};
    }
    for (std::size_t row = 0; row < rows.rows; ++row)
      seen.add(rows.columns[0].value<std::int64_t>(row), rows.columns[1].value<std::int64_t>(row),
               rows.columns[3].value<std::int64_t>(row), static_cast<std::int64_t>(rows.columns[4].value<int128>(row)),
               rows.columns[5].value<std::int64_t>(row));
    return {};
  }
};

std::size_t rows_wanted() {
  const char* given = std::getenv("HOUSE_ROWS");
  return given != nullptr ? std::strtoull(given, nullptr, 10) : 20'000'000;
}

/// The blocks in order; the resident ones are four that come again and again.
std::vector<const block*> blocks_of(const shape& of) {
  static std::tuple<std::size_t, std::int64_t, std::int64_t, int, bool, bool> made_for;
  static std::vector<block> blocks;
  const std::tuple wanted(of.rows, of.customers, of.hours, of.hot_percent, of.shuffled, of.resident);
  if (made_for != wanted) {
    blocks.clear();
    blocks = make_blocks(of.resident ? shape{4 * rows_per_block, of.customers, of.hours, of.hot_percent} : of);
    made_for = wanted;
  }
  std::vector<const block*> order;
  for (std::size_t i = 0; i * rows_per_block < of.rows; ++i) order.push_back(&blocks[i % blocks.size()]);
  return order;
}

/// Of this thread alone, so that other programs on the machine disturb less. Nothing here waits.
double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}
double seconds_since(double start) { return processor_seconds() - start; }

struct measured {
  double rows = 0, results = 0;
  std::int64_t bytes = 0, groups = 0;
  answer seen;
};

measured run_stage(const std::vector<const block*>& blocks, bool compare) {
  static const program lowered = *lower(pipeline());
  measured of;
  counted_results out;
  out.compare = compare;
  auto work = lowered.nodes.at(1).make_stage(output_mode::append);
  double start = processor_seconds();
  batch_context batch;
  batch.watermark.microseconds = std::numeric_limits<std::int64_t>::max();
  work->begin(batch);
  for (const block* each : blocks)
    if (!work->process(0, *each, out)) std::abort();
  of.rows = seconds_since(start);
  of.bytes = work->state().bytes;
  of.groups = work->state().groups;
  start = processor_seconds();
  if (!work->finish(out)) std::abort();
  of.results = seconds_since(start);
  of.seen = out.seen;
  return of;
}

measured run_fused(const std::vector<const block*>& blocks, bool) {
  measured of;
  auto work = std::make_unique<fused_query>();
  double start = processor_seconds();
  for (const block* each : blocks) work->process(*each);
  of.rows = seconds_since(start);
  start = processor_seconds();
  of.seen = work->result();
  of.results = seconds_since(start);
  return of;
}

/// Only reads the columns: what no program that looks at them can be faster than.
measured run_read(const std::vector<const block*>& blocks, bool) {
  measured of;
  std::uint64_t seen = 0;
  const double start = processor_seconds();
  for (const block* each : blocks)
    for (const column& read : each->columns) {
      const auto* words = read.data<std::uint64_t>();
      const std::size_t count = read.values.size() / 8;
      std::uint64_t sums[8] = {};
      for (std::size_t at = 0; at + 8 <= count; at += 8)
        for (std::size_t lane = 0; lane < 8; ++lane) sums[lane] ^= words[at + lane];
      for (std::uint64_t each_sum : sums) seen ^= each_sum;
    }
  of.rows = seconds_since(start);
  benchmark::DoNotOptimize(seen);
  return of;
}

void check_same_results(const std::vector<const block*>& blocks) {
  const answer ours = run_stage(blocks, true).seen, fused = run_fused(blocks, true).seen;
  if (ours == fused) return;
  std::fprintf(stderr, "the results differ: %llu groups and %llu\n", static_cast<unsigned long long>(ours.groups),
               static_cast<unsigned long long>(fused.groups));
  std::exit(1);
}

void house_query(benchmark::State& state, measured (*run)(const std::vector<const block*>&, bool), shape of) {
  const std::vector<const block*> blocks = blocks_of(of);
  if (run == run_stage) check_same_results(blocks);
  measured best;
  best.rows = best.results = std::numeric_limits<double>::max();
  for (auto _ : state) {
    const measured now = run(blocks, false);
    state.SetIterationTime(now.rows);
    best.rows = std::min(best.rows, now.rows);
    best.results = std::min(best.results, now.results);
    best.bytes = now.bytes;
    best.groups = now.groups;
  }
  const double rows = static_cast<double>(of.rows);
  state.counters["ns_per_row"] = best.rows * 1e9 / rows;
  state.counters["ns_results"] = best.results * 1e9 / rows;
  if (best.groups != 0)
    state.counters["bytes_per_group"] = static_cast<double>(best.bytes) / static_cast<double>(best.groups);
}

void add(const std::string& name, const shape& of) {
  const auto add_one = [&](const char* program, auto* run) {
    benchmark::RegisterBenchmark((name + "/" + program).c_str(), house_query, run, of)
        ->UseManualTime()
        ->Unit(benchmark::kMillisecond)
        ->Iterations(5);
  };
  add_one("stage", run_stage);
  add_one("fused", run_fused);
  add_one("read", run_read);
}

}  // namespace

int main(int argc, char** argv) {
  const std::size_t rows = rows_wanted();
  add("10k_customers_1h", {rows, 10'000, 1});
  add("10k_customers_24h", {rows, 10'000, 24});
  add("1M_customers_1h", {rows, 1'000'000, 1});
  add("1M_customers_24h", {rows, 1'000'000, 24});
  add("10k_customers_1h_resident", {rows, 10'000, 1, 0, false, true});
  add("10k_customers_1h_resident_half_hot", {rows, 10'000, 1, 50, false, true});
  add("10k_customers_1h_resident_one_hot", {rows, 10'000, 1, 95, false, true});
  add("10k_customers_24h_shuffled", {rows, 10'000, 24, 0, true, false});
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
