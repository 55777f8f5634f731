#pragma once
#include <etlantic/core/calendar.hpp>
#include <etlantic/expression/time_functions.hpp>
#include <etlantic/kernel/call.hpp>

#include <cstdint>
#include <limits>
#include <optional>

namespace etlantic::kernel {

template <fixed_string Name>
struct meaning<etlantic::detail::day_part_function<Name>> {
  explicit meaning(const etlantic::detail::day_part_function<Name>&) {}
  std::int32_t operator()(timestamp time) const { return (*this)(date_of_time(time)); }
  std::int32_t operator()(date day) const {
    if constexpr (Name == fixed_string("day_of_week"))
      return iso_day_of_week(day);
    else if constexpr (Name == fixed_string("day_of_year"))
      return day_number_in_year(day);
    else {
      const civil_day civil = civil_from_days(day.days);
      if constexpr (Name == fixed_string("year"))
        return static_cast<std::int32_t>(civil.year);
      else if constexpr (Name == fixed_string("month"))
        return static_cast<std::int32_t>(civil.month);
      else
        return static_cast<std::int32_t>(civil.day);
    }
  }
};

template <>
struct meaning<etlantic::detail::hour_function> {
  explicit meaning(const etlantic::detail::hour_function&) {}
  std::int32_t operator()(timestamp time) const { return static_cast<std::int32_t>(time_of_day(time) / 3'600'000'000); }
};
template <>
struct meaning<etlantic::detail::minute_function> {
  explicit meaning(const etlantic::detail::minute_function&) {}
  std::int32_t operator()(timestamp time) const {
    return static_cast<std::int32_t>(time_of_day(time) / 60'000'000 % 60);
  }
};
template <>
struct meaning<etlantic::detail::second_function> {
  explicit meaning(const etlantic::detail::second_function&) {}
  std::int32_t operator()(timestamp time) const {
    return static_cast<std::int32_t>(time_of_day(time) / 1'000'000 % 60);
  }
};

template <>
struct meaning<etlantic::detail::unix_seconds_function> {
  explicit meaning(const etlantic::detail::unix_seconds_function&) {}
  std::int64_t operator()(timestamp time) const { return floor_divide(time.microseconds, 1'000'000); }
};

template <>
struct meaning<etlantic::detail::date_of_function> {
  explicit meaning(const etlantic::detail::date_of_function&) {}
  date operator()(timestamp time) const { return date_of_time(time); }
};

template <>
struct meaning<etlantic::detail::timestamp_of_function> {
  static constexpr bool can_fail = true;
  explicit meaning(const etlantic::detail::timestamp_of_function&) {}
  std::optional<timestamp> operator()(date day) const { return time_of_date(day); }
};

template <class Unit>
struct meaning<etlantic::detail::truncate_function<Unit>> {
  static constexpr bool can_fail = true;
  explicit meaning(const etlantic::detail::truncate_function<Unit>&) {}
  std::optional<timestamp> operator()(timestamp time) const { return truncated_to<Unit>(time); }
};

template <>
struct meaning<etlantic::detail::add_days_function> {
  static constexpr bool can_fail = true;
  explicit meaning(const etlantic::detail::add_days_function&) {}
  template <class Count>
  std::optional<date> operator()(date day, Count count) const {
    date made;
    if (__builtin_add_overflow(day.days, count, &made.days)) return {};
    return made;
  }
};

template <>
struct meaning<etlantic::detail::days_between_function> {
  explicit meaning(const etlantic::detail::days_between_function&) {}
  std::int64_t operator()(date begin, date end) const { return std::int64_t{end.days} - begin.days; }
};

}  // namespace etlantic::kernel
