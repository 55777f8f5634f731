#pragma once
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <string>

namespace orders {

enum class key_skew { uniform, zipf, half };

struct order_options {
  std::int64_t rows = 1'000'000;
  std::uint64_t seed = 1;
  std::int64_t customers = 1'000;
  std::int64_t hours = 24;
  double invalid = 0.01;
  double unpaid = 0.25;
  double late = 0.005;
  double out_of_order = 0.1;
  std::int64_t out_of_order_max = 10;  ///< minutes
  double escapes = 0;
  key_skew skew = key_skew::uniform;
  bool shuffled_keys = false;
  bool extra_fields = false;
  bool decoy_times = false;
  std::int64_t batch_rows = 200'000;
  std::filesystem::path output;
  std::filesystem::path answer;  ///< empty: no answer is written
};

/// How many rows of each kind there are; what remains is paid and in time.
struct order_counts {
  std::uint64_t rows = 0;
  std::uint64_t invalid = 0;
  std::uint64_t unpaid = 0;
  std::uint64_t late = 0;
  std::uint64_t late_that_found_no_place = 0;

  std::uint64_t paid() const { return rows - invalid - unpaid - late; }
};

inline std::uint64_t rows_of(double share, std::uint64_t rows) {
  return static_cast<std::uint64_t>(std::llround(share * static_cast<double>(rows)));
}

/// The first position whose row can be late however the input is cut. A row's batch begins up to one batch before it,
/// lateness lags another batch behind, and the third is there so that nobody has to count to the row.
inline std::uint64_t first_late_position(const order_options& options) {
  return 3 * static_cast<std::uint64_t>(options.batch_rows) + 1;
}

inline order_counts count_rows(const order_options& options) {
  order_counts counts;
  counts.rows = static_cast<std::uint64_t>(options.rows);
  counts.invalid = rows_of(options.invalid, counts.rows);
  // shares that add up to 1 may round to more rows than there are
  const auto at_most = [](std::uint64_t count, std::uint64_t limit) { return count < limit ? count : limit; };
  const std::uint64_t late_wanted = at_most(rows_of(options.late, counts.rows), counts.rows - counts.invalid);
  counts.unpaid = at_most(rows_of(options.unpaid, counts.rows), counts.rows - counts.invalid - late_wanted);
  const std::uint64_t first = first_late_position(options);
  counts.late = at_most(late_wanted, counts.rows > first ? counts.rows - first : 0);
  counts.late_that_found_no_place = late_wanted - counts.late;
  return counts;
}

/// A sentence about the first option that cannot be, or nothing.
inline std::string problem_with(const order_options& options) {
  constexpr std::int64_t most_rows = 4'000'000'000;  // random numbers are drawn below 2^32
  const auto outside = [](std::int64_t value, std::int64_t least, std::int64_t most) {
    return value < least || value > most;
  };
  const auto not_a_share = [](double value) { return !(value >= 0 && value <= 1); };

  if (outside(options.rows, 1, most_rows)) return "--rows must be from 1 to 4000000000.";
  if (outside(options.customers, 1, 10'000'000)) return "--customers must be from 1 to 10000000.";
  if (outside(options.hours, 1, 87'600)) return "--hours must be from 1 to 87600, which are ten years.";
  if (outside(options.batch_rows, 1, most_rows)) return "--batch-rows must be from 1 to 4000000000.";
  if (outside(options.out_of_order_max, 0, 14)) {
    return "--out-of-order-max must be from 0 to 14 minutes: set back by the watermark's 15, rows could be late.";
  }
  if (not_a_share(options.invalid)) return "--invalid must be a share from 0 to 1.";
  if (not_a_share(options.unpaid)) return "--unpaid must be a share from 0 to 1.";
  if (not_a_share(options.late)) return "--late must be a share from 0 to 1.";
  if (not_a_share(options.out_of_order)) return "--out-of-order must be a share from 0 to 1.";
  if (not_a_share(options.escapes)) return "--escapes must be a share from 0 to 1.";
  constexpr double rounding = 1e-9;  // 0.7 + 0.2 + 0.1 is more than 1 in binary
  if (options.invalid + options.unpaid + options.late > 1 + rounding) {
    return "--invalid, --unpaid and --late must not add up to more than 1.";
  }
  const order_counts counts = count_rows(options);
  if (counts.late > 0 && counts.paid() == 0) {
    return "--invalid, --unpaid and --late leave no paid row in time, without which the watermark does not move and no "
           "row is late.";
  }
  return {};
}

}  // namespace orders
