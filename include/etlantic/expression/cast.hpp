#pragma once
#include <etlantic/expression/infer.hpp>

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>

namespace etlantic {

namespace detail {

enum class conversion : std::uint8_t { undefined, can_fail, always_fits };

/// Digits in front of the point that every value of an exact type keeps to.
template <class T>
constexpr int front_digits() {
  if constexpr (is_decimal<T>::value)
    return T::precision - T::scale;
  else
    return std::numeric_limits<T>::digits10 + 1;
}

template <class From, class To>
constexpr bool exact_fits() {
  if constexpr (is_integer<From> && is_integer<To>)
    return std::numeric_limits<To>::digits >= std::numeric_limits<From>::digits &&
           (std::is_signed_v<To> || !std::is_signed_v<From>);
  else if constexpr (is_integer<To>)
    return std::is_signed_v<To> && std::numeric_limits<To>::digits10 >= front_digits<From>();
  else if constexpr (scale_of<From>() <= To::scale)
    return front_digits<From>() <= front_digits<To>();
  else
    return front_digits<From>() < front_digits<To>();  // rounding may add one
}

template <class From, class To>
constexpr conversion conversion_between() {
  using enum conversion;
  constexpr bool scalar = field_traits<From>::logical != logical_type::list &&
                          field_traits<From>::logical != logical_type::structure && !std::is_same_v<From, binary>;
  if constexpr (std::is_same_v<From, To>)
    return scalar ? always_fits : undefined;
  else if constexpr (std::is_same_v<To, text>)
    return scalar ? always_fits : undefined;
  else if constexpr (std::is_same_v<From, text>)
    return is_number<To> || std::is_same_v<To, bool> || std::is_same_v<To, date> || std::is_same_v<To, timestamp> ||
                   std::is_enum_v<To>
               ? can_fail
               : undefined;
  else if constexpr (is_exact<From> && is_exact<To>)
    return exact_fits<From, To>() ? always_fits : can_fail;
  else if constexpr (is_exact<From> && is_real<To>)
    return always_fits;
  else if constexpr (is_real<From> && is_real<To>)
    return sizeof(To) >= sizeof(From) ? always_fits : can_fail;
  else if constexpr (is_real<From> && is_exact<To>)
    return can_fail;
  else if constexpr (std::is_same_v<From, bool> && is_integer<To>)
    return always_fits;
  else if constexpr (std::is_same_v<From, timestamp> && std::is_same_v<To, date>)
    return always_fits;
  else if constexpr (std::is_same_v<From, date> && std::is_same_v<To, timestamp>)
    return can_fail;
  else
    return undefined;
}

/// What happens to a value that does not fit.
enum class misfit : std::uint8_t { impossible, is_null, invalidates_row };

template <class To, misfit Misfit>
struct cast_function {
  static constexpr std::string_view name = Misfit == misfit::impossible ? "cast"
                                           : Misfit == misfit::is_null  ? "try_cast"
                                                                        : "checked_cast";
  template <class From>
  static constexpr auto judge() {
    constexpr conversion found = conversion_between<From, To>();
    if constexpr (found == conversion::undefined)
      return fail<rule::cast_must_be_defined, type<From>, type<To>>{};
    else if constexpr (found == conversion::can_fail && Misfit == misfit::impossible)
      return fail<rule::cast_must_not_fail, type<From>, type<To>>{};
    else
      return typed<To, Misfit == misfit::is_null && found == conversion::can_fail>{};
  }
  static std::string settings() {
    std::string made(name_of(field_traits<To>::logical));
    if constexpr (is_decimal<To>::value)
      made.append("(").append(std::to_string(To::precision)).append(",").append(std::to_string(To::scale)).append(")");
    return made;
  }
};

template <class T>
using cast_target = typename field_traits<T>::value;

}  // namespace detail

/// The value as a `T`, where every value fits: `cast<double>(field<"price">)`, `cast<text>(field<"id">)`. One that
/// could fail does not compile. Null of null.
///
/// Exact numbers to floating point give the nearest value. More digits behind the point than a decimal has are rounded
/// half away from zero, as `rounded<decimal>` does; to integers they are cut. Text is as the sinks write it.
template <class T, Expression E>
constexpr auto cast(const E& value) {
  return detail::call(detail::cast_function<detail::cast_target<T>, detail::misfit::impossible>{}, value);
}

/// The value as a `T`, or null where it does not fit: `try_cast<std::int32_t>(field<"amount">)`. Text is read as the
/// contract reads JSON: numbers in JSON's grammar, RFC 3339 timestamps, dates as YYYY-MM-DD, enumerators by name,
/// `true` and `false`; no spaces around them.
template <class T, Expression E>
constexpr auto try_cast(const E& value) {
  return detail::call(detail::cast_function<detail::cast_target<T>, detail::misfit::is_null>{}, value);
}

/// The value as a `T`; a row where it does not fit is invalid, as one whose arithmetic overflows. Null of null.
template <class T, Expression E>
constexpr auto checked_cast(const E& value) {
  return detail::call(detail::cast_function<detail::cast_target<T>, detail::misfit::invalidates_row>{}, value);
}

}  // namespace etlantic
