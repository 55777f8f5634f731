#pragma once
#include <etlantic/expression/extended_row.hpp>
#include <etlantic/graph/keyed.hpp>
#include <etlantic/graph/watermark.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace etlantic {

/// When what lies behind is forgotten.
enum class lag_memory : std::uint8_t { undecided, for_a_time, everything };

template <class Row, fixed_string Field, std::size_t Distance, fixed_string Name, lag_memory Memory>
struct lag_operator {
  using stateful_tag = void;
  using keyed_tag = void;
  using lag_tag = void;
  using row_type = Row;
  static constexpr bool takes_window = false;
  static constexpr bool takes_group = true;
  static constexpr bool judges_late = true;
  static constexpr lag_memory memory = Memory;
  Row row;
  duration forgotten_after;
};

template <fixed_string Field, std::size_t Distance, fixed_string Name, lag_memory Memory = lag_memory::undecided>
struct lag_step {
  using step_tag = void;
  duration forgotten_after{};

  /// The name of the column; without it, it is called as the field with `lag_` before it.
  template <fixed_string Other>
  constexpr lag_step<Field, Distance, Other, Memory> as() const {
    return {forgotten_after};
  }
  /// A row that comes so long behind the one before it, or longer, has none before it.
  constexpr lag_step<Field, Distance, Name, lag_memory::for_a_time> forget_after(duration time) const
    requires(Memory == lag_memory::undecided)
  {
    return {time};
  }
  constexpr lag_step<Field, Distance, Name, lag_memory::for_a_time> forget_after(CalendarLength auto time) const
    requires(Memory == lag_memory::undecided)
  {
    return {fixed_length(time)};
  }
  /// Says on purpose that the state grows with every new key, for as long as the pipeline lives.
  constexpr lag_step<Field, Distance, Name, lag_memory::everything> keeping_every_key() const
    requires(Memory == lag_memory::undecided)
  {
    return {};
  }
};

namespace detail {

template <fixed_string Field>
constexpr auto lag_name() {
  constexpr std::string_view prefix = "lag_";
  fixed_string<prefix.size() + sizeof(Field.data)> made;
  std::copy_n(prefix.data(), prefix.size(), made.data);
  std::copy_n(Field.data, sizeof(Field.data), made.data + prefix.size());
  return made;
}

}  // namespace detail

/// The value of a field so many rows before, in the order of the event times within a group:
/// `group_by<"symbol"> | lag<"price", 1>.forget_after(1h)` adds a column `lag_price`, null where there is no such row.
/// Rows wait until the watermark has reached them and come out in the order of their times; of rows of one time the one
/// comes first whose fields do, one after the other as the contract declares them.
template <fixed_string Field, std::size_t Distance = 1>
inline constexpr lag_step<Field, Distance, detail::lag_name<Field>()> lag{};

namespace detail {

template <class In, fixed_string Field, std::size_t Distance, lag_memory Memory>
constexpr auto judge_lag() {
  using field = decltype(judge_keyed_field<typename In::row_type, Field>());
  if constexpr (!passed<field>)
    return field{};
  else if constexpr (Distance == 0)
    return fail<rule::number_of_rows_must_be_positive, called<Field>>{};
  else if constexpr (chain<In>.watermark < 0)
    return fail<rule::lag_needs_a_watermark, called<Field>>{};
  else if constexpr (Memory == lag_memory::undecided && chain<In>.group >= 0)
    return fail<rule::lag_must_forget, called<Field>>{};
  else
    return pass{};
}

template <class Row, fixed_string Field, fixed_string Name>
using lagged_row = extended_row<Row, added_column<Name, typename inferred<field_reference<Field>, Row>::value, true>>;

}  // namespace detail

template <Stream In, fixed_string Field, std::size_t Distance, fixed_string Name, lag_memory Memory>
constexpr auto attach(const In& in, const lag_step<Field, Distance, Name, Memory>& step) {
  using Row = typename In::row_type;
  using found = decltype(detail::judge_lag<In, Field, Distance, Memory>());
  enforce(found{});
  if constexpr (passed<found>)
    return detail::append_operator(in, detail::lagged_row<Row, Field, Name>{in.row},
                                   lag_operator<Row, Field, Distance, Name, Memory>{in.row, step.forgotten_after});
  else
    return poisoned{};
}

}  // namespace etlantic
