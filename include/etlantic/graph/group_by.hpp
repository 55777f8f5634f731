#pragma once
#include <etlantic/expression/infer.hpp>
#include <etlantic/graph/event_time.hpp>
#include <etlantic/graph/rules.hpp>
#include <etlantic/graph/stream.hpp>

namespace etlantic {

template <class Row, int EventTimeKey, fixed_string... Names>
struct group_operator {
  using group_tag = void;
  using row_type = Row;
  static constexpr std::size_t count = sizeof...(Names);
  static constexpr std::array<std::string_view, count> names{named_as<Names>::name.view()...};
  static constexpr int event_time_key = EventTimeKey;  ///< which of the keys the watermark follows, or -1
  Row row;
};

template <fixed_string... Names>
struct group_step {
  using step_tag = void;
};

/// Groups rows by the values of fields; nulls are equal to each other. Needs an `aggregate` behind it.
template <fixed_string... Names>
inline constexpr group_step<Names...> group_by{};

namespace detail {

template <class Row, fixed_string Name>
constexpr auto judge_group_key() {
  using found = inferred<field_reference<Name>, Row>;
  if constexpr (!passed<found>)
    return found{};
  else {
    constexpr logical_type logical = field_traits<typename found::value>::logical;
    if constexpr (logical == logical_type::structure || logical == logical_type::list)
      return fail<rule::group_key_must_be_comparable, called<Name>, type<typename found::value>>{};
    else
      return pass{};
  }
}

}  // namespace detail

template <Stream In, fixed_string... Names>
constexpr auto attach(const In& in, const group_step<Names...>&) {
  using Row = typename In::row_type;
  using found = first_failure<decltype(detail::judge_group_key<Row, Names>())...>;
  enforce(found{});
  if constexpr (passed<found>) {
    constexpr int event_time_key = detail::event_time_among<In, Names...>();
    return detail::append_operator(in, in.row, group_operator<Row, event_time_key, Names...>{in.row});
  } else
    return poisoned{};
}

}  // namespace etlantic
