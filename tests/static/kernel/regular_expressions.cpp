#include <etlantic/expression/operators.hpp>
#include <etlantic/kernel/re2/regular_expressions.hpp>

#include <cstdint>
#include <optional>
#include <type_traits>

namespace etlantic {
namespace {

struct Row {
  text name;
  std::optional<text> maybe_name;
  binary bytes;
  std::int64_t number;
};

template <class Expected, class E>
constexpr bool gives(const E&) {
  return std::is_same_v<inferred<E, contract_row<Row>>, Expected>;
}
template <fixed_string Name, class T, class E>
constexpr bool unsuitable(const E& call) {
  return gives<fail<rule::function_must_suit_its_arguments, called<Name>, type<T>>>(call);
}

static_assert(gives<typed<bool>>(matches_regex(field<"name">, "a+")));
static_assert(gives<typed<bool, true>>(matches_regex(field<"maybe_name">, "a+")));
static_assert(gives<typed<text>>(extract_regex(field<"name">, "(a+)")) &&
              gives<typed<text, true>>(extract_regex(field<"maybe_name">, "a+", 0)));
static_assert(gives<typed<text>>(replace_regex(field<"name">, "a+", "b")) &&
              gives<typed<text, true>>(replace_regex(field<"maybe_name">, "a+", "b")));
static_assert(gives<typed<bool>>(matches_regex(replace_regex(field<"name">, "a", ""), "^$")));

static_assert(unsuitable<"matches_regex", binary>(matches_regex(field<"bytes">, "a+")));
static_assert(unsuitable<"extract_regex", std::int64_t>(extract_regex(field<"number">, "(a+)")));
static_assert(unsuitable<"replace_regex", std::int64_t>(replace_regex(field<"number">, "a", "b")));

}  // namespace
}  // namespace etlantic
