#pragma once
#include <etlantic/contract/late.hpp>
#include <etlantic/core/culprit.hpp>
#include <etlantic/core/verdict.hpp>
#include <etlantic/graph/rules.hpp>
#include <etlantic/graph/stream.hpp>
#include <etlantic/graph/transformation.hpp>
#include <etlantic/graph/union_all.hpp>

#include <array>
#include <cstddef>
#include <string_view>
#include <type_traits>
#include <utility>

// The outputs of a step for rows that came too late.

namespace etlantic::detail {

/// Whether rows are grouped by the event time itself.
template <class Operator>
inline constexpr bool groups_by_event_time = false;
template <GroupOperator Operator>
inline constexpr bool groups_by_event_time<Operator> = Operator::event_time_key >= 0;

/// Whether an operator compares the times of rows themselves with the watermark.
template <class Operator>
inline constexpr bool judges_late = false;
template <class Operator>
  requires requires { Operator::judges_late; }
inline constexpr bool judges_late<Operator> = Operator::judges_late;

/// Whether rows can be late for these operators.
template <class... Operators>
inline constexpr bool may_find_late =
    (WindowOperator<Operators> || ...) || (judges_late<Operators> || ...) || (groups_by_event_time<Operators> || ...);

/// Where the late rows of an implementation come from: from its inputs, as they came in, or from a union, as rows of
/// the union's contract.
template <class Implementation>
struct late_origins {
  static constexpr bool inputs = false;
  using of_union = void;
};
template <class Source, class Row, class... Operators>
struct late_origins<stream<Source, Row, Operators...>> {
  static constexpr bool inputs = may_find_late<Operators...>;
  using of_union = void;
};
template <class C, class... Parts, class Row, class... Operators>
struct late_origins<stream<union_source<C, Parts...>, Row, Operators...>> {
  static constexpr bool inputs = false;
  using of_union = std::conditional_t<may_find_late<Operators...>, C, void>;
};
/// A row that comes behind the watermark is late for a join, whichever side it is of.
template <JoinSource Source, class Row, class... Operators>
struct late_origins<stream<Source, Row, Operators...>> {
  static constexpr bool inputs =
      chain<typename Source::left_type>.watermark >= 0 || chain<typename Source::right_type>.watermark >= 0;
  using of_union = void;
};
template <class... Assignments>
struct late_origins<output_streams<Assignments...>> {
  static constexpr bool inputs = (late_origins<typename Assignments::expression>::inputs || ...);

  template <class First, class... Rest>
  static auto first_union() {
    using found = typename late_origins<First>::of_union;
    if constexpr (!std::is_void_v<found> || sizeof...(Rest) == 0)
      return std::type_identity<found>{};
    else
      return first_union<Rest...>();
  }
  using of_union = typename decltype(first_union<typename Assignments::expression...>())::type;
};
template <>
struct late_origins<poisoned> {
  static constexpr bool inputs = true;
  using of_union = void;
};

/// Whether the late rows of all unions of an implementation are of one contract.
template <class T, class Implementation>
struct late_unions_verdict {
  using type = pass;
};
template <class T, class... Assignments>
struct late_unions_verdict<T, output_streams<Assignments...>> {
  using first = typename late_origins<output_streams<Assignments...>>::of_union;

  template <class Assignment>
  static constexpr auto judge() {
    using found = typename late_origins<typename Assignment::expression>::of_union;
    if constexpr (std::is_void_v<found> || std::is_same_v<found, first>)
      return pass{};
    else
      return fail<rule::unions_of_a_step_must_have_one_contract, etlantic::type<T>, etlantic::type<first>,
                  etlantic::type<found>>{};
  }
  using type = first_failure<decltype(judge<Assignments>())...>;
};

template <class T, std::size_t Input>
struct late_port_name {
  static constexpr std::string_view prefix = "late_";
  static constexpr auto characters = [] {
    constexpr std::string_view input = ports_of<T, true>::names[Input];
    std::array<char, prefix.size() + input.size()> made{};
    for (std::size_t i = 0; i < prefix.size(); ++i) made[i] = prefix[i];
    for (std::size_t i = 0; i < input.size(); ++i) made[prefix.size() + i] = input[i];
    return made;
  }();
  static constexpr std::string_view value{characters.data(), characters.size()};
};

/// The late outputs of a step, in order: those of its inputs, called `late` if there is one input and else
/// `late_<input>` each; then that of a union, called `late` where that name is free and else `late_union`.
template <class T>
struct late_ports {
  using origins = late_origins<implementation_type<T>>;
  using of_union = typename origins::of_union;
  static constexpr bool has_union = !std::is_void_v<of_union>;
  static constexpr std::size_t inputs = origins::inputs ? ports_of<T, true>::count : 0;
  static constexpr std::size_t count = inputs + std::size_t{has_union};

  static constexpr std::array<std::string_view, count> names = []<std::size_t... I>(std::index_sequence<I...>) {
    std::array<std::string_view, count> made{(inputs == 1 ? std::string_view{"late"} : late_port_name<T, I>::value)...};
    if constexpr (has_union) made[inputs] = inputs == 1 ? "late_union" : "late";
    return made;
  }(std::make_index_sequence<inputs>{});

  template <std::size_t I>
  static auto row_at() {
    if constexpr (I < inputs)
      return std::type_identity<typename ports_of<T, true>::template contract<I>>{};
    else
      return std::type_identity<of_union>{};
  }
  template <std::size_t I>
  using contract = late<typename decltype(row_at<I>())::type>;
};

}  // namespace etlantic::detail
