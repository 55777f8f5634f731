#pragma once
#include <etlantic/column/block.hpp>
#include <etlantic/connect/json/column_batch.hpp>
#include <etlantic/connect/json/line_index.hpp>
#include <etlantic/connect/json/row_layout.hpp>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace etlantic::detail {

/// Decodes lines of one layout, up to 64 at once and column by column. Accepts no line that the general code would not
/// accept, and never decides that one is wrong.
class layout_rows {
 public:
  explicit layout_rows(column_batch& batch) : batch_(batch) {}

  /// Tries the lines that `wanted` names as bits (bit 0: `first_line`) and writes line i of them as row `row` + i.
  /// Gives those that it decoded. 128 bytes before and behind each wanted line are readable. `keeps_others`: the rows
  /// of other lines are written already.
  std::uint64_t decode(const row_layout& layout, const line_index& lines, std::size_t first_line, std::uint64_t wanted,
                       bool keeps_others, block& into, std::size_t row) {
    open(layout, lines, first_line, wanted, keeps_others, row);
    const auto enough = std::popcount(wanted) / 8;
    if (std::popcount(batch_.left()) <= enough) return 0;
    const batch_kernels& kernels = batch_.kernels();
    batch_places* literal = &literal_begins_[0];
    batch_places* next = &literal_begins_[1];
    kernels.place(lines.quotes(), lines_.first_quote, layout.segments.front().before, *literal);
    drop(kernels.unequal(*literal, lines_.begin));
    for (std::size_t i = 0; i < layout.segments.size(); ++i) {
      const layout_segment& segment = layout.segments[i];
      const layout_literal& behind = i + 1 == layout.segments.size() ? layout.end : layout.segments[i + 1].before;
      drop(kernels.differences(lines.begin(), *literal, segment.before));
      batch_.fetch_step();
      // Where hardly any line is like this, the others are dealt with faster another way.
      if (std::popcount(batch_.left()) <= enough) return 0;
      kernels.shift(*literal, segment.before.size(), value_begins_);
      if (behind.has_quote)
        kernels.place(lines.quotes(), lines_.first_quote, behind, *next);
      else
        kernels.shift(lines_.end, -behind.size(), *next);
      batch_.fetch_step();
      read(segment, {lines.begin(), value_begins_, *next}, into);
      std::swap(literal, next);
    }
    drop(kernels.differences(lines.begin(), *literal, layout.end));
    kernels.shift(*literal, layout.end.size(), value_begins_);
    drop(kernels.unequal(value_begins_, lines_.end));
    for (const std::size_t field : layout.absent) batch_.write_nulls(into.columns[field]);
    return batch_.left();
  }

 private:
  // Lines that are not wanted or have another number of quotes, and those beyond the last one, get the places of one
  // that fits, so that nothing is read astray and loops need no exceptions.
  void open(const row_layout& layout, const line_index& lines, std::size_t first_line, std::uint64_t wanted,
            bool keeps_others, std::size_t row) {
    const auto count = static_cast<std::size_t>(64 - std::countl_zero(wanted));
    const std::uint64_t fitting = batch_.kernels().frame(lines, first_line, layout.quotes, lines_);
    if (lines.has_returns()) leave_out_returns(lines.begin(), count);
    batch_.begin(fitting & wanted, count, keeps_others, row);
    replace(~batch_.left());
  }

  void leave_out_returns(const char* text, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i)
      lines_.end[i] -= lines_.end[i] > lines_.begin[i] && text[lines_.end[i] - 1] == '\r';
  }

  void replace(std::uint64_t lines) {
    if (batch_.left() == 0) return;
    const auto fitting = static_cast<std::size_t>(std::countr_zero(batch_.left()));
    for (; lines != 0; lines &= lines - 1) {
      const auto i = static_cast<std::size_t>(std::countr_zero(lines));
      lines_.first_quote[i] = lines_.first_quote[fitting];
      lines_.begin[i] = lines_.begin[fitting];
      lines_.end[i] = lines_.end[fitting];
    }
  }

  // Lines that do not fit must not make the others be compared one by one again.
  void drop(std::uint64_t lines) {
    lines &= batch_.left();
    if (lines == 0) return;
    batch_.drop(lines);
    replace(lines);
  }

  void read(const layout_segment& segment, const value_places& places, block& into) {
    if (segment.plan == nullptr) {
      if (!segment.in_quotes) batch_.skip(places);
      return;
    }
    column& values = into.columns[segment.plan->field];
    if (!segment.is_usual) return batch_.read_any(segment.in_quotes ? ~std::uint64_t{0} : 0, 0, places, values);
    const bool may_be_null = segment.plan->nullable && !segment.in_quotes;
    batch_.read_usual(*segment.plan, may_be_null ? column_batch::nulls_among(places) : 0, places, values);
  }

  column_batch& batch_;

  // Of the lines that are being decoded.
  line_places lines_;
  std::array<batch_places, 2> literal_begins_{};  // of the literal before a value and the one behind it
  batch_places value_begins_{};
};

}  // namespace etlantic::detail
