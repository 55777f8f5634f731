#pragma once
#include <etlantic/runtime/profile.hpp>

#include <algorithm>
#include <cstddef>
#include <thread>

#if defined(__linux__)
#include <sched.h>
#endif

namespace etlantic {

/// The number of cores that this process may use: fewer than the machine has where it is pinned.
inline std::size_t usable_cores() {
#if defined(__linux__)
  cpu_set_t set;
  if (::sched_getaffinity(0, sizeof(set), &set) == 0)
    return std::max<std::size_t>(static_cast<std::size_t>(CPU_COUNT(&set)), 1);
#endif
  return std::max<std::size_t>(std::thread::hardware_concurrency(), 1);
}

inline std::size_t workers_of(const profile& where) { return where.workers != 0 ? where.workers : usable_cores(); }

}  // namespace etlantic
