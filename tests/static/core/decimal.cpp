#include <etlantic/core/decimal.hpp>

#include <cstdint>
#include <type_traits>

namespace etlantic {
namespace {

using money = decimal<18, 2>;

static_assert(money("12.30").scaled == 1230 && money("12.3").scaled == 1230 && money("12").scaled == 1200);
static_assert(money("-0.01").scaled == -1 && money("-0").scaled == 0 && money(".5").scaled == 50);
static_assert(money("1.").scaled == 100);
static_assert(money("1.2300").scaled == 123, "zeros beyond the scale say nothing new");
static_assert(money("9999999999999999.99").scaled == 999'999'999'999'999'999);
static_assert(money("0000000000000000000000012").scaled == 1200, "zeros in front are not digits of the number");
static_assert(money::from_scaled(7).scaled == 7);
static_assert(money("1.5") < money("1.51") && money("-2") < money("1") && money("1.0") == money("1"));

static_assert(std::is_same_v<decimal<18, 0>::representation, std::int64_t>);
static_assert(std::is_same_v<decimal<19, 0>::representation, int128>);
static_assert(decimal<38, 0>("99999999999999999999999999999999999999").scaled == power_of_ten(38) - 1);
static_assert(decimal<38, 38>("0.00000000000000000000000000000000000001").scaled == 1);

// A constant that is not a decimal of this type is no constant at all.
template <class Decimal, char... Characters>
concept Reads = requires {
  std::bool_constant<(
      [] {
        constexpr char digits[] = {Characters..., '\0'};
        return Decimal(digits);
      }(),
      true)>{};
};
static_assert(Reads<money, '1', '.', '2'>);
static_assert(!Reads<money, '1', '.', '2', '3', '4'>, "more digits behind the point than the scale");
static_assert(!Reads<decimal<3, 1>, '1', '0', '0'>, "100.0 has four digits");
static_assert(!Reads<money>, "nothing");
static_assert(!Reads<money, '-'>);
static_assert(!Reads<money, '.'>);
static_assert(!Reads<money, '1', '.', '2', '.', '3'>);
static_assert(!Reads<money, '1', 'e', '3'>);
static_assert(!Reads<money, '+', '1'>);
static_assert(!Reads<money, ' ', '1'>);
static_assert(!Reads<money, '-', '-', '1'>);

}  // namespace
}  // namespace etlantic
