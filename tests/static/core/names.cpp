#include <etlantic/core/culprit.hpp>
#include <etlantic/core/edit_distance.hpp>
#include <etlantic/core/fixed_string.hpp>

#include <array>
#include <string_view>
#include <type_traits>

namespace etlantic {
namespace {

static_assert(fixed_string("price").view() == "price");
static_assert(fixed_string("").view().empty());
static_assert(fixed_string("price") == fixed_string("price"));
static_assert(!(fixed_string("price") == fixed_string("prices")) && !(fixed_string("price") == fixed_string("prise")));
static_assert(std::is_same_v<called<"a">, called<"a">> && !std::is_same_v<called<"a">, called<"b">>);

constexpr std::array<std::string_view, 3> names{"price", "quantity", "window_start"};
static_assert(fixed<[] { return names[1]; }>() == fixed_string("quantity"));

// The textbook's example, and the four kinds of steps.
static_assert(edit_distance("kitten", "sitting") == 3 && edit_distance("sitting", "kitten") == 3);
static_assert(edit_distance("", "") == 0 && edit_distance("", "abc") == 3 && edit_distance("abc", "") == 3);
static_assert(edit_distance("price", "prices") == 1);  // inserted
static_assert(edit_distance("price", "pric") == 1);    // removed
static_assert(edit_distance("price", "prize") == 1);   // replaced
static_assert(edit_distance("price", "prcie") == 1);   // two neighbours exchanged, the most common slip
static_assert(edit_distance("ab", "ba") == 1 && edit_distance("abcd", "badc") == 2 && edit_distance("ca", "abc") == 3);
constexpr std::string_view long_name = "a_name_of_more_than_sixty_four_characters_counts_as_far_from_all_";
static_assert(long_name.size() == 65 && edit_distance(long_name, long_name) == 64);

static_assert(closest_name(names, "prcie") == 0);
static_assert(closest_name(names, "qty") == -1);
static_assert(closest_name(names, "windowstart") == 2);
static_assert(closest_name(names, "") == -1);
static_assert(closest_name(std::array<std::string_view, 0>{}, "price") == -1);
// Of two names that are equally near the first is meant.
static_assert(closest_name(std::array<std::string_view, 2>{"bid1", "bid2"}, "bid") == 0);

}  // namespace
}  // namespace etlantic
