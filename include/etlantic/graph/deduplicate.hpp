#pragma once
#include <etlantic/expression/infer.hpp>
#include <etlantic/graph/event_time.hpp>
#include <etlantic/graph/rules.hpp>
#include <etlantic/graph/stream.hpp>
#include <etlantic/graph/watermark.hpp>

#include <array>
#include <cstdint>
#include <string_view>

namespace etlantic {

/// When a deduplication forgets a key.
enum class key_memory : std::uint8_t {
  until_its_time,  ///< when the watermark reaches the event time in the key: later rows of the key are late
  one_delay,       ///< when the watermark reaches the event time of its first row plus the watermark's delay
  everything       ///< never
};

template <class Row, key_memory Memory, bool JudgesLate, fixed_string... Names>
struct deduplicate_operator {
  using stateful_tag = void;
  using deduplicate_tag = void;
  using row_type = Row;
  static constexpr key_memory memory = Memory;
  static constexpr bool judges_late = JudgesLate;  ///< there is a watermark before it
  Row row;
};

template <key_memory Memory, fixed_string... Names>
struct deduplicate_step {
  using step_tag = void;

  /// Says on purpose that the state grows with every new key, for as long as the pipeline lives.
  constexpr deduplicate_step<key_memory::everything, Names...> keeping_every_key() const
    requires(Memory == key_memory::until_its_time)
  {
    return {};
  }
};

/// Gives on the first row of each key, in source order and as it came; the others count as duplicates. Nulls are equal
/// to each other. The event time of the watermark is one of the fields, so that a key can be forgotten once the
/// watermark has reached its time; `deduplicate<"id">.keeping_every_key()` does without and never forgets. Where there
/// is a watermark, a row whose time it has reached is late, whatever its key. A row without an event time is never
/// late, and its key never forgotten.
template <fixed_string... Names>
  requires(sizeof...(Names) > 0)
inline constexpr deduplicate_step<key_memory::until_its_time, Names...> deduplicate{};

/// The same for rows that may come again with another event time: a key is forgotten when the watermark has reached the
/// time of its first row plus the watermark's delay, and duplicates do not prolong that. A row without an event time
/// counts as one of 1970-01-01T00:00:00Z here, but is never late.
template <fixed_string... Names>
  requires(sizeof...(Names) > 0)
inline constexpr deduplicate_step<key_memory::one_delay, Names...> deduplicate_within_watermark{};

namespace detail {

template <class Row, fixed_string Name>
constexpr auto judge_deduplication_key() {
  using found = inferred<field_reference<Name>, Row>;
  if constexpr (!passed<found>)
    return found{};
  else {
    constexpr logical_type logical = field_traits<typename found::value>::logical;
    if constexpr (logical == logical_type::structure || logical == logical_type::list)
      return fail<rule::deduplication_key_must_be_comparable, called<Name>, type<typename found::value>>{};
    else
      return pass{};
  }
}

template <class In, key_memory Memory, fixed_string... Names>
constexpr auto judge_deduplication() {
  using keys = first_failure<decltype(judge_deduplication_key<typename In::row_type, Names>())...>;
  if constexpr (!passed<keys>)
    return keys{};
  else if constexpr (Memory == key_memory::one_delay && chain<In>.watermark < 0)
    return fail<rule::deduplication_within_watermark_needs_a_watermark, called<Names>...>{};
  else if constexpr (Memory == key_memory::until_its_time && !(passes_with_event_time<In, Names>() || ...))
    return fail<rule::deduplication_must_forget, called<Names>...>{};
  else
    return pass{};
}

}  // namespace detail

template <Stream In, key_memory Memory, fixed_string... Names>
constexpr auto attach(const In& in, const deduplicate_step<Memory, Names...>&) {
  using Row = typename In::row_type;
  using found = decltype(detail::judge_deduplication<In, Memory, Names...>());
  enforce(found{});
  if constexpr (passed<found>) {
    constexpr bool judges_late = detail::chain<In>.watermark >= 0;
    return detail::append_operator(in, in.row, deduplicate_operator<Row, Memory, judges_late, Names...>{in.row});
  } else
    return poisoned{};
}

}  // namespace etlantic
