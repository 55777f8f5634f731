#pragma once
#include <etlantic/core/culprit.hpp>
#include <etlantic/core/length_rules.hpp>
#include <etlantic/core/time.hpp>

#include <chrono>
#include <ratio>
#include <type_traits>

namespace etlantic {

namespace detail {

template <class T>
inline constexpr bool is_duration = false;
template <class Rep, class Period>
inline constexpr bool is_duration<std::chrono::duration<Rep, Period>> = true;

template <class T>
inline constexpr bool is_of_months = false;
template <class Rep, class Period>
inline constexpr bool is_of_months<std::chrono::duration<Rep, Period>> =
    std::ratio_divide<Period, std::chrono::months::period>::den == 1;

}  // namespace detail

/// `std::chrono::months` and `std::chrono::years`. To the standard library a month has 30.436875 days, its average,
/// which nobody means who asks for one.
template <class T>
concept CalendarLength = detail::is_of_months<T>;

/// Whether a duration denotes one length of time.
template <class Length>
constexpr auto judge_length() {
  if constexpr (CalendarLength<Length>)
    return fail<rule::length_must_be_fixed, type<Length>>{};
  else
    return pass{};
}

/// A length of time that a user gives, in microseconds.
template <class Length>
constexpr duration fixed_length(const Length& length) {
  enforce(judge_length<Length>());
  return length;
}

}  // namespace etlantic
