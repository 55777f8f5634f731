#include "support/catch.hpp"

#include <etlantic/column/block_io.hpp>
#include <etlantic/column/gather.hpp>
#include <etlantic/column/rows.hpp>

#include <cstring>
#include <optional>
#include <random>
#include <string>
#include <vector>

using namespace etlantic;

namespace {

enum class color { red, green, blue };
struct Point {
  std::int32_t x;
  std::optional<text> label;
  friend bool operator==(const Point&, const Point&) = default;
};
struct Everything {
  bool flag;
  std::optional<bool> maybe_flag;
  std::int8_t tiny;
  std::uint16_t small;
  std::optional<std::int32_t> number;
  double real;
  decimal<30, 2> money;
  text name;
  std::optional<text> note;
  color hue;
  timestamp time;
  Point point;
  std::optional<Point> maybe_point;
  std::vector<text> tags;
  std::vector<std::optional<bool>> answers;

  friend bool operator==(const Everything&, const Everything&) = default;
};

Everything row(std::int64_t i) {
  Everything made{};
  made.flag = i % 2 == 0;
  if (i % 3 != 0) made.maybe_flag = i % 5 == 0;
  made.tiny = static_cast<std::int8_t>(i);
  made.small = static_cast<std::uint16_t>(i * 7);
  if (i % 4 != 0) made.number = static_cast<std::int32_t>(i * 1000);
  made.real = static_cast<double>(i) / 3;
  made.money = decimal<30, 2>::from_scaled(int128{i} * 1'000'000'000'000'000'000 * 10);
  made.name = text(std::string(static_cast<std::size_t>(i % 40), 'n'));
  if (i % 2 != 0) made.note = text("a note that is longer than twelve bytes " + std::to_string(i));
  made.hue = static_cast<color>(i % 3);
  made.time = {i * 1'000'000'007};
  made.point = {static_cast<std::int32_t>(-i), i % 3 == 0 ? std::optional<text>("point") : std::nullopt};
  if (i % 3 == 1) made.maybe_point = made.point;
  for (std::int64_t tag = 0; tag < i % 4; ++tag) made.tags.push_back(text(std::to_string(tag)));
  for (std::int64_t answer = 0; answer < i % 3; ++answer)
    made.answers.push_back(answer == 1 ? std::nullopt : std::optional(i % 2 == 0));
  return made;
}

block block_of(std::int64_t count) {
  block made(schema_of<Everything>());
  for (std::int64_t i = 0; i < count; ++i) append_row(made, row(i));
  return made;
}

bool same_row(const block& rows, std::size_t at, std::int64_t number) {
  return row_at<Everything>(rows, at) == row(number);
}

}  // namespace

TEST_CASE("a block comes back from a snapshot as it was, whatever its columns hold") {
  for (std::int64_t count : {0, 1, 7, 64, 200}) {
    state_writer saved;
    save_block(block_of(count), saved);
    block restored = block_of(3);  // what was there before goes
    state_reader reader(saved.bytes());
    REQUIRE(restore_block(reader, restored));
    CHECK(reader.at_end());
    REQUIRE(restored.rows == static_cast<std::size_t>(count));
    for (std::int64_t i = 0; i < count; ++i) REQUIRE(same_row(restored, static_cast<std::size_t>(i), i));
  }
}

TEST_CASE("a damaged block is refused or read as another one, and asks for no more memory than its bytes call for") {
  state_writer saved;
  save_block(block_of(50), saved);
  const std::string bytes(saved.bytes());
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    block restored(schema_of<Everything>());
    state_reader reader(std::string_view(bytes).substr(0, size));
    REQUIRE_FALSE(restore_block(reader, restored));
  }
  std::mt19937_64 random(3);
  for (int round = 0; round < 5'000; ++round) {
    std::string damaged = bytes;
    for (std::uint64_t i = 0; i <= random() % 3; ++i) damaged[random() % damaged.size()] = static_cast<char>(random());
    block restored(schema_of<Everything>());
    state_reader reader(damaged);
    if (!restore_block(reader, restored)) continue;
    for (std::size_t i = 0; i < restored.rows; ++i) static_cast<void>(row_at<Everything>(restored, i));
  }
}

TEST_CASE("rows gathered from several blocks are those rows, and null where there is none") {
  const block first = block_of(70), second = block_of(30);
  std::vector<row_place> places;
  std::vector<std::int64_t> numbers;
  std::mt19937_64 random(5);
  for (int i = 0; i < 500; ++i) {
    const bool other = random() % 2 == 0;
    const auto at = static_cast<std::uint32_t>(random() % (other ? 30 : 70));
    places.push_back({other ? &second : &first, at});
    numbers.push_back(at);
  }
  block made(schema_of<Everything>());
  for (const std::size_t count : {std::size_t{3}, std::size_t{497}}) {  // behind what is there already
    for (std::size_t i = 0; i < made.columns.size(); ++i)
      gather(made.columns[i], std::span(places).subspan(made.rows, count), i);
    made.rows += count;
  }
  REQUIRE(made.rows == places.size());
  for (std::size_t i = 0; i < places.size(); ++i) REQUIRE(same_row(made, i, numbers[i]));

  column notes(schema_of<Everything>().fields[8]), numbers_or_null(schema_of<Everything>().fields[4]);
  const row_place some[] = {{&first, 5}, {}, {&first, 7}};
  gather(notes, some, 8);
  gather(numbers_or_null, some, 4);
  CHECK(notes.is_valid(0));
  CHECK_FALSE(notes.is_valid(1));
  CHECK(notes.text_at(2) == "a note that is longer than twelve bytes 7");
  CHECK_FALSE(numbers_or_null.is_valid(1));
  CHECK(numbers_or_null.value<std::int32_t>(2) == 7000);
}
