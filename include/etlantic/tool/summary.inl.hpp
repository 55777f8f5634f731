#pragma once
#include <etlantic/tool/quantity.hpp>
#include <etlantic/tool/summary.hpp>

#include <algorithm>
#include <cstdio>
#include <vector>

namespace etlantic {
namespace detail {

/// A split for people: of a path only the file.
inline std::string split_text(const split_progress& of) {
  if (of.split.empty()) return of.node;
  return of.split.substr(of.split.rfind('/') + 1) + " of " + of.node;
}

/// The one that is furthest behind.
inline const split_progress* slowest_of(const std::vector<split_progress>& splits) {
  const auto found = std::min_element(splits.begin(), splits.end(),
                                      [](const auto& left, const auto& right) { return left.reached < right.reached; });
  return found == splits.end() ? nullptr : &*found;
}

/// What waits in all inputs of which it is known, in rows where they are counted; empty if it is known of none.
inline std::string waiting_text(const std::vector<extract_progress>& extracts) {
  waiting_input sum;
  for (const extract_progress& each : extracts) {
    if (each.waiting.rows)
      sum.rows = sum.rows.value_or(0) + *each.waiting.rows;
    else if (each.waiting.bytes)
      sum.bytes = sum.bytes.value_or(0) + *each.waiting.bytes;
  }
  std::string text = sum.rows ? grouped(*sum.rows) + " rows" : "";
  if (sum.bytes) text += (text.empty() ? "" : " + ") + short_size(*sum.bytes);
  return text;
}

class summary_printer {
 public:
  summary_printer(const program& what, const run_summary& run) : program_(what), run_(run) {
    for (const program_node& each : what.nodes) width_ = std::max(width_, each.name.size() + 2);
    for (const extract_progress& each : run.totals.extracts)
      for (const auto& [reason, rows] : each.reasons) width_ = std::max(width_, reason.size() + 4);
  }

  std::string print() {
    const progress& totals = run_.totals;
    text_ = program_.id + " " + std::string(name_of(run_.outcome)) + " after " + grouped(totals.batch) +
            (totals.batch == 1 ? " batch\n\n" : " batches\n\n");
    print_extracts();
    print_steps();
    print_loads();
    for (const std::string& each : totals.warnings) line("warning", each);
    text_ += "\n";
    line("watermark", totals.watermark.microseconds == 0 ? "not set yet" : to_text(totals.watermark));
    for (const split_progress& each : totals.slowest_splits)
      line("waits for", split_text(each) + ", which is at " +
                            (each.reached.microseconds == 0 ? "no event yet" : to_text(each.reached)));
    line("seconds", seconds_text(run_.seconds) + ", of that " + seconds_text(totals.process_seconds) + " processing");
    line("rows/s", rate_text(run_.seconds) + ", while processing " + rate_text(totals.process_seconds));
    return std::move(text_);
  }

 private:
  const program& program_;
  const run_summary& run_;
  std::size_t width_ = 12;
  std::string text_;

  void line(std::string label, std::string_view value) {
    label.resize(std::max(label.size() + 1, width_), ' ');
    text_.append(label).append(value).append("\n");
  }

  static std::string equation(std::int64_t left, std::string_view name,
                              const std::vector<std::pair<std::int64_t, std::string_view>>& parts) {
    std::string text = grouped(left) + " " + std::string(name);
    std::int64_t sum = 0;
    std::string right;
    for (const auto& [rows, label] : parts) {
      sum += rows;
      right.append(right.empty() ? "" : " + ").append(grouped(rows)).append(" ").append(label);
    }
    return text + (sum == left ? " = " : " IS NOT ") + right;
  }

  void print_extracts() {
    std::int64_t valid = 0;
    std::int64_t invalid = 0;
    for (const extract_progress& each : run_.totals.extracts) {
      line(each.node, equation(each.read, "rows read", {{each.valid, "valid"}, {each.invalid, "invalid"}}));
      for (const auto& [reason, rows] : each.reasons) line("  " + reason, grouped(rows) + " invalid");
      valid += each.valid;
      invalid += each.invalid;
    }
    if (run_.totals.extracts.size() > 1)
      line("total", equation(run_.totals.rows_read(), "rows read", {{valid, "valid"}, {invalid, "invalid"}}));
  }

  void print_steps() {
    for (const step_progress& each : run_.totals.steps) {
      const program_node* node = program_.find(each.node);
      const bool aggregates = node != nullptr && has_aggregate(*node);
      const stage_counts& counts = each.counts;
      std::vector<std::pair<std::int64_t, std::string_view>> parts{{counts.filtered, "filtered"},
                                                                   {counts.late, "late"}};
      if (counts.invalid != 0) parts.push_back({counts.invalid, "invalid"});
      if (counts.duplicate != 0) parts.push_back({counts.duplicate, "duplicate"});
      parts.push_back({counts.kept, aggregates ? "aggregated" : "passed on"});
      line(each.node, equation(counts.received, "rows received", parts));
      print_rejected(each.node, counts.invalid, counts.invalid == 1 ? " ROW" : " ROWS");
      print_rejected(each.node, counts.rejected_results, counts.rejected_results == 1 ? " RESULT" : " RESULTS");
    }
  }

  static bool has_aggregate(const program_node& node) {
    return std::any_of(node.operators.begin(), node.operators.end(),
                       [](const operator_description& each) { return each.name == "aggregate"; });
  }

  // In capitals: what is missing in the output must not be overlooked.
  void print_rejected(const std::string& node, std::int64_t count, std::string_view what) {
    if (count == 0) return;
    line("  rejected",
         grouped(count).append(what) + (is_read(node) ? " REJECTED, in what reads " + node + ".invalid"
                                                      : " REJECTED AND DROPPED: nothing reads " + node + ".invalid"));
  }

  bool is_read(const std::string& node) const {
    for (const program_node& reader : program_.nodes)
      for (const port_reference& from : reader.inputs)
        if (program_.nodes[from.node].name == node && program_.nodes[from.node].outputs[from.port].name == "invalid")
          return true;
    return false;
  }

  void print_loads() {
    for (const load_progress& each : run_.totals.loads) {
      std::string place = each.asset;
      for (const published_place& known : run_.places)
        if (known.node == each.node) place = known.binding;
      line(each.node, grouped(each.rows) + (each.rows == 1 ? " row" : " rows") + " published to " + place);
    }
  }

  static std::string seconds_text(double seconds) {
    char text[32];
    std::snprintf(text, sizeof text, "%.3f", seconds);
    return text;
  }

  std::string rate_text(double seconds) const {
    const double rows = static_cast<double>(run_.totals.rows_read());
    return grouped(seconds > 0 ? static_cast<std::int64_t>(rows / seconds) : 0);
  }
};

}  // namespace detail

[[gnu::used]] inline std::string summary_text(const program& what, const run_summary& run) {
  return detail::summary_printer(what, run).print();
}

[[gnu::used]] inline std::string short_number(double number) {
  char text[32];
  if (number >= 1e6)
    std::snprintf(text, sizeof text, "%.2f M", number / 1e6);
  else if (number >= 1e4)
    std::snprintf(text, sizeof text, "%.0f k", number / 1e3);
  else
    std::snprintf(text, sizeof text, "%.0f", number);
  return text;
}

[[gnu::used]] inline std::string live_text(const progress& totals, const progress& last, double rows_per_second,
                                           int columns) {
  const std::string watermark = last.watermark.microseconds == 0 ? "-" : to_text(last.watermark);
  const split_progress* slowest = detail::slowest_of(last.slowest_splits);
  std::string text = grouped(totals.rows_read()) + " rows | " + short_number(rows_per_second) + " rows/s | watermark " +
                     watermark + (slowest == nullptr ? "" : " (waits for " + detail::split_text(*slowest) + ")") +
                     " | windows " + grouped(open_windows(last)) + " | invalid " + grouped(invalid_rows(totals)) +
                     " | late " + grouped(rows_too_late(totals));
  if (const std::int64_t rejected = rejected_results(totals); rejected != 0)
    text += " | REJECTED RESULTS " + grouped(rejected);
  if (const std::string waiting = detail::waiting_text(last.extracts); !waiting.empty())
    text += " | waiting " + waiting;
  text += " | batch " + grouped(last.batch);
  // a line that wraps cannot be redrawn in place
  if (columns > 1 && text.size() >= static_cast<std::size_t>(columns))
    text.resize(static_cast<std::size_t>(columns) - 1);
  return text;
}

}  // namespace etlantic
