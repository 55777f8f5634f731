#pragma once
#include "closed_windows.hpp"
#include "customer_keys.hpp"
#include "order_options.hpp"
#include "order_row.hpp"
#include "random.hpp"
#include "row_mix.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

namespace orders {

inline constexpr microseconds first_event_time = 1'767'225'600 * one_second;  // 2026-01-01T00:00:00Z

/// Invents the rows, one after the other. Knows what each row is meant to be, but not how it is written.
class order_source {
 public:
  order_source(const order_options& options, const order_counts& counts)
      : random_(options.seed),
        mix_(counts),
        closed_(options),
        customers_(options),
        out_of_order_(options.out_of_order_max == 0 ? 0 : rows_of(options.out_of_order, counts.rows),
                      counts.rows - counts.late),
        escapes_(rows_of(options.escapes, counts.rows), rows_with_event_id(counts, mix_)),
        clock_{options.hours * one_hour, options.rows},
        first_late_(first_late_position(options)),
        shift_most_(static_cast<std::uint64_t>(options.out_of_order_max * one_minute)),
        decoy_times_(options.decoy_times) {}

  order_row next() {
    order_row row;
    row.position = position_++;
    row.kind = draw_kind(row.position);
    row.variant = drawn_[index_of(row.kind)]++;
    row.customer_id = customers_.draw(random_);
    row.order_cents = static_cast<std::int64_t>(random_.below(100'001));
    row.status = draw_status(row.kind);
    row.event_time = draw_time(row);
    if (has_event_id(row.kind) && escapes_.draw(random_)) row.id_form = 1 + escaped_++ % (id_forms.size() - 1);
    return row;
  }

  /// Of the paid, valid rows in time so far.
  microseconds greatest_time() const { return greatest_time_; }

 private:
  /// Spreads the rows evenly over the hours, without a product that could overflow.
  struct even_clock {
    microseconds span;
    std::int64_t rows;
    microseconds now = first_event_time;
    std::int64_t remainder = 0;

    microseconds step() const { return span / rows; }

    void advance() {
      now += step();
      remainder += span % rows;
      if (remainder < rows) return;
      remainder -= rows;
      ++now;
    }
  };

  static bool has_event_id(row_kind kind) {
    return kind != row_kind::malformed && kind != row_kind::missing && kind != row_kind::wrong_type;
  }

  static std::uint64_t rows_with_event_id(const order_counts& counts, const row_mix& mix) {
    return counts.rows - mix.left(row_kind::malformed) - mix.left(row_kind::missing) - mix.left(row_kind::wrong_type);
  }

  row_kind draw_kind(std::uint64_t position) {
    // a paid row at the start, so that the watermark has moved when the first late row may come
    if (position == 0 && mix_.left(row_kind::paid) > 0) return mix_.take(row_kind::paid);
    return position < first_late_ ? mix_.draw_but_late(random_) : mix_.draw(random_);
  }

  std::string_view draw_status(row_kind kind) {
    const bool refunded = random_.one_in(2);
    const bool paid = kind == row_kind::paid || kind == row_kind::late || (is_invalid(kind) && !random_.one_in(4));
    if (paid) return "paid";
    return refunded ? "refunded" : "cancelled";
  }

  microseconds draw_time(const order_row& row) {
    // less than a step, so that the times of rows in order ascend
    microseconds time = clock_.now + static_cast<microseconds>(random_.below(jitter_bound()));
    clock_.advance();
    if (row.kind == row_kind::late) return late_time(closed_.newest_end(row.position));
    if (out_of_order_.draw(random_)) time = shifted_back(time);
    if (row.kind == row_kind::paid) {
      greatest_time_ = std::max(greatest_time_, time);
      closed_.observe(row.position, greatest_time_);
    } else if (decoy_times_ && random_.one_in(4)) {
      time = decoy_time(time);
    }
    return time;
  }

  std::uint64_t jitter_bound() const {
    constexpr microseconds most = one_hour;  // few rows over many hours would leave the range of the random numbers
    return static_cast<std::uint64_t>(std::clamp<microseconds>(clock_.step(), 1, most));
  }

  microseconds shifted_back(microseconds time) {
    const microseconds earlier = time - 1 - static_cast<microseconds>(random_.below(shift_most_));
    const microseconds hour = floor_to(time, window_duration);
    // the two instants at a window's border are where mistakes are, and rarely hit by chance
    if (earlier < hour && hour < time && random_.one_in(8)) return hour - static_cast<microseconds>(random_.below(2));
    return earlier;
  }

  microseconds late_time(microseconds newest_end) {
    const microseconds end = newest_end - static_cast<microseconds>(random_.below(3)) * window_duration;
    if (random_.one_in(16)) return random_.one_in(2) ? end - 1 : end - window_duration;
    return end - 1 - static_cast<microseconds>(random_.below(static_cast<std::uint64_t>(window_duration)));
  }

  /// Hours away from the other rows: an engine that lets this row move its watermark takes good rows for late.
  microseconds decoy_time(microseconds time) {
    const auto distance = one_hour + static_cast<microseconds>(random_.below(6 * 3'600)) * one_second;
    return random_.one_in(2) ? time + distance : time - distance;
  }

  random_source random_;
  row_mix mix_;
  closed_windows closed_;
  customer_keys customers_;
  quota out_of_order_;
  quota escapes_;
  even_clock clock_;
  std::uint64_t first_late_;
  std::uint64_t shift_most_;
  bool decoy_times_;
  std::uint64_t position_ = 0;
  std::uint64_t escaped_ = 0;
  std::array<std::uint64_t, row_kinds> drawn_{};
  microseconds greatest_time_ = 0;
};

}  // namespace orders
