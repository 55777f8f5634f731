// The Delta sink as a peer of tools/bench, and the logs that all peers open.
//   --work append    --rows N rows as ten commits into a new table
//   --work recent    a batch of N changed windows of the newest hours, merged into a table of --table-rows rows
//   --work scattered the same with windows of all hours
//   --work small     batches of N changed windows, one hundred a turn; tells how long each took
//   --work open      replays the log of --input to the list of live files
//   --make-log FOLDER --rows N [--checkpoint]   a log of N commits
#include <data/options.hpp>
#include <data/windows.hpp>
#include <support/block_digest.hpp>
#include <support/peer.hpp>

#include <etlantic/connect/delta/action_writer.hpp>
#include <etlantic/connect/delta/checkpoint.hpp>
#include <etlantic/connect/delta/file_reader.hpp>
#include <etlantic/connect/delta/file_writer.hpp>
#include <etlantic/connect/delta/log_names.hpp>
#include <etlantic/connect/delta/sink.hpp>
#include <etlantic/connect/delta/snapshot.hpp>
#include <etlantic/contract/contract.hpp>
#include <etlantic/runtime/sink.hpp>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace {

using namespace etlantic;
namespace fs = std::filesystem;

struct CustomerWindow {
  std::int64_t customer_id;
  timestamp window_start, window_end;
  std::int64_t order_count;
  decimal<18, 2> order_total;
  timestamp latest_event_time;
  using key = primary_key<"customer_id", "window_start", "window_end">;
};

struct options {
  std::string work, folder, input, log;
  std::string compression = "zstd";
  bool checkpoint = false;
  std::int64_t rows = 1'000'000;
  bench::window_rows table;
};

template <class T>
T value_of(result<T> outcome) {
  if (!outcome) throw std::runtime_error(outcome.error().message + " (" + outcome.error().where + ")");
  return std::move(*outcome);
}

void require(const result<void>& outcome) {
  if (!outcome) throw std::runtime_error(outcome.error().message + " (" + outcome.error().where + ")");
}

/// Blocks as a query gives them to its sinks.
template <class Make>
std::vector<block> blocks_of(std::int64_t count, Make make) {
  constexpr std::int64_t rows_per_block = 8192;
  std::vector<block> made;
  for (std::int64_t first = 0; first < count; first += rows_per_block) {
    block& next = made.emplace_back(schema_of<CustomerWindow>());
    next.resize(static_cast<std::size_t>(std::min(rows_per_block, count - first)));
    for (std::size_t row = 0; row < next.rows; ++row) {
      const bench::window_row of = make(first + static_cast<std::int64_t>(row));
      next.columns[0].set(row, of.customer_id);
      next.columns[1].set(row, of.window_start);
      next.columns[2].set(row, of.window_start + bench::window_length);
      next.columns[3].set(row, of.order_count);
      next.columns[4].set(row, of.order_cents);
      next.columns[5].set(row, of.latest_event_time);
    }
  }
  return made;
}

class delta_table {
 public:
  delta_table(const options& given, std::string mode) : path_(given.folder + "/table"), given_(given) {
    fs::remove_all(path_);
    fs::create_directories(given.folder);
    sink_ = value_of(make_delta_sink(
        {.connector = "delta", .options = {{"path", path_}, {"mode", mode}, {"compression", given.compression}}}));
    require(sink_->open(schema_of<CustomerWindow>(), output_mode::update, {"bench", "rows"}));
  }

  void publish(publication what) {
    what.batch = batch_++;
    publish_as(what);
  }
  void publish_as(const publication& what) {
    require(sink_->prepare(what));
    require(sink_->commit(what.batch));
  }

  /// Ten batches, so that a table to merge into consists of several files.
  void fill() {
    const std::int64_t size = given_.table.rows / 10;
    for (std::int64_t i = 0; i < 10; ++i)
      publish({0, output_mode::update,
               blocks_of(size, [&](std::int64_t row) { return table_row(given_.table, i * size + row); })});
  }

  std::string digest() const {
    const delta::folder_store store(path_);
    const delta::table_state table = value_of(delta::load_table(store));
    const delta::table_layout layout = value_of(delta::layout_of(*table.metadata, path_));
    std::vector<block> blocks;
    for (const auto& [name, file] : table.files)
      for (block& each : value_of(delta::read_file_rows(store, layout, file))) blocks.push_back(std::move(each));
    return bench::digest_of(blocks);
  }

 private:
  std::string path_;
  const options& given_;
  std::shared_ptr<sink> sink_;
  std::int64_t batch_ = 0;
};

bench::peer appending(const options& given) {
  auto input = std::make_shared<std::vector<publication>>();
  const std::int64_t size = given.rows / 10;
  bench::window_rows table{given.rows, given.rows / 10};
  for (std::int64_t i = 0; i < 10; ++i)
    input->push_back(
        {i, output_mode::append, blocks_of(size, [&](std::int64_t row) { return table_row(table, i * size + row); })});
  auto last = std::make_shared<std::unique_ptr<delta_table>>();
  return {"etlantic", given.rows, 0,
          [&given, input, last] {
            *last = std::make_unique<delta_table>(given, "append");
            return bench::seconds_of([&] {
              for (const publication& each : *input) (*last)->publish_as(each);
            });
          },
          [last] { return (*last)->digest(); }};
}

using row_of_batch = bench::window_row (*)(const bench::window_rows&, std::int64_t, std::int64_t, std::int64_t);

/// Merges of `batches` batches a turn.
bench::peer merging(const options& given, row_of_batch row, int batches) {
  auto table = std::make_shared<delta_table>(given, "merge");
  table->fill();
  auto next = std::make_shared<std::int64_t>(0);
  auto taken = std::make_shared<std::vector<double>>();
  const auto run = [&given, row, batches, table, next, taken] {
    double all = 0;
    for (int i = 0; i < batches; ++i, ++*next) {
      publication what{0, output_mode::update, blocks_of(given.rows, [&](std::int64_t place) {
                         return row(given.table, *next, given.rows, place);
                       })};
      taken->push_back(bench::seconds_of([&] { table->publish(std::move(what)); }));
      all += taken->back();
    }
    return all;
  };
  const auto tell = [table, taken] {
    std::sort(taken->begin(), taken->end());
    const auto at = [&](double part) {
      return std::to_string(1000 * (*taken)[static_cast<std::size_t>(part * static_cast<double>(taken->size() - 1))]);
    };
    std::string text = table->digest();
    text.pop_back();
    return text + ",\"median_ms\":" + at(0.5) + ",\"p99_ms\":" + at(0.99) + '}';
  };
  return {"etlantic", given.rows, 0, run, tell};
}

std::string live_file(std::int64_t number) {
  const std::string digits = std::to_string(number);
  return "part-00000-" + std::string(12 - digits.size(), '0') + digits + "-c000.zstd.parquet";
}

/// Each commit adds two files, and removes one that was there before, as merges do.
void make_log(const options& given) {
  const delta::folder_store store(given.log);
  require(store.make_folders());
  delta::table_state table;
  for (std::int64_t version = 0; version < given.rows; ++version) {
    delta::commit_content content;
    if (version == 0) {
      content.protocol = delta::table_protocol{};
      content.metadata = delta::table_metadata{};
      content.metadata->id = "00000000-0000-4000-8000-000000000000";
      content.metadata->schema = R"({"type":"struct","fields":[{"name":"customer_id","type":"long","nullable":false,)"
                                 R"("metadata":{}},{"name":"name","type":"string","nullable":true,"metadata":{}}]})";
    }
    content.transactions.push_back({"etlantic/0123456789abcdef/rows", version, 1'767'225'600'000 + version});
    for (std::int64_t i = 0; i < 2; ++i) {
      const std::int64_t first = (2 * version + i) * 1000;
      content.added.push_back({.path = live_file(2 * version + i),
                               .size = 1'000'000 + version,
                               .modified = 1'767'225'600'000 + version,
                               .statistics = R"({"numRecords":1000,"minValues":{"customer_id":)" +
                                             std::to_string(first) + R"(,"name":"customer-)" + std::to_string(first) +
                                             R"("},"maxValues":{"customer_id":)" + std::to_string(first + 999) +
                                             R"(,"name":"customer-)" + std::to_string(first + 999) +
                                             R"("},"nullCount":{"customer_id":0,"name":0}})"});
    }
    if (version > 0)
      content.removed.push_back({.path = live_file(version - 1),
                                 .removed_at = 1'767'225'600'000 + version,
                                 .size = 1'000'000 + (version - 1) / 2});
    const std::string text = delta::write_commit({"MERGE",
                                                  {},
                                                  version - 1,
                                                  false,
                                                  "00000000-0000-4000-8000-" + live_file(version).substr(11, 12),
                                                  1'767'225'600'000 + version},
                                                 content);
    require(store.create(delta::commit_name(version), text));
    table.apply(version, std::move(content));
    if (given.checkpoint && version == given.rows - given.rows % 100 - 100) {
      const auto checkpoint = value_of(delta::encode_checkpoint(table, 1'767'225'600'000));
      require(store.replace(delta::checkpoint_name(version), checkpoint.bytes));
      require(store.replace("_delta_log/_last_checkpoint", "{\"version\":" + std::to_string(version) + ",\"size\":" +
                                                               std::to_string(checkpoint.actions) + "}"));
    }
  }
}

bench::peer opening(const options& given) {
  auto files = std::make_shared<std::vector<std::string>>();
  return {"etlantic", given.rows, 0,
          [&given, files] {
            files->clear();
            return bench::seconds_of([&] {
              const delta::table_state table = value_of(delta::load_table(delta::folder_store(given.input)));
              for (const auto& [name, file] : table.files) files->push_back(given.input + '/' + file.path);
            });
          },
          [files] {
            std::int64_t sum = 0;
            for (const std::string& each : *files) {
              std::int64_t number = 0;
              const char* const digits = each.data() + each.rfind("part-") + 11;
              std::from_chars(digits, digits + 12, number);
              sum += number;
            }
            return "{\"files\":" + std::to_string(files->size()) + ",\"checksum\":" + std::to_string(sum) + '}';
          }};
}

options parse(int count, char** arguments) {
  options made;
  bench::command_line given(count, arguments);
  while (given.has_next()) {
    const std::string_view name = given.name();
    if (name == "--work")
      made.work = given.value();
    else if (name == "--folder")
      made.folder = given.value();
    else if (name == "--input")
      made.input = given.value();
    else if (name == "--make-log")
      made.log = given.value();
    else if (name == "--compression")
      made.compression = given.value();
    else if (name == "--checkpoint")
      made.checkpoint = true;
    else if (name == "--rows")
      made.rows = given.number();
    else if (name == "--threads")
      given.value();             // as many as there are cores
    else if (name == "--times")  // rows of the table, as a multiple of those of a batch
      made.table.rows = given.number();
    else if (name == "--hours")
      made.table.customers = given.number();
    else
      throw std::invalid_argument("there is no option " + std::string(name));
  }
  made.table.rows *= made.rows;
  made.table.customers = made.table.rows / made.table.customers;
  return made;
}

bench::peer peer_of(const options& given) {
  if (given.work == "append") return appending(given);
  if (given.work == "recent") return merging(given, bench::recent_row, 1);
  if (given.work == "scattered") return merging(given, bench::scattered_row, 1);
  if (given.work == "small") return merging(given, bench::recent_row, 100);
  if (given.work == "open") return opening(given);
  throw std::invalid_argument("there is no work `" + given.work + '`');
}

}  // namespace

int main(int count, char** arguments) {
  try {
    const options given = parse(count, arguments);
    if (!given.log.empty())
      make_log(given);
    else
      bench::serve(peer_of(given));
  } catch (const std::exception& problem) {
    std::printf("{\"error\":\"%s\"}\n", problem.what());
    return 1;
  }
}
