#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace etlantic {

/// What the client of a source tells of itself and of the servers that it talks to, for whoever looks why a query is
/// behind. The lists are short however many there are: the worst few.
struct client_metrics {
  struct split_lag {
    std::string split;
    std::int64_t rows = 0;  ///< that lie behind what was planned
    friend bool operator==(const split_lag&, const split_lag&) = default;
  };
  struct broker {
    std::string name;
    double round_trip_seconds = 0;
    double throttled_seconds = 0;
    friend bool operator==(const broker&, const broker&) = default;
  };

  static constexpr std::size_t most = 5;

  std::int64_t queued_rows = 0;  ///< fetched ahead, not read yet
  std::int64_t queued_bytes = 0;
  std::vector<split_lag> furthest_behind{};
  std::vector<broker> slowest_brokers{};

  friend bool operator==(const client_metrics&, const client_metrics&) = default;
};

/// Puts the worst in front, and keeps only these.
template <class T, class Measure>
void keep_worst(std::vector<T>& of, Measure measure) {
  const std::size_t kept = std::min(of.size(), client_metrics::most);
  std::partial_sort(of.begin(), of.begin() + static_cast<std::ptrdiff_t>(kept), of.end(),
                    [&](const T& left, const T& right) { return measure(left) > measure(right); });
  of.resize(kept);
}

}  // namespace etlantic
