#pragma once
#include <string>
#include <string_view>
#include <utility>

namespace etlantic::test_kit {

/// The answer to an expectation: whether it holds, and if not, a text that says what differs. Knows no test framework:
/// `CHECK(test.expect_watermark(...))` of Catch2 and doctest shows the text, and with any framework the text of one
/// that holds is empty: `EXPECT_EQ(test.expect_watermark(...).text(), "")`.
class [[nodiscard]] expectation {
 public:
  expectation() = default;
  explicit expectation(std::string difference) : difference_(std::move(difference)) {}

  bool holds() const { return difference_.empty(); }
  explicit operator bool() const { return holds(); }
  /// What differs; empty if it holds.
  const std::string& text() const { return difference_; }

  /// Both hold; the texts of those that do not, one below the other.
  friend expectation operator&&(const expectation& a, const expectation& b) {
    if (a.holds()) return b;
    return b.holds() ? a : expectation(a.text() + "\n" + b.text());
  }

  // A template, so that nobody pays for streams who does not have them.
  template <class Stream>
  friend Stream& operator<<(Stream& to, const expectation& what) {
    to << (what.holds() ? std::string_view("as expected") : std::string_view(what.text()));
    return to;
  }

 private:
  std::string difference_;
};

namespace detail {

template <class T>
std::string number_text(const T& value) {
  return std::to_string(value);
}
inline std::string number_text(const std::string& value) { return value; }

/// `what: expected a, found b` if the two differ.
template <class T>
void compare(std::string& into, std::string_view what, const T& expected, const T& found) {
  if (expected == found) return;
  into.append(into.empty() ? "" : "\n").append(what).append(": expected ").append(number_text(expected));
  into.append(", found ").append(number_text(found));
}

}  // namespace detail

}  // namespace etlantic::test_kit
