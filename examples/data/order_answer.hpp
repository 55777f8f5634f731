#pragma once
#include "closed_windows.hpp"
#include "order_options.hpp"
#include "order_row.hpp"
#include "output_file.hpp"
#include "text.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace orders {

/// Collects and writes what a right engine makes of the rows. Only windows are kept in memory.
class order_answer {
 public:
  order_answer(const std::filesystem::path& folder, std::int64_t customers)
      : windows_(folder / "windows.csv"),
        late_(folder / "late.csv"),
        invalid_(folder / "invalid.csv"),
        counts_(folder / "counts.json"),
        totals_(static_cast<std::size_t>(customers)) {
    windows_.write("customer_id,window_start,window_end,paid_order_count,paid_order_total,latest_event_time\n");
    late_.write("line,offset,event_id,order_id,customer_id,order_total,status,event_time,window_start,window_end\n");
    invalid_.write("line,offset,reason,field\n");
  }

  void add(const order_row& row, std::uint64_t offset, std::optional<order_field> wrong_field) {
    ++rows_[index_of(row.kind)];
    if (row.kind == row_kind::paid) add_paid(row);
    if (row.kind == row_kind::late) write_late(row, offset);
    if (is_invalid(row.kind)) write_invalid(row, offset, wrong_field);
  }

  void finish(microseconds greatest_time) {
    write_windows();
    write_counts(greatest_time);
    for (output_file* file : files()) file->close();
  }

  void publish() {
    for (output_file* file : files()) file->publish();
  }

 private:
  struct window_total {
    microseconds start;
    std::int64_t count;
    std::int64_t cents;
    microseconds latest;
  };

  std::array<output_file*, 4> files() { return {&windows_, &late_, &invalid_, &counts_}; }

  void add_paid(const order_row& row) {
    std::vector<window_total>& windows = totals_[static_cast<std::size_t>(row.customer_id - 1)];
    const microseconds start = floor_to(row.event_time, window_duration);
    // rows in time are at most minutes out of order: theirs is the customer's last window or the one before it
    auto place = windows.end();
    while (place != windows.begin() && (place - 1)->start >= start) --place;
    if (place == windows.end() || place->start != start) place = windows.insert(place, {start, 0, 0, row.event_time});
    ++place->count;
    place->cents += row.order_cents;
    place->latest = std::max(place->latest, row.event_time);
  }

  void write_late(const order_row& row, std::uint64_t offset) {
    const microseconds start = floor_to(row.event_time, window_duration);
    std::string event_id;
    append_event_id_text(event_id, row);
    begin_row(row, offset);
    append_csv(line_, event_id);
    line_ += ',';
    append_number(line_, row.order_id());
    line_ += ',';
    append_number(line_, row.customer_id);
    line_ += ',';
    append_cents(line_, row.order_cents);
    line_ += ',';
    line_ += row.status;
    for (const microseconds time : {row.event_time, start, start + window_duration}) {
      line_ += ',';
      append_time(line_, time);
    }
    line_ += '\n';
    late_.write(line_);
  }

  void write_invalid(const order_row& row, std::uint64_t offset, std::optional<order_field> wrong_field) {
    begin_row(row, offset);
    line_ += name_of(row.kind);
    line_ += ',';
    if (wrong_field) line_ += name_of(*wrong_field);
    line_ += '\n';
    invalid_.write(line_);
  }

  void begin_row(const order_row& row, std::uint64_t offset) {
    line_.clear();
    append_number(line_, row.order_id());  // orders are numbered as the lines are
    line_ += ',';
    append_number(line_, static_cast<std::int64_t>(offset));
    line_ += ',';
  }

  void write_windows() {
    for (std::size_t customer = 0; customer < totals_.size(); ++customer) {
      for (const window_total& window : totals_[customer]) {
        line_.clear();
        append_number(line_, static_cast<std::int64_t>(customer + 1));
        line_ += ',';
        append_time(line_, window.start);
        line_ += ',';
        append_time(line_, window.start + window_duration);
        line_ += ',';
        append_number(line_, window.count);
        line_ += ',';
        append_cents(line_, window.cents);
        line_ += ',';
        append_time(line_, window.latest);
        line_ += '\n';
        windows_.write(line_);
      }
    }
  }

  void write_counts(microseconds greatest_time) {
    std::uint64_t invalid = 0;
    std::uint64_t windows = 0;
    for (std::size_t kind = index_of(row_kind::malformed); kind < row_kinds; ++kind) invalid += rows_[kind];
    for (const std::vector<window_total>& of_customer : totals_) windows += of_customer.size();
    const std::uint64_t valid =
        rows_of_kind(row_kind::paid) + rows_of_kind(row_kind::unpaid) + rows_of_kind(row_kind::late);

    line_ = "{";
    add_count("rows", valid + invalid);
    add_count("valid", valid);
    add_count("invalid", invalid);
    line_ += "\n  \"reasons\": {";
    for (std::size_t kind = index_of(row_kind::malformed); kind < row_kinds; ++kind) {
      line_ += "\n    \"";
      line_ += name_of(static_cast<row_kind>(kind));
      line_ += "\": ";
      append_number(line_, static_cast<std::int64_t>(rows_[kind]));
      if (kind + 1 < row_kinds) line_ += ',';
    }
    line_ += "\n  },";
    add_count("filtered", rows_of_kind(row_kind::unpaid));
    add_count("late", rows_of_kind(row_kind::late));
    add_count("aggregated", rows_of_kind(row_kind::paid));
    add_count("windows", windows);
    line_ += "\n  \"final_watermark\": \"";
    // without a row that moves it, the watermark stays where it starts
    append_time(line_, std::max<microseconds>(0, floor_to(greatest_time, 1'000) - watermark_delay));
    line_ += "\"\n}\n";
    counts_.write(line_);
  }

  std::uint64_t rows_of_kind(row_kind kind) const { return rows_[index_of(kind)]; }

  void add_count(std::string_view name, std::uint64_t count) {
    line_ += "\n  \"";
    line_ += name;
    line_ += "\": ";
    append_number(line_, static_cast<std::int64_t>(count));
    line_ += ',';
  }

  output_file windows_;
  output_file late_;
  output_file invalid_;
  output_file counts_;
  std::vector<std::vector<window_total>> totals_;
  std::array<std::uint64_t, row_kinds> rows_{};
  std::string line_;
};

}  // namespace orders
