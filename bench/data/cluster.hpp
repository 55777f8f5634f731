#pragma once
#include <data/line.hpp>
#include <data/options.hpp>
#include <data/random.hpp>

#include <cstdint>

namespace bench {

/// A row of the cluster monitoring workload of SABER and LightSaber: 64 bytes, shaped as Google's trace, synthetic.
struct cluster_row {
  std::int64_t time;  ///< microseconds since 1970; 1,000 rows a second
  std::int64_t job_id, task_id, machine_id;
  std::int32_t event_type, user_id, category, priority;
  float cpu, ram, disk;
  std::int32_t constraints;
};

inline cluster_row make_cluster_row(const data_options&, std::uint32_t number) {
  cluster_row made{};
  made.time = january + std::int64_t{number} * 1'000;
  made.job_id = mix(number, 1) % 1'000;
  made.task_id = mix(number, 2) % 64;
  made.machine_id = mix(number, 3) % 12'500;
  made.event_type = static_cast<std::int32_t>(mix(number, 4) % 9);
  made.user_id = static_cast<std::int32_t>(mix(number, 5) % 300);
  made.category = static_cast<std::int32_t>(mix(number, 6) % 4);
  made.priority = static_cast<std::int32_t>(mix(number, 7) % 12);
  made.cpu = static_cast<float>(mix(number, 8) % 1'000) / 1'000.0F;
  made.ram = static_cast<float>(mix(number, 9) % 1'000) / 1'000.0F;
  made.disk = static_cast<float>(mix(number, 10) % 1'000) / 1'000.0F;
  made.constraints = static_cast<std::int32_t>(mix(number, 11) % 2);
  return made;
}

}  // namespace bench
