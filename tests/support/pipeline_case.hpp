#pragma once
#include <etlantic/column/format.hpp>
#include <etlantic/connect/memory/lines_source.hpp>
#include <etlantic/runtime/start.hpp>

#include "support/catch.hpp"

#include <simdjson.h>
#include <unistd.h>

#include <algorithm>
#include <condition_variable>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

// Runs a pipeline case from tests/data/cases: feeds its batches one after the other, once in one query and once with a
// restart before every batch, and compares rows, watermarks, late rows and state with what the case expects.

namespace pipeline_case {

using namespace etlantic;
namespace files = std::filesystem;

/// A row as the cases' CSV files write it.
using row = std::vector<std::string>;

/// A value in the notation of the cases: `\N` for null, time stamps without a fraction of zeros.
inline std::string notation(const column& from, std::size_t at) {
  if (!from.is_valid(at)) return "\\N";
  if (from.field->type == logical_type::text) {
    std::string made;
    for (char c : from.text_at(at)) {
      if (c == '\0') made += "\\0";
      else if (c == '\\') made += "\\\\";
      else made += c;
    }
    return made;
  }
  char characters[scalar_text_size];
  std::string made(characters, write_scalar(characters, from, at));
  if (const std::size_t zeros = made.find(".000000Z"); zeros != std::string::npos) made.replace(zeros, 8, "Z");
  return made;
}

/// Keeps published rows by column name.
class capture final : public sink {
 public:
  std::vector<std::map<std::string, std::string>> take() {
    const std::lock_guard guard(lock_);
    return std::exchange(rows_, {});
  }

  result<void> open(const schema&, output_mode mode, const publisher&) override {
    mode_ = mode;
    return {};
  }
  result<void> prepare(const publication& what) override {
    prepared_.clear();
    for (const block& each : what.blocks)
      for (std::size_t at = 0; at < each.rows; ++at) {
        std::map<std::string, std::string> made;
        for (const column& value : each.columns)
          if (value.field->type != logical_type::structure) made[std::string(value.field->name)] = notation(value, at);
        prepared_.push_back(std::move(made));
      }
    return {};
  }
  result<void> commit(std::int64_t batch) override {
    const std::lock_guard guard(lock_);
    if (batch <= last_) return {};
    last_ = batch;
    if (mode_ == output_mode::complete) rows_.clear();
    for (auto& each : prepared_) rows_.push_back(std::move(each));
    prepared_.clear();
    return {};
  }
  void abort() override { prepared_.clear(); }
  std::string describe() const override { return "capture"; }

 private:
  std::mutex lock_;
  output_mode mode_ = output_mode::append;
  std::int64_t last_ = -1;
  std::vector<std::map<std::string, std::string>> prepared_, rows_;
};

/// What the case's folder says.
struct expectation {
  std::vector<std::string> lines;
  std::vector<std::int64_t> rows_per_batch, watermarks, state_rows;
  std::set<std::int64_t> late_lines;
  bool no_data_batches = true;
  std::vector<std::string> header;
  std::map<std::size_t, std::vector<row>> rows;  // by batch, sorted

};

inline std::vector<std::string> split(const std::string& line) {
  std::vector<std::string> cells;
  std::stringstream text(line);
  for (std::string cell; std::getline(text, cell, ',');) cells.push_back(cell);
  return cells;
}

/// A number, or the sum of a list: the entries of several stateful operators in one step.
inline std::int64_t number(simdjson::dom::element from) {
  simdjson::dom::array parts;
  if (from.get(parts) != simdjson::SUCCESS) return from.get_int64().value();
  std::int64_t sum = 0;
  for (const auto each : parts) sum += number(each);
  return sum;
}

inline std::vector<std::int64_t> numbers(simdjson::dom::element from, const char* name) {
  std::vector<std::int64_t> made;
  simdjson::dom::array list;
  if (from[name].get(list) == simdjson::SUCCESS)
    for (const auto each : list) made.push_back(number(each));
  return made;
}

inline expectation read(const std::string& name) {
  const files::path folder = files::path(ETLANTIC_TEST_DATA) / "cases" / name;
  expectation made;
  std::ifstream input(folder / "input.ndjson");
  for (std::string line; std::getline(input, line);) made.lines.push_back(line);
  simdjson::dom::parser parser;
  const simdjson::dom::element description = parser.load((folder / "case.json").string()).value();
  made.rows_per_batch = numbers(description["sources"].at(0).value(), "rows_per_batch");
  made.watermarks = numbers(description, "watermark_after_us");
  made.state_rows = numbers(description, "state_rows_after");
  for (std::int64_t line : numbers(description, "late_lines")) made.late_lines.insert(line);
  bool no_data = true;
  if (description["no_data_batches"].get(no_data) == simdjson::SUCCESS) made.no_data_batches = no_data;
  std::ifstream expected(folder / "expected.csv");
  std::string line;
  std::getline(expected, line);
  made.header = split(line);
  while (std::getline(expected, line)) {
    row cells = split(line);
    const std::size_t batch = std::stoul(cells.front());
    cells.erase(cells.begin());
    made.rows[batch].push_back(cells);
  }
  for (auto& [batch, rows] : made.rows) std::sort(rows.begin(), rows.end());
  return made;
}

/// What a stage keeps: groups by window, which the cases count, or by pane of sliding windows.
enum class state_of { windows, panes };

/// One query's life, fed with batches.
class feed {
 public:
  feed(program what, expectation expected, state_of state, bool restarts, std::string checkpoint)
      : what_(std::move(what)), expected_(std::move(expected)), restarts_(restarts) {
    if (state == state_of::panes) expected_.state_rows.clear();
    where_.checkpoint = std::move(checkpoint);
    where_.no_data_batches = expected_.no_data_batches;
    where_.poll_interval = std::chrono::milliseconds{1};
    where_.assets["in"] = {.connector = "", .options = {}, .made_source = source_, .made_sink = nullptr};
    where_.assets["out"] = {.connector = "", .options = {}, .made_source = nullptr, .made_sink = results_};
    where_.assets["late"] = {.connector = "", .options = {}, .made_source = nullptr, .made_sink = late_};
  }

  void run() {
    std::int64_t line = 0;
    std::vector<std::int64_t> offsets;  // of each line in the memory source
    std::int64_t offset = 0;
    for (const std::string& each : expected_.lines) {
      offsets.push_back(offset);
      offset += static_cast<std::int64_t>(each.size()) + 1;
    }
    for (std::size_t batch = 1; batch <= expected_.rows_per_batch.size(); ++batch) {
      const std::int64_t count = expected_.rows_per_batch[batch - 1];
      if (count > 0) {
        source_->add({expected_.lines.begin() + line, expected_.lines.begin() + line + count});
        line += count;
        process(line);
      }
      INFO("batch " << batch << (restarts_ ? ", with restarts" : ", in one query"));
      compare_rows(batch);
      if (!expected_.watermarks.empty()) CHECK(last_.watermark.microseconds == expected_.watermarks[batch - 1]);
      if (!expected_.state_rows.empty()) CHECK(last_.steps.at(0).state.groups == expected_.state_rows[batch - 1]);
      for (const auto& each : late_->take()) {
        const std::int64_t at = std::stoll(each.at("position"));
        late_seen_.insert(std::lower_bound(offsets.begin(), offsets.end(), at) - offsets.begin() + 1);
      }
    }
    CHECK(late_seen_ == expected_.late_lines);
    if (running_) REQUIRE(running_->stop().ok());
  }

 private:
  /// Until everything that was added is read and what it closed is published.
  void process(std::int64_t rows_so_far) {
    if (restarts_) {
      where_.trigger.kind = expected_.no_data_batches ? trigger_kind::available_now : trigger_kind::once;
      result<query> running = start_program(what_, where_, [this](const progress& each) { last_ = each; });
      if (!running) FAIL(running.error().message << " " << running.error().where);
      running->await();
      const result<void> outcome = running->outcome();
      if (!outcome) FAIL(outcome.error().message);
      return;
    }
    if (!running_) {
      where_.trigger.kind = trigger_kind::continuous;
      result<query> started = start_program(what_, where_, [this](const progress& each) {
        const std::lock_guard guard(lock_);
        last_ = each;
        read_ += each.rows_read();
        // A batch that moved the watermark is followed by one without data.
        settled_ = each.no_data || !expected_.no_data_batches || each.watermark == watermark_;
        watermark_ = each.watermark;
        changed_.notify_all();
      });
      if (!started) FAIL(started.error().message << " " << started.error().where);
      running_ = std::make_unique<query>(std::move(*started));
    }
    std::unique_lock guard(lock_);
    const bool done = changed_.wait_for(guard, std::chrono::seconds{30},
                                        [&] { return read_ == rows_so_far && settled_; });
    if (!done) FAIL("the query does not go on: " << name_of(running_->status()));
  }

  void compare_rows(std::size_t batch) {
    std::vector<row> got;
    for (const auto& each : results_->take()) {
      row cells;
      for (std::size_t i = 1; i < expected_.header.size(); ++i) cells.push_back(each.at(expected_.header[i]));
      got.push_back(cells);
    }
    std::sort(got.begin(), got.end());
    const auto found = expected_.rows.find(batch);
    CHECK(got == (found == expected_.rows.end() ? std::vector<row>{} : found->second));
  }

  program what_;
  expectation expected_;
  bool restarts_;
  profile where_;
  std::shared_ptr<memory_lines_source> source_ = std::make_shared<memory_lines_source>();
  std::shared_ptr<capture> results_ = std::make_shared<capture>();
  std::shared_ptr<capture> late_ = std::make_shared<capture>();
  std::set<std::int64_t> late_seen_;
  std::unique_ptr<query> running_;

  std::mutex lock_;
  std::condition_variable changed_;
  progress last_;
  timestamp watermark_;
  std::int64_t read_ = 0;
  bool settled_ = false;
};

/// Both ways of running a case. The pipeline reads `in` and publishes to `out` and, if rows can be late, to `late`.
inline void check(const std::string& name, const expectation& expected, const result<program>& what,
                  state_of state = state_of::windows) {
  REQUIRE(what.ok());
  INFO(name);
  feed(*what, expected, state, false, "").run();
  const files::path folder = files::temp_directory_path() / ("etlantic-case-" + name + "-" + std::to_string(getpid()));
  files::remove_all(folder);
  feed(*what, expected, state, true, folder.string()).run();
  files::remove_all(folder);
}
inline void check(const std::string& name, const result<program>& what, state_of state = state_of::windows) {
  check(name, read(name), what, state);
}

}  // namespace pipeline_case
