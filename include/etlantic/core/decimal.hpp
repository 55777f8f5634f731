#pragma once
#include <etlantic/core/integer128.hpp>

#include <compare>
#include <cstdint>
#include <string_view>
#include <type_traits>

namespace etlantic {

/// 10 to the power of `exponent`, 0 to 38.
constexpr int128 power_of_ten(int exponent) {
  int128 power = 1;
  for (int i = 0; i < exponent; ++i) power *= 10;
  return power;
}

/// An exact number with `Precision` digits, `Scale` of them behind the point. Kept as value * 10^Scale in 64 bits up
/// to 18 digits and in 128 bits up to 38.
template <int Precision, int Scale>
struct decimal {
  static_assert(Precision >= 1 && Precision <= 38, "etlantic: a decimal has between 1 and 38 digits");
  static_assert(Scale >= 0 && Scale <= Precision, "etlantic: the scale of a decimal is between 0 and its precision");

  using representation = std::conditional_t<(Precision <= 18), std::int64_t, int128>;
  static constexpr int precision = Precision;
  static constexpr int scale = Scale;

  representation scaled{};

  constexpr decimal() = default;

  /// `decimal<18, 2>("12.30")`: plain digits with an optional sign and point. Anything else, or a value that does not
  /// fit exactly, does not compile in a constant and throws its sentence otherwise.
  constexpr explicit decimal(std::string_view digits) : scaled(read(digits)) {}
  constexpr explicit decimal(const char* digits) : decimal(std::string_view(digits)) {}

  /// The decimal whose value is `units / 10^Scale`.
  static constexpr decimal from_scaled(representation units) {
    decimal made;
    made.scaled = units;
    return made;
  }

  friend constexpr bool operator==(const decimal&, const decimal&) = default;
  friend constexpr std::strong_ordering operator<=>(const decimal& a, const decimal& b) {
    return a.scaled <=> b.scaled;
  }

 private:
  static constexpr representation read(std::string_view digits) {
    const bool negative = !digits.empty() && digits.front() == '-';
    if (negative) digits.remove_prefix(1);
    int128 units = 0;
    int behind_point = -1;
    bool any = false;
    for (char c : digits) {
      if (c == '.' && behind_point < 0) {
        behind_point = 0;
        continue;
      }
      if (c < '0' || c > '9') throw "etlantic: this is not a decimal number";
      if (behind_point == Scale) {
        if (c != '0') throw "etlantic: this number has more digits behind the point than its decimal type";
        continue;
      }
      any = true;
      if (behind_point >= 0) ++behind_point;
      units = units * 10 + (c - '0');
      if (units >= power_of_ten(Precision)) throw "etlantic: this number has more digits than its decimal type";
    }
    if (!any) throw "etlantic: this is not a decimal number";
    for (int i = behind_point < 0 ? 0 : behind_point; i < Scale; ++i) units *= 10;
    if (units >= power_of_ten(Precision)) throw "etlantic: this number has more digits than its decimal type";
    return static_cast<representation>(negative ? -units : units);
  }
};

/// A decimal field that rounds excess digits half away from zero, as Spark does, instead of refusing them.
template <class Decimal>
struct rounded {
  Decimal value{};

  constexpr rounded() = default;
  constexpr rounded(Decimal d) : value(d) {}
  friend constexpr bool operator==(const rounded&, const rounded&) = default;
};

}  // namespace etlantic
