#pragma once
#include <etlantic/column/format_json.hpp>
#include <etlantic/runtime/fingerprint.hpp>
#include <etlantic/runtime/rejected_output.hpp>
#include <etlantic/runtime/result_failure.hpp>

#include <algorithm>
#include <bit>
#include <utility>

namespace etlantic {

[[gnu::used]] inline std::vector<wrong_field> wrong_fields_of(const std::vector<violation>& violations) {
  std::vector<wrong_field> made;
  for (const violation& each : violations) made.push_back({each.field, name_of(each.reason)});
  return made;
}

[[gnu::used]] inline std::string_view cast_reason(logical_type to) {
  static const std::vector<std::string> reasons = [] {
    std::vector<std::string> made;
    for (int i = 0; i <= static_cast<int>(logical_type::list); ++i)
      made.push_back(std::string("cast_to_").append(name_of(static_cast<logical_type>(i))));
    return made;
  }();
  return reasons[static_cast<std::size_t>(to)];
}

[[gnu::used]] inline std::string_view reason_of(const kernel::chunk& at, std::size_t row) {
  return ((at.cast_failed >> row) & 1) != 0 ? cast_reason(at.cast_to[row]) : overflow_reason;
}

[[gnu::used]] inline void append_json_field(std::string& to, const column& from, std::size_t row) {
  to += to.empty() ? '{' : ',';
  append_json_text(to, from.field->data_name.empty() ? from.field->name : from.field->data_name);
  to += ':';
  append_json(to, json_member_of(*from.field), from, row);
}

[[gnu::used]] inline void rejected_output::begin(const batch_context& batch) {
  pipeline_ = batch.pipeline;
  observed_ = batch.planned_at;
  on_overflow_ = batch.on_overflow;
  rows_.clear();
  full_.clear();
  full_rows_ = 0;
}

/// The payload of a row can be longer than the row: it is JSON.
[[gnu::used]] inline bool rejected_output::is_full() const {
  return std::any_of(rows_.columns.begin(), rows_.columns.end(),
                     [&](const column& each) { return each.owned.size() >= most_bytes_; });
}

[[gnu::used]] inline result<void> rejected_output::set_aside(const kernel::chunk& at, std::uint64_t rows) {
  if (on_overflow_ == overflow_policy::fail && rows != 0) {
    const auto first = static_cast<std::size_t>(std::countr_zero(rows));
    return cannot_be_computed(step_, *at.rows, at.begin + first, reason_of(at, first));
  }
  kernel::for_each_lane(rows, [&](std::size_t row) {
    const wrong_field wrong[] = {{{}, reason_of(at, row)}};
    add_row(*at.rows, at.begin + row, arithmetic_overflow_code, wrong);
  });
  return {};
}

[[gnu::used]] inline void rejected_output::add_row(const block& rows, std::size_t row, std::string_view code,
                                                   std::span<const wrong_field> wrong) {
  if (!wanted_) return;
  std::string payload;
  for (const column& each : rows.columns) append_json_field(payload, each, row);
  payload += '}';
  if (row < rows.positions.size())
    add(rows.split, rows.positions[row], payload, code, wrong);
  else
    add_result(payload, payload, code, wrong);
}

[[gnu::used]] inline void rejected_output::add_result(std::string_view identity, std::string_view payload,
                                                      std::string_view code, std::span<const wrong_field> wrong) {
  if (wanted_) add(step_, fingerprint().add(identity).number(), payload, code, wrong);
}

[[gnu::used]] inline void rejected_output::add(std::string_view from, std::int64_t place, std::string_view row_as_json,
                                               std::string_view kind, std::span<const wrong_field> wrong) {
  enum : std::size_t { split, position, code, field, reason, all, payload, observed, pipeline, contract };
  std::string violations;
  for (const wrong_field& each : wrong)
    violations.append(violations.empty() ? "" : ";").append(each.name).append("=").append(each.reason);
  if (is_full()) {
    block next(*rows_.contract);
    full_rows_ += rows_.rows;
    full_.push_back(std::exchange(rows_, std::move(next)));
  }
  const std::size_t row = rows_.rows;
  rows_.resize(row + 1);
  rows_.columns[split].set_text(row, from);
  rows_.columns[position].set(row, place);
  rows_.columns[code].set_text(row, kind);
  rows_.columns[field].set_text(row, wrong.front().name);
  rows_.columns[reason].set_text(row, wrong.front().reason);
  rows_.columns[all].set_text(row, violations);
  rows_.columns[payload].set_text(row, row_as_json);
  rows_.columns[observed].set(row, observed_.microseconds);
  rows_.columns[pipeline].set_text(row, pipeline_);
  rows_.columns[contract].set_text(row, contract_);
}

[[gnu::used]] inline result<void> rejected_output::give(stage_outputs& out) {
  for (const block& each : full_)
    if (auto given = out.emit(port_, each); !given) return given;
  full_.clear();
  full_rows_ = 0;
  if (rows_.rows == 0) return {};
  auto given = out.emit(port_, rows_);
  rows_.clear();
  return given;
}

}  // namespace etlantic
