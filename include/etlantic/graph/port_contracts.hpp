#pragma once
#include <etlantic/graph/nodes.hpp>

#include <type_traits>

namespace etlantic::detail {

// The contract of a port, as a type.
template <class Node, std::size_t Port>
struct output_contract_of;
template <class C, fixed_string Asset>
struct output_contract_of<extract<C, Asset>, 0> {
  using type = C;
};
template <class C, fixed_string Asset>
struct output_contract_of<extract<C, Asset>, 1> {
  using type = rejected<C>;
};
template <class T, fixed_string... From, std::size_t Port>
struct output_contract_of<step<T, From...>, Port> {
  static constexpr auto pick() {
    if constexpr (Port < ports_of<T, false>::count)
      return std::type_identity<typename ports_of<T, false>::template contract<Port>>{};
    else if constexpr (Port == ports_of<T, false>::count)
      return std::type_identity<rejected<typename ports_of<T, false>::template contract<0>>>{};
    else
      return std::type_identity<typename late_ports<T>::template contract<Port - ports_of<T, false>::count - 1>>{};
  }
  using type = typename decltype(pick())::type;
};
template <class Node, std::size_t Port>
using output_contract = typename output_contract_of<Node, Port>::type;

template <class Node, std::size_t Input>
struct input_contract_of;
template <class T, fixed_string... From, std::size_t Input>
struct input_contract_of<step<T, From...>, Input> {
  using type = typename ports_of<T, true>::template contract<Input>;
};
template <class C, fixed_string Asset, fixed_string From, auto... Options, std::size_t Input>
struct input_contract_of<load<C, Asset, From, Options...>, Input> {
  using type = C;
};
template <class Node, std::size_t Input>
using input_contract = typename input_contract_of<Node, Input>::type;

}  // namespace etlantic::detail
