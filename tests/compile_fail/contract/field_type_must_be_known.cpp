// expect: this field has a type that a contract cannot hold
// names: Account
// names: "owner"
// means: A field is a number, a decimal, text, binary, a date or time, an enumeration, a struct, a std::vector, or a
// means: std::optional or checked one of these. Pointers, references, maps and other library types have no column.
#include <etlantic/graph/bare.hpp>

using namespace etlantic;

#ifdef ETLANTIC_MUST_FAIL
struct Account {
  std::int64_t id;
  Account* owner;
};
#else
struct Account {
  std::int64_t id;
  std::int64_t owner;
};
#endif

constexpr auto accounts = from<Account>("accounts");
