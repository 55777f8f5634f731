#include "support/catch.hpp"

#include <etlantic/column/rows.hpp>
#include <etlantic/expression/operators.hpp>
#include <etlantic/kernel/re2/regular_expressions.hpp>

#include <optional>
#include <random>
#include <regex>
#include <string>
#include <vector>

// Regular expressions over random texts agree with std::regex, where both have the same syntax: ASCII, no empty matches
// to replace.

using namespace etlantic;

namespace {

struct Row {
  std::optional<text> value;
};

std::vector<Row> random_rows_of(std::mt19937_64& random, std::size_t count) {
  static const char* const pieces[] = {"a", "b", "ab", "1", "22", "-", " ", "A", "_", ".", "aab", "2024-02-29"};
  std::vector<Row> made;
  for (std::size_t i = 0; i < count; ++i) {
    std::string value;
    for (std::size_t part = random() % (random() % 10 == 0 ? 40 : 7); part > 0; --part) value += pieces[random() % 12];
    made.push_back({random() % 6 == 0 ? std::nullopt : std::optional(text(value))});
  }
  return made;
}

/// Evaluates in chunks and hands each result to `check` with its row.
template <class E, class Check>
void for_each_result(const E& expression, const std::vector<Row>& rows, Check check) {
  block columns(schema_of<Row>());
  for (const Row& each : rows) append_row(columns, each);
  auto node = kernel::bind(expression, contract_row<Row>{});
  for (std::size_t begin = 0; begin < rows.size(); begin += kernel::lane_count) {
    kernel::chunk at(columns, begin);
    const auto got = node.evaluate(at);
    REQUIRE(at.overflow == 0);
    for (std::size_t i = 0; i < at.count; ++i) {
      const Row& row = rows[begin + i];
      REQUIRE((((got.valid >> i) & 1) != 0) == row.value.has_value());
      if (row.value) check(kernel::detail::lane_of(got, i), row.value->value);
    }
  }
}

struct replacement {
  const char* ours;
  const char* theirs;
};

}  // namespace

TEST_CASE("regular expressions agree with std::regex over random texts") {
  std::mt19937_64 random(20240229);
  constexpr const char* patterns[] = {
      "a",          "^a",           "b$",  "^[ab]+$",       "(a+)(b)", "a(b|1)2?", "\\d{4}-\\d\\d", "(\\w+)-(\\w+)",
      "[^a-z]+",    "(?:ab)+(1|2)", "a.b", "(a|ab)(1|b1)?", "\\.",     "\\s+\\S",  "(a+?)(b+?)",    "([0-9]+)|([A-Z]+)",
      "\\b[ab]+\\b"};
  constexpr replacement replacements[] = {{"", ""}, {"<$0>", "<$&>"}, {"\\$\\\\", "$$\\"}, {"xyz", "xyz"}};
  for (const char* pattern : patterns) {
    INFO(pattern);
    const std::regex reference(pattern);
    for (const std::size_t size : {std::size_t{1}, std::size_t{63}, std::size_t{300}}) {
      const std::vector<Row> rows = random_rows_of(random, size);
      for_each_result(matches_regex(field<"value">, pattern), rows,
                      [&](bool got, const std::string& of) { CHECK(got == std::regex_search(of, reference)); });
      for (int group = 0; group <= static_cast<int>(reference.mark_count()); ++group)
        for_each_result(extract_regex(field<"value">, pattern, group), rows,
                        [&](std::string_view got, const std::string& of) {
                          std::smatch found;
                          const bool any = std::regex_search(of, found, reference);
                          CHECK(got == (any ? found[static_cast<std::size_t>(group)].str() : ""));
                        });
      for (const replacement& each : replacements)
        for_each_result(replace_regex(field<"value">, pattern, each.ours), rows,
                        [&](std::string_view got, const std::string& of) {
                          CHECK(got == std::regex_replace(of, reference, each.theirs));
                        });
    }
  }
}
