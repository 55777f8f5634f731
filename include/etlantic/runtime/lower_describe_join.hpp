#pragma once
#include <etlantic/contract/schema.hpp>
#include <etlantic/graph/describe.hpp>
#include <etlantic/graph/join.hpp>
#include <etlantic/graph/lookup_join.hpp>
#include <etlantic/runtime/field_list.hpp>
#include <etlantic/runtime/program.hpp>

#include <string>
#include <type_traits>
#include <utility>
#include <vector>

// A join as a plan shows it, and the schema of its state.

namespace etlantic::detail {

inline std::string describe_bound(const time_bound& of) {
  return joined(describe_duration(of.distance), of.inclusive ? "" : " (exclusive)");
}
inline setting describe_join_time(const range_rule& of) {
  return {"right time - left time", joined(describe_bound(of.least), " to ", describe_bound(of.greatest))};
}
inline setting describe_join_time(const same_time_rule&) { return {"time", "the same"}; }
inline setting describe_join_time(const same_window_rule& of) {
  std::string window = describe_duration(of.length);
  if (of.offset != duration::zero()) window += joined(" offset ", describe_duration(of.offset));
  return {"same window", window};
}
inline setting describe_join_time(const unbounded_rule&) { return {"time", "unbounded"}; }

template <class... Keys>
std::string describe_join_keys() {
  std::string text;
  ((text += joined(text.empty() ? "" : ", ", Keys::left_name.view(),
                   Keys::left_name == Keys::right_name ? "" : joined(" == ", Keys::right_name.view()))),
   ...);
  return text;
}

template <class L, class R, join_sort Sort, class Time, class Condition, class... Keys>
operator_description describe_join(const join_source<L, R, Sort, Time, Condition, Keys...>& of,
                                   const std::string& left_input, const std::string& right_input) {
  operator_description made{"join",
                            {{"kind", std::string(name_of(Sort))},
                             {"left", left_input},
                             {"right", right_input},
                             {"keys", describe_join_keys<Keys...>()}}};
  made.settings.push_back(describe_join_time(of.time));
  if constexpr (!std::is_same_v<Condition, no_condition>) made.settings.push_back({"where", describe(of.condition)});
  return made;
}

template <class L, class R, join_sort Sort, class Condition, class... Keys>
operator_description describe_join(const join_source<L, R, Sort, looked_up_rule, Condition, Keys...>& of,
                                   const std::string& left_input, const std::string& looked_up) {
  operator_description made{"lookup_join",
                            {{"kind", std::string(name_of(Sort))},
                             {"stream", left_input},
                             {"reference", looked_up},
                             {"keys", describe_join_keys<Keys...>()}}};
  if constexpr (!std::is_same_v<Condition, no_condition>) made.settings.push_back({"where", describe(of.condition)});
  return made;
}

inline std::string describe(const refresh_rule& of) {
  switch (of.when) {
    case refresh_rule::kind::each_batch: return "read again at each batch that finds it changed";
    case refresh_rule::kind::interval: return joined("read again every ", describe_duration(of.interval));
    default: return "read once";
  }
}

template <class L, class R, join_sort Sort, class Time, class Condition, class... Keys>
std::string describe_join_state(const join_source<L, R, Sort, Time, Condition, Keys...>& of) {
  const setting time = describe_join_time(of.time);
  std::string made = joined("join ", name_of(Sort), " on ", describe_join_keys<Keys...>(), ", ", time.name, " ",
                            time.value, "; left ");
  describe_fields(schema_of<typename given_row<typename L::row_type>::contract>().fields, made);
  made += "; right ";
  describe_fields(schema_of<typename given_row<typename R::row_type>::contract>().fields, made);
  return made;
}

}  // namespace etlantic::detail
