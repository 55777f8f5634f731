#pragma once
#include <etlantic/contract/reflect.hpp>
#include <etlantic/expression/node.hpp>
#include <etlantic/graph/ports.hpp>
#include <etlantic/graph/stream.hpp>

#include <boost/hana/tuple.hpp>

#include <array>
#include <string_view>
#include <type_traits>
#include <utility>

namespace etlantic {

/// The streams of a transformation with several outputs, by port name:
/// `return outputs(named<"paid"> = t.orders | where(...), named<"rest"> = t.orders | where(...));`
template <class... Assignments>
struct output_streams {
  boost::hana::tuple<Assignments...> streams;
};
template <class... Assignments>
constexpr output_streams<Assignments...> outputs(const Assignments&... streams) {
  return {{streams...}};
}

namespace detail {

/// The transformation with each input knowing its place.
template <class T>
constexpr T with_numbered_ports(T transformation) {
  std::size_t next = 0;
  const auto number = [&](auto& port) {
    if constexpr (InputPort<std::remove_cvref_t<decltype(port)>>) port.port = next++;
  };
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    (number(member<I>(transformation)), ...);
  }(std::make_index_sequence<member_count<T>>{});
  return transformation;
}

template <class T>
constexpr auto implementation_of(const T& transformation) {
  return implement(with_numbered_ports(transformation));
}

template <class T>
concept Implemented = requires(const T& transformation) { implement(transformation); };

template <class T>
using implementation_type = decltype(implementation_of(std::declval<const T&>()));

// Indices of the members of a transformation that are ports of one sort.
template <class T, bool Inputs>
struct ports_of {
  template <std::size_t I>
  static constexpr bool is_port = Inputs ? InputPort<member_type<T, I>> : OutputPort<member_type<T, I>>;
  static constexpr std::size_t count = []<std::size_t... I>(std::index_sequence<I...>) {
    return (std::size_t{0} + ... + std::size_t{is_port<I>});
  }(std::make_index_sequence<member_count<T>>{});
  static constexpr std::array<std::size_t, count> members = []<std::size_t... I>(std::index_sequence<I...>) {
    std::array<std::size_t, count> found{};
    std::size_t at = 0;
    ((is_port<I> ? void(found[at++] = I) : void()), ...);
    static_cast<void>(at);
    return found;
  }(std::make_index_sequence<member_count<T>>{});
  template <std::size_t I>
  using contract = typename member_type<T, members[I]>::contract;
  static constexpr std::array<std::string_view, count> names = [] {
    std::array<std::string_view, count> found{};
    for (std::size_t i = 0; i < count; ++i) found[i] = member_names<T>[members[i]];
    return found;
  }();
};

/// What stands for the stream of a port that the implementation does not feed.
struct no_stream {};
inline constexpr no_stream nothing_feeds_it{};

/// The stream that feeds an output port: the one that is returned if it is the only port, or the one of that name.
template <class Implementation, std::size_t Port, class T>
constexpr const auto& stream_of_port(const Implementation& implementation) {
  if constexpr (requires { implementation.streams; }) {
    constexpr int at = []<class... Assignments>(std::type_identity<output_streams<Assignments...>>) {
      int found = -1, i = 0;
      ((found = Assignments::name.view() == ports_of<T, false>::names[Port] ? i : found, ++i), ...);
      return found;
    }(std::type_identity<Implementation>{});
    if constexpr (at < 0)
      return nothing_feeds_it;
    else
      return boost::hana::at_c<static_cast<std::size_t>(at)>(implementation.streams).value;
  } else if constexpr (Stream<Implementation> && ports_of<T, false>::count > 1)
    return nothing_feeds_it;
  else
    return implementation;
}

}  // namespace detail
}  // namespace etlantic
