#pragma once
#include <support/clock.hpp>

#include <cstdint>
#include <cstdio>
#include <functional>
#include <iostream>
#include <string>

namespace bench {

/// One way of doing a workload: what is timed, and what came out of it as JSON, which is not timed.
struct peer {
  std::string name;
  std::int64_t rows = 0;
  std::int64_t bytes = 0;
  std::function<double()> run;          ///< does the work once and gives its seconds
  std::function<std::string()> result;  ///< of the last run
};

/// Lets tools/bench decide whose turn it is: says `ready`, then answers each line `run` or `result` with a line of
/// JSON.
inline void serve(const peer& self) {
  std::printf("{\"ready\":\"%s\",\"rows\":%lld,\"bytes\":%lld}\n", self.name.c_str(), static_cast<long long>(self.rows),
              static_cast<long long>(self.bytes));
  std::fflush(stdout);
  for (std::string line; std::getline(std::cin, line) && line != "stop";) {
    if (line == "run")
      std::printf("{\"seconds\":%.9f}\n", self.run());
    else if (line == "result")
      std::printf("%s\n", self.result().c_str());
    else
      std::printf("{\"error\":\"there is no command %s\"}\n", line.c_str());
    std::fflush(stdout);
  }
}

/// Times one call.
template <class Work>
double seconds_of(Work&& work) {
  const clock since;
  work();
  return since.seconds();
}

}  // namespace bench
