#include <etlantic/core/fixed_length.hpp>
#include <etlantic/graph/accept_late.hpp>
#include <etlantic/graph/join_time.hpp>
#include <etlantic/graph/lag.hpp>
#include <etlantic/graph/ports.hpp>
#include <etlantic/graph/sliding.hpp>
#include <etlantic/graph/tumbling.hpp>
#include <etlantic/graph/watermark.hpp>

#include <chrono>
#include <cstdint>
#include <ratio>
#include <type_traits>

namespace etlantic {
namespace {

using namespace std::chrono_literals;
using std::chrono::days;
using std::chrono::months;
using std::chrono::years;

// ---- length_must_be_fixed -------------------------------------------------------------------------------------------
template <class Length>
using verdict = decltype(judge_length<Length>());
template <class Length>
inline constexpr bool refused = std::is_same_v<verdict<Length>, fail<rule::length_must_be_fixed, type<Length>>>;

static_assert(refused<months> && refused<years>);
static_assert(refused<std::chrono::duration<std::int64_t, months::period>> &&
              refused<std::chrono::duration<int, std::ratio_multiply<months::period, std::ratio<3>>>>);
static_assert(passed<verdict<std::chrono::weeks>> && passed<verdict<days>> && passed<verdict<duration>>);
// 31 days are 31 days.
static_assert(passed<verdict<std::chrono::duration<int, std::ratio_multiply<days::period, std::ratio<31>>>>>);

// Whatever takes a length still takes those that are fixed, and parameters of transformations.
constexpr parameter<duration> hour{1h};
static_assert(hour.value == 60min && parameter<duration>{}.value == duration{});
static_assert(watermark<"t">(days{31}).delay == 744h && watermark<"t">(hour).delay == 1h);
static_assert(tumbling<"t">(hour, 5min).offset == 5min && sliding<"t">(days{1}, hour).slide == 60min);
static_assert(accept_late(hour).delay == 1h && within(-5s, days{1}).greatest.distance == 24h);
static_assert(same_window(days{7}).length == 168h);

}  // namespace
}  // namespace etlantic
