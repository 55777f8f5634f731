#include "support.hpp"

#include <etlantic/connect/delta/action_writer.hpp>
#include <etlantic/connect/delta/conflict.hpp>
#include <etlantic/connect/delta/partition.hpp>
#include <etlantic/connect/delta/transaction.hpp>

#include <thread>

using namespace etlantic;
using namespace etlantic::test;

namespace {

const std::string protocol = R"({"protocol":{"minReaderVersion":1,"minWriterVersion":2}})"
                             "\n";
const std::string metadata =
    R"({"metaData":{"id":"t","format":{"provider":"parquet","options":{}},"schemaString":"{\"type\":\"struct\",\"fields\":[{\"name\":\"id\",\"type\":\"long\",\"nullable\":true,\"metadata\":{}}]}","partitionColumns":[],"configuration":{}}})"
    "\n";

std::string added(const std::string& path) {
  return R"({"add":{"path":")" + path +
         R"(","partitionValues":{},"size":1,"modificationTime":1,"dataChange":true}})"
         "\n";
}

/// A log of commits that tests write as texts.
struct written_log {
  table_folder at;

  written_log() { std::filesystem::create_directories(at.path() + "/_delta_log"); }
  void put(std::int64_t version, const std::string& text) const { std::ofstream(at.log(version)) << text; }
  void put_name(const std::string& name, const std::string& text) const {
    std::ofstream(at.path() + "/_delta_log/" + name) << text;
  }
  void put_good(std::int64_t last) const {
    for (std::int64_t version = 0; version <= last; ++version)
      put(version, (version == 0 ? protocol + metadata : "") + added("f" + std::to_string(version)));
  }
};

failure refused(const table_folder& at) {
  const auto loaded = delta::load_table(at.store());
  REQUIRE_FALSE(loaded.ok());
  return loaded.error();
}

delta::commit_content content_of(const std::string& lines) { return value_of(delta::read_commit(lines, "test")); }

}  // namespace

TEST_CASE(
    "DL-13: an empty commit and one that is cut are errors that name the version, and nothing is written over them") {
  for (const std::string& bad :
       {std::string(), std::string("\n"), added("f3").substr(0, 40), protocol + "{\"add\":{\"path\""}) {
    const written_log log;
    log.put_good(2);
    log.put(3, bad);
    const failure why = refused(log.at);
    CHECK(why.code == "PMSTREAM444");
    CHECK(why.where.find("00000000000000000003.json") != std::string::npos);
    const field_description fields[] = {nullable(plain_field("id", logical_type::int64))};
    const schema numbers{.id = "numbers", .version = "1", .fields = fields};
    CHECK(log.at.sink_for()->open(numbers, output_mode::append, {"q", "n"}).error().code == "PMSTREAM444");
    CHECK(contents_of(log.at.log(3)) == bad);
    CHECK_FALSE(std::filesystem::exists(log.at.log(4)));
  }
}

TEST_CASE("DL-16: a hole in the versions is an error that names the version") {
  const written_log log;
  log.put_good(2);
  std::filesystem::remove(log.at.log(1));
  const failure why = refused(log.at);
  CHECK(why.code == "PMSTREAM444");
  CHECK(why.message.find("version 1 is missing") != std::string::npos);
}

TEST_CASE("DL-16: unknown actions, unknown fields, files of others and a missing last line feed are passed over") {
  const written_log log;
  log.put(
      0,
      protocol + metadata +
          R"({"newAction":{"a":[1,{"b":1e999}]},"another":null})"
          "\n" +
          R"({"add":{"path":"a","later":{"x":[]},"partitionValues":{},"size":7,"modificationTime":1,"dataChange":true,"stats":null,"tags":{}}})");
  log.put(1, R"({"commitInfo":{"timestamp":"soon","operation":"UNKNOWN","txnId":5,"operationParameters":{"x":1}}})"
             "\n" +
                 added("b"));
  log.put_name("00000000000000000001.crc", "{}");
  log.put_name(".00000000000000000002.json.tmp", "{");
  log.put_name("00000000000000000000.00000000000000000001.compacted.json", "?");
  log.put_name("_last_checkpoint", "not JSON at all");
  const delta::table_state table = log.at.state();
  CHECK(table.version == 1);
  CHECK(table.files.size() == 2);
  CHECK(table.files.at("a").size == 7);
}

TEST_CASE("DL-16: versions and features that are unknown are refused by their names") {
  const auto why = [](const std::string& line) {
    const written_log log;
    log.put(0, line + metadata);
    const auto readable = delta::check_readable(log.at.state(), "here");
    return readable.ok() ? std::string() : readable.error().code + ' ' + readable.error().message;
  };
  CHECK(why(protocol).empty());
  CHECK(why(R"({"protocol":{"minReaderVersion":99,"minWriterVersion":2}})"
            "\n")
            .find("PMSTREAM446 the table asks for readers of version 99") == 0);
  CHECK(
      why(R"({"protocol":{"minReaderVersion":3,"minWriterVersion":7,"readerFeatures":["flyingCarpets"],"writerFeatures":["flyingCarpets"]}})"
          "\n")
          .find("the feature flyingCarpets") != std::string::npos);
}

TEST_CASE("delta: a table that asks its writers for more than we have is refused, one that only allows it is not") {
  const auto why = [](std::string features, const std::string& configuration, const std::string& field = "{}",
                      delta::write_intent intent = delta::write_intent::add_rows) {
    delta::table_state table;
    table.apply(
        0,
        content_of(
            R"({"protocol":{"minReaderVersion":1,"minWriterVersion":7,"writerFeatures":[)" + features + "]}}\n" +
            R"({"metaData":{"id":"t","schemaString":"{\"type\":\"struct\",\"fields\":[{\"name\":\"id\",\"metadata\":)" +
            field + R"(}]}","partitionColumns":[],"configuration":{)" + configuration + "}}}\n"));
    const auto writable = delta::check_writable(table, intent, "here");
    return writable.ok() ? std::string() : writable.error().message;
  };
  CHECK(why(R"("appendOnly","invariants","checkConstraints","changeDataFeed","generatedColumns")", "").empty());
  CHECK(why(R"("rowTracking")", "").find("rowTracking") != std::string::npos);
  CHECK(why("", R"("delta.enableChangeDataFeed":"true")").find("changeDataFeed") != std::string::npos);
  CHECK(why("", R"("delta.columnMapping.mode":"name")").find("columnMapping") != std::string::npos);
  CHECK(why("", R"("delta.constraints.positive":"id > 0")").find("checkConstraints (positive: id > 0)") !=
        std::string::npos);
  CHECK(why("", "", R"({\"delta.invariants\":\"x\"})").find("invariants") != std::string::npos);
  CHECK(why("", R"("delta.appendOnly":"true")").empty());
  CHECK(why("", R"("delta.appendOnly":"true")", "{}", delta::write_intent::change_rows).find("delta.appendOnly") !=
        std::string::npos);
  CHECK(why("", R"("delta.appendOnly":"true","delta.constraints.positive":"id > 0")", "{}",
            delta::write_intent::move_rows)
            .empty());
}

TEST_CASE("delta: a log without protocol or metaData is refused") {
  for (const std::string& line : {protocol, metadata}) {
    const written_log log;
    log.put(0, line);
    CHECK(delta::check_readable(log.at.state(), "here").error().code == "PMSTREAM444");
  }
}

TEST_CASE("delta: a file that is removed is gone, one that is added again is there, whatever the order in the commit") {
  const written_log log;
  const std::string gone = R"({"remove":{"path":"f0","deletionTimestamp":5,"dataChange":true,"stats":"{}"}})"
                           "\n";
  log.put_good(0);
  log.put(1, gone);
  CHECK(log.at.state().files.empty());
  CHECK(log.at.state().removed.at("f0").removed_at == 5);
  log.put(2, added("f0") + gone);
  CHECK(log.at.state().files.count("f0") == 1);
  CHECK(log.at.state().removed.empty());
  const auto older = value_of(delta::load_table(log.at.store(), 1));
  CHECK(older.version == 1);
  CHECK(older.files.empty());
  CHECK(delta::load_table(log.at.store(), 9).error().message.find("no version 9") != std::string::npos);
}

TEST_CASE("DL-15: a checkpoint with a part missing is passed over") {
  const written_log log;
  log.put_good(6);
  // The state up to 3, as a checkpoint; then that commits 0 to 2 are gone shows that it is read.
  const auto three = value_of(delta::load_table(log.at.store(), 3));
  const auto checkpoint = value_of(delta::encode_checkpoint(three, 0));
  log.put_name("00000000000000000003.checkpoint.parquet", checkpoint.bytes);
  log.put_name("00000000000000000005.checkpoint.0000000001.0000000002.parquet", "half of it");
  for (const std::int64_t version : {0, 1, 2}) std::filesystem::remove(log.at.log(version));
  const delta::table_state table = log.at.state();
  CHECK(table.version == 6);
  CHECK(table.files.size() == 7);
  log.put_name("00000000000000000005.checkpoint.0000000002.0000000002.parquet", "the other half");
  CHECK(refused(log.at).code == "PMSTREAM451");
}

TEST_CASE("delta: a checkpoint holds the whole state") {
  delta::table_state table;
  table.apply(
      4,
      content_of(
          protocol +
          R"({"metaData":{"id":"t","name":"orders","description":"all \u00e9","format":{"provider":"parquet","options":{}},"schemaString":"{}","partitionColumns":["a","b"],"configuration":{"delta.appendOnly":"false","k":""},"createdTime":12}})"
          "\n"
          R"({"txn":{"appId":"one","version":7,"lastUpdated":3}})"
          "\n"
          R"({"txn":{"appId":"two","version":9}})"
          "\n"
          R"({"add":{"path":"x%20y","partitionValues":{"a":"1","b":null},"size":10,"modificationTime":11,"dataChange":true,"stats":"{\"numRecords\":1}"}})"
          "\n"
          R"({"add":{"path":"dv","partitionValues":{},"size":1,"modificationTime":1,"dataChange":true,"deletionVector":{"storageType":"u","pathOrInlineDv":"ab","offset":4,"sizeInBytes":40,"cardinality":6}}})"
          "\n"
          R"({"remove":{"path":"young","deletionTimestamp":1000000000,"dataChange":true,"partitionValues":{"a":"2","b":"3"},"size":5}})"
          "\n"
          R"({"remove":{"path":"old","deletionTimestamp":1,"dataChange":true}})"
          "\n"));
  const auto checkpoint = value_of(delta::encode_checkpoint(table, 1'000'000'000));
  CHECK(checkpoint.actions == 7);  // protocol, metaData, two of txn and of add, and the remove that is not a week old
  delta::table_state again;
  again.apply(4, value_of(delta::decode_checkpoint(checkpoint.bytes, "test")));
  CHECK(again.protocol->writer == 2);
  CHECK(again.protocol->reader_features.empty());
  CHECK(again.metadata->id == "t");
  CHECK(again.metadata->name == "orders");
  CHECK(again.metadata->description == "all \u00e9");
  CHECK(again.metadata->partition_columns == texts{"a", "b"});
  CHECK(again.metadata->configuration == std::map<std::string, std::string>{{"delta.appendOnly", "false"}, {"k", ""}});
  CHECK(again.metadata->created == 12);
  CHECK(again.newest_of("one") == 7);
  CHECK(again.transactions.at("one").updated == 3);
  CHECK_FALSE(again.transactions.at("two").updated.has_value());
  REQUIRE(again.files.size() == 2);
  const delta::add_file& file = again.files.at("x%20y");
  CHECK(file.partition == delta::partition_values{{"a", "1"}, {"b", std::nullopt}});
  CHECK(file.size == 10);
  CHECK(file.modified == 11);
  CHECK_FALSE(file.changes_data);
  CHECK(file.statistics == R"({"numRecords":1})");
  CHECK(again.files.begin()->second.deleted == delta::deletion_vector{"u", "ab", 4, 40, 6});
  REQUIRE(again.removed.size() == 1);
  CHECK(again.removed.at("young").partition == delta::partition_values{{"a", "2"}, {"b", "3"}});
}

TEST_CASE("DL-12: which commits of others are in the way") {
  const auto winner = [](const std::string& line) { return content_of(line + "\n"); };
  const delta::commit_content append = winner(R"({"add":{"path":"new","dataChange":true}})");
  const delta::commit_content compaction = winner(R"({"remove":{"path":"a","dataChange":false}})"
                                                  "\n"
                                                  R"({"add":{"path":"ab","dataChange":false}})");
  const delta::commit_content other_compaction = winner(R"({"remove":{"path":"z","dataChange":false}})"
                                                        "\n"
                                                        R"({"add":{"path":"zz","dataChange":false}})");
  const delta::commit_content removal = winner(R"({"remove":{"path":"a","dataChange":true}})");
  const delta::commit_content new_protocol = winner(R"({"protocol":{"minReaderVersion":1,"minWriterVersion":2}})");
  const delta::commit_content new_metadata = winner(R"({"metaData":{"id":"t"}})");
  const delta::commit_content same_application = winner(R"({"txn":{"appId":"we","version":4}})");
  const delta::commit_content other_application = winner(R"({"txn":{"appId":"they","version":4}})");
  const delta::commit_content nothing = winner(R"({"commitInfo":{"operation":"X"}})");
  using delta::conflict;
  using delta::write_kind;
  struct row {
    const char* what;
    const delta::commit_content& winner;
    conflict append, merge, overwrite, compaction;
  };
  const row table[] = {
      {"append", append, conflict::none, conflict::added_rows, conflict::added_rows, conflict::none},
      {"compaction", compaction, conflict::none, conflict::removed_file, conflict::removed_file,
       conflict::removed_file},
      {"compaction of other files", other_compaction, conflict::none, conflict::none, conflict::none, conflict::none},
      {"removal", removal, conflict::none, conflict::removed_file, conflict::removed_file, conflict::removed_file},
      {"protocol", new_protocol, conflict::protocol, conflict::protocol, conflict::protocol, conflict::protocol},
      {"metadata", new_metadata, conflict::metadata, conflict::metadata, conflict::metadata, conflict::metadata},
      {"our transaction", same_application, conflict::transaction, conflict::transaction, conflict::transaction,
       conflict::transaction},
      {"another transaction", other_application, conflict::none, conflict::none, conflict::none, conflict::none},
      {"nothing", nothing, conflict::none, conflict::none, conflict::none, conflict::none},
  };
  for (const row& each : table) {
    INFO(each.what);
    const auto against = [&](write_kind kind) { return delta::conflict_with({kind, "we", {"a", "b"}}, each.winner); };
    CHECK(against(write_kind::blind_append) == each.append);
    CHECK(against(write_kind::merge) == each.merge);
    CHECK(against(write_kind::overwrite) == each.overwrite);
    CHECK(against(write_kind::compaction) == each.compaction);
  }
}

TEST_CASE("DL-11: two writers of one version: one wins, the other follows, and both are there") {
  const written_log log;
  log.put_good(0);
  constexpr int commits = 100;
  const auto write = [&](const std::string& name) {
    auto table = value_of(delta::load_table(log.at.store()));
    for (int i = 0; i < commits; ++i) {
      delta::commit_content content;
      content.added.push_back({name + std::to_string(i)});
      content.transactions.push_back({name, i, {}});
      const auto outcome =
          delta::commit(log.at.store(), table, {"WRITE", {}, table.version, true, name + std::to_string(i), 1}, content,
                        {delta::write_kind::blind_append, name, {}}, 1000);
      if (!outcome || outcome->in_the_way != delta::conflict::none) return false;
    }
    return true;
  };
  bool second_done = false;
  std::thread second([&] { second_done = write("b"); });
  const bool first_done = write("a");
  second.join();
  REQUIRE(first_done);
  REQUIRE(second_done);
  const delta::table_state table = log.at.state();
  CHECK(table.version == 2 * commits);
  CHECK(table.files.size() == 2 * commits + 1);
  CHECK(table.newest_of("a") == commits - 1);
  CHECK(table.newest_of("b") == commits - 1);
  for (const auto& each : std::filesystem::directory_iterator(log.at.path() + "/_delta_log"))
    CHECK(each.path().extension() == ".json");  // no temporary file is left
}

TEST_CASE("delta: a name that is taken is never replaced") {
  const written_log log;
  const auto store = log.at.store();
  CHECK(value_of(store.put_if_absent("_delta_log/x", "first")));
  CHECK_FALSE(value_of(store.put_if_absent("_delta_log/x", "second")));
  CHECK(value_of(store.read("_delta_log/x")) == "first");
}

TEST_CASE("delta: paths of a log are decoded exactly once") {
  CHECK(delta::decoded_path("region=north%20west%252F100%2525/part.parquet") ==
        "region=north west%2F100%25/part.parquet");
  CHECK(delta::decoded_path("100%") == "100%");
  CHECK(delta::decoded_path("%4") == "%4");
  CHECK(delta::encoded_path("a b%c/\xc3\xa9") == "a%20b%25c/%C3%A9");
  CHECK(delta::decoded_path(delta::encoded_path("value=you%2Fthere/x")) == "value=you%2Fthere/x");
}

TEST_CASE("delta: a commit reads back as it was written") {
  delta::commit_content content;
  content.added.push_back({"a%20b", {{"p", "x\"\\"}, {"q", std::nullopt}}, 3, 4, true, "{\"numRecords\":1}", {}});
  content.removed.push_back({"c", 9, false, {{"p", "1"}}, 8, {}});
  content.transactions.push_back({"app", 3, 12});
  const std::string text = delta::write_commit({"MERGE", {{"mode", "\"Append\""}}, 6, false, "id-1", 99}, content);
  CHECK(text.find(R"({"commitInfo":)") == 0);
  const auto again = content_of(text);
  CHECK(again.information->id == "id-1");
  CHECK(again.information->operation == "MERGE");
  CHECK(again.information->blind_append == false);
  CHECK(again.added.at(0).partition == content.added[0].partition);
  CHECK(again.added.at(0).statistics == content.added[0].statistics);
  CHECK(again.removed.at(0).removed_at == 9);
  CHECK_FALSE(again.removed.at(0).changes_data);
  CHECK(again.transactions.at(0).version == 3);
}
