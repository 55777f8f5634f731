#pragma once
#include <etlantic/kernel/aggregate_state.hpp>
#include <etlantic/kernel/chosen_state.hpp>
#include <etlantic/kernel/list_state.hpp>
#include <etlantic/kernel/quantile_state.hpp>
#include <etlantic/kernel/row_values.hpp>
#include <etlantic/kernel/user_state.hpp>

#include <cstdint>
#include <limits>
#include <type_traits>

// What a table keeps in a group's slot for an aggregate: as few bytes as its type and the nullability of its argument
// allow. `full` is the state it stands for, which knows how to be saved and written; `unpack` makes it, given the
// group's rows and what a sum has carried beyond 64 bits; `pack` is the other direction, with `rows_of` for the group's
// rows where the full state knows them. `add` takes a row, `merge` what other rows of the group came to, which are
// later ones. `regroups`: whether partial states give the same in whatever groups they are merged, as long as their
// order stays.

namespace etlantic::kernel {

/// Sums of floating point depend on what is added to what first, and so does whether a sum of numbers of 128 bits
/// overflows on its way.
template <class Full, class Value>
inline constexpr bool regroups_as_whole = true;
template <class Value>
inline constexpr bool regroups_as_whole<real_sum_state, Value> = false;
template <class Value>
inline constexpr bool regroups_as_whole<exact_sum_state, Value> = sizeof(Value) <= sizeof(std::int64_t);
template <class Sum, int FromScale, class Value>
inline constexpr bool regroups_as_whole<average_state<Sum, FromScale>, Value> = regroups_as_whole<Sum, Value>;

template <int Scale, bool Root, class Value>
inline constexpr bool regroups_as_whole<moments_state<Scale, Root>, Value> = false;

// What a struct of the user comes to is nobody's knowledge.
template <class Aggregate, class... Values>
inline constexpr bool regroups_as_whole<user_state<Aggregate, Values...>, Aggregate> = false;

/// A state that is kept as it is.
template <class Full, class Value>
struct packed_whole {
  using full = Full;
  static constexpr bool regroups = regroups_as_whole<Full, Value>;
  static constexpr bool reads_rows = true;
  static constexpr bool carries = false;
  Full state;

  void add(const auto& from, std::size_t row) { state.add(from, row); }
  void merge(const packed_whole& other) { state.merge(other.state); }
  full unpack(std::int64_t, std::int64_t) const { return state; }
  static packed_whole pack(const full& from, std::int64_t&) { return {from}; }
  static std::int64_t rows_of(const full&) { return 0; }
  std::size_t heap_bytes() const
    requires requires(const full& from) { from.heap_bytes(); }
  {
    return state.heap_bytes();
  }
};

/// Rows with a value that is never null: the group's own rows.
struct packed_row_count {
  using full = count_state;
  static constexpr bool reads_rows = false;
  static constexpr bool carries = false;
  static constexpr bool regroups = true;

  void merge(const packed_row_count&) {}

  full unpack(std::int64_t rows, std::int64_t) const { return {rows}; }
  static packed_row_count pack(const full&, std::int64_t&) { return {}; }
  static std::int64_t rows_of(const full& from) { return from.rows; }
};

/// Rows of which there may be fewer than the group has: those since the aggregate is there.
struct packed_own_row_count {
  using full = count_state;
  static constexpr bool reads_rows = false;
  static constexpr bool carries = false;
  static constexpr bool regroups = true;
  std::int64_t rows = 0;

  void add_row() { ++rows; }
  void merge(const packed_own_row_count& other) { rows += other.rows; }

  full unpack(std::int64_t, std::int64_t) const { return {rows}; }
  static packed_own_row_count pack(const full& from, std::int64_t&) { return {from.rows}; }
  static std::int64_t rows_of(const full&) { return 0; }
};

/// An exact sum of numbers of at most 64 bits: the low 64 bits of it. When they overflow, `add` says so and the table
/// counts it beside the slots: the sum is `carry * 2^64 + low`, whatever the numbers are.
template <class Value>
struct packed_exact_sum {
  using full = exact_sum_state;
  using word = std::conditional_t<std::is_unsigned_v<Value>, std::uint64_t, std::int64_t>;
  static constexpr bool reads_rows = true;
  static constexpr bool carries = true;
  static constexpr bool regroups = true;
  word low = 0;

  std::int64_t add(const row_values<Value>& from, std::size_t row) { return add(from.at(row)); }
  std::int64_t merge(const packed_exact_sum& other) { return add(other.low); }
  std::int64_t add(word value) {
    if (!__builtin_add_overflow(low, value, &low)) [[likely]]
      return 0;
    return std::is_signed_v<word> && value < 0 ? -1 : 1;
  }
  full unpack(std::int64_t, std::int64_t carry) const {
    full made;
    made.total = int128{carry} * (int128{1} << 64) + low;
    made.any = true;
    return made;
  }
  static packed_exact_sum pack(const full& from, std::int64_t& carry) {
    const word low = static_cast<word>(from.total);
    carry = static_cast<std::int64_t>((from.total - low) >> 64);
    return {low};
  }
  static std::int64_t rows_of(const full&) { return 0; }
};

struct packed_real_sum_base {
  using full = real_sum_state;
  static constexpr bool reads_rows = true;
  static constexpr bool carries = false;
  static constexpr bool regroups = false;
  double total = 0;

  void merge(const packed_real_sum_base& other) { total += other.total; }

  full unpack(std::int64_t, std::int64_t) const {
    full made;
    made.total = total;
    made.any = true;
    return made;
  }
};
template <class Value>
struct packed_real_sum : packed_real_sum_base {
  void add(const row_values<Value>& from, std::size_t row) { total += static_cast<double>(from.at(row)); }
  static packed_real_sum pack(const full& from, std::int64_t&) { return {{from.total}}; }
  static std::int64_t rows_of(const full&) { return 0; }
};

/// A mean of values that are never null: a sum, with the group's own rows.
template <class Sum, int FromScale>
struct packed_average : Sum {
  using full = average_state<typename Sum::full, FromScale>;

  full unpack(std::int64_t rows, std::int64_t carry) const { return {Sum::unpack(rows, carry), rows}; }
  static packed_average pack(const full& from, std::int64_t& carry) { return {Sum::pack(from.sum, carry)}; }
  static std::int64_t rows_of(const full& from) { return from.rows; }
};

/// Least or greatest of values that are never null: starts with what no value is beyond.
template <class Value, operation Better>
struct packed_extreme {
  using full = extreme_state<Value, Better>;
  static constexpr bool reads_rows = true;
  static constexpr bool carries = false;
  static constexpr bool regroups = true;
  Value best = last();

  void add(const row_values<Value>& from, std::size_t row) { offer(from.at(row)); }
  void merge(const packed_extreme& other) { offer(other.best); }
  full unpack(std::int64_t, std::int64_t) const {
    full made;
    made.best = best;
    made.any = true;
    return made;
  }
  static packed_extreme pack(const full& from, std::int64_t&) { return {from.best}; }
  static std::int64_t rows_of(const full&) { return 0; }

 private:
  void offer(Value value) { best = compares<Better, Value>(value, best) ? value : best; }

  static constexpr Value last() {
    constexpr bool least = Better == operation::less;
    using limits = std::numeric_limits<Value>;
    if constexpr (std::is_same_v<Value, bool>)
      return least;
    else if constexpr (std::is_same_v<Value, int128>)
      return least ? int128_max : int128_min;
    else if constexpr (std::is_floating_point_v<Value>)
      return least ? limits::quiet_NaN() : -limits::infinity();
    else
      return least ? limits::max() : limits::lowest();
  }
};

/// How a table keeps an aggregate over values of type T. `Nullable`: it may be of no value at all, since its argument
/// is null, or since it was not yet there when the group began.
template <aggregate_function Function, class T, bool Nullable>
constexpr auto pick_packed_state() {
  using enum aggregate_function;
  using storage = typename field_traits<T>::storage;
  using full = typename decltype(pick_state<Function, T>())::type;
  constexpr bool text = std::is_same_v<storage, std::string_view>;
  constexpr bool real = std::is_floating_point_v<T>;
  constexpr bool wide = sizeof(storage) > 8;
  if constexpr (Function == count_rows && Nullable)
    return std::type_identity<packed_own_row_count>{};
  else if constexpr (Function == count_rows)
    return std::type_identity<packed_row_count>{};
  else if constexpr (Nullable || Function == count_if || Function == variance || Function == stddev ||
                     Function == count_distinct || Function == approximate_count_distinct)
    return std::type_identity<packed_whole<full, storage>>{};
  else if constexpr (Function == count)
    return std::type_identity<packed_row_count>{};
  else if constexpr (Function == min || Function == max) {
    if constexpr (text)
      return std::type_identity<packed_whole<full, storage>>{};
    else
      return std::type_identity<packed_extreme<storage, Function == min ? operation::less : operation::greater>>{};
  } else if constexpr (wide)
    return std::type_identity<packed_whole<full, storage>>{};
  else {
    using sum_state = typename std::conditional_t<real, std::type_identity<packed_real_sum<storage>>,
                                                  std::type_identity<packed_exact_sum<storage>>>::type;
    if constexpr (Function == sum)
      return std::type_identity<sum_state>{};
    else
      return std::type_identity<packed_average<sum_state, etlantic::detail::scale_of<T>()>>{};
  }
}

template <class T>
struct storage_or_void {
  using type = typename field_traits<T>::storage;
};
template <>
struct storage_or_void<void> {
  using type = void;
};

/// The same for an argument of an inferred type.
template <aggregate_function Function, class T, bool Nullable>
struct packed_state_of {
  using type = typename decltype(pick_packed_state<Function, T, Nullable>())::type;
};
template <aggregate_function Function, class V, class By, bool Nullable>
struct packed_state_of<Function, etlantic::detail::chosen_value<V, By>, Nullable> {
  using value = typename field_traits<V>::storage;
  using by = typename storage_or_void<By>::type;
  using type = packed_whole<typename chosen_state<Function, value, by>::type, value>;
};
template <aggregate_function Function, class T, std::size_t Most, bool Nullable>
struct packed_state_of<Function, etlantic::detail::listed_value<T, Most>, Nullable> {
  using value = typename field_traits<T>::storage;
  using type = packed_whole<list_state<value, Most>, value>;
};
template <aggregate_function Function, class T, int Share, int Of, bool Nullable>
struct packed_state_of<Function, etlantic::detail::quantile_value<T, Share, Of>, Nullable> {
  using value = typename field_traits<T>::storage;
  using type = packed_whole<quantile_state<value, Share, Of>, value>;
};
template <aggregate_function Function, class Aggregate, class... Values, bool Nullable>
struct packed_state_of<Function, etlantic::detail::given_values<Aggregate, Values...>, Nullable> {
  using type = packed_whole<user_state<Aggregate, Values...>, Aggregate>;
};

}  // namespace etlantic::kernel
