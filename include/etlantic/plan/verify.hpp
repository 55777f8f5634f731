#pragma once
#include <etlantic/contract/contract.hpp>
#include <etlantic/graph/nodes.hpp>
#include <etlantic/graph/rules.hpp>
#include <etlantic/plan/delivery.hpp>
#include <etlantic/plan/settings_verdict.hpp>
#include <etlantic/plan/wiring_verdict.hpp>

#include <type_traits>
#include <utility>

namespace etlantic {

namespace detail {

template <class Node>
struct contract_of_node {
  using verdict = pass;
};
template <class C, fixed_string Asset>
struct contract_of_node<extract<C, Asset>> {
  using verdict = contract_verdict<C>;
};
template <class C, fixed_string Asset, fixed_string From, output_mode... Mode>
struct contract_of_node<load<C, Asset, From, Mode...>> {
  using verdict = contract_verdict<C>;
};

template <class Pipeline>
constexpr auto judge_contracts() {
  return []<std::size_t... I>(std::index_sequence<I...>) {
    return first_failure<typename contract_of_node<member_type<Pipeline, I>>::verdict...>{};
  }(std::make_index_sequence<member_count<Pipeline>>{});
}

template <class T, std::size_t Port>
constexpr auto judge_output_port() {
  using Implementation = implementation_type<T>;
  using S = std::remove_cvref_t<decltype(stream_of_port<Implementation, Port, T>(std::declval<const Implementation&>()))>;
  if constexpr (!Stream<S>) return pass{};  // poisoned: reported where it happened
  else {
    using declared = typename ports_of<T, false>::template contract<Port>;
    using given = typename contract_behind<typename S::row_type>::type;
    if constexpr (std::is_same_v<declared, given>) return pass{};
    else return fail<rule::output_port_must_match_its_contract, type<T>, type<given>, type<declared>>{};
  }
}

template <class Node>
struct implementation_verdict {
  using type = pass;
};
template <class T, fixed_string... From>
struct implementation_verdict<step<T, From...>> {
  static constexpr auto judge() {
    return []<std::size_t... I>(std::index_sequence<I...>) {
      return first_failure<decltype(judge_output_port<T, I>())...>{};
    }(std::make_index_sequence<ports_of<T, false>::count>{});
  }
  using type = decltype(judge());
};

template <class Pipeline>
constexpr auto judge_implementations() {
  return []<std::size_t... I>(std::index_sequence<I...>) {
    return first_failure<typename implementation_verdict<member_type<Pipeline, I>>::type...>{};
  }(std::make_index_sequence<member_count<Pipeline>>{});
}

template <class Pipeline>
constexpr auto judge_pipeline() {
  if constexpr (!passed<aggregate_verdict<Pipeline>>) return aggregate_verdict<Pipeline>{};
  else {
    // Later rules may only be asked once the earlier ones hold.
    using contracts = decltype(judge_contracts<Pipeline>());
    if constexpr (!passed<contracts>) return contracts{};
    else {
      using wired = decltype(judge_wiring<Pipeline>());
      if constexpr (!passed<wired>) return wired{};
      else {
        using implemented = decltype(judge_implementations<Pipeline>());
        if constexpr (!passed<implemented>) return implemented{};
        else return first_failure<decltype(judge_all_settings<Pipeline>()), decltype(judge_delivery<Pipeline>())>{};
      }
    }
  }
}

}  // namespace detail

/// Whether a pipeline can run, and if not, the first rule that it breaks: contracts, names and edges, cycles,
/// implementations, time, delivery, in this order.
template <class Pipeline>
using pipeline_verdict = decltype(detail::judge_pipeline<Pipeline>());

}  // namespace etlantic
