#include <etlantic/core/verdict.hpp>

#include <type_traits>

namespace etlantic {
namespace {

struct first_rule {};
struct second_rule {};
using first = fail<first_rule, int>;
using second = fail<second_rule>;

static_assert(passed<pass> && passed<int>);
static_assert(!passed<first> && !passed<poisoned>);

// Of several failures the first one is kept, with its culprits.
static_assert(std::is_same_v<first_failure<>, pass>);
static_assert(std::is_same_v<first_failure<pass, pass>, pass>);
static_assert(std::is_same_v<first_failure<pass, first, second>, first>);
static_assert(std::is_same_v<first_failure<second, pass, first>, second>);

// What was reported where it happened does not hide what was not.
static_assert(std::is_same_v<first_failure<pass, poisoned, pass>, poisoned>);
static_assert(std::is_same_v<first_failure<poisoned, pass, first>, first>);
static_assert(std::is_same_v<first_failure<first, poisoned>, first>);

static_assert((enforce(pass{}), enforce(poisoned{}), true));

}  // namespace
}  // namespace etlantic
