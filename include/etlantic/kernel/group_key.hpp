#pragma once
#include <etlantic/column/column.hpp>
#include <etlantic/kernel/hash.hpp>
#include <etlantic/kernel/lanes.hpp>
#include <etlantic/column/state_io.hpp>

#include <bit>
#include <cmath>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>

namespace etlantic::kernel {

/// One part of a group's key as it comes from a row. Null is a value of its own, equal to itself.
template <class Value>
struct key_probe {
  Value value{};
  bool is_null = false;
};

/// The part of `row`; floating point is brought to one form, since 0.0 and -0.0, and all NaN, are one key.
template <class Value>
inline key_probe<Value> probe_of(const lanes<Value>& from, std::size_t row) {
  if (!((from.valid >> row) & 1)) return {Value{}, true};
  if constexpr (std::is_same_v<Value, bool>) return {((from.bits >> row) & 1) != 0, false};
  else {
    Value value = from.values[row];
    if constexpr (std::is_floating_point_v<Value>) {
      if (value == 0) value = 0;
      if (value != value) value = std::numeric_limits<Value>::quiet_NaN();
    }
    return {value, false};
  }
}

template <class Value>
inline std::uint64_t hash_of(const key_probe<Value>& part, std::uint64_t seed) {
  if (part.is_null) return hash_word(~std::uint64_t{0}, seed + 1);
  if constexpr (std::is_same_v<Value, std::string_view>) return hash_text(part.value, seed);
  else if constexpr (std::is_same_v<Value, double>) return hash_word(std::bit_cast<std::uint64_t>(part.value), seed);
  else if constexpr (std::is_same_v<Value, float>) return hash_word(std::bit_cast<std::uint32_t>(part.value), seed);
  else if constexpr (sizeof(Value) > 8)
    return hash_word(static_cast<std::uint64_t>(part.value),
                     hash_word(static_cast<std::uint64_t>(part.value >> 64), seed));
  else return hash_word(static_cast<std::uint64_t>(part.value), seed);
}

/// The same part as state keeps it; text is owned.
template <class Value>
struct stored_key {
  using stored = std::conditional_t<std::is_same_v<Value, std::string_view>, std::string, Value>;
  stored value{};
  bool is_null = false;

  stored_key() = default;
  explicit stored_key(const key_probe<Value>& from) : value(from.value), is_null(from.is_null) {}

  key_probe<Value> probe() const { return {Value(value), is_null}; }

  bool equals(const key_probe<Value>& other) const {
    if (is_null != other.is_null) return false;
    if constexpr (std::is_floating_point_v<Value>)
      return value == other.value || (value != value && other.value != other.value);
    else return value == other.value;
  }

  void write(column& into, std::size_t row) const {
    if (is_null) into.set_null(row);
    else if constexpr (std::is_same_v<Value, bool>) into.set_bool(row, value);
    else if constexpr (std::is_same_v<Value, std::string_view>) into.set_text(row, value);
    else into.set<Value>(row, value);
  }

  void save(state_writer& into) const {
    into.put(is_null);
    if constexpr (std::is_same_v<Value, std::string_view>) into.put_text(value);
    else into.put(value);
  }
  void restore(state_reader& from) {
    is_null = from.get<bool>();
    if constexpr (std::is_same_v<Value, std::string_view>) value = from.get_text();
    else value = from.get<Value>();
  }
};

}  // namespace etlantic::kernel
