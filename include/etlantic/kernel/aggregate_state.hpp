#pragma once
#include <etlantic/column/column.hpp>
#include <etlantic/column/state_io.hpp>
#include <etlantic/contract/field_traits.hpp>
#include <etlantic/core/decimal.hpp>
#include <etlantic/core/integer128.hpp>
#include <etlantic/expression/aggregate.hpp>
#include <etlantic/expression/infer.hpp>
#include <etlantic/kernel/approximate_distinct_state.hpp>
#include <etlantic/kernel/compare.hpp>
#include <etlantic/kernel/distinct_state.hpp>
#include <etlantic/kernel/lanes.hpp>
#include <etlantic/kernel/moments_state.hpp>
#include <etlantic/kernel/row_values.hpp>

#include <limits>
#include <string>
#include <string_view>
#include <type_traits>

// What a group keeps for one aggregate. `add` takes a row, `merge` another group's partial, `write` puts the result
// into a column and says whether it fits. All of them ignore nulls, but for count().

namespace etlantic::kernel {

template <class Value>
inline bool is_present(const lanes<Value>& in, std::size_t row) {
  return (in.valid >> row) & 1;
}
template <class Value>
inline auto value_at(const lanes<Value>& in, std::size_t row) {
  if constexpr (std::is_same_v<Value, bool>)
    return ((in.bits >> row) & 1) != 0;
  else
    return in.values[row];
}

/// Puts an exact number into an integer or decimal column if it fits there.
template <class To>
bool write_exact(column& into, std::size_t row, int128 number) {
  using storage = typename field_traits<To>::storage;
  if constexpr (etlantic::detail::is_decimal<To>::value) {
    if (number >= power_of_ten(To::precision) || number <= -power_of_ten(To::precision)) return false;
  } else if (number > int128{std::numeric_limits<storage>::max()} ||
             number < int128{std::numeric_limits<storage>::min()})
    return false;
  into.set<storage>(row, static_cast<storage>(number));
  return true;
}

template <class To>
bool write_value(column& into, std::size_t row, const auto& value) {
  using From = std::remove_cvref_t<decltype(value)>;
  if constexpr (std::is_same_v<From, bool>)
    into.set_bool(row, value);
  else if constexpr (std::is_same_v<From, std::string>)
    into.set_text(row, value);
  else if constexpr (std::is_floating_point_v<From>)
    into.set(row, static_cast<typename field_traits<To>::storage>(value));
  else if constexpr (etlantic::detail::is_decimal<To>::value || etlantic::detail::is_integer<To>)
    return write_exact<To>(into, row, int128{value});
  else
    into.set(row, value);
  return true;
}

struct count_state {
  std::int64_t rows = 0;

  template <class Value>
  void add(const row_values<Value>& in, std::size_t row) {
    rows += in.is_present(row);
  }
  void merge(const count_state& other) { rows += other.rows; }
  template <class To>
  bool write(column& into, std::size_t row) const {
    return write_exact<To>(into, row, rows);
  }
  void save(state_writer& into) const { into.put(rows); }
  void restore(state_reader& from) { rows = from.get<std::int64_t>(); }
};

/// Rows for which a predicate is true.
struct count_if_state : count_state {
  void add(const row_values<bool>& in, std::size_t row) { rows += in.is_present(row) && in.at(row); }
};

/// Different values.
template <class Value>
struct count_distinct_state : distinct_state<Value> {
  template <class To>
  bool write(column& into, std::size_t row) const {
    return write_exact<To>(into, row, this->count());
  }
};

/// Integers, decimals and durations: exact in 128 bits. An overflow sticks.
struct exact_sum_state {
  int128 total = 0;
  bool any = false;
  bool overflowed = false;

  template <class Value>
  void add(const row_values<Value>& in, std::size_t row) {
    if (!in.is_present(row)) return;
    any = true;
    if constexpr (sizeof(Value) < sizeof(int128))
      total += in.at(row);
    else
      overflowed |= __builtin_add_overflow(total, in.at(row), &total);
  }
  void merge(const exact_sum_state& other) {
    any |= other.any;
    overflowed |= other.overflowed | __builtin_add_overflow(total, other.total, &total);
  }
  template <class To>
  bool write(column& into, std::size_t row) const {
    if (!any) return into.set_null(row), true;
    if constexpr (std::is_same_v<To, duration>)
      return !overflowed && write_exact<std::int64_t>(into, row, total);
    else
      return !overflowed && write_exact<To>(into, row, total);
  }
  void save(state_writer& into) const {
    into.put(total);
    into.put(any);
    into.put(overflowed);
  }
  void restore(state_reader& from) {
    total = from.get<int128>();
    any = from.get<bool>();
    overflowed = from.get<bool>();
  }
};

/// Floating point: plain addition in the order of the rows.
struct real_sum_state {
  double total = 0;
  bool any = false;

  template <class Value>
  void add(const row_values<Value>& in, std::size_t row) {
    if (!in.is_present(row)) return;
    any = true;
    total += static_cast<double>(in.at(row));
  }
  void merge(const real_sum_state& other) {
    any |= other.any;
    total += other.total;
  }
  template <class To>
  bool write(column& into, std::size_t row) const {
    if (!any) return into.set_null(row), true;
    return write_value<To>(into, row, total);
  }
  void save(state_writer& into) const {
    into.put(total);
    into.put(any);
  }
  void restore(state_reader& from) {
    total = from.get<double>();
    any = from.get<bool>();
  }
};

/// Quotient of a sum and a count with `digits` more digits, rounded half away from zero.
inline bool divide_exactly(int128 total, std::int64_t count, int digits, int128& quotient) {
  const int128 whole = total / count;
  const int128 rest = total % count;  // less than 2^63, so that the product below fits
  const int128 scaled_rest = rest * power_of_ten(digits);
  int128 part = scaled_rest / count;
  const int128 left = scaled_rest % count;
  if (left * 2 >= count) ++part;
  if (left * 2 <= -int128{count}) --part;
  return !__builtin_mul_overflow(whole, power_of_ten(digits), &quotient) &&
         !__builtin_add_overflow(quotient, part, &quotient);
}

template <class Sum, int FromScale>
struct average_state {
  Sum sum;
  std::int64_t rows = 0;

  template <class Value>
  void add(const row_values<Value>& in, std::size_t row) {
    sum.add(in, row);
    rows += in.is_present(row);
  }
  void merge(const average_state& other) {
    sum.merge(other.sum);
    rows += other.rows;
  }
  template <class To>
  bool write(column& into, std::size_t row) const {
    if (rows == 0) return into.set_null(row), true;
    if constexpr (etlantic::detail::is_decimal<To>::value) {
      int128 quotient = 0;
      return !sum.overflowed && divide_exactly(sum.total, rows, To::scale - FromScale, quotient) &&
             write_exact<To>(into, row, quotient);
    } else
      return write_value<To>(into, row, static_cast<double>(sum.total) / static_cast<double>(rows));
  }
  void save(state_writer& into) const {
    sum.save(into);
    into.put(rows);
  }
  void restore(state_reader& from) {
    sum.restore(from);
    rows = from.get<std::int64_t>();
  }
};

/// Least (`Better` is less) or greatest value.
template <class Value, operation Better>
struct extreme_state {
  using stored = std::conditional_t<std::is_same_v<Value, std::string_view>, std::string, Value>;
  stored best{};
  bool any = false;

  template <class In>
  void add(const row_values<In>& in, std::size_t row) {
    if (in.is_present(row)) offer(in.at(row));
  }
  void merge(const extreme_state& other) {
    if (other.any) offer(Value(other.best));
  }
  template <class To>
  bool write(column& into, std::size_t row) const {
    if (!any) return into.set_null(row), true;
    return write_value<To>(into, row, best);
  }
  void save(state_writer& into) const {
    into.put(any);
    if constexpr (std::is_same_v<Value, std::string_view>)
      into.put_text(best);
    else
      into.put(best);
  }
  void restore(state_reader& from) {
    any = from.get<bool>();
    if constexpr (std::is_same_v<Value, std::string_view>)
      best = from.get_text();
    else
      best = from.get<Value>();
  }

 private:
  void offer(const Value& value) {
    if (any && !compares<Better, Value>(value, Value(best))) return;
    best = stored(value);
    any = true;
  }
};

/// The state of an aggregate over values of type T.
template <aggregate_function Function, class T>
constexpr auto pick_state() {
  using enum aggregate_function;
  using storage = typename field_traits<T>::storage;
  using sum_state = std::conditional_t<std::is_floating_point_v<T>, real_sum_state, exact_sum_state>;
  if constexpr (Function == count || Function == count_rows)
    return std::type_identity<count_state>{};
  else if constexpr (Function == count_if)
    return std::type_identity<count_if_state>{};
  else if constexpr (Function == count_distinct)
    return std::type_identity<count_distinct_state<storage>>{};
  else if constexpr (Function == approximate_count_distinct)
    return std::type_identity<approximate_distinct_state<storage>>{};
  else if constexpr (Function == variance || Function == stddev)
    return std::type_identity<moments_state<etlantic::detail::scale_of<T>(), Function == stddev>>{};
  else if constexpr (Function == sum)
    return std::type_identity<sum_state>{};
  else if constexpr (Function == avg)
    return std::type_identity<average_state<sum_state, etlantic::detail::scale_of<T>()>>{};
  else
    return std::type_identity<extreme_state<storage, Function == min ? operation::less : operation::greater>>{};
}

}  // namespace etlantic::kernel
