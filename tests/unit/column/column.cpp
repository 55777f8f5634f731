#include "support/catch.hpp"

#include <etlantic/column/rows.hpp>
#include <etlantic/column/state_io.hpp>

#include <cstring>

#include <limits>

using namespace etlantic;

namespace {

enum class size { small, large };

struct Address {
  text street;
  std::optional<std::int32_t> number;
  friend bool operator==(const Address&, const Address&) = default;
};

struct Everything {
  bool flag;
  std::int8_t tiny;
  std::uint64_t natural;
  double real;
  checked<decimal<18, 2>, ge<0>> money;
  decimal<38, 4> wide;
  text name;
  binary bytes;
  date day;
  timestamp time;
  duration length;
  size how_big;
  std::optional<text> maybe_name;
  std::optional<bool> maybe_flag;
  Address address;
  std::optional<Address> maybe_address;
  std::vector<text> tags;
  std::optional<std::vector<std::int32_t>> maybe_numbers;
  friend bool operator==(const Everything&, const Everything&) = default;
};

Everything sample(int i) {
  Everything made{};
  made.flag = i % 2 == 0;
  made.tiny = static_cast<std::int8_t>(i - 60);
  made.natural = ~std::uint64_t{0} - static_cast<std::uint64_t>(i);
  made.real = i / 8.0;
  made.money = decimal<18, 2>::from_scaled(i * 101);
  made.wide = decimal<38, 4>::from_scaled(power_of_ten(37) - i);
  made.name = i % 3 == 0 ? text("") : text(std::string(static_cast<std::size_t>(i), 'x'));
  made.bytes = {std::string("\0\xff", 2) + std::to_string(i)};
  made.day = {i};
  made.time = {-i * 1'000'000LL};
  made.length = std::chrono::microseconds{i};
  made.how_big = i % 2 == 0 ? size::small : size::large;
  if (i % 4 == 1) made.maybe_name = text("a text of more than twelve bytes " + std::to_string(i));
  if (i % 4 == 2) made.maybe_flag = true;
  made.address = {text("street " + std::to_string(i)), i % 2 == 0 ? std::optional(i) : std::nullopt};
  if (i % 5 == 0) made.maybe_address = made.address;
  for (int t = 0; t < i % 4; ++t) made.tags.push_back(text("tag " + std::to_string(t) + " of " + std::to_string(i)));
  if (i % 3 == 1) made.maybe_numbers = std::vector<std::int32_t>{i, i + 1};
  return made;
}

}  // namespace

TEST_CASE("rows of every type come back from columns as they went in") {
  block columns(schema_of<Everything>());
  for (int i = 0; i < 150; ++i) append_row(columns, sample(i));
  for (int i = 0; i < 150; ++i) {
    INFO(i);
    CHECK(row_at<Everything>(columns, static_cast<std::size_t>(i)) == sample(i));
  }
}

TEST_CASE("rows copied between blocks are the same, in any order and after clearing") {
  block from(schema_of<Everything>()), to(schema_of<Everything>());
  for (int i = 0; i < 100; ++i) append_row(from, sample(i));
  for (int round = 0; round < 2; ++round) {
    to.clear();
    for (std::size_t i = 100; i-- > 0;) to.append(from, i);
    REQUIRE(to.rows == 100);
    for (int i = 0; i < 100; ++i) CHECK(row_at<Everything>(to, static_cast<std::size_t>(99 - i)) == sample(i));
  }
}

TEST_CASE("a copied block owns its text") {
  block copy;
  {
    block from(schema_of<Everything>());
    append_row(from, sample(41));
    copy = from;
  }
  CHECK(row_at<Everything>(copy, 0) == sample(41));
}

TEST_CASE("borrowed text points into the giver's bytes, short text is copied") {
  const std::string bytes = "shortA text that is longer than twelve bytes";
  column names(schema_of<Everything>().fields[6]);
  names.resize(2);
  names.borrowed = bytes.data();
  names.borrow_text(0, std::string_view(bytes).substr(0, 5));
  names.borrow_text(1, std::string_view(bytes).substr(5));
  CHECK(names.text_at(0) == "short");
  CHECK(names.text_at(0).data() != bytes.data());
  CHECK(names.text_at(1).data() == bytes.data() + 5);
}

TEST_CASE("the first null makes earlier rows valid, and new rows are valid") {
  column maybe(schema_of<Everything>().fields[13]);
  maybe.resize(70);
  maybe.set_null(69);
  maybe.resize(140);
  for (std::size_t i = 0; i < 140; ++i) CHECK(maybe.is_valid(i) == (i != 69));
}

TEST_CASE("growing a buffer keeps its bytes, aligned and padded with readable zeros") {
  buffer bytes;
  for (int i = 0; i < 1000; ++i) bytes.append(&i, sizeof i);
  REQUIRE(bytes.size() == 4000);
  CHECK(reinterpret_cast<std::uintptr_t>(bytes.data()) % 64 == 0);
  for (int i = 0; i < 1000; ++i) {
    int read = 0;
    std::memcpy(&read, bytes.data() + static_cast<std::size_t>(i) * sizeof i, sizeof i);
    CHECK(read == i);
  }
  std::uint64_t beyond = 1;
  std::memcpy(&beyond, bytes.data() + bytes.capacity() + 56, sizeof beyond);
  bytes.resize(10);
  bytes.resize(20);
  CHECK(static_cast<int>(bytes.data()[15]) == 0);
  const buffer copy = bytes;
  CHECK(copy.size() == 20);
}

TEST_CASE("reading state beyond its end is noticed") {
  state_writer written;
  written.put(std::int64_t{7});
  written.put_text("key");
  state_reader whole(written.bytes());
  CHECK(whole.get<std::int64_t>() == 7);
  CHECK(whole.get_text() == "key");
  CHECK(whole.ok());
  CHECK(whole.at_end());
  state_reader cut(written.bytes().substr(0, written.bytes().size() - 1));
  cut.get<std::int64_t>();
  CHECK(cut.get_text().empty());
  CHECK_FALSE(cut.ok());
}

TEST_CASE("what a column has no place for is refused, and never placed elsewhere") {
  constexpr std::size_t most = std::numeric_limits<std::int32_t>::max();
  CHECK(etlantic::detail::place_in_column(0, most) == 0);
  CHECK(etlantic::detail::place_in_column(most - 10, 10) == std::numeric_limits<std::int32_t>::max() - 10);
  CHECK_THROWS_AS(etlantic::detail::place_in_column(most - 10, 11), column_is_full);
  CHECK_THROWS_AS(etlantic::detail::place_in_column(most + 1, 0), column_is_full);
  CHECK_THROWS_AS(etlantic::detail::place_in_column(std::size_t{3} << 30, 20), column_is_full);
}
