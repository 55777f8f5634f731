#pragma once
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

namespace bench {

/// What a query's result is compared by, whatever the order of its rows: their number, the sum of a hash of each row's
/// whole numbers, and the sum of each floating-point column. bench/peers/digest.py computes the same in SQL and Polars.
class digest {
 public:
  static constexpr std::int64_t prime = 2'147'483'647;
  static constexpr std::int64_t factor = 1'000'003;
  static constexpr std::int64_t null = 1'000'000'006;

  void begin_row() { row_ = 0; }
  /// Numbers of columns in their order; decimals as scaled, times as microseconds, enumerators by their place.
  void add(std::int64_t value) { row_ = (row_ * factor + value % prime) % prime; }
  void add_real(std::size_t column, double value) {
    if (reals_.size() <= column) reals_.resize(column + 1);
    reals_[column] += value;
  }
  void end_row() {
    ++rows_;
    checksum_ += row_ * row_ % prime;
  }

  std::string to_json() const {
    std::string text =
        "{\"rows\":" + std::to_string(rows_) + ",\"checksum\":" + std::to_string(checksum_) + ",\"reals\":[";
    for (const double each : reals_) {
      char number[40];
      std::snprintf(number, sizeof number, "%.17g", each);
      text.append(text.back() == '[' ? "" : ",").append(number);
    }
    return text + "]}";
  }

 private:
  std::int64_t row_ = 0;
  std::int64_t rows_ = 0;
  std::int64_t checksum_ = 0;
  std::vector<double> reals_;
};

}  // namespace bench
