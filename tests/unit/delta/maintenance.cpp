#include "support.hpp"

#include <etlantic/connect/delta/action_writer.hpp>
#include <etlantic/connect/delta/file_packing.hpp>
#include <etlantic/connect/delta/log_cleanup.hpp>
#include <etlantic/connect/delta/optimize.hpp>
#include <etlantic/connect/delta/statistics.hpp>
#include <etlantic/connect/delta/table_verification.hpp>
#include <etlantic/connect/delta/time_interval.hpp>
#include <etlantic/connect/delta/unique_id.hpp>
#include <etlantic/connect/delta/vacuum.hpp>
#include <etlantic/runtime/durable_file_fault.hpp>

#include <functional>
#include <set>

using namespace etlantic;
using namespace etlantic::test;

namespace {

const field_description total_fields[] = {keyed(plain_field("k", logical_type::int64)),
                                          plain_field("v", logical_type::int64)};
const schema totals{.id = "totals", .version = "1", .fields = total_fields};
const field_description parted_fields[] = {nullable(plain_field("p", logical_type::text)),
                                           plain_field("v", logical_type::int64)};
const schema parted{.id = "parted", .version = "1", .fields = parted_fields};

publication upsert(std::int64_t batch, const std::vector<std::vector<cell>>& rows) {
  return batch_of(batch, output_mode::update, make_block(totals, rows));
}

void make_older(const std::string& path, std::chrono::hours age) {
  std::filesystem::last_write_time(path, std::filesystem::file_time_type::clock::now() - age);
}

/// Does something in the moment before a commit is put into the log.
struct before_commit : file_fault_injector {
  std::function<void()> once;

  explicit before_commit(std::function<void()> given) : once(std::move(given)) { injected_file_faults = this; }
  ~before_commit() override { injected_file_faults = nullptr; }
  file_fault before(file_operation operation, const std::string& path) override {
    if (operation == file_operation::create && path.find("/_delta_log/.") != std::string::npos && once)
      std::exchange(once, nullptr)();
    return {};
  }
};

std::set<std::string> data_files_of(const table_folder& at) {
  std::set<std::string> found;
  for (const auto& each : std::filesystem::directory_iterator(at.path()))
    if (each.path().extension() == ".parquet") found.insert(each.path().filename());
  return found;
}

std::int64_t rows_of(const delta::add_file& file) { return delta::rows_in_statistics(file.statistics).value_or(-1); }

}  // namespace

TEST_CASE("delta: optimize writes small files of one partition together and changes no row") {
  const table_folder at;
  auto to = at.opened(parted, output_mode::append, {"q", "n"}, {{"partition_by", "p"}});
  for (std::int64_t batch = 0; batch < 6; ++batch)
    publish(*to,
            batch_of(batch, output_mode::append, make_block(parted, {{"a", batch}, {"b/%", batch}, {nullptr, batch}})));
  const texts rows = at.rows();
  const auto done = value_of(delta::optimize(at.store(), {}));
  CHECK(done.version == 7);
  CHECK(done.removed == 18);
  CHECK(done.added == 3);
  CHECK(at.rows() == rows);
  const delta::table_state table = at.state();
  CHECK(table.files.size() == 3);
  for (const auto& [key, file] : table.files) CHECK(rows_of(file) == 6);
  CHECK(table.newest_of("etlantic/q/n") == 5);  // the publisher's batch is not touched
  const std::string log = contents_of(at.log(7));
  CHECK(log.find(R"("operation":"OPTIMIZE")") != std::string::npos);
  CHECK(log.find(R"("dataChange":true)") == std::string::npos);
  CHECK(log.find(R"("numRemovedFiles":"18")") != std::string::npos);
  CHECK(value_of(delta::optimize(at.store(), {})).version == -1);  // nothing is left to do
  CHECK(at.version() == 7);
  publish(*to, batch_of(6, output_mode::append, make_block(parted, {{"a", 6}})));
  CHECK(at.rows().size() == 19);
}

TEST_CASE("delta: optimize changes no row of tables that others wrote, and verify finds them whole behind it") {
  std::size_t optimized = 0;
  for (const auto& each : std::filesystem::directory_iterator(data_folder() / "delta")) {
    const std::string name = each.path().filename();
    // The first two came without all of their data files.
    if (!each.is_directory() || name == "checkpoint" || name == "with_checkpoint_no_last_checkpoint") continue;
    const table_folder at;
    std::filesystem::copy(each.path() / "table", at.path(), std::filesystem::copy_options::recursive);
    INFO(name);
    const auto before = delta::load_table(at.store());
    if (!before || !delta::check_writable(*before, delta::write_intent::move_rows, name)) continue;
    const texts rows = at.rows();
    const auto done = value_of(delta::optimize(at.store(), {}));
    CHECK(at.rows() == rows);
    optimized += done.removed;
    const auto found = value_of(delta::verify_table(at.store()));
    for (const failure& wrong : found.findings) FAIL_CHECK(wrong.message);
    for (const auto& [key, file] : at.state().files) {
      const auto has_partition = [&](const auto& old) { return old.second.partition == file.partition; };
      CHECK(std::any_of(before->files.begin(), before->files.end(), has_partition));
    }
  }
  CHECK(optimized > 100);
}

TEST_CASE("delta: files are packed up to the size and the rows that are wanted") {
  delta::table_state table;
  const auto add = [&](const std::string& name, std::int64_t size, std::int64_t rows, const std::string& partition) {
    delta::add_file file{name};
    file.size = size;
    file.partition["p"] = partition;
    file.statistics = "{\"numRecords\":" + std::to_string(rows) + "}";
    table.files[name] = file;
  };
  const auto packed = [&](std::int64_t bytes, std::int64_t rows) {
    std::set<std::set<std::string>> groups;
    for (const auto& group : delta::packed_files(table, bytes, rows)) {
      std::set<std::string> names;
      for (const delta::add_file& each : group) names.insert(each.path);
      groups.insert(names);
    }
    return groups;
  };
  using names = std::set<std::set<std::string>>;
  add("a", 60, 1, "x");
  add("b", 50, 1, "x");
  add("c", 40, 1, "x");
  add("d", 50, 1, "x");
  add("whole", 100, 1, "x");
  add("alone", 10, 1, "y");
  CHECK(packed(100, 1000) == names{{"a", "c"}, {"b", "d"}});
  CHECK(packed(100, 1) == names{});
  CHECK(packed(1000, 1000) == names{{"a", "b", "c", "d", "whole"}});
  CHECK(packed(10, 1000) == names{});
  add("e", 40, 999, "x");
  CHECK(packed(200, 1000).size() == 2);
}

TEST_CASE("delta: an append does not stop optimize, and what a merge takes away meanwhile is left alone") {
  const table_folder at;
  auto to = at.opened(parted, output_mode::append, {"q", "n"}, {{"partition_by", "p"}});
  for (std::int64_t batch = 0; batch < 3; ++batch)
    publish(*to, batch_of(batch, output_mode::append, make_block(parted, {{"a", batch}, {"b", batch}})));
  {
    const before_commit append([&] { publish(*to, batch_of(3, output_mode::append, make_block(parted, {{"a", 3}}))); });
    const auto done = value_of(delta::optimize(at.store(), {}));
    CHECK(done.removed == 6);
    CHECK(done.version == 5);
  }
  CHECK(at.rows() == texts{"a|0", "a|1", "a|2", "a|3", "b|0", "b|1", "b|2"});

  const table_folder merged;
  const std::map<std::string, std::string> by_k = {{"rows_per_file", "2"}, {"partition_by", "v"}};
  auto merging = merged.opened(totals, output_mode::update, {"q", "n"}, by_k);
  publish(*merging, upsert(0, {{1, 1}, {11, 2}}));
  publish(*merging, upsert(1, {{2, 1}, {12, 2}}));
  {
    const before_commit merge([&] { publish(*merging, upsert(2, {{12, 3}})); });  // rewrites one file of partition 2
    const auto done = value_of(delta::optimize(merged.store(), {}));
    CHECK(done.removed == 2);
    CHECK(done.added == 1);
    CHECK(done.left_alone == 2);
  }
  CHECK(merged.rows() == texts{"11|2", "12|3", "1|1", "2|1"});
  const delta::table_state table = merged.state();
  CHECK(merged.data_files() == table.files.size() + table.removed.size());  // nothing that no commit names
}

TEST_CASE("delta: a merge that optimize overtakes is done again and loses nothing") {
  const table_folder at;
  auto to = at.opened(totals);
  publish(*to, upsert(0, {{1, 1}}));
  publish(*to, upsert(1, {{2, 1}}));
  succeed(to->prepare(upsert(2, {{1, 7}})));
  CHECK(value_of(delta::optimize(at.store(), {})).removed == 2);
  succeed(to->commit(2));
  CHECK(at.rows() == texts{"1|7", "2|1"});
}

TEST_CASE("delta: optimize ends when another writer changes the schema, and leaves nothing behind") {
  const table_folder at;
  auto to = at.opened(totals);
  publish(*to, upsert(0, {{1, 1}}));
  publish(*to, upsert(1, {{2, 1}}));
  const std::size_t files = at.data_files();
  const before_commit change([&] {
    delta::commit_content content;
    content.metadata = at.state().metadata;
    (void)at.store().put_if_absent(delta::commit_name(3),
                                   delta::write_commit({"SET TBLPROPERTIES", {}, 2, false, "x", 1}, content));
  });
  const auto done = delta::optimize(at.store(), {});
  REQUIRE_FALSE(done.ok());
  CHECK(done.error().code == "PMSTREAM447");
  CHECK(at.data_files() == files);
}

TEST_CASE("delta: whatever operation on a file fails, optimize changes no row and the table can be read") {
  for (int at = 1; at < 30; ++at) {
    const table_folder folder;
    auto to = folder.opened(totals, output_mode::update, {"q", "n"}, {{"rows_per_file", "1"}});
    publish(*to, upsert(0, {{1, 1}, {2, 2}, {3, 3}}));
    {
      struct failing : file_fault_injector {
        int left;
        explicit failing(int given) : left(given) { injected_file_faults = this; }
        ~failing() override { injected_file_faults = nullptr; }
        file_fault before(file_operation, const std::string&) override {
          return --left == 0 ? file_fault{EIO, false} : file_fault{};
        }
      } fault(at);
      (void)delta::optimize(folder.store(), {});
    }
    INFO("operation " << at);
    CHECK(folder.rows() == texts{"1|1", "2|2", "3|3"});
    publish(*to, upsert(1, {{2, 5}}));
    CHECK(folder.rows() == texts{"1|1", "2|5", "3|3"});
  }
}

TEST_CASE("delta: vacuum removes what no version within the retention has, and nothing else") {
  const table_folder at;
  auto to = at.opened(totals);
  publish(*to, upsert(0, {{1, 1}}));
  publish(*to, upsert(1, {{1, 2}}));
  const std::string orphan = at.path() + "/part-00000-orphan.parquet", young = at.path() + "/region=a/young.parquet";
  std::filesystem::create_directories(at.path() + "/region=a");
  std::filesystem::create_directories(at.path() + "/_elsewhere");
  std::filesystem::create_directories(at.path() + "/.hidden");
  for (const std::string& each :
       {orphan, young, at.path() + "/_elsewhere/a.parquet", at.path() + "/.hidden/a.parquet", at.path() + "/notes.txt",
        at.path() + "/_delta_log/.00000000000000000009.json.1.2.tmp"})
    std::ofstream(each) << "x";
  for (const std::string& each :
       {orphan, at.path() + "/_elsewhere/a.parquet", at.path() + "/.hidden/a.parquet", at.path() + "/notes.txt",
        at.path() + "/_delta_log/.00000000000000000009.json.1.2.tmp"})
    make_older(each, std::chrono::hours(24 * 8));
  for (const std::string& each : data_files_of(at)) make_older(at.path() + '/' + each, std::chrono::hours(24 * 8));

  const auto told = value_of(delta::vacuum(at.store(), {.only_tell = true}));
  CHECK(told.retention == delta::week);
  REQUIRE(told.files.size() == 2);
  CHECK(told.files[0].name == "part-00000-orphan.parquet");
  CHECK(told.bytes == 2);
  CHECK(std::filesystem::exists(orphan));

  CHECK(value_of(delta::vacuum(at.store(), {})).files.size() == 2);
  CHECK_FALSE(std::filesystem::exists(orphan));
  CHECK_FALSE(std::filesystem::exists(at.path() + "/_delta_log/.00000000000000000009.json.1.2.tmp"));
  for (const char* each : {"/region=a/young.parquet", "/_elsewhere/a.parquet", "/.hidden/a.parquet", "/notes.txt"})
    CHECK(std::filesystem::exists(at.path() + each));
  CHECK(at.data_files() == 2);  // the one of version 1 was replaced a moment ago
  CHECK(value_of(delta::load_table(at.store(), 1)).files.size() == 1);
  CHECK(at.rows() == texts{"1|2"});
}

TEST_CASE("delta: a retention below a week has to be asked for twice, unless the table says it") {
  const table_folder at;
  auto to = at.opened(totals);
  publish(*to, upsert(0, {{1, 1}}));
  publish(*to, upsert(1, {{1, 2}}));
  const auto refused = delta::vacuum(at.store(), {.retention = delta::day});
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.error().code == "PMSTREAM430");
  CHECK(refused.error().message.find("shorter than 7 days") != std::string::npos);
  CHECK(at.data_files() == 2);
  CHECK(value_of(delta::vacuum(at.store(), {.retention = 0, .shorter_is_fine = true})).files.size() == 1);
  CHECK(at.data_files() == 1);
  CHECK(at.rows() == texts{"1|2"});
  CHECK(std::filesystem::exists(at.log(0)));

  delta::commit_content content;
  content.metadata = at.state().metadata;
  content.metadata->configuration["delta.deletedFileRetentionDuration"] = "interval 1 hour";
  REQUIRE(value_of(
      at.store().put_if_absent(delta::commit_name(3), delta::write_commit({"X", {}, 2, false, "x", 1}, content))));
  CHECK(value_of(delta::vacuum(at.store(), {})).retention == 3600 * delta::second);
  CHECK_FALSE(delta::vacuum(at.store(), {.retention = 60 * delta::second}).ok());
  CHECK(value_of(delta::vacuum(at.store(), {.retention = delta::day})).files.empty());
}

TEST_CASE("delta: vacuum of a path without a table is refused and removes nothing") {
  const temporary_directory folder;
  std::ofstream(folder / "a.parquet") << "x";
  const auto done = delta::vacuum(delta::folder_store(folder.path()), {.retention = 0, .shorter_is_fine = true});
  REQUIRE_FALSE(done.ok());
  CHECK(done.error().message == "there is no Delta table");
  CHECK(std::filesystem::exists(folder / "a.parquet"));
}

TEST_CASE("delta: vacuum without retention removes what a killed writer left") {
  const table_folder at;
  auto to = at.opened(totals);
  publish(*to, upsert(0, {{1, 1}}));
  std::filesystem::path left;
  {
    auto killed = at.opened(totals, output_mode::update, {"b", "n"});
    succeed(killed->prepare(upsert(0, {{2, 2}})));
    const std::set<std::string> live = data_files_of(at);
    REQUIRE(live.size() == 2);
    for (const std::string& each : live)
      if (!at.state().files.contains(each)) left = at.path() + '/' + each;
    std::filesystem::copy(left, left.string() + ".kept");  // a kill does not clean up behind itself
  }
  std::filesystem::rename(left.string() + ".kept", left);
  CHECK(at.data_files() == 2);
  const auto done = value_of(delta::vacuum(at.store(), {.retention = 0, .shorter_is_fine = true}));
  REQUIRE(done.files.size() == 1);
  CHECK(done.files[0].name == left.filename());
  CHECK(at.data_files() == 1);
  CHECK(at.rows() == texts{"1|1"});
}

TEST_CASE("delta: files that a log names by their whole path stay") {
  const table_folder at;
  auto to = at.opened(totals);
  publish(*to, upsert(0, {{1, 1}}));
  const std::string name = *data_files_of(at).begin();
  delta::commit_content content;
  content.added.push_back(at.state().files.begin()->second);
  content.removed.push_back({name, 1});
  content.added[0].path = "file://" + std::filesystem::canonical(at.path()).string() + '/' + name;
  REQUIRE(value_of(
      at.store().put_if_absent(delta::commit_name(2), delta::write_commit({"X", {}, 1, false, "x", 1}, content))));
  CHECK(value_of(delta::vacuum(at.store(), {.retention = 0, .shorter_is_fine = true})).files.empty());
}

TEST_CASE("delta: commits before the newest checkpoint that is older than the retention are removed") {
  const table_folder at;
  {
    auto to = at.opened(totals, output_mode::update, {"q", "n"}, {{"checkpoint_interval", "4"}});
    for (std::int64_t batch = 0; batch < 11; ++batch) publish(*to, upsert(batch, {{batch, batch}}));
  }
  // Versions 0 to 11 with checkpoints 4 and 8; those up to 9 are older than a month.
  for (int version = 0; version <= 9; ++version) make_older(at.log(version), std::chrono::hours(24 * 31));
  const texts rows = at.rows();
  const delta::table_metadata table = *at.state().metadata;
  CHECK(value_of(delta::clean_log(at.store(), table, delta::milliseconds_now())) == 9);  // 0 to 7 and checkpoint 4
  for (int version = 0; version < 8; ++version) CHECK_FALSE(std::filesystem::exists(at.log(version)));
  CHECK_FALSE(std::filesystem::exists(at.path() + "/" + delta::checkpoint_name(4)));
  CHECK(std::filesystem::exists(at.path() + "/" + delta::checkpoint_name(8)));
  for (int version = 8; version <= 11; ++version) {
    CHECK(std::filesystem::exists(at.log(version)));
    CHECK(value_of(delta::load_table(at.store(), version)).version == version);  // each of them can be had
  }
  CHECK(at.rows() == rows);
  CHECK(value_of(at.sink_for()->published({"q", "n"})) == 10);
}

TEST_CASE("delta: a log without a checkpoint behind its expired commits is left alone, and so is one that says so") {
  const auto left = [](const std::string& property, const std::string& value, int expired) {
    const table_folder at;
    {
      auto to = at.opened(totals, output_mode::update, {"q", "n"}, {{"checkpoint_interval", "4"}});
      for (std::int64_t batch = 0; batch < 6; ++batch) publish(*to, upsert(batch, {{batch, batch}}));
    }
    for (int version = 0; version <= expired; ++version) make_older(at.log(version), std::chrono::hours(24 * 31));
    delta::table_metadata table = *at.state().metadata;
    if (!property.empty()) table.configuration[property] = value;
    return value_of(delta::clean_log(at.store(), table, delta::milliseconds_now()));
  };
  CHECK(left("", "", 3) == 0);
  CHECK(left("", "", 4) == 4);
  CHECK(left("", "", 6) == 4);
  CHECK(left("delta.enableExpiredLogCleanup", "false", 6) == 0);
  CHECK(left("delta.logRetentionDuration", "interval 32 days", 6) == 0);
  CHECK(left("delta.logRetentionDuration", "interval 2 weeks", 6) == 4);
  CHECK(left("delta.logRetentionDuration", "interval 1 month", 6) == 0);  // no length that we know
}

TEST_CASE("delta: the log is cleaned when a checkpoint has been written") {
  const table_folder at;
  auto to = at.opened(totals, output_mode::update, {"q", "n"}, {{"checkpoint_interval", "3"}});
  for (std::int64_t batch = 0; batch < 5; ++batch) publish(*to, upsert(batch, {{batch, batch}}));
  for (int version = 0; version <= 5; ++version) make_older(at.log(version), std::chrono::hours(24 * 31));
  publish(*to, upsert(5, {{5, 5}}));  // version 6: the second checkpoint
  CHECK_FALSE(std::filesystem::exists(at.log(2)));
  CHECK(std::filesystem::exists(at.log(3)));
  for (std::int64_t batch = 6; batch < 12; ++batch) publish(*to, upsert(batch, {{batch, batch}}));
  CHECK(at.rows().size() == 12);
}

TEST_CASE("delta: times that properties say") {
  CHECK(delta::parse_interval("interval 30 days") == 30 * delta::day);
  CHECK(delta::parse_interval("INTERVAL 1 week 12 Hours") == delta::week + 12 * 3600 * delta::second);
  CHECK(delta::parse_interval("90 minutes") == 5400 * delta::second);
  CHECK(delta::parse_interval("interval 0 seconds") == 0);
  for (const char* each : {"", "interval", "30", "days", "interval -1 days", "interval 1 month", "interval 1.5 days",
                           "interval 9999999999999999 weeks"})
    CHECK_FALSE(delta::parse_interval(each));
}
