// The queries of the suite on this engine, as a peer of tools/bench. The ways:
//   columns  blocks in memory through the query's stage
//   memory   a file through the whole engine in one batch into memory, without a checkpoint
//   run      a file through the whole engine in its usual batches into SQLite, with a checkpoint
//   kafka    topics through the whole engine in its usual batches into memory, without a checkpoint
#include <data/options.hpp>
#include <queries/query.hpp>
#include <support/block_digest.hpp>
#include <support/keeping_sink.hpp>
#include <support/peer.hpp>
#include <support/table_digest.hpp>

#include <etlantic/connect/file/source.hpp>
#include <etlantic/runtime/query.hpp>
#include <etlantic/runtime/stage.hpp>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <limits>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace {

using namespace etlantic;
namespace fs = std::filesystem;

struct options {
  bench::data_options data;
  std::string query, way, input, folder, brokers, topic;
  std::map<std::string, std::string> librdkafka;  // settings to try
  std::size_t workers = 1;
};

template <class T>
T value_of(result<T> outcome) {
  if (!outcome) throw std::runtime_error(outcome.error().message + " (" + outcome.error().where + ")");
  return std::move(*outcome);
}

void require(const result<void>& outcome) {
  if (!outcome) throw std::runtime_error(outcome.error().message + " (" + outcome.error().where + ")");
}

const program_node& node_of(const program& what, node_kind kind) {
  const auto found =
      std::find_if(what.nodes.begin(), what.nodes.end(), [&](const auto& node) { return node.kind == kind; });
  if (found == what.nodes.end()) throw std::logic_error("the query lacks a node");
  return *found;
}

// ---- columns
// ---------------------------------------------------------------------------------------------------------

struct kept_rows final : stage_outputs {
  std::vector<block> blocks;
  result<void> emit(std::size_t port, const block& rows) override {
    if (port == 0) blocks.push_back(rows);
    return {};
  }
};

/// Blocks of the query's contract, all of them in memory before time is taken.
class columns_run {
 public:
  columns_run(const bench::query& of, const bench::data_options& data) : what_(of.lower()) {
    if (of.fill == nullptr) throw std::invalid_argument("this query has no rows in columns");
    constexpr std::uint32_t rows_per_block = 8192;
    for (std::uint32_t first = 0; first < data.rows; first += rows_per_block) {
      block& next = input_.emplace_back(*of.contract);
      next.resize(std::min(rows_per_block, data.rows - first));
      of.fill(next, first, data);
    }
  }

  double run() {
    kept_ = {};
    return bench::seconds_of([&] {
      const output_mode mode = node_of(what_, node_kind::load).mode;
      const std::unique_ptr<stage> work =
          node_of(what_, node_kind::step).make_stage(mode == output_mode::append ? mode : output_mode::update);
      work->begin({});
      for (const block& each : input_) require(work->process(0, each, kept_));
      state_ = work->state();
      require(work->finish(kept_));
      if (mode != output_mode::append) return;
      batch_context closing;  // a batch without data behind the last one
      closing.watermark = {std::numeric_limits<std::int64_t>::max()};
      work->begin(closing);
      require(work->finish(kept_));
    });
  }

  std::string result_text() const {
    std::string text = bench::digest_of(kept_.blocks);
    text.pop_back();
    return text + ",\"state_groups\":" + std::to_string(state_.groups) +
           ",\"state_bytes\":" + std::to_string(state_.bytes) + "}";
  }

 private:
  program what_;
  std::vector<block> input_;
  kept_rows kept_;
  state_metrics state_;
};

// ---- the whole engine
// ------------------------------------------------------------------------------------------------

progress run_program(program what, profile where) {
  query running = value_of(start_program(std::move(what), std::move(where)));
  running.await();
  require(running.outcome());
  return running.totals();
}

class file_run {
 public:
  file_run(const bench::query& of, options given)
      : given_(std::move(given)), lower_(of.lower), result_(node_of(of.lower(), node_kind::load).contract) {
    if (given_.input.empty()) throw std::invalid_argument("--input is missing");
    if (into_table() && given_.folder.empty()) throw std::invalid_argument("--folder is missing");
  }

  double run() {
    sink_->blocks.clear();
    if (into_table()) fs::remove_all(given_.folder);
    program what = lower_();
    profile where = into_table() ? table_profile() : memory_profile();
    progress done;
    const double seconds = bench::seconds_of([&] { done = run_program(std::move(what), std::move(where)); });
    if (done.rows_read() != given_.data.rows || done.extracts.at(0).invalid != 0)
      throw std::runtime_error("the input has " + std::to_string(done.rows_read()) + " rows, " +
                               std::to_string(done.extracts.at(0).invalid) + " of them invalid");
    return seconds;
  }

  std::string result_text() const {
    return into_table() ? bench::table_digest(database(), *result_).of("result") : bench::digest_of(sink_->blocks);
  }

 private:
  bool into_table() const { return given_.way == "run"; }
  std::string database() const { return given_.folder + "/result.db"; }

  profile memory_profile() const {
    profile made;
    made.trigger.kind = trigger_kind::once;
    made.limits.max_bytes = no_limit;
    made.no_data_batches = false;
    made.workers = given_.workers;
    made.assets["in"].made_source = make_file_source({.path = given_.input});
    made.assets["out"].made_sink = sink_;
    return made;
  }

  profile table_profile() const {
    profile made;
    made.trigger.kind = trigger_kind::available_now;
    made.workers = given_.workers;
    made.checkpoint = given_.folder + "/checkpoint";
    made.assets["in"] = {.connector = "file", .options = {{"path", given_.input}}};
    made.assets["out"] = {.connector = "sqlite", .options = {{"path", database()}, {"table", "result"}}};
    return made;
  }

  options given_;
  program (*lower_)();
  const schema* result_;
  std::shared_ptr<bench::keeping_sink> sink_ = std::make_shared<bench::keeping_sink>();
};

// ---- Kafka
// ------------------------------------------------------------------------------------------------------------

class kafka_run {
 public:
  kafka_run(const bench::query& of, options given) : given_(std::move(given)), lower_(of.lower) {
    if (given_.brokers.empty() || given_.topic.empty()) throw std::invalid_argument("--brokers or --topic is missing");
  }

  double run() {
    sink_->blocks.clear();
    profile where;
    where.trigger.kind = trigger_kind::available_now;
    where.workers = given_.workers;
    where.assets["in"] = {.connector = "kafka",
                          .options = {{"bootstrap_servers", given_.brokers}, {"topics", given_.topic}}};
    for (const auto& [name, value] : given_.librdkafka)
      where.assets["in"].options.insert_or_assign("librdkafka." + name, value);
    where.assets["out"].made_sink = sink_;
    program what = lower_();
    progress done;
    const double seconds = bench::seconds_of([&] { done = run_program(std::move(what), std::move(where)); });
    if (done.rows_read() != given_.data.rows || done.extracts.at(0).invalid != 0)
      throw std::runtime_error("the topic has " + std::to_string(done.rows_read()) + " rows, " +
                               std::to_string(done.extracts.at(0).invalid) + " of them invalid");
    return seconds;
  }

  std::string result_text() const { return bench::digest_of_newest(sink_->blocks); }

 private:
  options given_;
  program (*lower_)();
  std::shared_ptr<bench::keeping_sink> sink_ = std::make_shared<bench::keeping_sink>();
};

// ---- peers
// -----------------------------------------------------------------------------------------------------------

template <class Run>
bench::peer peer_of(const options& given, std::shared_ptr<Run> work) {
  return {.name = given.query + "." + given.way,
          .rows = given.data.rows,
          .bytes = given.input.empty() ? 0 : static_cast<std::int64_t>(fs::file_size(given.input)),
          .run = [work] { return work->run(); },
          .result = [work] { return work->result_text(); }};
}

bench::peer make_peer(const options& given) {
  const std::vector<bench::query> all = bench::all_queries();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const bench::query& each) { return each.name == given.query; });
  if (found == all.end()) throw std::invalid_argument("there is no query " + given.query);
  if (given.way == "columns") return peer_of(given, std::make_shared<columns_run>(*found, given.data));
  if (given.way == "memory" || given.way == "run") return peer_of(given, std::make_shared<file_run>(*found, given));
  if (given.way == "kafka") return peer_of(given, std::make_shared<kafka_run>(*found, given));
  throw std::invalid_argument("--way is columns, memory, run or kafka");
}

options parse(bench::command_line line) {
  options made;
  while (line.has_next()) {
    const std::string_view name = line.name();
    if (bench::take_option(name, line, made.data)) continue;
    if (name == "--query")
      made.query = line.value();
    else if (name == "--way")
      made.way = line.value();
    else if (name == "--input")
      made.input = line.value();
    else if (name == "--folder")
      made.folder = line.value();
    else if (name == "--brokers")
      made.brokers = line.value();
    else if (name == "--topic")
      made.topic = line.value();
    else if (name == "--librdkafka")
      line.add_setting(made.librdkafka);
    else if (name == "--threads")
      made.workers = line.number();
    else
      throw std::invalid_argument("there is no option " + std::string(name));
  }
  return made;
}

}  // namespace

int main(int argument_count, char** arguments) {
  try {
    bench::serve(make_peer(parse({argument_count, arguments})));
    return 0;
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "etlantic: %s\n", failure.what());
    return 1;
  }
}
