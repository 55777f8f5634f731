#pragma once
#include <etlantic/contract/contract.hpp>
#include <etlantic/graph/join.hpp>
#include <etlantic/graph/late_ports.hpp>
#include <etlantic/graph/nodes.hpp>
#include <etlantic/graph/result_verdict.hpp>
#include <etlantic/graph/rules.hpp>
#include <etlantic/plan/delivery.hpp>
#include <etlantic/plan/settings_verdict.hpp>
#include <etlantic/plan/wiring_verdict.hpp>

#include <algorithm>
#include <string_view>
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
template <class C, fixed_string Asset, fixed_string From, auto... Options>
struct contract_of_node<load<C, Asset, From, Options...>> {
  using verdict = contract_verdict<C>;
};

/// Whether a pipeline or a transformation can be reflected.
template <class Verdict>
struct members_verdict {
  using type = Verdict;
};
template <class... Culprits>
struct members_verdict<fail<rule::contract_must_be_a_plain_aggregate, Culprits...>> {
  using type = fail<rule::pipeline_must_be_a_plain_aggregate, Culprits...>;
};

template <class T>
constexpr auto judge_transformation() {
  using members = typename members_verdict<aggregate_verdict<T>>::type;
  if constexpr (!passed<members>)
    return members{};
  else if constexpr (!Implemented<T>)
    return fail<rule::transformation_must_be_implemented, type<T>>{};
  else
    return []<std::size_t... I>(std::index_sequence<I...>) {
      return first_failure<contract_verdict<typename ports_of<T, true>::template contract<I>>...>{};
    }(std::make_index_sequence<ports_of<T, true>::count>{});
}
template <class T, fixed_string... From>
struct contract_of_node<step<T, From...>> {
  using verdict = decltype(judge_transformation<T>());
};

template <class Pipeline>
constexpr auto judge_contracts() {
  return []<std::size_t... I>(std::index_sequence<I...>) {
    return first_failure<typename contract_of_node<member_type<Pipeline, I>>::verdict...>{};
  }(std::make_index_sequence<member_count<Pipeline>>{});
}

template <class T, std::size_t Port>
struct name_of_port {
  static constexpr std::string_view get() { return ports_of<T, false>::names[Port]; }
};

template <class T, std::size_t Port>
constexpr auto judge_output_port() {
  using Implementation = implementation_type<T>;
  using S =
      std::remove_cvref_t<decltype(stream_of_port<Implementation, Port, T>(std::declval<const Implementation&>()))>;
  using port = gives<called<fixed_from<name_of_port<T, Port>>()>>;
  if constexpr (std::is_same_v<S, poisoned>)
    return poisoned{};
  else if constexpr (std::is_same_v<S, no_stream>)
    return fail<rule::output_port_must_be_fed, type<T>, port>{};
  else if constexpr (!Stream<S>)
    return fail<rule::implementation_must_be_a_stream, type<T>, port, type<S>>{};
  else if constexpr (is_reference_source<typename S::source_type>)
    return fail<rule::reference_must_be_looked_up, type<typename contract_behind<typename S::row_type>::type>>{};
  else if constexpr (!passed<typename joined_rows_verdict<S>::type>)
    return typename joined_rows_verdict<S>::type{};
  else {
    using declared = typename ports_of<T, false>::template contract<Port>;
    using given = typename contract_behind<typename S::row_type>::type;
    if constexpr (std::is_same_v<declared, given>)
      return result_verdict<S>{};
    else
      return fail<rule::output_port_must_match_its_contract, type<T>, port, type<given>, type<declared>>{};
  }
}

template <class T, fixed_string Name>
constexpr auto judge_stream_name() {
  constexpr const auto& ports = ports_of<T, false>::names;
  if constexpr (std::find(ports.begin(), ports.end(), Name.view()) != ports.end())
    return pass{};
  else {
    constexpr int near = closest_name(ports, Name.view());
    if constexpr (near < 0)
      return fail<rule::output_stream_must_have_a_port, type<T>, gives<called<Name>>, nothing_similar>{};
    else
      return fail<rule::output_stream_must_have_a_port, type<T>, gives<called<Name>>,
                  did_you_mean<called<fixed_from<name_of_port<T, static_cast<std::size_t>(near)>>()>>>{};
  }
}

/// Whether each stream of `outputs(...)` has the name of a port.
template <class T, class Implementation>
struct stream_names_verdict {
  using type = pass;
};
template <class T, class... Assignments>
struct stream_names_verdict<T, output_streams<Assignments...>> {
  using type = first_failure<decltype(judge_stream_name<T, Assignments::name>())...>;
};

template <class Node>
struct implementation_verdict {
  using type = pass;
};
template <class T, fixed_string... From>
struct implementation_verdict<step<T, From...>> {
  static constexpr auto judge() {
    return []<std::size_t... I>(std::index_sequence<I...>) {
      return first_failure<typename stream_names_verdict<T, implementation_type<T>>::type,
                           decltype(judge_output_port<T, I>())...,
                           typename late_unions_verdict<T, implementation_type<T>>::type>{};
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
  using members = typename members_verdict<aggregate_verdict<Pipeline>>::type;
  if constexpr (std::is_same_v<Pipeline, poisoned>)
    return poisoned{};  // reported where it happened
  else if constexpr (!passed<members>)
    return members{};
  else {
    // Later rules may only be asked once the earlier ones hold.
    using contracts = decltype(judge_contracts<Pipeline>());
    if constexpr (!passed<contracts>)
      return contracts{};
    else {
      using wired = decltype(judge_wiring<Pipeline>());
      if constexpr (!passed<wired>)
        return wired{};
      else {
        using implemented = decltype(judge_implementations<Pipeline>());
        return first_failure<implemented, decltype(judge_all_settings<Pipeline>()),
                             decltype(judge_delivery<Pipeline>())>{};
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
