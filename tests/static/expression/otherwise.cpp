#include <etlantic/etlantic.hpp>

#include <type_traits>

namespace otherwise_test {

using namespace etlantic;

struct Order {
  std::int64_t total;
  std::optional<std::int64_t> limit;
  std::optional<bool> paid;
};

template <class E>
using type_of = inferred<E, contract_row<Order>>;

// Never null, whatever the predicates are.
constexpr auto large = field<"total"> > field<"limit">;
constexpr auto positive = field<"total"> > 0;
constexpr auto paid = field<"paid">;
static_assert(std::is_same_v<type_of<decltype(etlantic::otherwise(large))>, typed<bool>>);
static_assert(std::is_same_v<type_of<decltype(etlantic::otherwise(positive))>, typed<bool>>);
static_assert(std::is_same_v<type_of<decltype(etlantic::otherwise(paid, large, positive))>, typed<bool>>);
static_assert(std::is_same_v<type_of<decltype(etlantic::otherwise(paid) && positive)>, typed<bool>>);
static_assert(!passed<type_of<decltype(etlantic::otherwise(field<"total">))>>);

}  // namespace otherwise_test
