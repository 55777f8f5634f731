// expect: the two sides of this comparison have different types
// names: etlantic::text
// names: "symbol"
// One wrong comparison in a bare pipeline is one error; running what is left of it adds none.
#include <etlantic/etlantic.hpp>

using namespace etlantic;

struct Trade {
  text symbol;
  double price;
};

#ifdef ETLANTIC_MUST_FAIL
constexpr auto wanted = field<"symbol"> == 7;
#else
constexpr auto wanted = field<"symbol"> == field<"symbol">;
#endif

int main() {
  const auto copied = from<Trade>("trades") | where(wanted) | derive<"half">(field<"price"> * 0.5) | into("copy");
  [[maybe_unused]] const auto lowered = lower(copied);
  [[maybe_unused]] const auto running = start(copied, profile{});
  [[maybe_unused]] const auto done = run(copied, profile{});
}
