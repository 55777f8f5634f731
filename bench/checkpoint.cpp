// What snapshots of the state cost a running query, and how long a restart takes to have the state again.
//
//   checkpoint [groups] [seconds] [folder] [turns]
//   checkpoint restart groups folder
//
// Sums by a key, each of the groups as likely as any other, in a window that never closes. The same rows are aggregated
// with batch records alone and with a snapshot every second, by turns; then the query is started again from its last
// snapshot, each time in a new process, as restarts are. Prints one line of JSON.
#include <support/clock.hpp>
#include <support/keeping_sink.hpp>

#include <etlantic/etlantic.hpp>

#include <time.h>
#include <unistd.h>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace {

using namespace etlantic;
using namespace std::chrono_literals;

struct Reading {
  std::int64_t key;
  std::int64_t amount;
  timestamp time;
};

struct Total {
  std::int64_t key;
  timestamp window_start;
  std::int64_t readings;
  std::int64_t amount;
  timestamp latest;
};

program pipeline() {
  return *lower(from<Reading>("readings") | watermark<"time">(1h) | group_by<"key"> | tumbling<"time">(24h) |
                aggregate<Total>(named<"readings"> = count(), named<"amount"> = sum(field<"amount">),
                                 named<"latest"> = max(field<"time">)) |
                into<output_mode::append>("totals"));
}

/// Rows that follow from their numbers, without end.
class endless_source final : public source {
 public:
  explicit endless_source(std::int64_t groups) : groups_(static_cast<std::uint64_t>(groups)) {}

  result<std::vector<split_range>> plan(const intake_limits&) override {
    const std::int64_t begin = std::exchange(next_, next_ + batch_rows);
    return std::vector<split_range>{{"endless", begin, next_}};
  }
  result<void> restore(const std::vector<split_range>& read) override {
    for (const split_range& each : read) next_ = each.end;
    return {};
  }
  result<void> read(const split_range& range, intake& into) override {
    for (std::int64_t begin = range.begin; begin < range.end; begin += block_rows) {
      block rows(schema_of<Reading>());
      rows.split = range.split;
      rows.resize(static_cast<std::size_t>(std::min(block_rows, range.end - begin)));
      for (std::size_t row = 0; row < rows.rows; ++row) {
        const std::int64_t number = begin + static_cast<std::int64_t>(row);
        const std::uint64_t mixed = (static_cast<std::uint64_t>(number) * 0x9e3779b97f4a7c15u) >> 20;
        rows.columns[0].set(row, static_cast<std::int64_t>(mixed % groups_));
        rows.columns[1].set(row, number & 1023);
        rows.columns[2].set(row, std::int64_t{1'700'000'000'000'000} + (number & 1023));
        rows.positions.push_back(number);
      }
      if (result<void> done = into.rows(rows); !done) return done;
    }
    return {};
  }
  result<void> freeze() override { return {}; }
  std::string describe() const override { return "rows without end"; }

 private:
  static constexpr std::int64_t batch_rows = 1'000'000;
  static constexpr std::int64_t block_rows = 8192;

  std::uint64_t groups_;
  std::int64_t next_ = 0;
};

profile settings(std::int64_t groups, const std::string& folder, duration interval) {
  profile made;
  made.workers = 1;
  made.checkpoint = folder;
  made.snapshot_interval = interval;
  made.retained_snapshots = 2;
  made.assets["readings"].made_source = std::make_shared<endless_source>(groups);
  made.assets["totals"].made_sink = std::make_shared<bench::keeping_sink>();
  return made;
}

/// Of all threads: other programs on the machine do not count.
double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

struct measured {
  double rows_per_second = 0;
  double nanoseconds_per_row = 0;  // of processors
  double kept_share = 0;           // of the time of the batches: records and copies
  std::int64_t state_bytes = 0;
};

template <class Value>
Value or_exit(result<Value> given) {
  if (given) return std::move(*given);
  std::fprintf(stderr, "%s: %s\n", given.error().code.c_str(), given.error().message.c_str());
  std::exit(1);
}

measured run(std::int64_t groups, const std::string& folder, duration interval, double seconds) {
  query running = or_exit(start_program(pipeline(), settings(groups, folder, interval)));
  // Long enough that every group is there.
  while (running.totals().rows_read() < groups * 4 && !running.await(10ms)) {
  }
  const progress before = running.totals();
  const bench::clock time;
  const double processor = processor_seconds();
  running.await(duration(static_cast<std::int64_t>(seconds * 1e6)));
  const progress after = running.totals();
  const double used = processor_seconds() - processor;
  const double passed = time.seconds();
  measured made;
  made.rows_per_second = static_cast<double>(after.rows_read() - before.rows_read()) / passed;
  made.nanoseconds_per_row = used * 1e9 / static_cast<double>(after.rows_read() - before.rows_read());
  made.kept_share = (after.checkpoint_seconds - before.checkpoint_seconds) / (after.seconds - before.seconds);
  made.state_bytes = running.last_progress().steps.empty() ? 0 : running.last_progress().steps.front().state.bytes;
  if (const result<void> stopped = running.stop(); !stopped) {
    std::fprintf(stderr, "%s\n", stopped.error().message.c_str());
    std::exit(1);
  }
  return made;
}

std::string newest_snapshot(const std::string& folder) {
  std::string newest;
  for (const auto& each : std::filesystem::directory_iterator(folder + "/state"))
    newest = std::max(newest, each.path().string());
  return newest;
}

double median(std::vector<double> of) {
  std::sort(of.begin(), of.end());
  return of[of.size() / 2];
}

struct restart_times {
  double restore_seconds = 0;
  double copy_seconds = 0;  // the same bytes, from the file into memory, and once more where the state would be
};

[[noreturn]] void restart(std::int64_t groups, const std::string& folder) {
  double copy_seconds = 0;
  {
    const bench::clock copying;
    const std::string file = newest_snapshot(folder);
    std::string content(std::filesystem::file_size(file), '\0');
    std::ifstream(file, std::ios::binary).read(content.data(), static_cast<std::streamsize>(content.size()));
    const std::string copied = content;
    copy_seconds = copying.seconds();
  }
  const bench::clock restoring;
  query again = or_exit(start_program(pipeline(), settings(groups, folder, 24h)));
  const double restore_seconds = restoring.seconds();
  // What the query reads until it ends is no part of this, nor is its last snapshot.
  std::printf("%.6f %.6f\n", restore_seconds, copy_seconds);
  std::fflush(stdout);
  _exit(0);
}

restart_times restart_in_new_process(std::int64_t groups, const std::string& folder) {
  const std::string self = std::filesystem::read_symlink("/proc/self/exe").string();
  const std::string command = "'" + self + "' restart " + std::to_string(groups) + " '" + folder + "'";
  restart_times made;
  std::FILE* const told = popen(command.c_str(), "r");
  const bool read = told != nullptr && std::fscanf(told, "%lf %lf", &made.restore_seconds, &made.copy_seconds) == 2;
  if (told == nullptr || pclose(told) != 0 || !read) {
    std::fprintf(stderr, "the restart failed: %s\n", command.c_str());
    std::exit(1);
  }
  return made;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 4 && std::string(argv[1]) == "restart") restart(std::atoll(argv[2]), argv[3]);
  const std::int64_t groups = argc > 1 ? std::atoll(argv[1]) : 130'000;
  const double seconds = argc > 2 ? std::atof(argv[2]) : 10;
  const std::string folder = (argc > 3 ? std::string(argv[3]) : std::string("/tmp")) + "/etlantic-checkpoint-bench";
  const int turns = argc > 4 ? std::atoi(argv[4]) : 3;
  std::vector<double> without, with, shares, base_shares, processor, base_processor;
  std::int64_t bytes = 0;
  for (int turn = 0; turn < turns; ++turn) {
    std::filesystem::remove_all(folder);
    const measured records = run(groups, folder, 24h, seconds);
    std::filesystem::remove_all(folder);
    const measured snapshots = run(groups, folder, 1s, seconds);
    without.push_back(records.rows_per_second);
    with.push_back(snapshots.rows_per_second);
    shares.push_back(snapshots.kept_share);
    base_shares.push_back(records.kept_share);
    processor.push_back(snapshots.nanoseconds_per_row);
    base_processor.push_back(records.nanoseconds_per_row);
    bytes = snapshots.state_bytes;
  }
  const std::size_t snapshot_bytes = std::filesystem::file_size(newest_snapshot(folder));
  std::vector<double> restores, copies;
  for (int turn = 0; turn < 3; ++turn) {
    const restart_times took = restart_in_new_process(groups, folder);
    restores.push_back(took.restore_seconds);
    copies.push_back(took.copy_seconds);
  }
  std::filesystem::remove_all(folder);

  std::printf(
      "{\"groups\": %lld, \"state_bytes\": %lld, \"snapshot_bytes\": %zu, \"rows_per_second\": %.0f, "
      "\"rows_per_second_with_snapshots\": %.0f, \"cost\": %.4f, \"processor_cost\": %.4f, \"share_on_query_thread\": "
      "%.4f, "
      "\"share_of_records\": %.4f, \"restore_seconds\": %.3f, \"plain_copy_seconds\": %.3f, "
      "\"restore_ratio\": %.2f}\n",
      static_cast<long long>(groups), static_cast<long long>(bytes), snapshot_bytes, median(without), median(with),
      1 - median(with) / median(without), median(processor) / median(base_processor) - 1,
      median(shares) - median(base_shares), median(base_shares), median(restores), median(copies),
      median(restores) / median(copies));
  return 0;
}
