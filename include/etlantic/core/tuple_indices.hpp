#pragma once
#include <boost/hana/tuple.hpp>

#include <utility>

namespace etlantic {

namespace detail {
template <class Tuple>
struct tuple_size_of;
template <class... Members>
struct tuple_size_of<boost::hana::tuple<Members...>> {
  static constexpr std::size_t value = sizeof...(Members);
};
}  // namespace detail

/// 0, 1, ... for the members of a boost::hana::tuple.
template <class Tuple>
using tuple_indices = std::make_index_sequence<detail::tuple_size_of<Tuple>::value>;

}  // namespace etlantic
