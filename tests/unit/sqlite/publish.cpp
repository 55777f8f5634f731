#include "support.hpp"

#include <cstdint>

using namespace etlantic;
using namespace etlantic::test;

namespace {

const field_description window_fields[] = {keyed(plain_field("customer", logical_type::text), 1),
                                           keyed(plain_field("window_start", logical_type::timestamp), 0),
                                           plain_field("orders", logical_type::int64)};
const schema windows{.id = "windows", .version = "1", .fields = window_fields};
const field_description event_fields[] = {keyed(plain_field("order_id", logical_type::int64)),
                                          plain_field("what", logical_type::text)};
const field_description late_fields[] = {nested_field("event", logical_type::structure, event_fields),
                                         plain_field("watermark", logical_type::timestamp)};
const schema late_events{.id = "late", .version = "1", .fields = late_fields};

const std::string all_windows = "SELECT customer, orders FROM windows ORDER BY customer";

block window_rows(const std::vector<std::vector<cell>>& rows) { return make_block(windows, rows); }

}  // namespace

TEST_CASE("sqlite: update merges by the key, and the last of two rows of a key wins") {
  const temporary_database at;
  auto to = at.sink_for("windows");
  succeed(to->open(windows, output_mode::update, {"q", "n"}));
  publish(*to, batch_of(1, output_mode::update, window_rows({{"b", 0, 1}, {"a", 0, 1}})));
  publication second = batch_of(2, output_mode::update, window_rows({{"b", 0, 3}, {"c", 0, 9}}));
  second.blocks.push_back(window_rows({{"b", 0, 2}}));
  publish(*to, second);
  CHECK(at.rows(all_windows) == texts{"a|1", "b|2", "c|9"});
}

TEST_CASE("sqlite: keys of text that share their beginning are kept apart and in order") {
  const temporary_database at;
  auto to = at.sink_for("windows");
  succeed(to->open(windows, output_mode::update, {"q", "n"}));
  publish(*to, batch_of(1, output_mode::update,
                        window_rows({{"customer-2", 0, 1}, {"customer-10", 0, 1}, {"customer-2", 0, 7}, {"", 0, 5}})));
  CHECK(at.rows(all_windows) == texts{"|5", "customer-10|1", "customer-2|7"});
}

TEST_CASE("sqlite: append into a keyed table merges too, so that rows are never doubled") {
  const temporary_database at;
  auto to = at.sink_for("windows");
  succeed(to->open(windows, output_mode::append, {"q", "n"}));
  publish(*to, batch_of(1, output_mode::append, window_rows({{"a", 0, 1}})));
  publish(*to, batch_of(2, output_mode::append, window_rows({{"a", 0, 2}})));
  CHECK(at.rows(all_windows) == texts{"a|2"});
}

TEST_CASE("sqlite: late rows are added, although the event that they carry has a key") {
  const temporary_database at;
  auto to = at.sink_for("late");
  succeed(to->open(late_events, output_mode::append, {"q", "n"}));
  const cell event = std::vector<cell>{7, "same"};
  publish(*to, batch_of(1, output_mode::append, make_block(late_events, {{event, 5}, {event, 5}})));
  CHECK(at.rows("SELECT event_order_id, event_what, watermark FROM late") ==
        texts{"7|same|1970-01-01T00:00:00.000005Z", "7|same|1970-01-01T00:00:00.000005Z"});
}

TEST_CASE("OM-10: a complete result replaces, also when it shrinks") {
  const temporary_database at;
  auto to = at.sink_for("windows");
  succeed(to->open(windows, output_mode::complete, {"q", "n"}));
  publish(*to, batch_of(1, output_mode::complete, window_rows({{"a", 0, 1}, {"b", 0, 1}})));
  publish(*to, batch_of(2, output_mode::complete, window_rows({{"a", 0, 2}})));
  CHECK(at.rows(all_windows) == texts{"a|2"});
  publish(*to, publication{3, output_mode::complete, {}});
  CHECK(at.rows(all_windows).empty());
}

TEST_CASE("sqlite: two rows of one key in a complete result are refused, and the result before them stays") {
  const temporary_database at;
  auto to = at.sink_for("windows");
  succeed(to->open(windows, output_mode::complete, {"q", "n"}));
  publish(*to, batch_of(1, output_mode::complete, window_rows({{"a", 0, 1}})));
  const auto refused = to->prepare(batch_of(2, output_mode::complete, window_rows({{"b", 0, 1}, {"b", 0, 2}})));
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.error().kind == failure_class::sink_rejected);
  CHECK(at.rows(all_windows) == texts{"a|1"});
}

TEST_CASE("sqlite: mode append adds every row of a keyed contract to a table without a key") {
  const temporary_database at;
  auto to = at.sink_for("windows", {{"mode", "append"}});
  succeed(to->open(windows, output_mode::update, {"q", "n"}));
  publish(*to, batch_of(1, output_mode::update, window_rows({{"a", 0, 1}})));
  publish(*to, batch_of(2, output_mode::update, window_rows({{"a", 0, 2}})));
  CHECK(at.rows(all_windows) == texts{"a|1", "a|2"});
}

TEST_CASE("sqlite: a replay of a published batch changes nothing") {
  const temporary_database at;
  const publication batch = batch_of(4, output_mode::append, make_block(late_events, {{std::vector<cell>{1, "x"}, 5}}));
  auto to = at.sink_for("late");
  succeed(to->open(late_events, output_mode::append, {"q", "n"}));
  publish(*to, batch);
  publish(*to, batch);
  to.reset();
  to = at.sink_for("late");
  succeed(to->open(late_events, output_mode::append, {"q", "n"}));
  publish(*to, batch);
  publication older = batch;
  older.batch = 3;
  publish(*to, older);
  CHECK(at.rows("SELECT count(*) FROM late") == texts{"1"});
  CHECK(at.rows("SELECT * FROM etlantic_ledger") == texts{"q|n|4"});
}

TEST_CASE("sqlite: another query or node with the same batch id is not a replay") {
  const temporary_database at;
  const publication batch = batch_of(1, output_mode::append, make_block(late_events, {{std::vector<cell>{1, "x"}, 5}}));
  for (const publisher& who : {publisher{"q", "n"}, publisher{"q", "m"}, publisher{"r", "n"}}) {
    auto to = at.sink_for("late");
    succeed(to->open(late_events, output_mode::append, who));
    publish(*to, batch);
  }
  CHECK(at.rows("SELECT count(*) FROM late") == texts{"3"});
}

TEST_CASE("RC-01: a batch that was prepared and not committed leaves nothing, and its replay adds it once") {
  const temporary_database at;
  const publication batch = batch_of(1, output_mode::append, make_block(late_events, {{std::vector<cell>{1, "x"}, 5}}));
  {
    auto to = at.sink_for("late");
    succeed(to->open(late_events, output_mode::append, {"q", "n"}));
    succeed(to->prepare(batch));
  }
  CHECK(at.rows("SELECT count(*) FROM late") == texts{"0"});
  auto to = at.sink_for("late");
  succeed(to->open(late_events, output_mode::append, {"q", "n"}));
  publish(*to, batch);
  CHECK(at.rows("SELECT count(*) FROM late") == texts{"1"});
}

TEST_CASE("sqlite: a batch that is prepared again without an abort counts once") {
  const temporary_database at;
  const publication batch = batch_of(1, output_mode::append, make_block(late_events, {{std::vector<cell>{1, "x"}, 5}}));
  auto to = at.sink_for("late");
  succeed(to->open(late_events, output_mode::append, {"q", "n"}));
  succeed(to->prepare(batch));
  publish(*to, batch);
  CHECK(at.rows("SELECT count(*) FROM late") == texts{"1"});
}

TEST_CASE("sqlite: an aborted batch leaves nothing, and cannot be committed") {
  const temporary_database at;
  auto to = at.sink_for("windows");
  succeed(to->open(windows, output_mode::update, {"q", "n"}));
  succeed(to->prepare(batch_of(1, output_mode::update, window_rows({{"a", 0, 1}}))));
  to->abort();
  CHECK(at.rows(all_windows).empty());
  const auto refused = to->commit(1);
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.error().code == "PMSTREAM438");
}

TEST_CASE("sqlite: one file remains after the last sink is gone") {
  const temporary_database at;
  {
    auto to = at.sink_for("windows");
    succeed(to->open(windows, output_mode::update, {"q", "n"}));
    publish(*to, batch_of(1, output_mode::update, window_rows({{"a", 0, 1}})));
    CHECK(std::filesystem::exists(at.path() + "-wal"));
  }
  texts names;
  for (const auto& each : std::filesystem::directory_iterator(at.directory)) names.push_back(each.path().filename());
  CHECK(names == texts{"results.db"});
}

TEST_CASE("sqlite: batches of any size are written whole, whatever number of rows one statement takes") {
  const temporary_database at;
  auto to = at.sink_for("windows");
  succeed(to->open(windows, output_mode::update, {"q", "n"}));
  std::int64_t batch = 0;
  for (const int count : {1, 15, 16, 17, 31, 32, 33, 100}) {
    std::vector<std::vector<cell>> rows;
    for (int i = count; i-- > 0;) rows.push_back({std::to_string(i), i % 3, count});
    publish(*to, batch_of(++batch, output_mode::update, window_rows(rows)));
    CHECK(at.rows("SELECT count(*), sum(customer % 3 = substr(window_start, 26, 1) + 0), sum(orders) FROM windows") ==
          texts{std::to_string(count) + "|" + std::to_string(count) + "|" + std::to_string(count * count)});
  }
}

TEST_CASE("sqlite: of many rows of one key in one statement the last wins") {
  const temporary_database at;
  auto to = at.sink_for("windows");
  succeed(to->open(windows, output_mode::update, {"q", "n"}));
  std::vector<std::vector<cell>> rows;
  for (int i = 0; i < 40; ++i) rows.push_back({i % 2 == 0 ? "a" : "b", 0, i});
  publish(*to, batch_of(1, output_mode::update, window_rows(rows)));
  CHECK(at.rows(all_windows) == texts{"a|38", "b|39"});
}

TEST_CASE("sqlite: a time that repeats is written for each row, also behind a null") {
  const temporary_database at;
  const field_description fields[] = {plain_field("id", logical_type::int64),
                                      nullable(plain_field("seen", logical_type::timestamp))};
  const schema sightings{.id = "sightings", .version = "1", .fields = fields};
  auto to = at.sink_for("sightings");
  succeed(to->open(sightings, output_mode::append, {"q", "n"}));
  for (std::int64_t batch = 1; batch <= 2; ++batch) {
    std::vector<std::vector<cell>> rows;
    for (int i = 0; i < 64; ++i) rows.push_back({i, i / 16 % 2 == 0 ? cell(1) : cell(nullptr)});
    publish(*to, batch_of(batch, output_mode::append, make_block(sightings, rows)));
  }
  CHECK(at.rows("SELECT id / 16, seen, count(*) FROM sightings GROUP BY 1, 2 ORDER BY 1") ==
        texts{"0|1970-01-01T00:00:00.000001Z|32", "1|NULL|32", "2|1970-01-01T00:00:00.000001Z|32", "3|NULL|32"});
}
