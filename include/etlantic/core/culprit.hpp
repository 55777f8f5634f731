#pragma once
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

/// Levenshtein's distance, in O(|a| |b|); texts beyond 64 characters count as far apart.
constexpr std::size_t edit_distance(std::string_view a, std::string_view b) {
  if (a.size() > 64 || b.size() > 64) return 64;
  std::array<std::size_t, 65> row{};
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t corner = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t above = row[j];
      const std::size_t replaced = corner + (a[i - 1] != b[j - 1]);
      row[j] = std::min({above + 1, row[j - 1] + 1, replaced});
      corner = above;
    }
  }
  return row[b.size()];
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
