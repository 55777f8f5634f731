#pragma once
#include <etlantic/core/edit_distance.hpp>

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace etlantic::test_kit {

/// A mistake in the test itself: a name that the pipeline does not have, rows of another contract, a call at a time
/// when it means nothing. Thrown, because every test framework shows what an exception says.
struct wrong_use : std::logic_error {
  using std::logic_error::logic_error;
};

namespace detail {

/// `there is no load of asset 'a'; did you mean 'b'?`, or the list of those that are there.
inline std::string no_such(std::string_view kind, std::string_view name, const std::vector<std::string>& known) {
  std::string text("the pipeline has no ");
  text.append(kind).append(" '").append(name).append("'");
  const std::string* meant = nullptr;
  std::size_t best = name.size() / 3 + 2;
  for (const std::string& each : known)
    if (const std::size_t distance = edit_distance(name, each); distance < best) {
      best = distance;
      meant = &each;
    }
  if (meant != nullptr) return text.append("; did you mean '").append(*meant).append("'?");
  text.append("; there is ");
  for (std::size_t i = 0; i < known.size(); ++i) text.append(i == 0 ? "'" : ", '").append(known[i]).append("'");
  return known.empty() ? text.append("none") : text;
}

}  // namespace detail

}  // namespace etlantic::test_kit
