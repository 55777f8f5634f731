#pragma once
#include <simdjson.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

// What the folder of a pipeline case says.

namespace pipeline_runner {

namespace files = std::filesystem;

/// A row of expected.csv, without its batch.
using row = std::vector<std::string>;

struct case_source {
  std::string name;
  std::vector<std::string> lines;
  std::vector<std::int64_t> rows_per_batch;
  std::set<std::int64_t> late_lines;  // from 1
};

/// What rows are looked up in. It has a version for each batch.
struct case_reference {
  std::string name;
  std::vector<std::vector<std::string>> lines;
};

struct case_folder {
  std::string name;
  std::vector<case_source> sources;
  std::optional<case_reference> reference;
  std::map<std::string, int> significant_digits;  // of columns that are compared with these only
  bool by_greatest_watermark = false;
  bool asks_for_other_policy = false;  // after the restart
  bool changes_at_restart = false;     // the pipeline
  bool no_data_batches = true;
  bool slides = false;
  bool hides_results = false;        // those that slide: other windows are made of them
  std::int64_t accepts_late_us = 0;  // of sliding windows
  std::set<std::int64_t> restarts;   // before these batches
  std::vector<std::int64_t> watermarks;
  std::vector<std::int64_t> state_rows;  // of all steps together
  row columns;
  std::map<std::int64_t, std::vector<row>> rows;  // by batch, sorted

  std::int64_t batches() const { return static_cast<std::int64_t>(sources.front().rows_per_batch.size()); }
};

namespace detail {

using element = simdjson::dom::element;

inline std::vector<std::int64_t> numbers(element from) {
  std::vector<std::int64_t> made;
  const simdjson::dom::array list = from.get_array().value();
  for (const element each : list) made.push_back(each.get_int64().value());
  return made;
}

/// A number, or the sum of a list of them.
inline std::int64_t sum_of(element from) {
  simdjson::dom::array list;
  if (from.get(list) != simdjson::SUCCESS) return from.get_int64().value();
  std::int64_t sum = 0;
  for (const element each : list) sum += sum_of(each);
  return sum;
}

/// The next row of a CSV file; nothing behind the last one. A quoted cell may hold line feeds, and a line may end with
/// CR LF.
inline std::optional<row> next_row(std::istream& from) {
  if (from.peek() == std::char_traits<char>::eof()) return std::nullopt;
  row cells;
  std::string cell;
  bool quoted = false;
  for (char c; from.get(c) && (quoted || c != '\n');) {
    if (c == '"' && quoted && from.peek() == '"')
      cell += static_cast<char>(from.get());
    else if (c == '"')
      quoted = !quoted;
    else if (c == ',' && !quoted)
      cells.push_back(std::exchange(cell, {}));
    else if (c != '\r' || quoted || from.peek() != '\n')
      cell += c;
  }
  cells.push_back(cell);
  return cells;
}

inline void read_expected(const files::path& path, case_folder& into) {
  std::ifstream file(path, std::ios::binary);
  std::optional<row> cells = next_row(file);
  if (!cells) throw std::runtime_error("there is no " + path.string());
  into.columns.assign(cells->begin() + 1, cells->end());
  while ((cells = next_row(file))) {
    const std::int64_t batch = std::stoll(cells->front());
    cells->erase(cells->begin());
    into.rows[batch].push_back(std::move(*cells));
  }
  for (auto& [batch, rows] : into.rows) std::sort(rows.begin(), rows.end());
}

inline case_source read_source(const files::path& folder, element described, element whole) {
  case_source made;
  made.name = std::string(described["name"].get_string().value());
  made.rows_per_batch = numbers(described["rows_per_batch"].value());
  std::ifstream file(folder / std::string(described["file"].get_string().value()));
  for (std::string line; std::getline(file, line);) made.lines.push_back(line);
  element late;
  if (whole["late_lines"].get(late) == simdjson::SUCCESS) {
    element of_source;
    if (late.is_array())
      of_source = late;
    else
      of_source = late[made.name].value();
    for (std::int64_t each : numbers(of_source)) made.late_lines.insert(each);
  }
  return made;
}

/// Each line of the file is a version: a list of rows.
inline case_reference read_reference(const files::path& folder, element described) {
  case_reference made;
  made.name = std::string(described["name"].get_string().value());
  std::ifstream file(folder / std::string(described["file"].get_string().value()));
  simdjson::dom::parser parser;
  for (std::string line; std::getline(file, line);) {
    made.lines.emplace_back();
    const simdjson::dom::array rows = parser.parse(line).get_array().value();
    for (const element each : rows) made.lines.back().push_back(simdjson::to_string(each));
  }
  return made;
}

}  // namespace detail

inline case_folder read_case(const files::path& folder) {
  using detail::element;
  simdjson::dom::parser parser;
  const element described = parser.load((folder / "case.json").string()).value();
  case_folder made;
  made.name = folder.filename().string();
  const simdjson::dom::array sources = described["sources"].get_array().value();
  for (const element each : sources) made.sources.push_back(detail::read_source(folder, each, described));
  const simdjson::dom::array steps = described["steps"].get_array().value();
  for (const element each : steps) {
    std::string_view kind;
    if (each["kind"].get(kind) != simdjson::SUCCESS) continue;
    made.hides_results |= made.slides;
    made.slides |= kind == "sliding";
    std::int64_t accepted = 0;
    if (each["accept_late_us"].get(accepted) == simdjson::SUCCESS) made.accepts_late_us = accepted;
  }
  std::string_view policy;
  if (described["watermark_policy"].get(policy) == simdjson::SUCCESS) made.by_greatest_watermark = policy == "max";
  made.asks_for_other_policy = described["watermark_policy_asked_for_after_restart"].error() == simdjson::SUCCESS;
  made.changes_at_restart = described["columns_added_after_restart"].error() == simdjson::SUCCESS ||
                            described["input_order_after_restart"].error() == simdjson::SUCCESS;
  element other;
  if (described["reference"].get(other) == simdjson::SUCCESS) made.reference = detail::read_reference(folder, other);
  simdjson::dom::object digits;
  if (described["significant_digits"].get(digits) == simdjson::SUCCESS)
    for (const auto& [column, count] : digits)
      made.significant_digits[std::string(column)] = static_cast<int>(count.get_int64().value());
  bool wanted = true;
  if (described["no_data_batches"].get(wanted) == simdjson::SUCCESS) made.no_data_batches = wanted;
  element list;
  if (described["restart_before_batch"].get(list) == simdjson::SUCCESS)
    for (std::int64_t each : detail::numbers(list)) made.restarts.insert(each);
  if (described["watermark_after_us"].get(list) == simdjson::SUCCESS) made.watermarks = detail::numbers(list);
  simdjson::dom::array state;
  if (described["state_rows_after"].get(state) == simdjson::SUCCESS)
    for (const element each : state) made.state_rows.push_back(detail::sum_of(each));
  detail::read_expected(folder / "expected.csv", made);
  return made;
}

}  // namespace pipeline_runner
