#include "support.hpp"

#include <etlantic/connect/delta/read_mark.hpp>
#include <etlantic/connect/delta/source.hpp>
#include <etlantic/runtime/read_positions.hpp>
#include <etlantic/runtime/source.hpp>

#include <random>

// What a checkpoint has to remember of a Delta table that is read.

using namespace etlantic;
using namespace etlantic::test;

namespace {

using delta::read_mark;
using delta::source_split;
using delta::split_kind;

const field_description event_fields[] = {plain_field("k", logical_type::int64)};
const schema events{.id = "events", .version = "1", .fields = event_fields};

struct number_collector : intake {
  std::vector<std::int64_t>& into;
  explicit number_collector(std::vector<std::int64_t>& to) : into(to) {}
  result<void> rows(const block& typed) override {
    for (std::size_t row = 0; row < typed.rows; ++row) into.push_back(typed.columns[0].value<std::int64_t>(row));
    return {};
  }
  result<void> lines(std::string_view, std::int64_t, std::string_view) override { return {}; }
};

struct event_table : table_folder {
  std::shared_ptr<sink> to = opened(events, output_mode::append);
  std::int64_t batch = 0;
  std::int64_t next = 0;

  void add(std::size_t count) {
    std::vector<std::vector<cell>> rows;
    for (std::size_t i = 0; i < count; ++i) rows.push_back({next++});
    publish(*to, batch_of(batch++, output_mode::append, make_block(events, rows)));
  }
  std::shared_ptr<source> reader() const {
    auto made = value_of(make_delta_source({.connector = "delta", .options = {{"path", path()}}}));
    succeed(made->open(events));
    return made;
  }
};

std::string name_of(split_kind kind, std::int64_t version, std::int64_t index) {
  return source_split{kind, version, index, "f" + std::to_string(index)}.name();
}

}  // namespace

TEST_CASE("delta: the names of splits are as checkpoints have them, and older ones are known") {
  CHECK(source_split{split_kind::table, 12, 0, "a b"}.name() == "table 12 0 a b");
  CHECK(source_split{split_kind::version, 12, 3, "x"}.name() == "version 12 3 x");
  CHECK(source_split{split_kind::changes, 1, 40, "x"}.name() == "changes 1 40 x");
  for (const auto& [name, kind, index] :
       {std::tuple{"table 12 7 1 2", split_kind::table, 7}, std::tuple{"version 12 7 1 2", split_kind::version, 7},
        std::tuple{"changes 12 7 1 2", split_kind::changes, 7}, std::tuple{"snapshot 12 1 2", split_kind::table, -1},
        std::tuple{"commit 12 1 2", split_kind::version, -1}}) {
    const auto split = source_split::parse(name);
    INFO(name);
    REQUIRE(split.has_value());
    CHECK(split->kind == kind);
    CHECK(split->version == 12);
    CHECK(split->index == index);
    CHECK(split->path == "1 2");
  }
  for (const char* other : {"", "table", "table 1", "table 1 2", "table -1 2 x", "table 1 x y", "tables 1 2 x",
                            "commit x y", "orders/1.ndjson"})
    CHECK_FALSE(source_split::parse(other).has_value());
}

TEST_CASE("delta: of what has been read the last file is needed, whatever was read again") {
  const auto range = [](split_kind kind, std::int64_t version, std::int64_t index, std::int64_t end) {
    return split_range{name_of(kind, version, index), 0, end};
  };
  using enum split_kind;
  const split_range a = range(table, 3, 0, 5), b = range(table, 3, 1, 2),
                    c = range(delta::split_kind::version, 4, 0, 9), d = range(delta::split_kind::version, 5, 2, 1);
  using ranges = std::vector<split_range>;
  CHECK(read_mark::needed({a, b}) == ranges{b});
  CHECK(read_mark::needed({a, b, c}) == ranges{c});
  CHECK(read_mark::needed({d, c, a}) == ranges{d});
  const split_range old_a{"snapshot 3 f0", 0, 5}, old_b{"snapshot 3 f1", 0, 1}, older{"snapshot 2 f0", 0, 1};
  CHECK(read_mark::needed({older, old_a, old_b}) == ranges{old_a, old_b});
  CHECK(read_mark::needed({old_a, old_b, b}) == ranges{old_a, old_b, b});
  CHECK(read_mark::needed({old_a, old_b, b, c}) == ranges{c});
  read_mark mark;
  CHECK_FALSE(mark.restore({old_a, old_b}).has_value());
  CHECK(mark.rows_read_of({table, 3, 0, "f0"}) == 5);
  CHECK(mark.rows_read_of({table, 3, 1, "f1"}) == 1);
  CHECK(mark.rows_read_of({table, 3, 2, "f2"}) == 0);
  CHECK_FALSE(mark.restore({old_a, old_b, b}).has_value());
  CHECK(mark.rows_read_of({table, 3, 0, "f0"}) == read_mark::all_rows);
  CHECK(mark.rows_read_of({table, 3, 1, "f1"}) == 2);
  CHECK(mark.rows_read_of({table, 3, 2, "f2"}) == 0);
  CHECK(mark.rows_read_of({delta::split_kind::version, 4, 0, "f0"}) == 0);
  CHECK(mark.restore({{"orders/1.ndjson", 0, 1}}) == "orders/1.ndjson");
}

TEST_CASE("delta: a checkpoint that knew every file of a table goes on behind them") {
  event_table at;
  at.add(3);
  at.add(2);
  at.add(4);
  std::vector<split_range> known;
  std::vector<std::int64_t> expected;
  const delta::table_state table = at.state();
  for (const auto& [key, file] : table.files) known.push_back({"snapshot 3 " + file.path, 0, known.empty() ? 1 : 0});
  known.pop_back();  // one file whole, one in part, one not at all
  known.front().end = value_of(at.reader()->plan({})).front().end;
  known.back().end = 1;
  std::vector<std::int64_t> first, rest;
  {
    const auto from = at.reader();
    succeed(from->restore(known));
    number_collector into(first);
    for (const split_range& each : known) succeed(from->read(each, into));
    CHECK(static_cast<std::int64_t>(first.size()) == known.front().end + 1);
    at.add(1);
    number_collector more(rest);
    for (const split_range& each : value_of(from->plan({}))) succeed(from->read(each, more));
  }
  rest.insert(rest.end(), first.begin(), first.end());
  std::sort(rest.begin(), rest.end());
  CHECK(rest == std::vector<std::int64_t>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
}

TEST_CASE("delta: a stream remembers one place however long it runs, and every row comes once over all restarts") {
  std::mt19937 random(3);
  for (int round = 0; round < 5; ++round) {
    event_table at;
    for (int i = 0; i < 5; ++i) at.add(1 + random() % 5);
    auto from = at.reader();
    read_positions read;
    std::vector<std::int64_t> found;
    number_collector into(found);
    for (int step = 0; step < 60; ++step) {
      if (random() % 4 == 0) at.add(1 + random() % 5);
      if (random() % 5 == 0) {
        from = at.reader();
        succeed(from->restore(read.ranges()));
      }
      const auto planned = value_of(from->plan({.max_rows = static_cast<std::int64_t>(1 + random() % 6),
                                                .max_files = static_cast<std::int64_t>(1 + random() % 3)}));
      for (const split_range& each : planned) succeed(from->read(each, into));
      read.add(planned);
      if (auto needed = from->needed_positions(read.ranges())) read.keep(std::move(*needed));
      CHECK(read.ranges().size() <= 1);
    }
    for (;;) {
      const auto planned = value_of(from->plan({}));
      if (planned.empty()) break;
      for (const split_range& each : planned) succeed(from->read(each, into));
    }
    std::sort(found.begin(), found.end());
    std::vector<std::int64_t> all;
    for (std::int64_t i = 0; i < at.next; ++i) all.push_back(i);
    CHECK(found == all);
  }
}
