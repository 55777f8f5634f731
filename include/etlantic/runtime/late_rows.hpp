#pragma once
#include <etlantic/column/block.hpp>
#include <etlantic/core/time.hpp>
#include <etlantic/kernel/window.hpp>

#include <cstddef>

namespace etlantic {

/// Collects rows that came too late, as rows of late<C>: its columns are, in order, the event, the watermark, the
/// window it missed, the reason, and where it came from.
class late_rows {
 public:
  explicit late_rows(const schema& late_contract) : rows_(late_contract) {}

  void add(const block& from, std::size_t row, timestamp watermark, kernel::window_bounds window) {
    const std::size_t at = rows_.rows;
    column& event = rows_.columns[0];
    for (std::size_t i = 0; i < from.columns.size(); ++i) event.children[i].append(from.columns[i], row);
    event.rows = at + 1;
    for (std::size_t i = 1; i < rows_.columns.size(); ++i) rows_.columns[i].resize(at + 1);
    rows_.columns[1].set(at, watermark.microseconds);
    rows_.columns[2].set(at, window.start);
    rows_.columns[3].set(at, window.end);
    rows_.columns[4].set_text(at, "window_closed");
    rows_.columns[5].set_text(at, from.split);
    rows_.columns[6].set(at, row < from.positions.size() ? from.positions[row] : std::int64_t{-1});
    rows_.rows = at + 1;
  }

  const block& rows() const { return rows_; }
  bool empty() const { return rows_.rows == 0; }
  void clear() { rows_.clear(); }

 private:
  block rows_;
};

}  // namespace etlantic
