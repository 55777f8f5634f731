#include "support/catch.hpp"
#include "support/decoded_rows.hpp"

#include <etlantic/connect/json/batch_members.hpp>
#include <etlantic/connect/json/line_members.hpp>

#include <algorithm>
#include <bit>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <vector>

using namespace etlantic;

namespace {

// Alike at their beginnings or at their ends, and of all sizes.
const field_description fields[] = {
    test::plain_field("a", logical_type::int64),
    test::plain_field("id", logical_type::int64),
    test::plain_field("key", logical_type::text),
    test::plain_field("code", logical_type::text),
    test::plain_field("created_at", logical_type::timestamp),
    test::plain_field("updated_at", logical_type::timestamp),
    test::plain_field("billing_street", logical_type::text),
    test::plain_field("billing_county", logical_type::text),
    test::plain_field("a_name_that_is_longer_than_a_register", logical_type::boolean),
    test::plain_field("", logical_type::int64),
};

const std::string_view values[] = {"1",    "-12.5",    "true",  "null",          "\"\"",        "\"x\"",
                                   "123",  "\"a,b\"",  "\":\"", "\"{\"",         "1e5",         "\"null\"",
                                   "0.25", "\"}, {\"", "false", "\"some text\"", "987654321012"};
// In lines that have one of them nothing must go wrong, whatever they are taken for.
const std::string_view others[] = {"\"other\":",          "\"creatXd_at\":",  "\"billing_XXreet\":",
                                   "\"billing_countr\":", "\"ids\":",         "\"b\":",
                                   "\"keys and more\":",  "\"created_at \":", "\"\":"};

class line_maker {
 public:
  explicit line_maker(unsigned seed) : random_(seed) {}

  bool chance(unsigned one_in) { return random_() % one_in == 0; }
  template <class List>
  auto pick(const List& list) {
    return list[random_() % std::size(list)];
  }

  /// Members in another order in each line, some of them absent; `unusual`: there may be other or damaged ones,
  /// `twice`: one may come twice.
  std::string next(const std::string& gap, bool unusual, bool twice) {
    std::string line;
    std::vector<std::string> members;
    for (const field_description& each : fields)
      if (!chance(9)) members.push_back("\"" + std::string(each.data_name) + "\":" + gap + std::string(pick(values)));
    if (unusual && chance(3)) members.push_back(std::string(pick(others)) + gap + std::string(pick(values)));
    if (twice && chance(99)) members.push_back(members.front());
    std::shuffle(members.begin(), members.end(), random_);
    for (const std::string& each : members) line += (line.empty() ? "{" : "," + gap) + each;
    line += '}';
    if (!unusual || !chance(3)) return line;
    const std::size_t at = random_() % line.size();
    switch (random_() % 4) {
      case 0: line[at] = pick(std::string_view("\",:{} 1x")); break;
      case 1: line.insert(at, 1, pick(std::string_view("\",:{} 1x"))); break;
      case 2: line.erase(at, 1 + random_() % 2); break;
      default: std::swap(line[at], line[random_() % line.size()]); break;
    }
    return line;
  }

 private:
  std::mt19937 random_;
};

/// The values of one line, those in quotes with the place where they begin. Others may have blanks around them, which
/// no column takes.
std::string values_in(const std::vector<detail::member_values>& found, std::size_t line, const char* text) {
  std::string all;
  for (const detail::member_values& each : found) {
    const char* begin = text + each.begin[line];
    const char* end = text + each.end[line];
    if ((each.seen >> line & 1) == 0) {
      all += "- ";
    } else if ((each.in_quotes >> line & 1) != 0) {
      all += std::to_string(each.begin[line]) + '"' + std::string(begin, end) + "\" ";
    } else {
      while (begin != end && *begin == ' ') ++begin;
      while (begin != end && end[-1] == ' ') --end;
      all += std::string(begin, end) + " ";
    }
  }
  return all;
}

struct finders {
  detail::member_lookup lookup{fields};
  detail::line_members single{lookup};
  const detail::batch_kernels& kernels = detail::batch_kernels_for(available_instruction_set());
  detail::batch_members together{fields, kernels};
  std::unique_ptr<detail::line_index> lines = std::make_unique<detail::line_index>();
  std::vector<detail::member_values> of_batch{std::size(fields)};
  std::vector<detail::member_values> of_lines{std::size(fields)};

  /// Those of up to 64 lines that are found together, and whether each is as it is when found alone.
  std::uint64_t find(const std::string& text) {
    const std::string padded = std::string(128, ' ') + text + std::string(128, ' ');
    lines->build(padded.data() + 128, padded.data() + 128 + text.size(), true, available_instruction_set());
    REQUIRE(lines->lines() <= 64);
    for (auto* each : {&of_batch, &of_lines})
      for (detail::member_values& of_field : *each) of_field.seen = of_field.in_quotes = 0;
    bytes_ahead nothing;
    const std::uint64_t found = together.find(*lines, 0, detail::low_bits(lines->lines()), of_batch, nothing);
    for (std::size_t i = 0; i < lines->lines(); ++i) {
      if ((found >> i & 1) == 0) continue;
      INFO(text.substr(lines->line_begin(i), lines->line_end(i) - lines->line_begin(i)));
      REQUIRE(single.find(*lines, i, i, of_lines));
      REQUIRE(values_in(of_batch, i, lines->begin()) == values_in(of_lines, i, lines->begin()));
    }
    return found;
  }
};

bool finds_together() { return detail::batch_kernels_for(available_instruction_set()).find_members != nullptr; }

}  // namespace

TEST_CASE("members that are found in many lines at once are where they are found in one") {
  for (const std::string gap : {"", " "}) {
    line_maker maker(20260301);
    for (std::size_t batch = 0; batch < 400; ++batch) {
      finders all;
      const bool unusual = batch % 2 == 1;
      std::string text;
      const std::size_t count = maker.chance(2) ? 1 + batch % 48 : 48;
      for (std::size_t i = 0; i < count; ++i)
        text += maker.next(gap, unusual && maker.chance(5), batch % 8 == 7) + "\n";
      if (maker.chance(3)) text.pop_back();
      const std::uint64_t found = all.find(text);
      if (finds_together() && !unusual) REQUIRE(found == detail::low_bits(count));
    }
  }
}

TEST_CASE("lines with members that come twice, and with other blanks than the first one, are left out") {
  if (!finds_together()) return;
  finders all;
  CHECK(all.find("{\"id\":1,\"a\":2}\n{\"a\":3, \"id\":4}\n{\"a\": 3,\"id\":4}\n{\"id\":1}\n") == 0b1101u);
  CHECK(all.find("{\"id\": 1, \"a\": 2}\r\n{\"a\":3, \"id\": 4}\r\n{\"a\": 3, \"id\": 4}\n") == 0b101u);
  CHECK(all.find("{\"id\":1,\"a\":2}\n{\"a\":3,\"a\":4}\n") == 0);
}

TEST_CASE("a text is a member's value or its name, and nothing else") {
  if (!finds_together()) return;
  finders all;
  const std::string good = "{\"a\":1,\"id\":\"x\"}\n";
  for (const std::string bad : {"{\"a\":\"id\":1}",
                                "{\"a\":1\"x\",\"id\":2}",
                                "{\"a\":1,\"id\"}",
                                "{\"a\",\"id\":1}",
                                "{\"a\":1,\"x\",\"id\":1}",
                                "{\"a\":1;\"id\":1}",
                                "{,\"a\":1}",
                                "{\"a\":\"x\" ,\"id\":1}",
                                "{\"a\":\"x\"x\"id\":1}",
                                "{\"a\":\"x\"1}",
                                "[\"a\":1}",
                                "{\"a\":1]",
                                "{\"a\":\"x\",}",
                                "{\"a\"=1,\"id\":2}",
                                "{\"b\":01,\"id\":2}",
                                "{\"b\":{},\"id\":2}",
                                "{\"b\":,\"id\":2}",
                                "{\"a\":1,\"id\":2",
                                "\"a\":1}",
                                "{{\"a\":1}",
                                "{ \"a\":1}",
                                " {\"a\":1}",
                                "{\"a\" :1}"})
    CHECK(all.find(good + bad + "\n" + good) == 0b101u);
}

TEST_CASE("names that differ only in the middle are found line by line") {
  const field_description alike[] = {test::plain_field("sensor_1_value", logical_type::int64),
                                     test::plain_field("sensor_2_value", logical_type::int64)};
  CHECK(detail::member_table(alike).empty());
  CHECK_FALSE(detail::member_table(fields).empty());
}
