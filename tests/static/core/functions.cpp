#include <etlantic/core/calendar.hpp>
#include <etlantic/core/characters.hpp>
#include <etlantic/core/divide_decimal.hpp>

#include <chrono>
#include <cstdint>
#include <limits>

namespace etlantic {
namespace {

using namespace std::chrono;

// ---- days -----------------------------------------------------------------------------------------------------------
constexpr date on(std::int64_t year, unsigned month, unsigned day) {
  return {static_cast<std::int32_t>(days_from_civil(year, month, day))};
}
constexpr timestamp at(date day, std::int64_t microseconds) { return {day.days * microseconds_of_day + microseconds}; }

static_assert(iso_day_of_week(on(1970, 1, 1)) == 4 && iso_day_of_week(on(1969, 12, 28)) == 7);
static_assert(iso_day_of_week(on(1969, 12, 29)) == 1 && iso_day_of_week(on(2024, 2, 29)) == 4);
static_assert(iso_day_of_week(on(1600, 1, 1)) == 6 && iso_day_of_week(on(1, 1, 1)) == 1);
static_assert(day_number_in_year(on(1969, 12, 31)) == 365 && day_number_in_year(on(2024, 12, 31)) == 366);
static_assert(day_number_in_year(on(1900, 3, 1)) == 60 && day_number_in_year(on(2000, 3, 1)) == 61);

static_assert(date_of_time({-1}) == on(1969, 12, 31) && date_of_time({0}) == on(1970, 1, 1));
static_assert(time_of_day({-1}) == microseconds_of_day - 1 && time_of_day({microseconds_of_day}) == 0);
static_assert(time_of_date(on(1969, 12, 31)) == timestamp{-microseconds_of_day});
static_assert(!time_of_date({std::numeric_limits<std::int32_t>::max()}) &&
              !time_of_date({std::numeric_limits<std::int32_t>::min()}));

static_assert(truncated_to<minutes>({-1}) == timestamp{-60'000'000} &&
              truncated_to<hours>({-1}) == timestamp{-3'600'000'000});
static_assert(truncated_to<days>(at(on(1969, 12, 31), 5)) == at(on(1969, 12, 31), 0));
static_assert(truncated_to<weeks>(at(on(1970, 1, 4), 5)) == at(on(1969, 12, 29), 0),
              "a Sunday belongs to the Monday before");
static_assert(truncated_to<weeks>(at(on(2024, 1, 1), 0)) == at(on(2024, 1, 1), 0));
static_assert(truncated_to<months>(at(on(1969, 2, 28), 9)) == at(on(1969, 2, 1), 0));
static_assert(truncated_to<years>(at(on(1904, 2, 29), 9)) == at(on(1904, 1, 1), 0));
static_assert(!truncated_to<years>({std::numeric_limits<std::int64_t>::min()}), "begins before the first timestamp");
static_assert(!truncated_to<minutes>({std::numeric_limits<std::int64_t>::min()}));

// ---- characters -----------------------------------------------------------------------------------------------------
static_assert(part_of("Spark SQL", 5, 1) == "k" && part_of("Spark SQL", -3, 3) == "SQL");  // Spark's own examples
static_assert(part_of("abc", 0, 2) == "ab" && part_of("abc", 1, 2) == "ab" && part_of("abc", 3, 9) == "c");
static_assert(part_of("abc", 4, 1).empty() && part_of("abc", 1, 0).empty() && part_of("abc", 1, -1).empty());
static_assert(part_of("abc", -5, 3) == "a" && part_of("abc", -5, 2).empty() && part_of("", -5, 9).empty());
static_assert(part_of("zoë€𝄞!", 3, 3) == "ë€𝄞" && part_of("zoë€𝄞!", -2, 1) == "𝄞");
static_assert(part_of("abc", std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max()) ==
              "ab");
static_assert(part_of("abc", 2, std::numeric_limits<std::int64_t>::max()) == "bc");
static_assert(without_spaces_in_front("  a ") == "a " && without_spaces_behind(" a  ") == " a");
static_assert(without_spaces_in_front("   ").empty() && without_spaces_behind("   ").empty() &&
              without_spaces_behind("").empty());
static_assert(without_spaces_in_front("\ta") == "\ta");

// ---- division -------------------------------------------------------------------------------------------------------
static_assert(divide_rounded(1, 3, 6) == 333'333 && divide_rounded(2, 3, 6) == 666'667 &&
              divide_rounded(-2, 3, 6) == -666'667);
static_assert(divide_rounded(1, 2, 0) == 1 && divide_rounded(-1, 2, 0) == -1 && divide_rounded(1, -2, 0) == -1 &&
              divide_rounded(3, 8, 2) == 38);
// 99...9 (38 digits) * 10^38 / 99...9 needs 256 bits in between.
static_assert(divide_rounded(power_of_ten(38) - 1, power_of_ten(38) - 1, 38) == power_of_ten(38));
static_assert(divide_rounded(power_of_ten(37), power_of_ten(38) - 1, 37) == power_of_ten(36));
static_assert(divide_rounded(power_of_ten(38) - 1, 7 * power_of_ten(20), 20) == (power_of_ten(38) - 1) / 7,
              "14285714285714285714285714285714285714.14");
static_assert(!divide_rounded(power_of_ten(38) - 1, 1, 38), "76 digits");

}  // namespace
}  // namespace etlantic
