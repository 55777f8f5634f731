#pragma once
#include "support/rows.hpp"
#include "support/temporary_directory.hpp"

#include <etlantic/runtime/durable_file_fault.hpp>
#include <etlantic/runtime/query.hpp>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <latch>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

/// A pipeline without the DSL: an input that lies in memory, a step that counts rows in tumbling windows, and tables
/// in memory. Input and tables outlive the query, as files and databases outlive a process.
namespace etlantic::test {

constexpr std::int64_t second = 1'000'000;

/// Lets everything fail from a chosen point on, as a crash does: nothing behind that point happens.
class crash_point : public file_fault_injector {
 public:
  explicit crash_point(int at = -1, int error = EIO) : at_(at), error_(error) { injected_file_faults = this; }
  crash_point(const crash_point&) = delete;
  crash_point& operator=(const crash_point&) = delete;
  ~crash_point() override { injected_file_faults = nullptr; }

  bool strike() {
    const std::lock_guard held(mutex_);
    const bool now = count_++ == at_;
    dead_ = now || (dead_ && !passes);
    return dead_;
  }
  int count() const { return count_; }
  bool struck() const { return dead_; }
  bool passes = false;  ///< only what happens at the point fails, and what comes behind it works again

  file_fault before(file_operation, const std::string&) override {
    return strike() ? file_fault{error_, true} : file_fault{};
  }

 private:
  std::mutex mutex_;
  int at_;
  int error_;
  int count_ = 0;
  bool dead_ = false;
};

inline failure crashed(const std::string& where) {
  return {failure_class::connectivity, "TEST", "the process died here", where, ""};
}

/// What waits to be read, batch by batch; an empty one is a look that finds nothing.
struct scripted_input {
  std::vector<std::int64_t> rows;        ///< event times in microseconds
  std::vector<std::int64_t> batch_ends;  ///< place behind the last row of each batch
  std::int64_t visible = INT64_MAX;      ///< rows that have arrived
  bool pause_after_batch = true;         ///< nothing waits right after a batch, so that one without data follows
  bool tells_waiting = true;             ///< knows how many rows wait
  bool lines = false;                    ///< delivers text instead of columns
  std::string text;                      ///< of `lines`: rows separated by line feeds, in one split
  std::vector<split_range> reads;        ///< every range that was read, over all restarts
  std::function<void()> on_plan;         ///< called at every look

  void add(std::initializer_list<double> seconds) {
    for (double each : seconds) rows.push_back(static_cast<std::int64_t>(each * second));
    batch_ends.push_back(static_cast<std::int64_t>(rows.size()));
  }
};

inline constexpr field_description event_fields[] = {
    {.name = "ts", .data_name = "ts", .type = logical_type::timestamp}};
inline constexpr field_description window_fields[] = {
    {.name = "window_start", .data_name = "window_start", .type = logical_type::timestamp, .key_position = 0},
    {.name = "window_end", .data_name = "window_end", .type = logical_type::timestamp},
    {.name = "count", .data_name = "count", .type = logical_type::int64}};
inline constexpr field_description rejected_fields[] = {
    {.name = "reason", .data_name = "reason", .type = logical_type::text},
    {.name = "payload", .data_name = "payload", .type = logical_type::binary},
    {.name = "observed_time", .data_name = "observed_time", .type = logical_type::timestamp}};
inline constexpr schema events{"Event", "1", "", event_fields};
inline constexpr schema windows{"Window", "1", "", window_fields};
inline constexpr schema rejected_events{"RejectedEvent", "1", "", rejected_fields};

class scripted_source : public source {
 public:
  scripted_source(std::shared_ptr<scripted_input> input, crash_point* crash)
      : input_(std::move(input)), crash_(crash) {}

  result<std::vector<split_range>> plan(const intake_limits& limits) override {
    if (crash_ != nullptr && crash_->strike()) return crashed("plan");
    if (input_->on_plan) input_->on_plan();
    if (std::exchange(pausing_, false)) return std::vector<split_range>();
    const std::int64_t end = next_end(limits.max_rows);
    if (end <= at_) {
      if (batch_ < input_->batch_ends.size() && input_->batch_ends[batch_] == at_) ++batch_;
      return std::vector<split_range>();
    }
    if (batch_ < input_->batch_ends.size() && end == input_->batch_ends[batch_]) ++batch_;
    pausing_ = input_->pause_after_batch;
    return std::vector<split_range>{{"memory", std::exchange(at_, end), end}};
  }

  result<void> restore(const std::vector<split_range>& read) override {
    at_ = read.empty() ? 0 : read.back().end;
    frozen_ = INT64_MAX;
    batch_ = 0;
    while (batch_ < input_->batch_ends.size() && input_->batch_ends[batch_] <= at_) ++batch_;
    return {};
  }

  result<void> read(const split_range& range, intake& into) override {
    if (crash_ != nullptr && crash_->strike()) return crashed("read");
    input_->reads.push_back(range);
    if (!input_->lines && range.end > static_cast<std::int64_t>(input_->rows.size()))
      return failure{failure_class::source_data, "TEST", "the planned rows are not there any more", "memory", ""};
    if (input_->lines) return into.lines("memory", range.begin, input_->text);
    for (std::int64_t at = range.begin; at < range.end; at += 2) {  // two rows a block, so that a batch has several
      block rows(events);
      rows.resize(static_cast<std::size_t>(std::min<std::int64_t>(2, range.end - at)));
      for (std::size_t row = 0; row < rows.rows; ++row)
        rows.columns[0].set(row, input_->rows[static_cast<std::size_t>(at) + row]);
      if (result<void> done = into.rows(rows); !done) return done;
    }
    return {};
  }

  result<void> freeze() override {
    frozen_ = std::min(visible(), frozen_);
    return {};
  }
  waiting_input waiting() override {
    if (!input_->tells_waiting) return {};
    return {.rows = visible() - at_};
  }
  std::string describe() const override { return "scripted"; }

 private:
  std::int64_t visible() const { return std::min(input_->visible, static_cast<std::int64_t>(input_->rows.size())); }
  std::int64_t next_end(std::int64_t most) const {
    const std::int64_t scripted = batch_ < input_->batch_ends.size() ? input_->batch_ends[batch_] : INT64_MAX;
    return std::min({scripted, visible(), frozen_, at_ + most});
  }

  std::shared_ptr<scripted_input> input_;
  crash_point* crash_;
  std::int64_t at_ = 0;
  std::size_t batch_ = 0;
  bool pausing_ = false;
  std::int64_t frozen_ = INT64_MAX;
};

/// A table with a ledger: the rows of a batch and the entry that says so appear together.
struct memory_table {
  std::vector<std::vector<std::int64_t>> rows;  ///< in seconds; text columns as their length
  std::map<std::string, std::int64_t> ledger;
  int commits = 0;

  void take_back_to(std::int64_t batch) {
    for (auto& [who, newest] : ledger) newest = batch;
  }
};

class ledger_sink : public sink {
 public:
  ledger_sink(std::shared_ptr<memory_table> table, crash_point* crash) : table_(std::move(table)), crash_(crash) {}

  result<std::optional<std::int64_t>> published(const publisher& who) override {
    const auto known = table_->ledger.find(who.query + "/" + who.node);
    return std::optional<std::int64_t>(known == table_->ledger.end() ? nothing_published : known->second);
  }
  result<void> open(const schema& contract, output_mode, const publisher& who) override {
    if (struck()) return crashed("open");
    contract_ = &contract;
    who_ = who.query + "/" + who.node;
    return {};
  }
  result<void> prepare(const publication& what) override {
    if (struck()) return crashed("prepare");
    staged_.clear();
    for (const block& each : what.blocks)
      for (std::size_t row = 0; row < each.rows; ++row) staged_.push_back(cells(each, row));
    return {};
  }
  result<void> commit(std::int64_t batch) override {
    if (struck()) return crashed("before the sink's commit");
    const auto known = table_->ledger.find(who_);
    if (known == table_->ledger.end() || known->second < batch) {
      table_->rows.insert(table_->rows.end(), staged_.begin(), staged_.end());
      table_->ledger[who_] = batch;
      ++table_->commits;
    }
    staged_.clear();
    if (struck()) return crashed("after the sink's commit");
    return {};
  }
  void abort() override { staged_.clear(); }
  std::string describe() const override { return "table"; }

 private:
  bool struck() const { return crash_ != nullptr && crash_->strike(); }
  static std::vector<std::int64_t> cells(const block& from, std::size_t row) {
    std::vector<std::int64_t> values;
    for (const column& each : from.columns) {
      const bool is_time = each.field->type == logical_type::timestamp;
      if (value_width(*each.field) == 8)
        values.push_back(each.value<std::int64_t>(row) / (is_time ? second : 1));
      else
        values.push_back(static_cast<std::int64_t>(each.text_at(row).size()));
    }
    return values;
  }

  std::shared_ptr<memory_table> table_;
  crash_point* crash_;
  const schema* contract_ = nullptr;
  std::string who_;
  std::vector<std::vector<std::int64_t>> staged_;
};

/// What a stage was told about its batches.
using context_log = std::vector<batch_context>;

/// Counts rows per tumbling window, append mode; late rows go out through port 1 at once.
class counting_stage : public stage {
 public:
  counting_stage(std::int64_t size, std::shared_ptr<context_log> log) : size_(size), log_(std::move(log)) {}

  void begin(const batch_context& batch) override {
    context_ = batch;
    log_->push_back(batch);
    counts_ = {};
    greatest_.reset();
  }
  result<void> process(std::size_t, const block& rows, stage_outputs& out) override {
    block late(events);
    for (std::size_t row = 0; row < rows.rows; ++row) {
      const auto time = rows.columns[0].value<std::int64_t>(row);
      const std::int64_t start = floor_divide(time, size_) * size_;
      greatest_ = std::max(greatest_.value_or(timestamp{time}), timestamp{time});
      ++counts_.received;
      if (start + size_ <= context_.late_watermark.microseconds) {
        late.append(rows, row);
        ++counts_.late;
      } else {
        ++groups_[start];
        ++counts_.kept;
      }
    }
    return late.rows == 0 ? result<void>() : out.emit(1, late);
  }
  result<void> finish(stage_outputs& out) override {
    block closed(windows);
    for (auto each = groups_.begin(); each != groups_.end() && each->first + size_ <= context_.watermark.microseconds;
         each = groups_.erase(each)) {
      closed.resize(closed.rows + 1);
      closed.columns[0].set(closed.rows - 1, each->first);
      closed.columns[1].set(closed.rows - 1, each->first + size_);
      closed.columns[2].set(closed.rows - 1, each->second);
    }
    counts_.emitted = static_cast<std::int64_t>(closed.rows);
    return out.emit(0, closed);
  }
  stage_counts counts() const override { return counts_; }
  state_metrics state() const override {
    const auto open = static_cast<std::int64_t>(groups_.size());
    return {open, open, open * 16};
  }
  void add_greatest_event_times(std::vector<std::optional<timestamp>>& into) const override {
    into.push_back(greatest_);
  }
  void forget_event_times() override { greatest_.reset(); }
  void save(state_writer& into) const override {
    into.put(static_cast<std::int64_t>(groups_.size()));
    for (const auto& [start, count] : groups_) {
      into.put(start);
      into.put(count);
    }
  }
  result<void> restore(state_reader& from) override {
    groups_.clear();
    const auto size = from.get<std::int64_t>();
    for (std::int64_t i = 0; i < size && from.ok(); ++i) {
      const auto start = from.get<std::int64_t>();
      groups_[start] = from.get<std::int64_t>();
    }
    return {};
  }

 private:
  std::int64_t size_;
  std::shared_ptr<context_log> log_;
  batch_context context_;
  stage_counts counts_;
  std::optional<timestamp> greatest_;
  std::map<std::int64_t, std::int64_t> groups_;
};

/// Takes lines that are numbers of seconds; every other line is rejected.
class number_decoder : public row_decoder {
 public:
  void begin(timestamp planned_at) override { planned_at_ = planned_at; }

  result<std::int64_t> decode(std::string_view, std::int64_t, std::string_view bytes, row_receiver& into) override {
    block good(events);
    block bad(rejected_events);
    while (!bytes.empty()) {
      const std::string line(bytes.substr(0, bytes.find('\n')));
      bytes.remove_prefix(std::min(bytes.size(), line.size() + 1));
      if (line.find_first_not_of("0123456789") == std::string::npos)
        append(good, {std::strtoll(line.c_str(), nullptr, 10) * second});
      else
        append(bad, {line.front() == '-' ? "out_of_range" : "", line, planned_at_});
    }
    if (result<void> done = into.valid(good); !done) return done.error();
    if (result<void> done = into.invalid(bad); !done) return done.error();
    return static_cast<std::int64_t>(good.rows + bad.rows);
  }
  result<std::int64_t> check(const block& typed, row_receiver& into) override {
    if (result<void> done = into.valid(typed); !done) return done.error();
    return static_cast<std::int64_t>(typed.rows);
  }

 private:
  static void append(block& to, const std::vector<cell>& cells) {
    for (std::size_t i = 0; i < cells.size(); ++i) append_cell(to.columns[i], cells[i]);
    ++to.rows;
  }

  timestamp planned_at_;
};

/// The whole: events -> windows -> curated, late_rows; events.invalid -> quarantine.
struct hand_made_pipeline {
  std::int64_t window = 10 * second;
  std::int64_t delay = 0;
  std::string id = "Counts";
  std::string state_schema = "window_start timestamp, count int64";
  trigger_kind trigger = trigger_kind::available_now;
  std::string checkpoint{};
  bool no_data_batches = true;
  std::int64_t max_rows = 1'000;
  int retained_batches = 10;
  duration snapshot_interval{0};  // one with every batch
  int retained_snapshots = 0;
  snapshot_compression compression = snapshot_compression::none;
  timestamp clock{1'700'000'000 * second};

  std::shared_ptr<scripted_input> input = std::make_shared<scripted_input>();
  std::shared_ptr<memory_table> curated = std::make_shared<memory_table>();
  std::shared_ptr<memory_table> late_rows = std::make_shared<memory_table>();
  std::shared_ptr<memory_table> quarantine = std::make_shared<memory_table>();
  std::shared_ptr<context_log> contexts = std::make_shared<context_log>();

  program lowered() const {
    program made{id, "1", {}, {}};
    program_node extract = node(node_kind::extract, "events", &events);
    extract.outputs = {{"valid", &events}, {"invalid", &rejected_events}};
    program_node step = node(node_kind::step, "windows", nullptr);
    step.input_names = {"rows"};
    step.inputs = {{0, 0}};
    step.outputs = {{"result", &windows}, {"late", &events}};
    step.operators = {{"watermark", {{"delay", std::to_string(delay)}}},
                      {"tumbling", {{"size", std::to_string(window)}}},
                      {"aggregate", {{"count", "count()"}}}};
    step.watermarks = {{"windows", "rows", "ts", duration{delay}}};
    step.state_schema = state_schema;
    step.make_stage = [size = window, log = contexts](const port_modes&) -> std::unique_ptr<stage> {
      return std::make_unique<counting_stage>(size, log);
    };
    made.nodes = {extract, step, load("curated", &windows, {1, 0}), load("late_rows", &events, {1, 1}),
                  load("quarantine", &rejected_events, {0, 1})};
    return made;
  }

  profile settings(crash_point* crash = nullptr) const {
    profile made;
    made.trigger.kind = trigger;
    made.trigger.interval = duration{0};
    made.poll_interval = duration{0};
    made.checkpoint = checkpoint;
    made.no_data_batches = no_data_batches;
    made.limits.max_rows = max_rows;
    made.retained_batches = retained_batches;
    made.snapshot_interval = snapshot_interval;
    made.retained_snapshots = retained_snapshots;
    made.compression = compression;
    made.assets["events"].made_source = std::make_shared<scripted_source>(input, crash);
    made.assets["curated"].made_sink = std::make_shared<ledger_sink>(curated, crash);
    made.assets["late_rows"].made_sink = std::make_shared<ledger_sink>(late_rows, crash);
    made.assets["quarantine"].made_sink = std::make_shared<ledger_sink>(quarantine, crash);
    return made;
  }

  query_environment environment() const {
    return {[now = clock] { return now; },
            [](const decoder_request&) -> std::unique_ptr<row_decoder> { return std::make_unique<number_decoder>(); }};
  }

  result<query> start(crash_point* crash = nullptr, query::listener on_batch = {}) const {
    return start_program(lowered(), settings(crash), std::move(on_batch), environment());
  }

  /// Starts, waits for the end, and gives the outcome, also that of the start.
  result<void> run(crash_point* crash = nullptr, query::listener on_batch = {}) const {
    result<query> started = start(crash, std::move(on_batch));
    if (!started) return started.error();
    started->await();
    return started->outcome();
  }

 private:
  static program_node node(node_kind kind, std::string name, const schema* contract) {
    program_node made;
    made.kind = kind;
    made.name = name;
    if (kind != node_kind::step) made.asset = std::move(name);
    made.contract = contract;
    return made;
  }
  static program_node load(std::string name, const schema* contract, port_reference from) {
    program_node made = node(node_kind::load, std::move(name), contract);
    made.input_names = {"rows"};
    made.inputs = {from};
    return made;
  }
};

using table_rows = std::vector<std::vector<std::int64_t>>;

/// With the trigger `low_latency`, to the end of the input, and always in the same steps.
inline result<void> drain(hand_made_pipeline pipeline, crash_point* crash = nullptr) {
  std::latch asked(1);
  pipeline.trigger = trigger_kind::low_latency;
  pipeline.input->on_plan = [&] { asked.wait(); };
  result<query> started = pipeline.start(crash);
  if (started) started->request_stop(stop_policy::drain);
  asked.count_down();
  if (started) started->await();
  pipeline.input->on_plan = {};
  return started ? started->outcome() : result<void>(started.error());
}

}  // namespace etlantic::test
