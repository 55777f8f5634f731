#include "support/catch.hpp"

#include <etlantic/etlantic.hpp>
#include <etlantic/kernel/re2/regular_expressions.hpp>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// What regular expressions give, worked out by hand, and how a pipeline with a wrong one fails.

using namespace etlantic;

namespace {

struct Line {
  std::optional<text> value;
};
using optional_text = std::optional<std::string>;

template <class E>
auto evaluated(const E& expression, const std::vector<optional_text>& values) {
  block rows(schema_of<Line>());
  for (const optional_text& each : values) append_row(rows, Line{each ? std::optional(text(*each)) : std::nullopt});
  auto node = kernel::bind(expression, contract_row<Line>{});
  auto copy = node;  // as stages do
  constexpr bool gives_bools = std::is_same_v<typename decltype(node)::value, bool>;
  std::vector<std::optional<std::conditional_t<gives_bools, bool, std::string>>> made;
  kernel::chunk at(rows, 0);
  const auto got = copy.evaluate(at);
  for (std::size_t i = 0; i < values.size(); ++i)
    if ((got.valid >> i) & 1)
      made.emplace_back(kernel::detail::lane_of(got, i));
    else
      made.emplace_back(std::nullopt);
  return made;
}
bool matches(std::string_view pattern, const std::string& value) {
  return *evaluated(matches_regex(field<"value">, pattern), {value}).at(0);
}
std::string extracted(std::string_view pattern, int group, const std::string& value) {
  return *evaluated(extract_regex(field<"value">, pattern, group), {value}).at(0);
}
std::string replaced(std::string_view pattern, std::string_view replacement, const std::string& value) {
  return *evaluated(replace_regex(field<"value">, pattern, replacement), {value}).at(0);
}

template <class E>
failure failure_of(const E& predicate) {
  profile where;
  where.trigger.kind = trigger_kind::available_now;
  auto source = std::make_shared<memory_source<Line>>();
  auto sink = std::make_shared<memory_sink<Line>>();
  source->add({{text("a")}});
  where.assets["in"].made_source = source;
  where.assets["out"].made_sink = sink;
  const auto done = start(from<Line>("in") | etlantic::where(predicate) | into("out"), where);
  REQUIRE(!done.ok());
  CHECK(sink->rows().empty());
  return done.error();
}

}  // namespace

TEST_CASE("a pattern matches anywhere, and at the ends where it says so") {
  CHECK(matches("b+", "abba"));
  CHECK(!matches("^b+$", "abba"));
  CHECK(matches("^[A-Z]{2}-[0-9]+$", "AB-123"));
  CHECK(!matches("^[A-Z]{2}-[0-9]+$", "AB-123\n"));
  CHECK(matches("", ""));
  CHECK(matches("(?i)ABBA", "an abba b"));
  CHECK(matches("\\bword\\b", "a word."));
}

TEST_CASE("patterns work on characters, not on bytes") {
  CHECK(matches("^.$", "é"));
  CHECK(matches("^.{2}$", "€𝄞"));
  CHECK(matches("^\\p{Greek}+$", "λόγος"));
  CHECK(!matches("^\\p{Greek}+$", "logos"));
  CHECK(matches("(?i)^ÉTÉ$", "été"));
  CHECK(extracted("(.)$", 1, "naïveté") == "é");
  CHECK(replaced("[éï]", "_", "naïveté") == "na_vet_");
}

TEST_CASE("a group of the first match, or an empty text") {
  CHECK(extracted("@(.+)$", 1, "ann@example.org") == "example.org");
  CHECK(extracted("(\\d+)-(\\d+)", 2, "10-20 30-40") == "20");
  CHECK(extracted("(\\d+)-(\\d+)", 0, "10-20 30-40") == "10-20");
  CHECK(extracted("@(.+)$", 1, "nobody") == "");
  CHECK(extracted("(a)|(b)", 1, "b") == "");
  CHECK(extracted("(a)(b)(c)(d)(e)(f)(g)(h)(i)(j)(k)", 11, "abcdefghijkl") == "k");
}

TEST_CASE("all matches are replaced; $ names groups") {
  CHECK(replaced("a", "b", "banana") == "bbnbnb");
  CHECK(replaced("(\\w+), (\\w+)", "$2 $1", "Doe, Jane; Roe, Rick") == "Jane Doe; Rick Roe");
  CHECK(replaced("[0-9]", "<$0>", "a1b2") == "a<1>b<2>");
  CHECK(replaced("x", "\\$1\\\\", "axb") == "a$1\\b");
  CHECK(replaced("x", "y", "abc") == "abc");
  CHECK(replaced("b*", "-", "abc") == "-a-c-");
  CHECK(replaced("[aeiou]", "", "a text that is long enough to lie elsewhere") == " txt tht s lng ngh t l lswhr");
}

TEST_CASE("null in, null out") {
  const std::vector<optional_text> values{std::nullopt, "ab", std::nullopt, "b"};
  using bools = std::vector<std::optional<bool>>;
  using texts = std::vector<optional_text>;
  CHECK(evaluated(matches_regex(field<"value">, "a"), values) == bools{std::nullopt, true, std::nullopt, false});
  CHECK(evaluated(extract_regex(field<"value">, "(b)"), values) == texts{std::nullopt, "b", std::nullopt, "b"});
  CHECK(evaluated(replace_regex(field<"value">, "b", "cc"), values) == texts{std::nullopt, "acc", std::nullopt, "cc"});
}

TEST_CASE("a pattern that would take other engines forever takes linear time") {
  CHECK(!matches("(a*)*b", std::string(20'000, 'a')));
  CHECK(!matches("^(a|aa)+$", std::string(20'000, 'a') + "b"));
}

TEST_CASE(
    "a regular expression that does not compile is a failure when the query starts, which names it and the step") {
  const failure bad = failure_of(matches_regex(field<"value">, "(a"));
  CHECK(bad.kind == failure_class::configuration);
  CHECK(bad.code == "PMPIPE310");
  CHECK(bad.message == "the regular expression \"(a\" does not compile: missing ): (a");
  CHECK(bad.where == "transform");
  CHECK(failure_of(matches_regex(field<"value">, "a(?=b)")).message.find("invalid perl operator") != std::string::npos);
  CHECK(failure_of(matches_regex(field<"value">, "(((a{100}){100}){100})")).message.find("does not compile") !=
        std::string::npos);
  CHECK(failure_of(extract_regex(field<"value">, "(a)", 2) == "a").message ==
        "the regular expression \"(a)\" has no group 2");
  CHECK(failure_of(extract_regex(field<"value">, "a") == "a").message == "the regular expression \"a\" has no group 1");
  CHECK(failure_of(extract_regex(field<"value">, "a", -1) == "a").message ==
        "the regular expression \"a\" has no group -1");
  CHECK(failure_of(replace_regex(field<"value">, "a", "$1") == "a").message ==
        "the replacement \"$1\" names a group that the regular expression \"a\" does not have");
  CHECK(failure_of(replace_regex(field<"value">, "a", "5 $") == "a").message ==
        "the replacement \"5 $\" has a $ without the digit of a group; write \\$ for the character");
  CHECK(failure_of(replace_regex(field<"value">, "a", "\\n") == "a").message ==
        "the replacement \"\\n\" has a \\ that stands before neither $ nor \\");
}

TEST_CASE("the plan tells patterns, groups and replacements") {
  CHECK(describe(matches_regex(field<"a">, "x+")) == "matches_regex<\"x+\">(a)");
  CHECK(describe(extract_regex(field<"a">, "(x+)")) == "extract_regex<\"(x+)\", group 1>(a)");
  CHECK(describe(replace_regex(field<"a">, "x+", "$0y")) == "replace_regex<\"x+\", \"$0y\">(a)");
}

TEST_CASE("regular expressions in a pipeline: filters, derived fields and keys") {
  struct Mail {
    text address;
  };
  struct Domain {
    text domain;
    std::int64_t mails;
  };
  auto source = std::make_shared<memory_source<Mail>>();
  auto sink = std::make_shared<memory_sink<Domain>>();
  std::vector<Mail> mails;
  for (int i = 0; i < 3'000; ++i)
    mails.push_back({text(i % 3 == 0 ? "no address" : i % 3 == 1 ? "a@one.example" : "b@a-longer-name.example")});
  source->add(mails);
  profile where;
  where.trigger.kind = trigger_kind::available_now;
  where.assets["in"].made_source = source;
  where.assets["out"].made_sink = sink;
  const auto done =
      run(from<Mail>("in") | etlantic::where(matches_regex(field<"address">, "^[^@]+@[^@]+$")) |
              derive<"domain">(replace_regex(extract_regex(field<"address">, "@(.+)$"), "\\.example$", "")) |
              group_by<"domain"> | aggregate<Domain>(named<"mails"> = count()) | into<output_mode::complete>("out"),
          where);
  REQUIRE(done.ok());
  std::vector<Domain> rows = sink->rows();
  std::sort(rows.begin(), rows.end(), [](const Domain& a, const Domain& b) { return a.domain < b.domain; });
  REQUIRE(rows.size() == 2);
  CHECK(rows[0].domain == text("a-longer-name"));
  CHECK(rows[0].mails == 1'000);
  CHECK(rows[1].domain == text("one"));
  CHECK(rows[1].mails == 1'000);
}
