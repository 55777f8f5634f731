#include <etlantic/connect/delta/action_writer.hpp>
#include <etlantic/connect/delta/log_upkeep.hpp>
#include <etlantic/tool/commands.hpp>

#include "support.hpp"

using namespace etlantic;
using namespace etlantic::test;

namespace {

const field_description total_fields[] = {keyed(plain_field("k", logical_type::int64)),
                                          nullable(plain_field("v", logical_type::text)),
                                          plain_field("at", logical_type::timestamp)};
const schema totals{.id = "totals", .version = "1", .fields = total_fields};

struct answer {
  int code;
  std::string out;
  std::string error;
};

std::string text_of(std::FILE* file) {
  std::rewind(file);
  std::string text(1 << 16, '\0');
  text.resize(std::fread(text.data(), 1, text.size(), file));
  std::fclose(file);
  return text;
}

answer table(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), {"orders", "table"});
  std::vector<const char*> argv;
  for (const std::string& each : arguments) argv.push_back(each.c_str());
  console to;
  to.out = std::tmpfile();
  to.error = std::tmpfile();
  program what;
  what.id = "Orders";
  const exit_code code = run_tool(what, static_cast<int>(argv.size()), argv.data(), {to, {}, nullptr});
  return {static_cast<int>(code), text_of(to.out), text_of(to.error)};
}

void upsert(sink& to, std::int64_t batch, const std::vector<std::vector<cell>>& rows) {
  publish(to, batch_of(batch, output_mode::update, make_block(totals, rows)));
}

/// Versions 0 to 5 with a checkpoint of version 4, in two partitions.
struct sample_table : table_folder {
  sample_table() {
    auto to = opened(totals, output_mode::update, {"q", "rows"},
                     {{"partition_by", "v"}, {"checkpoint_interval", "4"}, {"compression", "none"}});
    for (std::int64_t batch = 0; batch < 5; ++batch)
      upsert(*to, batch, {{batch, "a", timestamp{batch * 1'500'000}}, {batch + 100, nullptr, timestamp{-1}}});
  }
};

bool holds(const std::string& text, const std::string& part) {
  INFO(text);
  return text.find(part) != std::string::npos;
}

void rewrite(const std::string& path, const std::string& from, const std::string& to) {
  std::string text = contents_of(path);
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  text.replace(at, from.size(), to);
  std::ofstream(path) << text;
}

}  // namespace

TEST_CASE("table show tells what a table is") {
  const sample_table at;
  const answer shown = table({"show", at.path() + "/"});
  CHECK(shown.code == 0);
  for (const char* line :
       {"  version       5\n", "  files         10 files, ", ", 10 rows\n", "  commits       0 to 5 are in the log\n",
        "  checkpoint    of version 4\n", "  protocol      readers 1, writers 2\n", "  partitioned   by v\n",
        "  columns       k long not null\n                v string\n                at timestamp not null\n",
        "                etlantic.primaryKey = k\n", "  publishers    etlantic/q/rows: batch 4\n"})
    CHECK(holds(shown.out, line));
  CHECK(holds(table({"show", "--at", "2", "file://" + at.path()}).out, "4 files"));
  const answer json = table({"show", at.path(), "--json"});
  for (const char* part :
       {"\"version\": 5,", "\"rows\": 10,", "\"checkpoint\": 4,", "\"name\": \"v\",", "\"etlantic/q/rows\": 4"})
    CHECK(holds(json.out, part));
}

TEST_CASE("table files and history go through files and versions") {
  const sample_table at;
  const answer files = table({"files", at.path()});
  CHECK(std::count(files.out.begin(), files.out.end(), '\n') == 10);
  CHECK(holds(files.out, "  1 row  v=null\n"));
  CHECK(holds(files.out, "  1 row  v=a\n"));
  CHECK(holds(table({"files", at.path(), "--json"}).out, "\"partition\":{\"v\":null}}\n"));
  const answer history = table({"history", at.path(), "--limit", "2"});
  CHECK(history.out.starts_with("5  20"));
  CHECK(holds(history.out, "  MERGE  +2 -0 files  etlantic/q/rows batch 4\n4  20"));
  CHECK(std::count(history.out.begin(), history.out.end(), '\n') == 2);
  const std::string all = table({"history", at.path(), "--json"}).out;
  CHECK(holds(all, "\"operation\":\"CREATE TABLE\",\"engine\":\"etlantic\""));
  CHECK(std::count(all.begin(), all.end(), '\n') == 6);
}

TEST_CASE("table optimize and vacuum change a table, and say what they did") {
  const sample_table at;
  const texts rows = at.rows();
  const answer optimized = table({"optimize", at.path()});
  CHECK(optimized.code == 0);
  CHECK(holds(optimized.out, "version 6 of table '" + at.path() + "' has 2 files ("));
  CHECK(holds(table({"optimize", at.path()}).out, "has no small files to write together\n"));
  CHECK(holds(table({"optimize", at.path(), "--json"}).out, "\"version\": null,"));
  CHECK(holds(table({"vacuum", at.path()}).out, "removed 0 files (0 bytes)"));
  const answer refused = table({"vacuum", at.path(), "--retention", "1h"});
  CHECK(refused.code == 3);
  CHECK(holds(refused.error, "say --force"));
  const answer told = table({"vacuum", at.path(), "--retention", "0s", "--force", "--dry-run"});
  CHECK(holds(told.out, "would remove 10 files ("));
  CHECK(at.data_files() == 12);
  CHECK(holds(table({"vacuum", at.path(), "--retention", "0s", "--force", "--json"}).out, "\"removed\": true,"));
  CHECK(at.data_files() == 2);
  CHECK(at.rows() == rows);
  CHECK(table({"verify", at.path()}).code == 0);
}

TEST_CASE("table verify finds a whole table whole, also one whose log has been cleaned") {
  const sample_table at;
  const answer whole = table({"verify", at.path()});
  CHECK(whole.code == 0);
  CHECK(whole.out == "table '" + at.path() + "' is whole: version 5, 6 commits, 1 checkpoint, 10 files, 10 rows\n");
  for (int version = 0; version < 4; ++version) std::filesystem::remove(at.log(version));
  const answer cleaned = table({"verify", at.path(), "--json"});
  CHECK(cleaned.code == 0);
  CHECK(holds(cleaned.out, "\"whole\": true,"));
  CHECK(holds(cleaned.out, "\"commits\": 1,"));
}

TEST_CASE("table verify finds each thing that is wrong with a table") {
  const auto found = [](auto spoil) {
    const sample_table at;
    spoil(at);
    const answer told = table({"verify", at.path()});
    CHECK(told.code == 5);
    CHECK(holds(told.out, "is damaged: "));
    return told.out;
  };
  const auto file_of = [](const sample_table& at) { return at.path() + '/' + at.state().files.begin()->first; };
  CHECK(holds(found([&](const sample_table& at) { std::filesystem::remove(file_of(at)); }),
              "PMSTREAM433: a data file is missing"));
  CHECK(holds(found([&](const sample_table& at) { std::ofstream(file_of(at), std::ios::app) << "x"; }),
              " bytes, and the log says "));
  CHECK(holds(found([](const sample_table& at) { std::filesystem::remove(at.log(2)); }), "version 2 is missing"));
  CHECK(holds(found([](const sample_table& at) { std::ofstream(at.log(3)) << "{"; }), "line 1 is not an action"));
  CHECK(holds(found([](const sample_table& at) {
                for (int version = 0; version <= 4; ++version) std::filesystem::remove(at.log(version));
              }),
              "the commit of version 4 is missing beside its checkpoint"));
  // A commit is changed behind the checkpoint's back: both a checkpoint and statistics that differ.
  const std::string rows =
      found([](const sample_table& at) { rewrite(at.log(1), R"(\"numRecords\":1)", R"(\"numRecords\":2)"); });
  CHECK(holds(rows, "the checkpoint and the commits differ in the file part-00000-"));
  CHECK(holds(rows, "it has 1 rows, and its statistics say 2"));
  CHECK(holds(found([](const sample_table& at) { rewrite(at.log(5), R"(\"k\":0)", R"(\"k\":1)"); }),
              "column `k` has 0 nulls, and the statistics say 1"));
  CHECK(holds(found([](const sample_table& at) {
                rewrite(at.log(5), R"(\"minValues\":{\"k\":4)", R"(\"minValues\":{\"k\":5)");
              }),
              "column `k` has a value below the least one of the statistics, 5"));
  CHECK(holds(found([](const sample_table& at) {
                rewrite(at.log(5), "1970-01-01T00:00:06.000Z\\\"},\\\"maxValues",
                        "1970-01-01T00:00:06.001Z\\\"},\\\"maxValues");
              }),
              "column `at` has a value below"));
  CHECK(holds(found([](const sample_table& at) { rewrite(at.log(4), R"("version":3)", R"("version":9)"); }),
              "differ in the publisher `etlantic/q/rows`, which has batch 9"));
}

TEST_CASE("table verify takes tables of others") {
  // The first two came without all of their data files.
  const std::map<std::string, std::string> damaged = {{"checkpoint", "a data file is missing"},
                                                      {"with_checkpoint_no_last_checkpoint", "a data file is missing"},
                                                      {"versions-not-contiguous", "version 1 is missing"}};
  std::size_t whole = 0;
  for (const auto& each : std::filesystem::directory_iterator(data_folder() / "delta")) {
    if (!each.is_directory()) continue;
    const std::string name = each.path().filename();
    const answer told = table({"verify", (each.path() / "table").string()});
    INFO(name << ": " << told.out << told.error);
    whole += told.code == 0;
    if (const auto known = damaged.find(name); known != damaged.end())
      CHECK(holds(told.out, known->second));
    else if (told.code != 0)  // what we cannot read, or a log that says too little
      CHECK((holds(told.error, "PMSTREAM446") || holds(told.error, "PMSTREAM444")));
  }
  CHECK(whole >= 50);
}

TEST_CASE("what table cannot do is told before anything is done") {
  const auto mistake = [](std::vector<std::string> arguments) {
    const answer told = table(std::move(arguments));
    CHECK(told.code == 2);
    return told.error;
  };
  CHECK(holds(mistake({}), "table needs to know what to do"));
  CHECK(holds(mistake({"shw", "t"}), "did you mean \"show\"?"));
  CHECK(holds(mistake({"show"}), "table show needs the folder of a table"));
  CHECK(holds(mistake({"show", "a", "b"}), "\"b\" is one argument too many"));
  CHECK(holds(mistake({"show", "s3://a/b"}), "a table cannot be \"s3://a/b\""));
  CHECK(holds(mistake({"show", "a", "--retention", "1d"}), "--retention is for vacuum"));
  CHECK(holds(mistake({"history", "a", "--limit", "0"}), "need a number from 1 on"));
  CHECK(holds(mistake({"verify", "a", "--dry-run"}), "--force and --dry-run are for vacuum"));
  CHECK(holds(mistake({"verify", "a", "--profile", "p"}), "\"table\" has no option --profile"));
  const table_folder nothing;
  for (const char* action : {"show", "files", "history", "verify", "optimize", "vacuum"}) {
    const answer told = table({action, nothing.path()});
    CHECK(told.code == 3);
    CHECK(holds(told.error, "there is no Delta table"));
  }
  CHECK(holds(table({"--help"}).out, "--retention TIME"));
}
