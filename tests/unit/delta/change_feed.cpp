#include "support.hpp"

#include <etlantic/column/copy.hpp>
#include <etlantic/connect/delta/change_feed.hpp>
#include <etlantic/connect/delta/commit_times.hpp>
#include <etlantic/connect/delta/json_values.hpp>
#include <etlantic/connect/delta/source.hpp>
#include <etlantic/core/rfc3339.hpp>
#include <etlantic/runtime/source.hpp>

using namespace etlantic;
using namespace etlantic::test;

namespace {

result<texts> changes_in(const std::string& path, const schema& contract,
                         std::map<std::string, std::string> options = {}, std::int64_t at_once = no_limit) {
  options.insert({{"path", path}, {"read_change_feed", "true"}});
  auto from = make_delta_source({.connector = "delta", .options = options});
  if (!from) return from.error();
  if (auto done = (*from)->open(contract); !done) return done.error();
  row_collector into;
  std::vector<split_range> read;
  for (;;) {
    auto planned = (*from)->plan({.max_rows = at_once});
    if (!planned) return planned.error();
    if (planned->empty()) break;
    for (const split_range& each : *planned) {
      if (at_once != no_limit) {  // a restart before each: everything is found in the log again
        from = make_delta_source({.connector = "delta", .options = options});
        if (auto done = (*from)->open(contract); !done) return done.error();
        succeed((*from)->restore({each}));
      }
      if (auto done = (*from)->read(each, into); !done) return done.error();
    }
  }
  CHECK(into.wrong.empty());
  std::sort(into.found.begin(), into.found.end());
  return into.found;
}

/// A text as the expected changes have it.
std::string expected_text(const delta::json_token& value, const field_description& field) {
  if (value.kind == delta::json_kind::null) return "null";
  const std::string text = value.kind == delta::json_kind::string ? delta::text_of(value) : std::string(value.text);
  if (field.type == logical_type::date) return std::to_string(parse_date(text)->days);
  if (field.type == logical_type::timestamp) return std::to_string(parse_rfc3339(text)->microseconds);
  return text;
}

const field_description event_fields[] = {plain_field("k", logical_type::int64)};
const schema events{.id = "events", .version = "1", .fields = event_fields};
const field_description change_fields[] = {plain_field("k", logical_type::int64),
                                           plain_field("_change_type", logical_type::text),
                                           plain_field("_commit_version", logical_type::int64)};
const schema changes{.id = "changes", .version = "1", .fields = change_fields};

/// Versions: 0 the table without a feed, 1 rows 0 to 5, 2 the feed is on.
struct fed_table : table_folder {
  std::shared_ptr<sink> to = opened(events, output_mode::append);

  fed_table() {
    publish(*to, batch_of(0, output_mode::append, make_block(events, {{0}, {1}, {2}, {3}, {4}, {5}})));
    set_feed("true");
  }

  void set_feed(const std::string& value) const {
    const delta::table_metadata metadata = *state().metadata;
    put(R"({"metaData":{"id":")" + metadata.id + R"(","format":{"provider":"parquet","options":{}},"schemaString":")" +
        quoted(metadata.schema) + R"(","partitionColumns":[],"configuration":{"delta.enableChangeDataFeed":")" + value +
        R"("}}})");
  }
  void put(const std::string& actions) const { std::ofstream(log(version() + 1)) << actions << "\n"; }

  static std::string quoted(std::string text) {
    for (std::size_t at = 0; (at = text.find('"', at)) != std::string::npos; at += 2) text.insert(at, "\\");
    return text;
  }
  static std::string vector(const std::string& inline_text, int bytes, int rows) {
    return R"("deletionVector":{"storageType":"i","pathOrInlineDv":")" + inline_text + R"(","sizeInBytes":)" +
           std::to_string(bytes) + R"(,"cardinality":)" + std::to_string(rows) + "}";
  }
  std::string add(const std::string& more = "") const {
    const delta::add_file file = state().files.begin()->second;
    return R"({"add":{"path":")" + file.path +
           R"(","partitionValues":{},"size":1,"modificationTime":1,"dataChange":true)" + (more.empty() ? "" : ",") +
           more + "}}";
  }
  std::string remove(const std::string& more = "") const {
    const delta::add_file file = state().files.begin()->second;
    return R"({"remove":{"path":")" + file.path + R"(","deletionTimestamp":1,"dataChange":true)" +
           (more.empty() ? "" : ",") + more + "}}";
  }
};

/// Of rows 1 and 2, and of 2 and 4: a bitmap with one array of two.
std::string vector_of(std::uint16_t first, std::uint16_t second) {
  const std::uint8_t bytes[] = {0xd1,
                                0xd3,
                                0x39,
                                0x64,
                                1,
                                0,
                                0,
                                0,
                                0,
                                0,
                                0,
                                0,
                                0,
                                0,
                                0,
                                0,
                                0x3a,
                                0x30,
                                0,
                                0,
                                1,
                                0,
                                0,
                                0,
                                0,
                                0,
                                1,
                                0,
                                16,
                                0,
                                0,
                                0,
                                static_cast<std::uint8_t>(first),
                                0,
                                static_cast<std::uint8_t>(second),
                                0};
  constexpr std::string_view digits =
      "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-:+=^!/*?&<>()[]{}@%$#";
  std::string text;
  for (std::size_t i = 0; i < sizeof bytes; i += 4) {
    std::uint32_t word = 0;
    for (std::size_t k = 0; k < 4; ++k) word = word << 8 | bytes[i + k];
    std::string five(5, '0');
    for (std::size_t k = 5; k-- > 0; word /= 85) five[k] = digits[word % 85];
    text += five;
  }
  return text;
}

}  // namespace

TEST_CASE("delta: the changes of others' tables are those that are expected, with restarts and without") {
  for (const std::string name : {"cdf-table", "cdf-table-partitioned", "cdf-table-update-ops"}) {
    INFO(name);
    const std::filesystem::path folder = data_folder() / "delta" / name;
    const std::string path = (folder / "table").string();
    const delta::table_state table = value_of(delta::load_table(delta::folder_store(path)));
    const auto layout = delta::with_change_columns(value_of(delta::layout_of(*table.metadata, "")), false);
    schema contract = layout.whole->described;
    contract.fields = contract.fields.first(contract.fields.size() - 1);  // expected without the time
    texts expected;
    std::ifstream lines(folder / "expected-changes.ndjson");
    for (std::string line; std::getline(lines, line);) {
      const delta::json_document document(line);
      std::string text;
      for (const field_description& each : contract.fields)
        text += (text.empty() ? "" : "|") + expected_text(delta::member_of(*document.value(), each.name), each);
      expected.push_back(text);
    }
    std::sort(expected.begin(), expected.end());
    CHECK(expected.size() > 2);
    CHECK(value_of(changes_in(path, contract, {{"starting_version", "0"}})) == expected);
    CHECK(value_of(changes_in(path, contract, {{"starting_version", "0"}}, 3)) == expected);
  }
}

TEST_CASE("delta: without files of changes rows of files that come and go are changes, and those between two vectors") {
  const fed_table at;
  const std::string one_two = fed_table::vector(vector_of(1, 2), 36, 2),
                    two_four = fed_table::vector(vector_of(2, 4), 36, 2);
  at.put(at.remove() + "\n" + at.add(one_two));                       // 3
  at.put(at.remove(one_two) + "\n" + at.add(two_four));               // 4: 4 goes, 1 comes back
  at.put(R"({"commitInfo":{"timestamp":5,"operation":"NOTHING"}})");  // 5
  at.put(at.remove(two_four));                                        // 6: the rest
  CHECK(value_of(changes_in(at.path(), changes, {{"starting_version", "3"}})) ==
        texts{"0|delete|6", "1|delete|3", "1|delete|6", "1|insert|4", "2|delete|3", "3|delete|6", "4|delete|4",
              "5|delete|6"});
  CHECK(value_of(changes_in(at.path(), changes, {{"starting_version", "3"}}, 1)).size() == 8);
}

TEST_CASE("delta: a feed begins with the table as inserts, and has the time of each version") {
  const fed_table at;
  const field_description timed_fields[] = {plain_field("k", logical_type::int64),
                                            plain_field("_commit_timestamp", logical_type::timestamp)};
  const schema timed{.id = "timed", .version = "1", .fields = timed_fields};
  CHECK(value_of(changes_in(at.path(), changes)) ==
        texts{"0|insert|2", "1|insert|2", "2|insert|2", "3|insert|2", "4|insert|2", "5|insert|2"});
  const auto times = value_of(delta::commit_times(at.store(), at.state()));
  CHECK(value_of(changes_in(at.path(), timed)).front() == "0|" + std::to_string(times.back().milliseconds * 1000));
}

TEST_CASE("delta: a feed that was not on is refused by the version at which it was not") {
  const fed_table at;
  const auto why = [&](std::map<std::string, std::string> options) {
    const auto found = changes_in(at.path(), changes, std::move(options));
    return found.ok() ? "" : found.error().code + ' ' + found.error().message;
  };
  CHECK(why({{"starting_version", "1"}}) ==
        "PMSTREAM446 the table did not keep its changes at version 1 (delta.enableChangeDataFeed)");
  CHECK(why({{"version_as_of", "1"}}) ==
        "PMSTREAM446 the table did not keep its changes at version 1 (delta.enableChangeDataFeed)");
  at.set_feed("false");
  CHECK(why({{"starting_version", "2"}}) ==
        "PMSTREAM446 the table did not keep its changes at version 3 (delta.enableChangeDataFeed)");
  CHECK(why({{"skip_changes", "true"}}).starts_with("PMSTREAM430"));
  const auto feed = value_of(
      make_delta_source({.connector = "delta", .options = {{"path", at.path()}, {"read_change_feed", "true"}}}));
  succeed(feed->open(changes));
  CHECK(feed->restore({{"version 1 0 x", 0, 1}}).error().message ==
        "the checkpoint was begun without read_change_feed");
  const auto plain = value_of(make_delta_source({.connector = "delta", .options = {{"path", at.path()}}}));
  CHECK(plain->open(changes).error().message.find("`_change_type` is not in the table") != std::string::npos);
}
