#pragma once
#include <etlantic/column/block.hpp>
#include <etlantic/column/violation.hpp>
#include <etlantic/core/time.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace etlantic {

/// What rejected rows say beyond what is wrong with them.
struct rejected_context {
  std::string pipeline;
  std::string contract;
  timestamp observed_time{};
};

namespace detail {

/// Fills a block with the columns of `rejected<Contract>`, in the order of contract/rejected.hpp.
class rejected_rows {
 public:
  explicit rejected_rows(const schema& described) : rows_(described) {}

  block& rows() { return rows_; }

  void begin(std::string_view of_split, const char* bytes) {
    rows_.clear();
    rows_.split = of_split;
    rows_.columns[payload].borrowed = bytes;
  }

  void clear() { rows_.clear(); }

  /// `line` lies in the bytes that `begin` named, so that it is not copied.
  void add_line(std::int64_t position, std::string_view line, const std::vector<violation>& violations,
                const rejected_context& context) {
    add(position, violations, context);
    rows_.columns[payload].borrow_text(rows_.rows - 1, line);
  }

  /// Copies `text`.
  void add_text(std::int64_t position, std::string_view text, const std::vector<violation>& violations,
                const rejected_context& context) {
    add(position, violations, context);
    rows_.columns[payload].set_text(rows_.rows - 1, text);
  }

 private:
  void add(std::int64_t position, const std::vector<violation>& violations, const rejected_context& context) {
    const violation& first = violations.front();
    const bool readable = first.reason < violation_reason::malformed;
    const std::size_t row = rows_.rows;
    rows_.resize(row + 1);
    rows_.positions.push_back(position);
    rows_.columns[place].set(row, position);
    rows_.columns[split].set_text(row, rows_.split);
    rows_.columns[code].set_text(row, readable ? "PMSTREAM202" : "PMSTREAM201");
    rows_.columns[field].set_text(row, first.field);
    rows_.columns[reason].set_text(row, name_of(first.reason));
    rows_.columns[all].set_text(row, readable ? text_of(violations) : std::string());
    rows_.columns[observed].set(row, context.observed_time.microseconds);
    rows_.columns[pipeline].set_text(row, context.pipeline);
    rows_.columns[contract].set_text(row, context.contract);
  }

  enum : std::size_t { split, place, code, field, reason, all, payload, observed, pipeline, contract };

  block rows_;
};

}  // namespace detail

}  // namespace etlantic
