#include "support.hpp"

#include <etlantic/connect/delta/source.hpp>
#include <etlantic/runtime/source.hpp>

using namespace etlantic;
using namespace etlantic::test;

namespace {

const field_description event_fields[] = {plain_field("k", logical_type::int64), plain_field("v", logical_type::int64)};
const schema events{.id = "events", .version = "1", .fields = event_fields};
const field_description total_fields[] = {keyed(plain_field("k", logical_type::int64)),
                                          plain_field("v", logical_type::int64)};
const schema totals{.id = "totals", .version = "1", .fields = total_fields};

/// Takes rows as texts, and remembers where they came from.
struct collector : intake {
  texts found;
  texts lines_found;
  std::vector<std::pair<std::string, std::int64_t>> places;

  result<void> rows(const block& typed) override {
    for (std::size_t row = 0; row < typed.rows; ++row) {
      found.push_back(row_text(typed, row));
      places.emplace_back(typed.split, typed.positions.at(row));
    }
    return {};
  }
  result<void> lines(std::string_view split, std::int64_t begin, std::string_view bytes) override {
    lines_found.push_back(std::to_string(begin) + ' ' + std::string(bytes));
    places.emplace_back(split, begin);
    return {};
  }
};

struct event_table : table_folder {
  std::shared_ptr<sink> to = opened(events, output_mode::append);
  std::int64_t batch = 0;

  void add(const std::vector<std::vector<cell>>& rows) {
    publish(*to, batch_of(batch++, output_mode::append, make_block(events, rows)));
  }

  result<std::shared_ptr<source>> made(std::map<std::string, std::string> options = {},
                                       const schema& contract = events) const {
    options.insert({"path", path()});
    auto source = make_delta_source({.connector = "delta", .options = std::move(options)});
    if (!source) return source;
    if (auto done = (*source)->open(contract); !done) return done.error();
    return source;
  }
  std::shared_ptr<source> reader(std::map<std::string, std::string> options = {}) const {
    return value_of(made(std::move(options)));
  }
};

texts read_all(source& from, const std::vector<split_range>& ranges) {
  collector into;
  for (const split_range& each : ranges) succeed(from.read(each, into));
  CHECK(into.lines_found.empty());
  std::sort(into.found.begin(), into.found.end());
  return into.found;
}
texts read_new(source& from, const intake_limits& limits = {}) { return read_all(from, value_of(from.plan(limits))); }

}  // namespace

TEST_CASE("delta source: first the table as it is, then what is added to it") {
  event_table at;
  at.add({{1, 1}, {2, 2}});
  at.add({{3, 3}});
  const auto from = at.reader();
  CHECK(read_new(*from) == texts{"1|1", "2|2", "3|3"});
  CHECK(read_new(*from).empty());
  at.add({{4, 4}});
  at.add({{5, 5}, {6, 6}});
  CHECK(read_new(*from) == texts{"4|4", "5|5", "6|6"});
  CHECK(read_new(*from).empty());
}

TEST_CASE("delta source: limits of rows hold exactly, and files are read on where they were left") {
  event_table at;
  at.add({{1, 0}, {2, 0}, {3, 0}, {4, 0}, {5, 0}});
  at.add({{6, 0}});
  const auto from = at.reader();
  texts all;
  for (const std::size_t expected : {std::size_t{2}, std::size_t{2}, std::size_t{2}, std::size_t{0}}) {
    const texts some = read_new(*from, {.max_rows = 2});
    CHECK(some.size() == expected);
    all.insert(all.end(), some.begin(), some.end());
  }
  std::sort(all.begin(), all.end());
  CHECK(all == texts{"1|0", "2|0", "3|0", "4|0", "5|0", "6|0"});
  const auto again = at.reader();
  CHECK(value_of(again->plan({.max_files = 1})).size() == 1);
  CHECK(read_new(*at.reader(), {.max_bytes = 1}).size() == 1);  // never nothing
}

TEST_CASE("delta source: after a restart the planned rows are the same, and none comes twice") {
  event_table at;
  at.add({{1, 0}, {2, 0}, {3, 0}});
  at.add({{4, 0}});
  std::vector<split_range> planned;
  {
    const auto from = at.reader();
    planned = value_of(from->plan({.max_rows = 2}));
  }
  at.add({{5, 0}});
  const auto from = at.reader();
  succeed(from->restore(planned));
  const texts first = read_all(*from, planned);
  CHECK(first.size() == 2);
  texts all = read_new(*from);
  CHECK(all.size() == 3);
  const auto rest = value_of(from->plan({}));
  CHECK(rest.empty());
  all.insert(all.end(), first.begin(), first.end());
  std::sort(all.begin(), all.end());
  CHECK(all == texts{"1|0", "2|0", "3|0", "4|0", "5|0"});
  CHECK(read_all(*from, planned) == first);  // a batch that failed is read again by the same source
  CHECK(read_all(*from, planned) == first);
  // A restart in the midst of what a later version has added, of which the older log is gone.
  at.add({{6, 0}, {7, 0}});
  const auto third = at.reader();
  const auto of_commit = [&] {
    const auto follower = at.reader({{"starting_version", "4"}});
    return value_of(follower->plan({.max_rows = 1}));
  }();
  succeed(third->restore(of_commit));
  CHECK(read_all(*third, of_commit) == texts{"6|0"});
  CHECK(read_new(*third) == texts{"7|0"});
}

TEST_CASE("delta source: a version that replaces or removes rows is a failure, or is passed over if told so") {
  table_folder at;
  auto to = at.opened(totals);
  publish(*to, batch_of(0, output_mode::update, make_block(totals, {{1, 1}})));
  const auto make = [&](std::map<std::string, std::string> options) {
    options.insert({"path", at.path()});
    auto made = value_of(make_delta_source({.connector = "delta", .options = options}));
    succeed(made->open(totals));
    CHECK(read_new(*made) == texts{"1|1"});
    return made;
  };
  const auto strict = make({}), lenient = make({{"skip_changes", "true"}});
  publish(*to, batch_of(1, output_mode::update, make_block(totals, {{1, 2}})));
  publish(*to, batch_of(2, output_mode::update, make_block(totals, {{2, 2}})));
  const auto refused = strict->plan({});
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.error().code == "PMSTREAM452");
  CHECK(refused.error().message.find("version 2") != std::string::npos);
  CHECK(read_new(*lenient) == texts{"2|2"});
}

TEST_CASE("delta source: versions that only move rows are passed over") {
  event_table at;
  at.add({{1, 0}});
  const auto from = at.reader();
  CHECK(read_new(*from).size() == 1);
  const auto file = at.state().files.begin()->second;
  std::filesystem::copy(at.path() + '/' + file.path, at.path() + "/compacted.parquet");
  std::ofstream(at.log(2))
      << R"({"remove":{"path":")" + file.path +
             R"(","dataChange":false}})"
             "\n"
             R"({"add":{"path":"compacted.parquet","partitionValues":{},"size":1,"modificationTime":1,"dataChange":false}})"
             "\n";
  CHECK(read_new(*from).empty());
  at.add({{2, 0}});
  CHECK(read_new(*from) == texts{"2|0"});
  CHECK(read_new(*at.reader()) == texts{"1|0", "2|0"});
}

TEST_CASE("delta source: the table as it was, or what was added from a version on") {
  event_table at;
  for (int i = 1; i <= 4; ++i) at.add({{i, 0}});
  CHECK(read_new(*at.reader({{"version_as_of", "2"}})) == texts{"1|0", "2|0"});
  CHECK(read_new(*at.reader({{"starting_version", "3"}})) == texts{"3|0", "4|0"});
  CHECK(read_new(*at.reader({{"starting_version", "0"}})) == texts{"1|0", "2|0", "3|0", "4|0"});
  CHECK(at.made({{"version_as_of", "9"}}).error().message.find("no version 9") != std::string::npos);
  for (const auto& options :
       std::vector<std::map<std::string, std::string>>{{{"version_as_of", "x"}},
                                                       {{"version_as_of", "-1"}},
                                                       {{"version_as_of", "1"}, {"starting_version", "1"}},
                                                       {{"skip_changes", "maybe"}}})
    CHECK(at.made(options).error().code == "PMSTREAM430");
}

TEST_CASE("delta source: what is frozen has an end") {
  event_table at;
  at.add({{1, 0}});
  const auto from = at.reader();
  succeed(from->freeze());
  at.add({{2, 0}});
  CHECK(read_new(*from) == texts{"1|0"});
  CHECK(read_new(*from).empty());
}

TEST_CASE("delta source: a table that the contract does not fit is refused with all differences") {
  event_table at;
  const auto why = [&](std::vector<field_description> fields) {
    const schema contract{.id = "c", .version = "1", .fields = fields};
    const auto made = at.made({}, contract);
    return made.ok() ? std::string() : made.error().code + ": " + made.error().message;
  };
  const field_description k = plain_field("k", logical_type::int64);
  CHECK(why({k}).empty());
  CHECK(why({k, nullable(plain_field("later", logical_type::text))}).empty());
  CHECK(why({plain_field("k", logical_type::int32)})
            .find("PMSTREAM431: the table does not fit the contract: column `k` is long in the table and int32") == 0);
  const std::string both = why({plain_field("k", logical_type::text), plain_field("later", logical_type::text)});
  CHECK(both.find("`k` is long") != std::string::npos);
  CHECK(both.find("`later` is not in the table") != std::string::npos);
  const table_folder nothing;
  const auto none = value_of(make_delta_source({.connector = "delta", .options = {{"path", nothing.path()}}}));
  CHECK(none->open(events).error().message == "there is no Delta table");
}

TEST_CASE(
    "delta source: rows that the contract cannot hold go on one by one, to be rejected, and all others as columns") {
  const field_description wide_fields[] = {plain_field("k", logical_type::int64),
                                           nullable(plain_field("colour", logical_type::text)),
                                           nullable(plain_field("v", logical_type::int64))};
  const schema wide{.id = "wide", .version = "1", .fields = wide_fields};
  const table_folder at;
  publish(*at.opened(wide, output_mode::append),
          batch_of(0, output_mode::append,
                   make_block(wide, {{1, "red", 1}, {2, "pink", 2}, {3, "green", nullptr}, {4, nullptr, 4}})));
  const std::string_view colours[] = {"red", "green"};
  const field_description strict_fields[] = {nullable(enum_field("colour", colours)),
                                             plain_field("v", logical_type::int64)};
  const schema strict{.id = "strict", .version = "1", .fields = strict_fields};
  const auto from = value_of(make_delta_source({.connector = "delta", .options = {{"path", at.path()}}}));
  succeed(from->open(strict));
  collector into;
  for (const split_range& each : value_of(from->plan({}))) succeed(from->read(each, into));
  CHECK(into.found == texts{"?|1", "null|4"});
  CHECK(into.lines_found == texts{R"(1 {"k":2,"colour":"pink","v":2})", R"(2 {"k":3,"colour":"green","v":null})"});
  std::vector<std::int64_t> positions;
  for (const auto& [split, position] : into.places) positions.push_back(position);
  CHECK(positions == std::vector<std::int64_t>{0, 1, 2, 3});
}

TEST_CASE("delta source: a reference is the whole table, and another version when it has changed") {
  event_table at;
  at.add({{1, 0}});
  const auto from = at.reader();
  const whole_content first = value_of(from->whole());
  CHECK(read_all(*from, first.ranges) == texts{"1|0"});
  CHECK(value_of(from->whole()).version == first.version);
  at.add({{2, 0}});
  const whole_content second = value_of(from->whole());
  CHECK(second.version != first.version);
  CHECK(read_all(*from, second.ranges) == texts{"1|0", "2|0"});
}
