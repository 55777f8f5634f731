#include "cases/case_run.hpp"

#include "cases/counted_results.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <utility>

namespace pipeline_runner {

namespace {

std::string as_text(const std::vector<row>& rows) {
  std::string text;
  for (const row& each : rows) {
    text += text.empty() ? "[" : ", [";
    for (std::size_t i = 0; i < each.size(); ++i) text += (i == 0 ? "" : ",") + each[i];
    text += "]";
  }
  return text.empty() ? "none" : text;
}

std::string as_text(const std::set<std::int64_t>& numbers) {
  std::string text;
  for (std::int64_t each : numbers) text += (text.empty() ? "" : ", ") + std::to_string(each);
  return text.empty() ? "none" : text;
}

std::string difference(const std::string& what, const std::string& expected, const std::string& found) {
  return what + ": expected " + expected + ", found " + found;
}

std::string difference(const std::string& what, std::int64_t expected, std::int64_t found) {
  return difference(what, std::to_string(expected), std::to_string(found));
}

/// A number with some digits only, for what depends on the order of additions.
std::string shortened(const std::string& number, int digits) {
  if (number == "\\N") return number;
  char characters[64];
  std::snprintf(characters, sizeof characters, "%.*g", digits, std::strtod(number.c_str(), nullptr));
  return characters;
}

std::string described(const failure& why) { return why.message + " (" + why.where + ")"; }

}  // namespace

case_run::case_run(const case_folder& expected, program before, program after, restarts when, std::size_t workers,
                   std::string checkpoint)
    : expected_(expected), before_(std::move(before)), after_(std::move(after)), when_(when) {
  where_.checkpoint = std::move(checkpoint);
  where_.workers = workers;
  where_.no_data_batches = expected.no_data_batches;
  where_.poll_interval = std::chrono::milliseconds{1};
  if (expected.by_greatest_watermark) where_.watermarks = watermark_policy::max;
  for (const case_source& each : expected.sources) {
    const bool looks = before_.nodes.front().name == each.name;
    sources_[each.name] = std::make_shared<lines_in_batches>(each, gate_, looks);
  }
  for (program* each : {&before_, &after_}) {
    bind(*each);
    if (expected.slides && !expected.hides_results) count_results(*each, expected.accepts_late_us);
  }
}

case_run::~case_run() { static_cast<void>(stop()); }

/// Binds the ends and publishes what is late.
void case_run::bind(program& what) {
  for (const program_node& node : what.nodes) {
    if (node.kind == node_kind::extract) {
      const auto source = sources_.find(node.name);
      if (source != sources_.end())
        where_.assets[node.asset].made_source = source->second;
      else
        where_.assets[node.asset].made_source = std::make_shared<reference_by_batch>(*expected_.reference, gate_);
    }
    if (node.kind != node_kind::load) continue;
    std::shared_ptr<kept_rows>& sink = results_[node.asset];
    if (!sink) sink = std::make_shared<kept_rows>(node.asset == "out" ? "" : node.asset);
    where_.assets[node.asset].made_sink = sink;
  }
  std::size_t late = 0;
  for (std::size_t i = 0, count = what.nodes.size(); i < count; ++i) {
    if (what.nodes[i].kind != node_kind::step) continue;
    for (std::size_t port = 0; port < what.nodes[i].outputs.size(); ++port) {
      const output_port output = what.nodes[i].outputs[port];
      if (output.name.rfind("late", 0) != 0) continue;
      if (late == late_.size()) late_.push_back(std::make_shared<kept_rows>());
      program_node load;
      load.kind = node_kind::load;
      load.name = load.asset = "kept_" + output.name;
      load.contract = output.contract;
      load.input_names = {"rows"};
      load.inputs = {{i, port}};
      where_.assets[load.asset].made_sink = late_[late++];
      what.nodes.push_back(std::move(load));
    }
  }
}

bool case_run::restarts_before(std::int64_t batch) const {
  if (when_ == restarts::never) return false;
  return when_ == restarts::before_every_batch || expected_.restarts.contains(batch);
}

std::string case_run::start(std::int64_t batch) {
  const bool is_restart = batch > 1 && !expected_.restarts.empty() && batch >= *expected_.restarts.begin();
  if (is_restart && expected_.asks_for_other_policy)
    where_.watermarks = expected_.by_greatest_watermark ? watermark_policy::min : watermark_policy::max;
  result<query> started = start_program(is_restart ? after_ : before_, where_, [this](const progress& each) {
    const std::lock_guard guard(lock_);
    last_ = each;
    for (const extract_progress& extract : each.extracts) {
      if (sources_.contains(extract.node)) rows_read_ += extract.read;
      rows_invalid_ += extract.invalid;
    }
    // A batch that moved the watermark is followed by one without data.
    settled_ = each.no_data || !expected_.no_data_batches || each.watermark == watermark_;
    watermark_ = each.watermark;
    changed_.notify_all();
  });
  if (!started) return described(started.error());
  running_.emplace(std::move(*started));
  return {};
}

std::string case_run::stop() {
  if (!running_) return {};
  const result<void> stopped = running_->stop();
  running_.reset();
  return stopped ? std::string{} : described(stopped.error());
}

/// Lets the next batch go, and waits until it is read and what it closed is published.
std::string case_run::process(std::int64_t batch) {
  std::int64_t rows = 0;
  for (const case_source& each : expected_.sources) rows += each.rows_per_batch.at(static_cast<std::size_t>(batch - 1));
  rows_given_ += rows;
  gate_.open = batch;
  if (rows == 0) return {};
  std::unique_lock guard(lock_);
  const bool done =
      changed_.wait_for(guard, std::chrono::seconds{30}, [&] { return rows_read_ == rows_given_ && settled_; });
  if (done) return {};
  const std::int64_t rows_read = rows_read_;
  guard.unlock();
  const result<void> outcome = running_->outcome();
  if (!outcome) return described(outcome.error());
  return difference("the query does not go on; rows read", rows_given_, rows_read);
}

std::vector<std::map<std::string, std::string>> case_run::take_results() {
  std::vector<std::map<std::string, std::string>> all;
  for (const auto& [asset, sink] : results_)
    for (auto& each : sink->take()) all.push_back(std::move(each));
  return all;
}

std::string case_run::compare_rows(std::int64_t batch) {
  std::vector<row> found;
  for (const auto& each : take_results()) {
    row cells;
    for (const std::string& column : expected_.columns) {
      const auto value = each.find(column);
      // A column that a restart adds is not there before.
      if (value == each.end() && !expected_.changes_at_restart) return "the result has no column " + column;
      cells.push_back(value == each.end() ? "\\N" : value->second);
      const auto digits = expected_.significant_digits.find(column);
      if (digits != expected_.significant_digits.end()) cells.back() = shortened(cells.back(), digits->second);
    }
    found.push_back(std::move(cells));
  }
  std::sort(found.begin(), found.end());
  const auto wanted = expected_.rows.find(batch);
  std::vector<row> expected = wanted == expected_.rows.end() ? std::vector<row>{} : wanted->second;
  for (std::size_t i = 0; i < expected_.columns.size(); ++i)
    if (results_.begin()->second->is_double(expected_.columns[i]) &&
        !expected_.significant_digits.contains(expected_.columns[i]))
      for (row& each : expected) each.at(i) = floating_notation(each.at(i));
  std::sort(expected.begin(), expected.end());
  return found == expected ? std::string{} : difference("rows", as_text(expected), as_text(found));
}

std::string case_run::compare(std::int64_t batch) {
  if (std::string found = compare_rows(batch); !found.empty()) return found;
  const auto at = static_cast<std::size_t>(batch - 1);
  if (rows_invalid_ != 0) return difference("invalid rows", 0, rows_invalid_);
  if (at < expected_.watermarks.size() && last_.watermark.microseconds != expected_.watermarks[at])
    return difference("watermark", expected_.watermarks[at], last_.watermark.microseconds);
  if (at < expected_.state_rows.size()) {
    std::int64_t found = 0;
    for (const step_progress& each : last_.steps) found += each.state.groups;
    // Panes of windows that other windows are made of must be gone when the windows are.
    const bool same =
        expected_.hides_results ? (found == 0) == (expected_.state_rows[at] == 0) : found == expected_.state_rows[at];
    if (!same) return difference("rows in state", expected_.state_rows[at], found);
  }
  return {};
}

void case_run::take_late_lines() {
  for (const auto& output : late_)
    for (const auto& each : output->take()) {
      const std::string& source = each.at("split");
      late_lines_[source].insert(sources_.at(source)->line_at(std::stoll(each.at("position"))));
    }
}

std::string case_run::compare_late_lines() {
  for (const case_source& each : expected_.sources)
    if (late_lines_[each.name] != each.late_lines)
      return difference("late lines of " + each.name, as_text(each.late_lines), as_text(late_lines_[each.name]));
  return {};
}

std::string case_run::find_difference() {
  for (std::int64_t batch = 1; batch <= expected_.batches(); ++batch) {
    std::string found;
    if (running_ && restarts_before(batch)) found = stop();
    if (found.empty() && !running_) found = start(batch);
    if (found.empty()) found = process(batch);
    if (found.empty()) found = compare(batch);
    if (!found.empty()) return "batch " + std::to_string(batch) + ": " + found;
    take_late_lines();
  }
  if (std::string found = stop(); !found.empty()) return found;
  return compare_late_lines();
}

}  // namespace pipeline_runner
