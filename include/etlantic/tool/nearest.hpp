#pragma once
#include <etlantic/core/edit_distance.hpp>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace etlantic {

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
