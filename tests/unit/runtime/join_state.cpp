#include "support/catch.hpp"

#include <etlantic/column/rows.hpp>
#include <etlantic/runtime/join_settings.hpp>
#include <etlantic/runtime/join_state.hpp>

#include <string>
#include <vector>

using namespace etlantic;

namespace {

struct Row {
  std::int64_t number;
  text name;
};

class waiting_rows {
 public:
  std::uint32_t add(std::int64_t number, std::int64_t time, const std::string& key, std::uint64_t hash = 7) {
    block one(schema_of<Row>());
    append_row(one, Row{number, text("row number " + std::to_string(number))});
    const row_place place[] = {{&one, 0}};
    const std::int64_t times[] = {time};
    const std::uint32_t row = state.append(place, times);
    if (!key.empty()) state.link(row, key, hash);
    return row;
  }
  std::vector<std::int64_t> of(const std::string& key, std::uint64_t hash = 7) const {
    std::vector<std::int64_t> numbers;
    state.for_each_of(key, hash, [&](std::uint32_t row, std::int64_t) { numbers.push_back(number(row)); });
    return numbers;
  }
  std::int64_t number(std::uint32_t row) const {
    const row_place place = state.place_of(row);
    return row_at<Row>(*place.rows, place.row).number;
  }
  void remove_before(std::int64_t time) {
    std::vector<std::uint32_t> leaving;
    state.find_before(time, leaving);
    for (std::uint32_t row : leaving) state.remove(row);
    state.shrink();
  }

  join_state state{schema_of<Row>()};
};

using numbers = std::vector<std::int64_t>;

}  // namespace

TEST_CASE("rows of a key are found in the order in which they came, whatever their hash shares with others") {
  waiting_rows rows;
  rows.add(1, 10, "a");
  rows.add(2, 20, "b");
  rows.add(3, 30, "a");
  rows.add(4, 40, "");
  CHECK(rows.of("a") == numbers{1, 3});
  CHECK(rows.of("b") == numbers{2});
  CHECK(rows.of("c").empty());
  CHECK(rows.of("a", 8).empty());
  CHECK(rows.state.size() == 4);
}

TEST_CASE("removed rows are not found; the chain of their key goes on around them") {
  waiting_rows rows;
  std::vector<std::uint32_t> of;
  for (std::int64_t i = 0; i < 5; ++i) of.push_back(rows.add(i, i, "k"));
  rows.state.remove(of[2]);
  CHECK(rows.of("k") == numbers{0, 1, 3, 4});
  rows.state.remove(of[0]);
  rows.state.remove(of[4]);
  CHECK(rows.of("k") == numbers{1, 3});
  rows.add(9, 9, "k");
  CHECK(rows.of("k") == numbers{1, 3, 9});
  rows.state.remove(of[1]);
  rows.state.remove(of[3]);
  CHECK(rows.of("k") == numbers{9});
}

TEST_CASE("rows leave by their time, and memory follows") {
  waiting_rows rows;
  std::size_t greatest = 0;
  for (std::int64_t i = 0; i < 100'000; ++i) {
    rows.add(i, i, "key " + std::to_string(i % 1'000), static_cast<std::uint64_t>(i % 1'000) * 0x9E3779B97F4A7C15u);
    if (i % 500 != 0) continue;
    rows.remove_before(i - 2'000);
    greatest = std::max(greatest, rows.state.bytes());
    if (i == 20'000) greatest = 0;
    if (i > 20'000) REQUIRE(rows.state.size() == 2'001);
  }
  const std::size_t once = rows.state.bytes();
  CHECK(greatest < once * 4);
  CHECK(greatest < 3'000'000);
  CHECK(rows.of("key 999", 999 * 0x9E3779B97F4A7C15u) == numbers{97'999, 98'999, 99'999});
  rows.remove_before(200'000);
  CHECK(rows.state.size() == 0);
  rows.add(1, 1, "key 1", 3);
  CHECK(rows.of("key 1", 3) == numbers{1});
}

TEST_CASE("a snapshot of waiting rows holds those that are there, in order, and whether they matched") {
  waiting_rows rows;
  std::vector<std::uint32_t> of;
  for (std::int64_t i = 0; i < 9'000; ++i) of.push_back(rows.add(i, i, "k" + std::to_string(i % 10)));
  for (std::size_t i = 0; i < of.size(); i += 3) rows.state.remove(of[i]);
  for (std::size_t i = 1; i < of.size(); i += 3) rows.state.mark_matched(of[i]);
  state_writer saved;
  rows.state.save(saved);

  numbers seen;
  state_reader reader(saved.bytes());
  bool flags_agree = true;
  const bool read =
      join_state::read(schema_of<Row>(), reader, [&](const block& piece, const std::vector<std::uint8_t>& matched) {
        for (std::size_t i = 0; i < piece.rows; ++i) {
          seen.push_back(row_at<Row>(piece, i).number);
          flags_agree &= (matched[i] == 1) == (seen.back() % 3 == 1);
        }
        return true;
      });
  REQUIRE(read);
  CHECK(reader.at_end());
  CHECK(flags_agree);
  numbers expected;
  for (std::int64_t i = 0; i < 9'000; ++i)
    if (i % 3 != 0) expected.push_back(i);
  CHECK(seen == expected);

  for (std::size_t size :
       {std::size_t{0}, std::size_t{7}, std::size_t{8}, std::size_t{100}, saved.bytes().size() - 1}) {
    state_reader cut(saved.bytes().substr(0, size));
    CHECK_FALSE(join_state::read(schema_of<Row>(), cut, [](const block&, const auto&) { return true; }));
  }
}

TEST_CASE("how times match and when rows leave, at the ends of the range of times") {
  constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min(),
                         most = std::numeric_limits<std::int64_t>::max();
  join_time_rule rule{join_time::range, {-5, true}, {10, false}, {}};
  CHECK(rule.partners(join_side::of_left, 100).contains(95));
  CHECK_FALSE(rule.partners(join_side::of_left, 100).contains(94));
  CHECK(rule.partners(join_side::of_left, 100).contains(109));
  CHECK_FALSE(rule.partners(join_side::of_left, 100).contains(110));
  for (std::int64_t distance = -8; distance < 13; ++distance)
    CHECK(rule.partners(join_side::of_left, 100).contains(100 + distance) ==
          rule.partners(join_side::of_right, 100 + distance).contains(100));
  CHECK(rule.partners(join_side::of_left, most).contains(most));
  CHECK_FALSE(rule.partners(join_side::of_left, most).contains(least));
  rule.least.distance = 3;
  CHECK_FALSE(rule.partners(join_side::of_left, most).contains(most));
  CHECK(rule.leaves_before(join_side::of_left, 1'000'000) == 1'000'000 - 10 + 1);
  CHECK(rule.leaves_before(join_side::of_right, 1'000'000) == 1'000'000 + 3 - 1'000 + 1);
  CHECK((rule.leaves_before(join_side::of_right, most) > int128{most} - 1'000));
}

namespace {

struct Note {
  std::int64_t number;
  std::optional<text> words;
  std::vector<text> tags;
};

Note note(std::int64_t number) {
  const auto length = static_cast<std::size_t>(number * 7 % 90);
  return {number, number % 5 == 0 ? std::optional<text>() : text(std::string(length, 'x')),
          std::vector<text>(static_cast<std::size_t>(number % 3), text(std::string(length, 'y')))};
}

/// Puts notes in by pieces of 64, as a stage does.
join_state notes(std::int64_t count, std::size_t most_bytes) {
  join_state made(schema_of<Note>(), most_bytes);
  for (std::int64_t begin = 0; begin < count; begin += 64) {
    block some(schema_of<Note>());
    for (std::int64_t i = begin; i < std::min(count, begin + 64); ++i) append_row(some, note(i));
    std::vector<row_place> places;
    std::vector<std::int64_t> times;
    for (std::uint32_t row = 0; row < some.rows; ++row) {
      places.push_back({&some, row});
      times.push_back(begin + row);
    }
    made.append(places, times);
  }
  return made;
}

void check_notes(const join_state& of, std::int64_t first, std::int64_t last, std::size_t most_bytes) {
  REQUIRE(of.size() == static_cast<std::size_t>(last - first));
  for (std::int64_t i = first; i < last; ++i) {
    const row_place place = of.place_of(static_cast<std::uint32_t>(i - first));
    const Note found = row_at<Note>(*place.rows, place.row);
    REQUIRE(found.number == i);
    REQUIRE(found.words == note(i).words);
    REQUIRE(found.tags == note(i).tags);
    for (const column& each : place.rows->columns) REQUIRE(variable_bytes(each) < most_bytes + 400);
  }
}

}  // namespace

TEST_CASE("a piece of rows ends where its texts and lists are long enough, and rows are found all the same") {
  const std::size_t most_bytes = 1'000;
  join_state state = notes(3'000, most_bytes);
  check_notes(state, 0, 3'000, most_bytes);
  std::uint32_t number = 0;
  std::size_t pieces = 0;
  state_writer saved;
  state.save(saved);
  state_reader from(saved.bytes());
  REQUIRE(join_state::read(schema_of<Note>(), from, [&](const block& rows, const std::vector<std::uint8_t>&) {
    ++pieces;
    for (std::size_t row = 0; row < rows.rows; ++row) CHECK(row_at<Note>(rows, row).number == number++);
    return true;
  }));
  CHECK(number == 3'000);
  CHECK(pieces > 100);
  // Most rows leave, and the others are copied together.
  std::vector<std::uint32_t> leaving;
  for (int round = 0; round < 3; ++round) {
    join_state more = notes(9'000, most_bytes);
    more.find_before(8'000, leaving);
    for (std::uint32_t row : leaving) more.remove(row);
    more.shrink();
    check_notes(more, 8'000, 9'000, most_bytes);
  }
}
