#pragma once
#include <etlantic/column/block.hpp>
#include <etlantic/core/integer128.hpp>
#include <etlantic/kernel/arithmetic.hpp>
#include <etlantic/kernel/compare.hpp>
#include <etlantic/kernel/lanes.hpp>

#include <algorithm>
#include <string_view>
#include <type_traits>
#include <utility>

// Expressions whose names are column indices and whose types are storage types: what kernels run. Each node owns room
// for its 64 results; `evaluate` gives lanes that stay valid until the next call. `nullable` says whether a result may
// be null at all.

namespace etlantic::kernel {

/// A column of the block.
template <class Value, bool Nullable>
struct bound_field {
  using value = Value;
  static constexpr bool nullable = Nullable;
  std::size_t index;
  Value room[lane_count]{};

  lanes<Value> evaluate(chunk& at) {
    const column& from = at.rows->columns[index];
    const std::uint64_t valid = valid_word(from, at.begin);
    if constexpr (std::is_same_v<Value, std::string_view>) {
      for (std::size_t i = 0; i < at.count; ++i) room[i] = from.text_at(at.begin + i);
      for (std::size_t i = at.count; i < lane_count; ++i) room[i] = {};  // views into a block that may be gone
      return {room, valid};
    } else {
      const Value* values = from.data<Value>() + at.begin;
      if (at.begin == 0) fetch(values, std::min(morsel_rows, at.rows->rows));
      if (at.begin + morsel_rows + lane_count <= at.rows->rows) fetch(values + morsel_rows, lane_count);
      if (at.count == lane_count) return {values, valid};
      std::memcpy(room, values, at.count * sizeof(Value));
      return {room, valid};
    }
  }

 private:
  /// Into the cache: the first morsel of a block at once, then a chunk of the next morsel with each of this one.
  [[gnu::always_inline]] static void fetch(const Value* values, std::size_t count) {
    for (std::size_t i = 0; i < count * sizeof(Value); i += 64)
      __builtin_prefetch(reinterpret_cast<const char*>(values) + i, 0, 2);
  }
};

template <bool Nullable>
struct bound_field<bool, Nullable> {
  using value = bool;
  static constexpr bool nullable = Nullable;
  std::size_t index;

  lanes<bool> evaluate(chunk& at) {
    const column& from = at.rows->columns[index];
    return {word_of(from.values, at.begin), valid_word(from, at.begin)};
  }
};

/// A constant. Comparisons look at `constant`; everything else sees 64 copies.
template <class Value>
struct bound_constant {
  using value = Value;
  static constexpr bool nullable = false;
  Value constant;
  Value room[lane_count]{};

  explicit bound_constant(Value of) : constant(of) {
    for (Value& each : room) each = of;
  }
  lanes<Value> evaluate(chunk&) { return {room, ~std::uint64_t{0}}; }
};

template <>
struct bound_constant<bool> {
  using value = bool;
  static constexpr bool nullable = false;
  bool constant;

  lanes<bool> evaluate(chunk&) { return {constant ? ~std::uint64_t{0} : 0, ~std::uint64_t{0}}; }
};

template <class Node>
inline constexpr bool is_constant = false;
template <class Value>
inline constexpr bool is_constant<bound_constant<Value>> = true;

/// Another representation of the same number: wider, or scaled by a power of ten. A number that leaves 128 bits by its
/// scale stays at their end: that is beyond every decimal, so that comparisons stay true, and results of arithmetic are
/// too short to get there. One that 64 bits with a sign cannot hold is an overflow of its row.
template <class To, class E>
struct bound_convert {
  using value = To;
  using From = typename E::value;
  static constexpr bool nullable = E::nullable;
  E operand;
  To factor;
  To room[lane_count]{};

  lanes<To> evaluate(chunk& at) {
    const auto from = operand.evaluate(at);
    std::uint64_t overflow = 0;
    for (std::size_t i = 0; i < lane_count; ++i) {
      if constexpr (std::is_same_v<To, int128>)
        room[i] = scaled(from.values[i]);
      else {
        room[i] = static_cast<To>(from.values[i]) * factor;
        if constexpr (std::is_same_v<To, std::int64_t> && std::is_same_v<From, std::uint64_t>)
          overflow |= static_cast<std::uint64_t>(room[i] < 0) << i;
      }
    }
    at.overflow |= overflow & from.valid & at.active;
    return {room, from.valid};
  }

 private:
  int128 scaled(const int128& number) const {
    int128 made = 0;
    if (__builtin_mul_overflow(number, factor, &made)) return number < 0 ? int128_min : int128_max;
    return made;
  }
};

template <operation Op, class L, class R>
struct bound_compare {
  using value = bool;
  static constexpr bool nullable = L::nullable || R::nullable;
  L left;
  R right;

  lanes<bool> evaluate(chunk& at) {
    if constexpr (is_constant<R>) {
      const auto l = left.evaluate(at);
      return {compare_lanes<Op>(l.values, right.constant), l.valid};
    } else if constexpr (is_constant<L>) {
      const auto r = right.evaluate(at);
      return {compare_lanes<mirrored(Op)>(r.values, left.constant), r.valid};
    } else {
      const auto l = left.evaluate(at);
      const auto r = right.evaluate(at);
      return {compare_lanes<Op>(l.values, r.values), l.valid & r.valid};
    }
  }
};

/// Comparison of bools, with false < true.
template <operation Op, class L, class R>
struct bound_compare_bools {
  using value = bool;
  static constexpr bool nullable = L::nullable || R::nullable;
  L left;
  R right;

  lanes<bool> evaluate(chunk& at) {
    using enum operation;
    const lanes<bool> l = left.evaluate(at);
    const lanes<bool> r = right.evaluate(at);
    const std::uint64_t less_than = ~l.bits & r.bits;
    const std::uint64_t greater_than = l.bits & ~r.bits;
    std::uint64_t bits = 0;
    if constexpr (Op == equal)
      bits = ~(l.bits ^ r.bits);
    else if constexpr (Op == not_equal)
      bits = l.bits ^ r.bits;
    else if constexpr (Op == less)
      bits = less_than;
    else if constexpr (Op == less_equal)
      bits = ~greater_than;
    else if constexpr (Op == greater)
      bits = greater_than;
    else
      bits = ~less_than;
    return {bits, l.valid & r.valid};
  }
};

template <operation Op, class L, class R>
struct bound_logic {
  using value = bool;
  static constexpr bool nullable = L::nullable || R::nullable;
  L left;
  R right;

  // Three-valued logic: a false decides "and", a true decides "or", also beside a null.
  lanes<bool> evaluate(chunk& at) {
    const lanes<bool> l = left.evaluate(at);
    const lanes<bool> r = right.evaluate(at);
    const std::uint64_t l_true = l.bits & l.valid, r_true = r.bits & r.valid;
    const std::uint64_t l_false = ~l.bits & l.valid, r_false = ~r.bits & r.valid;
    if constexpr (Op == operation::logical_and)
      return {l_true & r_true, (l.valid & r.valid) | l_false | r_false};
    else
      return {l_true | r_true, (l.valid & r.valid) | l_true | r_true};
  }
};

template <class E>
struct bound_not {
  using value = bool;
  static constexpr bool nullable = E::nullable;
  E operand;

  lanes<bool> evaluate(chunk& at) {
    const lanes<bool> of = operand.evaluate(at);
    return {~of.bits, of.valid};
  }
};

template <class E>
struct bound_is_null {
  using value = bool;
  static constexpr bool nullable = false;
  E operand;

  lanes<bool> evaluate(chunk& at) { return {~operand.evaluate(at).valid, ~std::uint64_t{0}}; }
};

template <operation Op, class L, class R>
struct bound_arithmetic {
  using value = typename L::value;
  static constexpr bool nullable =
      L::nullable || R::nullable || Op == operation::divide || Op == operation::remainder;  // by zero
  L left;
  R right;
  value room[lane_count]{};

  lanes<value> evaluate(chunk& at) {
    const auto l = left.evaluate(at);
    const auto r = right.evaluate(at);
    std::uint64_t valid = l.valid & r.valid;
    const std::uint64_t overflow = compute_lanes<Op>(l.values, r.values, room, valid);
    at.overflow |= overflow & valid & at.active;
    return {room, valid};
  }
};

template <class L, class R>
struct bound_coalesce {
  using value = typename L::value;
  static constexpr bool nullable = L::nullable && R::nullable;
  L left;
  R right;
  value room[lane_count]{};

  lanes<value> evaluate(chunk& at) {
    const auto l = left.evaluate(at);
    const auto r = right.evaluate(at);
    for (std::size_t i = 0; i < lane_count; ++i) room[i] = (l.valid >> i) & 1 ? l.values[i] : r.values[i];
    return {room, l.valid | r.valid};
  }
};

template <class L, class R>
  requires std::is_same_v<typename L::value, bool>
struct bound_coalesce<L, R> {
  using value = bool;
  static constexpr bool nullable = L::nullable && R::nullable;
  L left;
  R right;

  lanes<bool> evaluate(chunk& at) {
    const lanes<bool> l = left.evaluate(at);
    const lanes<bool> r = right.evaluate(at);
    return {(l.bits & l.valid) | (r.bits & ~l.valid), l.valid | r.valid};
  }
};

}  // namespace etlantic::kernel
