#pragma once
#include <etlantic/core/edit_distance.hpp>
#include <etlantic/core/fixed_string.hpp>

#include <array>
#include <cstddef>
#include <string_view>
#include <utility>

namespace etlantic {

// clang before 16 prints a character array as numbers, a pack of characters as characters.
#if defined(__clang__) && __clang_major__ < 16
template <char... Characters>
struct spelled {};
template <fixed_string Text, class Indices = std::make_index_sequence<sizeof(Text.data) - 1>>
struct spell;
template <fixed_string Text, std::size_t... I>
struct spell<Text, std::index_sequence<I...>> {
  using type = spelled<Text.data[I]...>;
};
template <fixed_string Text>
using called = typename spell<Text>::type;
#else
template <fixed_string Text>
struct called {};
#endif

template <class Name>
struct did_you_mean {};
template <class T>
struct type {};
template <class... Names>
struct known_names {};
struct nothing_similar {};

/// A constexpr string_view as a template argument: `fixed<[] { return names[3]; }>`.
template <auto Text>
consteval auto fixed() {
  constexpr std::string_view text = Text();
  char characters[text.size() + 1]{};
  std::copy_n(text.data(), text.size(), characters);
  return fixed_string<text.size() + 1>(characters);
}

/// The same with the text given by a type: `fixed_from<node_name<P, 3>>()` calls `node_name<P, 3>::get()`.
template <class Source>
consteval auto fixed_from() {
  constexpr std::string_view text = Source::get();
  char characters[text.size() + 1]{};
  std::copy_n(text.data(), text.size(), characters);
  return fixed_string<text.size() + 1>(characters);
}

/// Index of the name most like `wanted`, or -1 when none is near enough to be what was meant.
template <class Names>
constexpr int closest_name(const Names& names, std::string_view wanted) {
  int best = -1;
  std::size_t best_distance = wanted.size() / 2 + 2;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::size_t distance = edit_distance(wanted, names[i]);
    if (distance < best_distance) {
      best = static_cast<int>(i);
      best_distance = distance;
    }
  }
  return best;
}

}  // namespace etlantic
