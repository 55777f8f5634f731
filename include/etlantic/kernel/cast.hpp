#pragma once
#include <etlantic/core/calendar.hpp>
#include <etlantic/core/format_decimal.hpp>
#include <etlantic/core/format_number.hpp>
#include <etlantic/core/parse_double.hpp>
#include <etlantic/core/parse_number.hpp>
#include <etlantic/core/rfc3339.hpp>
#include <etlantic/expression/cast.hpp>
#include <etlantic/kernel/call.hpp>

#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <string_view>
#include <type_traits>

namespace etlantic::kernel {

namespace detail {

// ---- numbers --------------------------------------------------------------------------------------------------------

template <class T>
std::optional<T> exact_of(int128 units) {
  if constexpr (etlantic::detail::is_decimal<T>::value) {
    if (units >= power_of_ten(T::precision) || units <= -power_of_ten(T::precision)) return {};
    return T::from_scaled(static_cast<typename T::representation>(units));
  } else {
    if (units < int128{std::numeric_limits<T>::min()} || units > int128{std::numeric_limits<T>::max()}) return {};
    return static_cast<T>(units);
  }
}

/// Rounds half away from zero; the divisor is a power of ten.
constexpr int128 rounded_quotient(int128 dividend, int128 divisor) {
  const int128 quotient = dividend / divisor;
  const int128 rest = dividend % divisor;
  if (rest >= divisor - rest) return quotient + 1;
  return -rest >= divisor + rest ? quotient - 1 : quotient;
}

template <class To, class From>
std::optional<To> cast_exact(const From& from) {
  using etlantic::detail::is_decimal;
  constexpr int digits = etlantic::detail::scale_of<To>() - etlantic::detail::scale_of<From>();
  int128 units = 0;
  if constexpr (is_decimal<From>::value)
    units = from.scaled;
  else
    units = from;
  if constexpr (digits > 0) {
    if (__builtin_mul_overflow(units, power_of_ten(digits), &units)) return {};
  } else if constexpr (digits < 0) {
    if constexpr (is_decimal<To>::value)
      units = rounded_quotient(units, power_of_ten(-digits));
    else
      units /= power_of_ten(-digits);
  }
  return exact_of<To>(units);
}

/// The nearest floating-point number of a decimal. Where digits and power are both exact, so is one rounding of their
/// quotient; otherwise the digits are read.
template <class To, class Decimal>
To real_of_decimal(const Decimal& from) {
  constexpr int128 exact_digits = int128{1} << std::numeric_limits<To>::digits;
  constexpr int exact_power = std::is_same_v<To, double> ? 22 : 10;
  if constexpr (Decimal::scale <= exact_power) {
    const int128 units = from.scaled;
    if (units <= exact_digits && units >= -exact_digits)
      return static_cast<To>(units) / static_cast<To>(power_of_ten(Decimal::scale));
  }
  char characters[scalar_text_size];
  const char* end = write_decimal(characters, from.scaled, Decimal::scale);
  To made{};
  std::from_chars(characters, end, made);
  return made;
}

template <class To, class From>
std::optional<To> cast_real(From from) {
  if constexpr (std::is_floating_point_v<To>) {
    const auto made = static_cast<To>(from);
    if (std::isinf(made) && !std::isinf(from)) return {};
    return made;
  } else if constexpr (etlantic::detail::is_decimal<To>::value) {
    if (!std::isfinite(from)) return {};
    char characters[scalar_text_size];
    const char* end = write_floating(characters, from);
    const std::string_view digits(characters, static_cast<std::size_t>(end - characters));
    const auto made = parse_decimal(digits, To::precision, To::scale, excess_digits::round_half_up);
    if (!made.ok()) return {};
    return exact_of<To>(made.value);
  } else {
    // Both ends are powers of two (but for one), so that they are exact.
    const double whole = std::trunc(double{from});
    constexpr double end = 2.0 * static_cast<double>(std::uint64_t{1} << (std::numeric_limits<To>::digits - 1));
    if (!(whole < end && whole >= (std::is_signed_v<To> ? -end : 0.0))) return {};
    return static_cast<To>(whole);
  }
}

// ---- text -----------------------------------------------------------------------------------------------------------

template <class To>
std::optional<To> read_as(std::string_view from) {
  if constexpr (std::is_same_v<To, bool>) {
    if (from == "true") return true;
    if (from == "false") return false;
  } else if constexpr (std::is_same_v<To, date>)
    return parse_date(from);
  else if constexpr (std::is_same_v<To, timestamp>)
    return parse_rfc3339(from);
  else if constexpr (std::is_enum_v<To>) {
    for (std::size_t i = 0; i < enumerator_names<To>.size(); ++i)
      if (enumerator_names<To>[i] == from) return etlantic::enumerator_at<To>(i);
  } else if constexpr (etlantic::detail::is_decimal<To>::value) {
    const auto made = parse_decimal(from, To::precision, To::scale, excess_digits::round_half_up);
    if (made.ok()) return exact_of<To>(made.value);
  } else if constexpr (std::is_floating_point_v<To>) {
    const auto made = parse_floating<To>(from);
    if (made.ok()) return made.value;
  } else {
    const auto made = parse_integer<To>(from);
    if (made.ok()) return made.value;
  }
  return {};
}

template <class From>
std::string_view text_of(text_room& room, const From& from) {
  if constexpr (std::is_same_v<From, std::string_view>)
    return from;
  else if constexpr (std::is_same_v<From, bool>)
    return from ? "true" : "false";
  else if constexpr (std::is_enum_v<From>)
    return enumerator_names<From>[enumerator_index(from)];
  else {
    char* const begin = room.begin(scalar_text_size);
    char* end = begin;
    if constexpr (std::is_same_v<From, date>)
      end = write_date(begin, from);
    else if constexpr (std::is_same_v<From, timestamp>)
      end = write_timestamp(begin, from);
    else if constexpr (std::is_same_v<From, duration>)
      end = write_integer(begin, from.count());
    else if constexpr (etlantic::detail::is_decimal<From>::value)
      end = write_decimal(begin, from.scaled, From::scale);
    else if constexpr (std::is_floating_point_v<From>)
      end = write_floating(begin, from);
    else
      end = write_integer(begin, from);
    return room.keep(begin, end);
  }
}

// ---- all ------------------------------------------------------------------------------------------------------------

template <class To, class From>
std::optional<To> cast_value(const From& from) {
  using namespace etlantic::detail;
  if constexpr (std::is_same_v<From, To>)
    return from;
  else if constexpr (std::is_same_v<From, std::string_view>)
    return read_as<To>(from);
  else if constexpr (std::is_same_v<From, bool>)
    return static_cast<To>(from);
  else if constexpr (std::is_same_v<From, timestamp>)
    return date_of_time(from);
  else if constexpr (std::is_same_v<From, date>)
    return time_of_date(from);
  else if constexpr (std::is_floating_point_v<From>)
    return cast_real<To>(from);
  else if constexpr (!std::is_floating_point_v<To>)
    return cast_exact<To>(from);
  else if constexpr (etlantic::detail::is_decimal<From>::value)
    return real_of_decimal<To>(from);
  else
    return static_cast<To>(from);
}

template <class To>
struct cast_meaning {
  template <class From>
  std::optional<To> operator()(const From& from) const {
    return cast_value<To>(from);
  }
};
template <>
struct cast_meaning<text> {
  template <class From>
  std::string_view operator()(text_room& room, const From& from) const {
    return text_of(room, from);
  }
};

}  // namespace detail

template <class To, etlantic::detail::misfit Misfit>
struct meaning<etlantic::detail::cast_function<To, Misfit>> : detail::cast_meaning<To> {
  explicit meaning(const etlantic::detail::cast_function<To, Misfit>&) {}
};
template <class To>
struct meaning<etlantic::detail::cast_function<To, etlantic::detail::misfit::invalidates_row>>
    : detail::cast_meaning<To> {
  static constexpr bool can_fail = true;
  static constexpr logical_type casts_to = field_traits<To>::logical;
  explicit meaning(const etlantic::detail::cast_function<To, etlantic::detail::misfit::invalidates_row>&) {}
};

}  // namespace etlantic::kernel
