#include "support/catch.hpp"
#include "support/rows.hpp"

#include <etlantic/runtime/publication_buffer.hpp>

using namespace etlantic;
using namespace etlantic::test;

namespace {

const field_description point[] = {plain_field("x", logical_type::int32),
                                   nullable(plain_field("y", logical_type::text))};
const field_description element[] = {plain_field("element", logical_type::text)};
const field_description fields[] = {
    plain_field("id", logical_type::int64),
    nullable(plain_field("name", logical_type::text)),
    nullable(plain_field("flag", logical_type::boolean)),
    nullable(decimal_field("total", 38, 2)),
    nested_field("point", logical_type::structure, point),
    nested_field("names", logical_type::list, element),
};
const schema contract{"Wide", "1", "", fields};

const std::string long_name = "a name that does not fit into twelve bytes";

block some_rows(int from, int count) {
  std::vector<std::vector<cell>> rows;
  for (int i = from; i < from + count; ++i) {
    const bool odd = i % 2 != 0;
    const std::string text = odd ? long_name + std::to_string(i) : "short";
    rows.push_back({i, i % 3 == 0 ? cell(nullptr) : cell(text), odd ? cell(nullptr) : cell(i % 4 == 0),
                    odd ? cell(i * 100) : cell(nullptr), std::vector<cell>{i, odd ? cell(text) : cell(nullptr)},
                    std::vector<cell>(static_cast<std::size_t>(i % 3), cell(text))});
  }
  return make_block(contract, rows);
}

void check_same(const column& a, std::size_t row_a, const column& b, std::size_t row_b) {
  REQUIRE(a.is_valid(row_a) == b.is_valid(row_b));
  if (!a.is_valid(row_a)) return;
  switch (a.field->type) {
    case logical_type::boolean: CHECK(a.is_true(row_a) == b.is_true(row_b)); return;
    case logical_type::text: CHECK(a.text_at(row_a) == b.text_at(row_b)); return;
    case logical_type::structure:
      for (std::size_t i = 0; i < a.children.size(); ++i) check_same(a.children[i], row_a, b.children[i], row_b);
      return;
    case logical_type::list:
      REQUIRE(a.list_end(row_a) - a.list_begin(row_a) == b.list_end(row_b) - b.list_begin(row_b));
      for (std::int32_t i = 0; i < a.list_end(row_a) - a.list_begin(row_a); ++i)
        check_same(a.children[0], static_cast<std::size_t>(a.list_begin(row_a) + i), b.children[0],
                   static_cast<std::size_t>(b.list_begin(row_b) + i));
      return;
    default: {
      const std::size_t width = value_width(*a.field);
      CHECK(std::memcmp(a.values.data() + row_a * width, b.values.data() + row_b * width, width) == 0);
    }
  }
}

}  // namespace

TEST_CASE("blocks of every type are put together row by row as they came") {
  publication_buffer buffer;
  const block expected = some_rows(0, 40);
  int at = 0;
  for (const int count : {1, 7, 0, 3, 8, 21}) {
    block given = some_rows(at, count);
    buffer.append(given);
    given.clear();  // its giver uses it again
    given.resize(1);
    at += count;
  }
  CHECK(buffer.rows() == 40);
  const std::vector<block> taken = buffer.take();
  REQUIRE(taken.size() == 1);
  CHECK(taken[0].contract == &contract);
  for (std::size_t row = 0; row < 40; ++row)
    for (std::size_t i = 0; i < expected.columns.size(); ++i)
      check_same(expected.columns[i], row, taken[0].columns[i], row);
  CHECK(buffer.rows() == 0);
}

TEST_CASE("text that the block borrows is copied") {
  block given(contract);
  std::string input = long_name;
  given.resize(1);
  given.columns[1].borrowed = input.data();
  given.columns[1].borrow_text(0, input);
  publication_buffer buffer;
  buffer.append(given);
  input.assign(input.size(), '?');
  CHECK(buffer.take()[0].columns[1].text_at(0) == long_name);
}

TEST_CASE("a block does not grow beyond 65,536 rows") {
  static const field_description one[] = {plain_field("id", logical_type::int64)};
  static const schema narrow{"Narrow", "1", "", one};
  block given(narrow);
  given.resize(30'000);
  publication_buffer buffer;
  for (int i = 0; i < 5; ++i) buffer.append(given);
  std::vector<std::size_t> sizes;
  for (const block& each : buffer.take()) sizes.push_back(each.rows);
  CHECK(sizes == std::vector<std::size_t>{60'000, 60'000, 30'000});
}
