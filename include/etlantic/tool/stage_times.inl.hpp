#pragma once
#include <etlantic/tool/stage_times.hpp>

#include <algorithm>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

namespace etlantic {

namespace detail {

inline std::vector<std::pair<std::string, double>> stage_times(const run_summary& run) {
  std::vector<std::pair<std::string, double>> times;
  const progress& totals = run.totals;
  times.emplace_back("plan", totals.plan_seconds);
  for (const extract_progress& each : totals.extracts) {
    times.emplace_back("read " + each.node, each.read_seconds);
    times.emplace_back("decode " + each.node, each.decode_seconds);
  }
  for (const step_progress& each : totals.steps) times.emplace_back("step " + each.node, each.seconds);
  for (const load_progress& each : totals.loads) times.emplace_back("publish " + each.node, each.seconds);
  times.emplace_back("checkpoint", totals.checkpoint_seconds);
  return times;
}

}  // namespace detail

[[gnu::used]] inline std::string stage_times_text(const run_summary& run) {
  const auto times = detail::stage_times(run);
  const double rows = static_cast<double>(std::max<std::int64_t>(run.totals.rows_read(), 1));
  std::size_t width = 5;
  double sum = 0;
  for (const auto& [stage, seconds] : times) {
    width = std::max(width, stage.size());
    sum += seconds;
  }
  char line[64];
  const auto row = [&](std::string name, double seconds, double share) {
    name.resize(width, ' ');
    std::snprintf(line, sizeof line, "  %9.3f s  %9.1f ns/row  %5.1f %%\n", seconds, seconds / rows * 1e9, share * 100);
    return name + line;
  };
  std::string text;
  for (const auto& [stage, seconds] : times) text += row(stage, seconds, sum > 0 ? seconds / sum : 0);
  text += row("all", sum, 1);
  std::int64_t fast = 0;
  std::int64_t valid = 0;
  for (const extract_progress& each : run.totals.extracts) {
    fast += each.fast;
    valid += each.valid;
  }
  std::snprintf(line, sizeof line, "%.2f %%",
                valid > 0 ? static_cast<double>(fast) / static_cast<double>(valid) * 100 : 0);
  text += std::string("decoded the fast way: ") + line + " of the valid rows\n";
  std::snprintf(line, sizeof line, "%.3f s.", run.seconds);
  return text + "Reading and decoding count the time of all workers; the run took " + line;
}

}  // namespace etlantic
