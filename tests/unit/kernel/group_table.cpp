#include "support/catch.hpp"

#include <etlantic/etlantic.hpp>
#include <etlantic/kernel/group_table.hpp>
#include <etlantic/kernel/packed_state.hpp>

#include <algorithm>
#include <limits>
#include <map>
#include <random>
#include <set>

using namespace etlantic;
using namespace etlantic::kernel;

namespace {

namespace hana = boost::hana;

using key = key_part<std::int64_t, false>;
using counting_table = group_table<hana::tuple<key>, hana::tuple<packed_row_count>>;
using summing_table = group_table<hana::tuple<key>, hana::tuple<packed_exact_sum<std::int64_t>>>;
using house_table = group_table<hana::tuple<key>, hana::tuple<packed_row_count, packed_exact_sum<std::int64_t>,
                                                              packed_extreme<std::int64_t, operation::greater>>>;

/// Adds rows of one key and one value each.
template <class Table>
void add(Table& groups, const std::vector<std::int64_t>& keys, const std::vector<std::int64_t>& values) {
  std::vector<std::uint16_t> rows(morsel_rows);
  for (std::size_t begin = 0; begin < keys.size(); begin += morsel_rows) {
    const std::size_t count = std::min(morsel_rows, keys.size() - begin);
    for (std::size_t i = 0; i < count; ++i) rows[i] = static_cast<std::uint16_t>(i);
    const row_values<std::int64_t> key_values{keys.data() + begin, nullptr}, arguments{values.data() + begin, nullptr};
    groups.add_rows(hana::make_tuple(key_values), hana::make_tuple(arguments, arguments, arguments), rows.data(), count,
                    false);
  }
}

template <class Table>
std::vector<std::int64_t> keys_in_order(const Table& groups) {
  std::vector<std::int64_t> keys;
  groups.for_each([&](const auto& each) { keys.push_back(hana::at_c<0>(each.key).value); });
  return keys;
}

template <class Table>
Table restored(const Table& from) {
  state_writer saved;
  from.save(saved);
  Table made;
  state_reader reader(saved.bytes());
  made.restore(reader);
  CHECK((reader.ok() && reader.at_end()));
  return made;
}

}  // namespace

TEST_CASE("a table of one group has little room, since every open window has one") {
  counting_table groups;
  CHECK(groups.bytes() == 0);
  add(groups, {7}, {1});
  CHECK(groups.size() == 1);
  CHECK(groups.bytes() <= 8 * counting_table::slot_size);
}

TEST_CASE("groups are found again after the table has grown many times") {
  counting_table groups;
  std::vector<std::int64_t> keys;
  for (std::int64_t each = -5'000; each < 5'000; ++each) keys.push_back(each << 40);
  for (int round = 1; round <= 2; ++round) add(groups, keys, keys);
  CHECK(groups.size() == 10'000);
  std::set<std::int64_t> seen;
  groups.for_each([&](const auto& each) {
    REQUIRE(hana::at_c<0>(each.aggregates).rows == 2);
    seen.insert(hana::at_c<0>(each.key).value);
  });
  CHECK(seen == std::set<std::int64_t>(keys.begin(), keys.end()));
}

TEST_CASE("a group of the house query takes 32 bytes, and at most 96 with all free slots, at every size of the table") {
  CHECK(house_table::slot_size == 32);
  house_table groups;
  std::vector<std::int64_t> keys(morsel_rows);
  for (std::int64_t first = 0; first < 1'200'000; first += static_cast<std::int64_t>(morsel_rows)) {
    for (std::size_t i = 0; i < morsel_rows; ++i) keys[i] = first + static_cast<std::int64_t>(i);
    add(groups, keys, keys);
    if (first > 100'000) REQUIRE(groups.bytes() <= 96 * groups.size());
  }
}

TEST_CASE("groups are visited in an order that depends neither on their arrival nor on a restart") {
  std::vector<std::int64_t> keys;
  for (std::int64_t each = 0; each < 3'000; ++each) keys.push_back(each * each);
  house_table forwards, backwards;
  add(forwards, keys, keys);
  std::reverse(keys.begin(), keys.end());
  add(backwards, keys, keys);
  CHECK(keys_in_order(forwards) == keys_in_order(backwards));
  CHECK(keys_in_order(restored(forwards)) == keys_in_order(forwards));

  house_table larger;
  add(larger, keys, keys);
  std::vector<std::int64_t> more;
  for (std::int64_t each = 0; each < 50'000; ++each) more.push_back(-1 - each);
  add(larger, more, more);
  larger.remove_if([](const auto& each) { return hana::at_c<0>(each.key).value < 0; });
  CHECK(keys_in_order(larger) == keys_in_order(forwards));
}

TEST_CASE("groups are visited in the order of their hashes, also if keys were made to collide") {
  std::vector<std::pair<std::uint64_t, std::int64_t>> by_hash;
  for (std::int64_t each = 0; by_hash.size() < 300; ++each)
    if (const std::uint64_t hash = hash_key(each, hash_seed); hash >> 52 == 17) by_hash.emplace_back(hash, each);
  std::sort(by_hash.begin(), by_hash.end());
  std::vector<std::int64_t> keys;
  for (const auto& each : by_hash) keys.push_back(each.second);
  const std::vector<std::int64_t> expected = keys;
  counting_table forwards, backwards, mixed;
  add(forwards, keys, keys);
  std::reverse(keys.begin(), keys.end());
  add(backwards, keys, keys);
  std::shuffle(keys.begin(), keys.end(), std::mt19937_64(7));
  add(mixed, keys, keys);
  CHECK(keys_in_order(forwards) == expected);
  CHECK(keys_in_order(backwards) == expected);
  CHECK(keys_in_order(mixed) == expected);
}

TEST_CASE("sums beyond 64 bits stay exact while the table grows, after a restart and when they come back") {
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max(),
                         least = std::numeric_limits<std::int64_t>::min();
  summing_table groups;
  std::map<std::int64_t, int128> expected;
  const auto add_one = [&](std::int64_t group, std::int64_t value) {
    add(groups, {group}, {value});
    expected[group] += value;
  };
  const auto check = [&] {
    REQUIRE(groups.size() == expected.size());
    groups.for_each([&](const auto& each) {
      REQUIRE((hana::at_c<0>(each.aggregates).total == expected[hana::at_c<0>(each.key).value]));
      REQUIRE(hana::at_c<0>(each.aggregates).any);
    });
  };
  for (std::int64_t group = 0; group < 100; ++group)
    for (int i = 0; i < 5; ++i) add_one(group, group % 3 == 0 ? most : group % 3 == 1 ? least : group);
  check();
  for (std::int64_t group = 100; group < 1'000; ++group) add_one(group, -group);
  check();
  groups = restored(groups);
  check();
  for (std::int64_t group = 0; group < 100; ++group)
    for (int i = 0; i < 6; ++i) add_one(group, group % 3 == 0 ? least : most);
  check();
  groups.remove_if([](const auto& each) { return hana::at_c<0>(each.key).value % 2 == 0; });
  std::erase_if(expected, [](const auto& each) { return each.first % 2 == 0; });
  check();
}

TEST_CASE("merged tables have the groups of both, and sums that leave 64 bits on either side or in the merge") {
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  std::map<std::int64_t, int128> expected;
  const auto table_of = [&](std::int64_t first, std::int64_t last, std::int64_t value, int times) {
    summing_table made;
    std::vector<std::int64_t> keys;
    for (std::int64_t key = first; key < last; ++key) keys.push_back(key * 7919);
    for (int i = 0; i < times; ++i) add(made, keys, std::vector<std::int64_t>(keys.size(), value));
    for (const std::int64_t key : keys) expected[key] += int128{value} * times;
    return made;
  };
  const auto check = [&](const summing_table& groups) {
    REQUIRE(groups.size() == expected.size());
    std::int64_t seen = 0;
    groups.for_each([&](const auto& each) {
      REQUIRE((hana::at_c<0>(each.aggregates).total == expected.at(hana::at_c<0>(each.key).value)));
      ++seen;
    });
    CHECK(seen == static_cast<std::int64_t>(expected.size()));
  };
  summing_table groups;
  groups.merge(summing_table{});
  CHECK(groups.size() == 0);
  groups.merge(table_of(0, 50, most, 1));
  groups.merge(table_of(25, 75, most, 1));          // overflows in the merge
  groups.merge(table_of(0, 20'000, -most, 5));      // has overflown before
  groups.merge(table_of(19'990, 20'010, most, 3));  // a few new groups in a large table
  groups.merge(table_of(100'000, 140'000, 1, 2));   // more than there were
  groups.merge(summing_table{});
  check(groups);
  const summing_table copied = groups.copy();
  check(copied);
  CHECK(keys_in_order(copied) == keys_in_order(groups));
  CHECK(summing_table{}.copy().size() == 0);
}

TEST_CASE("a merge keeps nulls, texts, counts of rows and what has changed") {
  using table =
      group_table<hana::tuple<key_part<std::string_view, true>>,
                  hana::tuple<packed_row_count, packed_extreme<std::int64_t, operation::less>,
                              packed_whole<extreme_state<std::string_view, operation::greater>, std::string_view>>>;
  const std::uint16_t rows[] = {0, 1, 2};
  const auto add_three = [&](table& into, std::string first, std::string second, std::int64_t value, bool track) {
    const std::string_view keys[] = {first, second, ""}, texts[] = {first, second, "none"};
    const std::int64_t values[] = {value, value, value};
    const std::uint64_t valid = 0b011;
    into.add_rows(hana::make_tuple(row_values<std::string_view>{keys, &valid}),
                  hana::make_tuple(row_values<bool>{}, row_values<std::int64_t>{values, nullptr},
                                   row_values<std::string_view>{texts, nullptr}),
                  rows, 3, track);
  };
  table groups;
  {
    table later;
    add_three(groups, "a text of some length, the first", "b", 5, false);
    add_three(later, "b", "a text of some length, the last", 3, true);
    groups.merge(later);
  }
  struct wanted {
    std::int64_t rows, least;
    std::string greatest;
    bool changed;
    bool operator==(const wanted&) const = default;
  };
  std::map<std::string, wanted> seen;
  const table copied = groups.copy();
  copied.for_each([&](const auto& each) {
    const auto& name = hana::at_c<0>(each.key);
    seen[name.is_null ? "null" : std::string(name.value)] = {hana::at_c<0>(each.aggregates).rows,
                                                             hana::at_c<1>(each.aggregates).best,
                                                             hana::at_c<2>(each.aggregates).best, each.changed};
  });
  CHECK((seen == std::map<std::string, wanted>{
                     {"a text of some length, the first", {1, 5, "a text of some length, the first", false}},
                     {"a text of some length, the last", {1, 3, "a text of some length, the last", true}},
                     {"b", {2, 3, "b", true}},
                     {"null", {2, 3, "none", true}}}));
}

TEST_CASE("the key 0 is a key like others, and null is one of its own") {
  using part = key_part<std::int64_t, true>;
  group_table<hana::tuple<part, key_part<std::string_view, true>>, hana::tuple<packed_row_count>> groups;
  const std::int64_t zeros[] = {0, 0, 0, 0};
  const std::string_view texts[] = {"", "", "", ""};
  const std::uint64_t first_valid = 0b0101, second_valid = 0b0011;
  const std::uint16_t rows[] = {0, 1, 2, 3};
  for (int round = 0; round < 2; ++round)
    groups.add_rows(hana::make_tuple(row_values<std::int64_t>{zeros, &first_valid},
                                     row_values<std::string_view>{texts, &second_valid}),
                    hana::make_tuple(row_values<bool>{}), rows, 4, false);
  CHECK(groups.size() == 4);
  std::set<std::pair<bool, bool>> seen;
  restored(groups).for_each([&](const auto& each) {
    CHECK(hana::at_c<0>(each.aggregates).rows == 2);
    seen.insert({hana::at_c<0>(each.key).is_null, hana::at_c<1>(each.key).is_null});
  });
  CHECK(seen.size() == 4);
}

namespace {

std::string written_later(const state_writer& saved) {
  std::string all;
  for (const std::string_view piece : saved.pieces()) all += piece;
  return all;
}

}  // namespace

TEST_CASE("a copy that is written later holds the table as it was, and its memory serves the next copy") {
  std::vector<std::int64_t> keys;
  for (std::int64_t each = 0; each < 5'000; ++each) keys.push_back(each * 7);
  std::vector<std::int64_t> values = keys;
  values[17] = values[18] = std::numeric_limits<std::int64_t>::max();  // more than 64 bits when added twice
  house_table groups;
  add(groups, keys, values);
  add(groups, keys, values);
  state_writer later(state_writer::when::later);
  for (int round = 0; round < 3; ++round) {
    state_writer now;
    groups.save(now);
    const std::string expected(now.bytes());
    later.clear();
    later.put(std::uint8_t{1});
    groups.save(later);
    later.put(std::uint8_t{2});
    add(groups, keys, values);
    add(groups, {round + 1'000'001}, {1});
    later.write_copies();
    CHECK(written_later(later) == "\1" + expected + "\2");
  }
}

TEST_CASE("texts of keys stay readable in a copy while the table forgets its groups") {
  using text_table = group_table<hana::tuple<key_part<std::string_view, false>>, hana::tuple<packed_row_count>>;
  std::vector<std::string> texts;
  for (int each = 0; each < 3'000; ++each) texts.push_back("the name of somebody " + std::to_string(each));
  text_table groups;
  const auto add_texts = [&](std::size_t begin, std::size_t end) {
    for (std::size_t at = begin; at < end; ++at) {
      const std::string_view text = texts[at];
      const std::uint16_t row = 0;
      groups.add_rows(hana::make_tuple(row_values<std::string_view>{&text, nullptr}),
                      hana::make_tuple(row_values<bool>{}), &row, 1, false);
    }
  };
  add_texts(0, 2'000);
  state_writer now;
  groups.save(now);
  const std::string expected(now.bytes());
  state_writer later(state_writer::when::later);
  groups.save(later);
  add_texts(2'000, 3'000);
  groups.remove_if([](const auto&) { return true; });
  add_texts(1'000, 3'000);
  later.write_copies();
  CHECK(written_later(later) == expected);
}

TEST_CASE("groups whose keys lie near each other are found by key, through growth, keys far away and removal") {
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max(),
                         least = std::numeric_limits<std::int64_t>::min();
  for (const std::int64_t middle : {std::int64_t{0}, std::int64_t{1'000'000}, most - 20, least + 20}) {
    INFO("keys around " << middle);
    summing_table groups;
    std::map<std::int64_t, std::int64_t> expected;
    std::mt19937_64 random(5);
    const auto add_some = [&](std::int64_t reach, std::size_t rows, std::int64_t far = 0) {
      std::vector<std::int64_t> keys, values;
      for (std::size_t i = 0; i < rows; ++i) {
        const std::int64_t away = std::uniform_int_distribution<std::int64_t>(-reach, reach)(random);
        const std::int64_t key =
            i == rows / 2
                ? middle ^ far
                : static_cast<std::int64_t>(static_cast<std::uint64_t>(middle) + static_cast<std::uint64_t>(away));
        keys.push_back(key);
        values.push_back(away);
        expected[key] += away;
      }
      add(groups, keys, values);
    };
    const auto check = [&] {
      std::map<std::int64_t, std::int64_t> seen;
      groups.for_each([&](const auto& each) {
        seen[hana::at_c<0>(each.key).value] = static_cast<std::int64_t>(hana::at_c<0>(each.aggregates).total);
      });
      REQUIRE(seen == expected);
      REQUIRE(groups.size() == expected.size());
    };
    add_some(45, 20'000);
    check();
    add_some(100, 20'000);  // near enough for the index, and too many for the table
    check();
    for (int round = 0; round < 4; ++round) {
      add_some(400, 20'000, round % 2 == 0 ? 0 : std::int64_t{1} << 50);
      check();
      const auto is_gone = [&](std::int64_t key) { return key % 3 == round % 3; };
      groups.remove_if([&](const auto& each) { return is_gone(hana::at_c<0>(each.key).value); });
      std::erase_if(expected, [&](const auto& each) { return is_gone(each.first); });
      check();
    }
    groups = restored(groups);
    add_some(400, 40'000);
    check();
    add_some(50'000, 30'000);  // far more keys than the table had room for
    check();
  }
}

TEST_CASE("a table has an index of its keys only where they lie near each other and their groups have many rows") {
  std::vector<std::int64_t> near, far, few;
  for (std::int64_t i = 0; i < 100'000; ++i) {
    near.push_back(i % 1'000);
    far.push_back(i % 1'000 * 1'000);
    few.push_back(i % 9'000);
  }
  counting_table with, without, grown;
  add(with, near, near);
  add(without, far, far);
  CHECK(with.bytes() > without.bytes());
  CHECK(with.bytes() <= without.bytes() + without.bytes() / 4);
  add(grown, few, few);
  few.resize(9'000 * 2);
  counting_table young;
  add(young, few, few);
  CHECK(young.bytes() < grown.bytes());
}
