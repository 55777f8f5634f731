#pragma once
#include <type_traits>

namespace etlantic {

/// A check is a type: `pass`, or `fail` with the rule that was broken and short types that name the culprits. Code
/// that wants to ask uses the verdict; the functions that users call enforce it.
struct pass {};
template <class Rule, class... Culprits>
struct fail {};

template <class Verdict>
inline constexpr bool passed = true;
template <class Rule, class... Culprits>
inline constexpr bool passed<fail<Rule, Culprits...>> = false;

/// The first of several verdicts that is a failure, else `pass`: the user mends the cause, not its echoes.
template <class... Verdicts>
struct first_failure_of {
  using type = pass;
};
template <class Verdict, class... Rest>
struct first_failure_of<Verdict, Rest...> : first_failure_of<Rest...> {};
template <class Rule, class... Culprits, class... Rest>
struct first_failure_of<fail<Rule, Culprits...>, Rest...> {
  using type = fail<Rule, Culprits...>;
};
template <class... Verdicts>
using first_failure = typename first_failure_of<Verdicts...>::type;

/// What a step that broke a rule yields. Every later step takes it in silence, so that one mistake is one error. As a
/// verdict: a failure that was reported where it happened, and that yields to one that was not.
struct poisoned {};
template <>
inline constexpr bool passed<poisoned> = false;
template <class... Rest>
struct first_failure_of<poisoned, Rest...> {
  using type = std::conditional_t<passed<first_failure<Rest...>>, poisoned, first_failure<Rest...>>;
};

template <class Rule, class... Culprits>
consteval void enforce(fail<Rule, Culprits...>) {
  Rule::template enforce<fail<Rule, Culprits...>>();
}
consteval void enforce(pass) {}
consteval void enforce(poisoned) {}

}  // namespace etlantic
