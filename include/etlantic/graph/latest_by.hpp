#pragma once
#include <etlantic/graph/keyed.hpp>
#include <etlantic/graph/watermark.hpp>

#include <array>
#include <string_view>

namespace etlantic {

template <class Row, bool Forgets, fixed_string... Names>
struct latest_by_operator {
  using stateful_tag = void;
  using keyed_tag = void;
  using latest_tag = void;
  using row_type = Row;
  static constexpr bool takes_window = false;
  static constexpr bool takes_group = false;
  static constexpr bool judges_late = Forgets;
  static constexpr std::array<std::string_view, sizeof...(Names)> names{named_as<Names>::name.view()...};
  Row row;
};

template <bool Forgets, fixed_string... Names>
struct latest_by_step {
  using step_tag = void;

  /// Says on purpose that the state grows with every new key, for as long as the pipeline lives. No row is late then:
  /// one that comes behind the watermark counts if it is the newest of its key.
  constexpr latest_by_step<false, Names...> keeping_every_key() const
    requires(Forgets)
  {
    return {};
  }
};

/// The newest row of each key, by the event time of the watermark before it. It is a stream of updates: a row comes out
/// at the end of the batch in which it became the newest of its key. Of rows of one time the one counts whose fields
/// come last, one after the other as the contract declares them. Nulls are equal to each other.
///
/// A row that comes behind the watermark is late, and so a key can be forgotten once the watermark has reached its
/// newest row: what may still come is newer. `latest_by<"id">.keeping_every_key()` takes late rows and never forgets.
template <fixed_string... Names>
  requires(sizeof...(Names) > 0)
inline constexpr latest_by_step<true, Names...> latest_by{};

namespace detail {

template <class In, fixed_string... Names>
constexpr auto judge_latest_by() {
  using keys = first_failure<decltype(judge_keyed_field<typename In::row_type, Names>())...>;
  if constexpr (!passed<keys>)
    return keys{};
  else if constexpr (chain<In>.watermark < 0)
    return fail<rule::latest_by_needs_a_watermark, called<Names>...>{};
  else
    return pass{};
}

}  // namespace detail

template <Stream In, bool Forgets, fixed_string... Names>
constexpr auto attach(const In& in, const latest_by_step<Forgets, Names...>&) {
  using Row = typename In::row_type;
  using found = decltype(detail::judge_latest_by<In, Names...>());
  enforce(found{});
  if constexpr (passed<found>)
    return detail::append_operator(in, in.row, latest_by_operator<Row, Forgets, Names...>{in.row});
  else
    return poisoned{};
}

}  // namespace etlantic
