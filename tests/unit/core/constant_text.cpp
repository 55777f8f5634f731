#include "support/catch.hpp"

#include <etlantic/core/constant_text.hpp>
#include <etlantic/expression/operators.hpp>
#include <etlantic/expression/text_functions.hpp>
#include <etlantic/graph/bare.hpp>

// Expressions and chains are data that may outlive what they were made of.

using namespace etlantic;

namespace {

struct Visit {
  text page;
};

constexpr auto at_home = field<"page"> == "/home";
static_assert(at_home.right.value == "/home");

/// Longer than what a string holds in itself, so that it is gone when the string is.
std::string a_long_text(char last) { return std::string("a text that lies in memory of its own ") + last; }

}  // namespace

TEST_CASE("text is kept once, and longer than the string that it came from") {
  const std::string_view kept = kept_text(a_long_text('a'));
  CHECK(kept == a_long_text('a'));
  CHECK(kept_text(a_long_text('a')).data() == kept.data());
  CHECK(kept_text(a_long_text('b')) == a_long_text('b'));
  CHECK(kept_text("").empty());
}

TEST_CASE("constants, patterns and assets may be made of strings that die") {
  const auto compared = field<"page"> == text(a_long_text('c'));
  CHECK(compared.right.value == a_long_text('c'));
  const auto called = like(field<"page">, a_long_text('d'));
  CHECK(called.function.pattern == a_long_text('d'));
  const auto chain = from<Visit>(a_long_text('e'));
  CHECK(chain.source.asset == a_long_text('e'));
  const auto end = into(a_long_text('f'), {.invalid = a_long_text('g')});
  CHECK(end.asset == a_long_text('f'));
  CHECK(end.sides.invalid == a_long_text('g'));
}
