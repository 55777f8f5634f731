#pragma once
#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace etlantic {

/// Letters to insert, remove, change or swap (neighbours) to get from one word to the other; capitals do not matter.
inline std::size_t edit_distance(std::string_view from, std::string_view to) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  std::vector<std::size_t> before_previous(to.size() + 1), previous(to.size() + 1), current(to.size() + 1);
  for (std::size_t j = 0; j <= to.size(); ++j) previous[j] = j;
  for (std::size_t i = 1; i <= from.size(); ++i) {
    current[0] = i;
    for (std::size_t j = 1; j <= to.size(); ++j) {
      const bool same = lower(from[i - 1]) == lower(to[j - 1]);
      current[j] = std::min({previous[j] + 1, current[j - 1] + 1, previous[j - 1] + (same ? 0 : 1)});
      if (i > 1 && j > 1 && lower(from[i - 1]) == lower(to[j - 2]) && lower(from[i - 2]) == lower(to[j - 1]))
        current[j] = std::min(current[j], before_previous[j - 2] + 1);
    }
    before_previous.swap(previous);
    previous.swap(current);
  }
  return previous[to.size()];
}

/// The known word that was probably meant; none if all are too far away. A tie goes to the first.
inline std::optional<std::string> nearest(std::string_view word, const std::vector<std::string>& known) {
  if (word.size() > 200) return std::nullopt;
  std::optional<std::string> found;
  std::size_t best = std::max<std::size_t>(1, (word.size() + 1) / 3) + 1;
  for (const std::string& each : known) {
    const std::size_t distance = edit_distance(word, each);
    if (distance < best) {
      best = distance;
      found = each;
    }
  }
  return found;
}

/// `a, b or c`.
inline std::string enumerate(const std::vector<std::string>& words, std::string_view last_word = "or") {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) text += i + 1 == words.size() ? " " + std::string(last_word) + " " : ", ";
    text += words[i];
  }
  return text;
}

/// Help for a word that is none of the known ones.
inline std::string suggestion(std::string_view word, const std::vector<std::string>& known) {
  if (const auto meant = nearest(word, known)) return "did you mean \"" + *meant + "\"?";
  return known.empty() ? std::string() : "it can be " + enumerate(known);
}

}  // namespace etlantic
