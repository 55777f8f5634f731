#pragma once
#include <etlantic/core/calendar.hpp>
#include <etlantic/expression/infer.hpp>

#include <cstdint>
#include <string>
#include <string_view>

// Functions of days and times. Everything is UTC and the proleptic Gregorian calendar. All give null where an operand
// is null.

namespace etlantic {

namespace detail {

/// A part of a day, which times have as well: int32.
template <fixed_string Name>
struct day_part_function {
  static constexpr std::string_view name = Name.view();
  template <class T>
  static constexpr auto judge() {
    if constexpr (std::is_same_v<T, date> || std::is_same_v<T, timestamp>)
      return typed<std::int32_t>{};
    else
      return unsuited<day_part_function, T>{};
  }
};

/// What a value of type `From` gives.
template <fixed_string Name, class From, class Result>
struct time_function {
  static constexpr std::string_view name = Name.view();
  template <class T>
  static constexpr auto judge() {
    if constexpr (std::is_same_v<T, From>)
      return typed<Result>{};
    else
      return unsuited<time_function, T>{};
  }
};

using hour_function = time_function<"hour", timestamp, std::int32_t>;
using minute_function = time_function<"minute", timestamp, std::int32_t>;
using second_function = time_function<"second", timestamp, std::int32_t>;
using unix_seconds_function = time_function<"unix_seconds", timestamp, std::int64_t>;
using date_of_function = time_function<"date_of", timestamp, date>;
using timestamp_of_function = time_function<"timestamp_of", date, timestamp>;

template <CalendarUnit Unit>
struct truncate_function : time_function<"truncate_to", timestamp, timestamp> {
  static std::string settings() {
    using namespace std::chrono;
    return std::is_same_v<Unit, minutes>  ? "minute"
           : std::is_same_v<Unit, hours>  ? "hour"
           : std::is_same_v<Unit, days>   ? "day"
           : std::is_same_v<Unit, weeks>  ? "week"
           : std::is_same_v<Unit, months> ? "month"
                                          : "year";
  }
};

struct add_days_function {
  static constexpr std::string_view name = "add_days";
  template <class Day, class Count>
  static constexpr auto judge() {
    if constexpr (std::is_same_v<Day, date> && is_integer<Count>)
      return typed<date>{};
    else
      return unsuited<add_days_function, Day, Count>{};
  }
};

struct days_between_function {
  static constexpr std::string_view name = "days_between";
  template <class Begin, class End>
  static constexpr auto judge() {
    if constexpr (std::is_same_v<Begin, date> && std::is_same_v<End, date>)
      return typed<std::int64_t>{};
    else
      return unsuited<days_between_function, Begin, End>{};
  }
};

}  // namespace detail

/// The year of a date or timestamp, 1969 of 1969-12-31T23:59:59Z: int32.
template <Expression E>
constexpr auto year(const E& time) {
  return detail::call(detail::day_part_function<"year">{}, time);
}

/// The month of a date or timestamp, 1 to 12: int32.
template <Expression E>
constexpr auto month(const E& time) {
  return detail::call(detail::day_part_function<"month">{}, time);
}

/// The day of the month of a date or timestamp, 1 to 31: int32.
template <Expression E>
constexpr auto day(const E& time) {
  return detail::call(detail::day_part_function<"day">{}, time);
}

/// The day of the week of a date or timestamp as ISO 8601 counts, Monday 1 to Sunday 7: int32.
template <Expression E>
constexpr auto day_of_week(const E& time) {
  return detail::call(detail::day_part_function<"day_of_week">{}, time);
}

/// The day of the year of a date or timestamp, 1 to 366: int32.
template <Expression E>
constexpr auto day_of_year(const E& time) {
  return detail::call(detail::day_part_function<"day_of_year">{}, time);
}

/// The hour of a timestamp, 0 to 23: int32.
template <Expression E>
constexpr auto hour(const E& time) {
  return detail::call(detail::hour_function{}, time);
}

/// The minute of a timestamp, 0 to 59: int32.
template <Expression E>
constexpr auto minute(const E& time) {
  return detail::call(detail::minute_function{}, time);
}

/// The whole second of a timestamp, 0 to 59: int32.
template <Expression E>
constexpr auto second(const E& time) {
  return detail::call(detail::second_function{}, time);
}

/// The day that a timestamp lies in.
template <Expression E>
constexpr auto date_of(const E& time) {
  return detail::call(detail::date_of_function{}, time);
}

/// The begin of a day. A day that no timestamp reaches (some 290,000 years from 1970) makes its row invalid.
template <Expression E>
constexpr auto timestamp_of(const E& day) {
  return detail::call(detail::timestamp_of_function{}, day);
}

/// The begin of the unit that a timestamp lies in: `truncate_to<std::chrono::weeks>(field<"event_time">)` is the
/// Monday. Units are minutes, hours, days, weeks, months and years. A begin before the first timestamp makes its row
/// invalid.
template <CalendarUnit Unit, Expression E>
constexpr auto truncate_to(const E& time) {
  return detail::call(detail::truncate_function<Unit>{}, time);
}

/// Whole seconds since 1970-01-01T00:00:00Z, rounded towards the past: int64.
template <Expression E>
constexpr auto unix_seconds(const E& time) {
  return detail::call(detail::unix_seconds_function{}, time);
}

/// The date some days later, or earlier if `count` is negative: `add_days(field<"ordered">, 30)`. What lies beyond all
/// dates makes its row invalid.
template <class E, class Count>
  requires OperandPair<E, Count>
constexpr auto add_days(const E& day, const Count& count) {
  return detail::call(detail::add_days_function{}, day, count);
}

/// How many days `end` lies after `begin`, negative if before: int64.
template <class Begin, class End>
  requires OperandPair<Begin, End>
constexpr auto days_between(const Begin& begin, const End& end) {
  return detail::call(detail::days_between_function{}, begin, end);
}

}  // namespace etlantic
