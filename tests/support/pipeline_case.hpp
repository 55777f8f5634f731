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

/// One input of a case.
struct case_source {
  std::string name;
  std::vector<std::string> lines;
  std::vector<std::int64_t> rows_per_batch;
  std::set<std::int64_t> late_lines;
};

/// What the case's folder says.
struct expectation {
  std::vector<case_source> sources;
  std::vector<std::int64_t> watermarks, state_rows;
  watermark_policy policy = watermark_policy::min;
  bool no_data_batches = true;
  std::vector<std::string> header;
  std::map<std::size_t, std::vector<row>> rows;  // by batch, sorted

  std::size_t batches() const { return sources.front().rows_per_batch.size(); }
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

inline case_source read_source(const files::path& folder, simdjson::dom::element description,
                               simdjson::dom::element all) {
  case_source made;
  made.name = std::string(description["name"].get_string().value());
  std::ifstream input(folder / std::string(description["file"].get_string().value()));
  for (std::string line; std::getline(input, line);) made.lines.push_back(line);
  made.rows_per_batch = numbers(description, "rows_per_batch");
  simdjson::dom::element late;
  if (all["late_lines"].get(late) != simdjson::SUCCESS) return made;
  const bool by_name = late.is_object();
  for (std::int64_t line : by_name ? numbers(late, made.name.c_str()) : numbers(all, "late_lines"))
    made.late_lines.insert(line);
  return made;
}

inline expectation read(const std::string& name) {
  const files::path folder = files::path(ETLANTIC_TEST_DATA) / "cases" / name;
  expectation made;
  simdjson::dom::parser parser;
  const simdjson::dom::element description = parser.load((folder / "case.json").string()).value();
  simdjson::dom::array sources;
  REQUIRE(description["sources"].get(sources) == simdjson::SUCCESS);
  for (const auto each : sources) made.sources.push_back(read_source(folder, each, description));
  made.watermarks = numbers(description, "watermark_after_us");
  made.state_rows = numbers(description, "state_rows_after");
  std::string_view policy;
  if (description["watermark_policy"].get(policy) == simdjson::SUCCESS && policy == "max")
    made.policy = watermark_policy::max;
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

/// One query's life, fed with batches. One input is read from the asset `in`, several from assets of their names; late
/// rows go to `late`, or to `late_` and the name of their input.
class feed {
 public:
  feed(program what, expectation expected, bool restarts, std::string checkpoint)
      : what_(std::move(what)), expected_(std::move(expected)), restarts_(restarts) {
    where_.checkpoint = std::move(checkpoint);
    where_.no_data_batches = expected_.no_data_batches;
    where_.watermarks = expected_.policy;
    where_.poll_interval = std::chrono::milliseconds{1};
    const bool several = expected_.sources.size() > 1;
    for (const case_source& each : expected_.sources) {
      inputs_.emplace_back(each);
      where_.assets[several ? each.name : "in"].made_source = inputs_.back().source;
      where_.assets[several ? "late_" + each.name : "late"].made_sink = inputs_.back().late;
    }
    where_.assets["out"].made_sink = results_;
  }
  ~feed() {
    go_on();
    running_.reset();
  }

  void run() {
    std::int64_t rows = 0;
    for (std::size_t batch = 1; batch <= expected_.batches(); ++batch) {
      std::int64_t added = 0;
      for (input& each : inputs_) added += each.add(batch);
      rows += added;
      if (added > 0) process(rows);
      INFO("batch " << batch << (restarts_ ? ", with restarts" : ", in one query"));
      compare_rows(batch);
      if (!expected_.watermarks.empty()) CHECK(last_.watermark.microseconds == expected_.watermarks[batch - 1]);
      if (!expected_.state_rows.empty()) CHECK(last_.steps.at(0).state.groups == expected_.state_rows[batch - 1]);
      for (input& each : inputs_) each.take_late();
    }
    for (const input& each : inputs_) {
      INFO("late lines of " << each.expected.name);
      CHECK(each.late_seen == each.expected.late_lines);
    }
    go_on();
    if (running_) REQUIRE(running_->stop().ok());
  }

 private:
  struct input {
    case_source expected;
    std::shared_ptr<memory_lines_source> source = std::make_shared<memory_lines_source>();
    std::shared_ptr<capture> late = std::make_shared<capture>();
    std::vector<std::int64_t> offsets;  // of each line in the memory source
    std::int64_t next_line = 0;
    std::set<std::int64_t> late_seen;

    explicit input(const case_source& of) : expected(of) {
      std::int64_t offset = 0;
      for (const std::string& each : expected.lines) {
        offsets.push_back(offset);
        offset += static_cast<std::int64_t>(each.size()) + 1;
      }
    }
    std::int64_t add(std::size_t batch) {
      const std::int64_t count = expected.rows_per_batch.at(batch - 1);
      if (count > 0)
        source->add({expected.lines.begin() + next_line, expected.lines.begin() + next_line + count});
      next_line += count;
      return count;
    }
    void take_late() {
      for (const auto& each : late->take()) {
        const std::int64_t at = std::stoll(each.at("position"));
        late_seen.insert(std::lower_bound(offsets.begin(), offsets.end(), at) - offsets.begin() + 1);
      }
    }
  };

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
    {
      const std::lock_guard guard(lock_);
      wanted_ = rows_so_far;
      rests_ = false;
      changed_.notify_all();
    }
    if (!running_) {
      where_.trigger.kind = trigger_kind::continuous;
      result<query> started = start_program(what_, where_, [this](const progress& each) { follow(each); });
      if (!started) FAIL(started.error().message << " " << started.error().where);
      running_ = std::make_unique<query>(std::move(*started));
    }
    std::unique_lock guard(lock_);
    const bool done = changed_.wait_for(guard, std::chrono::seconds{30}, [&] { return rests_; });
    if (!done) FAIL("the query does not go on: " << name_of(running_->status()));
  }

  /// Called behind each batch. Once all is read and settled the query rests here while the next rows are added, so that
  /// no batch begins when only some of the inputs have theirs.
  void follow(const progress& each) {
    std::unique_lock guard(lock_);
    last_ = each;
    read_ += each.rows_read();
    // A batch that moved the watermark is followed by one without data.
    const bool settled = each.no_data || !expected_.no_data_batches || each.watermark == watermark_;
    watermark_ = each.watermark;
    if (read_ != wanted_ || !settled) return;
    rests_ = true;
    changed_.notify_all();
    changed_.wait(guard, [&] { return !rests_ || over_; });
  }

  void go_on() {
    const std::lock_guard guard(lock_);
    over_ = true;
    changed_.notify_all();
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
  std::vector<input> inputs_;
  std::shared_ptr<capture> results_ = std::make_shared<capture>();

  std::mutex lock_;
  std::condition_variable changed_;
  progress last_;
  timestamp watermark_;
  std::int64_t read_ = 0, wanted_ = 0;
  bool rests_ = false, over_ = false;
  std::unique_ptr<query> running_;
};

/// Both ways of running a case. Publishes to `out`, and late rows as `feed` says.
inline void check(const std::string& name, expectation expected, const result<program>& what,
                  state_of state = state_of::windows) {
  REQUIRE(what.ok());
  INFO(name);
  if (state == state_of::panes) expected.state_rows.clear();
  feed(*what, expected, false, "").run();
  const files::path folder = files::temp_directory_path() / ("etlantic-case-" + name + "-" + std::to_string(getpid()));
  files::remove_all(folder);
  feed(*what, expected, true, folder.string()).run();
  files::remove_all(folder);
}
inline void check(const std::string& name, const result<program>& what, state_of state = state_of::windows) {
  check(name, read(name), what, state);
}

}  // namespace pipeline_case
