#pragma once
#include <etlantic/column/column.hpp>
#include <etlantic/column/state_io.hpp>
#include <etlantic/kernel/hash.hpp>
#include <etlantic/kernel/row_values.hpp>
#include <etlantic/kernel/text_arena.hpp>

#include <bit>
#include <cstdint>
#include <limits>
#include <string_view>
#include <type_traits>

namespace etlantic::kernel {

/// A part of a group's key: its storage type, and whether it can be null.
template <class Value, bool Nullable>
struct key_part {
  using value = Value;
  static constexpr bool nullable = Nullable;
};

/// One part of a key with its value. Null is a value of its own, equal to itself. Text lies in the table.
template <class Value>
struct stored_key {
  Value value{};
  bool is_null = false;

  void write(column& into, std::size_t row) const {
    if (is_null)
      into.set_null(row);
    else if constexpr (std::is_same_v<Value, bool>)
      into.set_bool(row, value);
    else if constexpr (std::is_same_v<Value, std::string_view>)
      into.set_text(row, value);
    else
      into.set<Value>(row, value);
  }

  void save(state_writer& into) const {
    into.put(is_null);
    if constexpr (std::is_same_v<Value, std::string_view>)
      into.put_text(value);
    else
      into.put(value);
  }
  void restore(state_reader& from) {
    is_null = from.get<std::uint8_t>() != 0;  // any byte, since it may be damaged
    if constexpr (std::is_same_v<Value, std::string_view>)
      value = from.get_text();
    else
      value = from.get<Value>();
  }
};

/// Floating point in one form, since 0.0 and -0.0, and all NaN, are one key.
template <class Value>
inline Value key_form(Value value) {
  if constexpr (std::is_floating_point_v<Value>) {
    if (value == 0) return 0;
    if (value != value) return std::numeric_limits<Value>::quiet_NaN();
  }
  return value;
}

/// The same key, given that both are in the one form.
template <class Value>
inline bool same_key(const Value& left, const Value& right) {
  if constexpr (std::is_same_v<Value, double>)
    return std::bit_cast<std::uint64_t>(left) == std::bit_cast<std::uint64_t>(right);
  else if constexpr (std::is_same_v<Value, float>)
    return std::bit_cast<std::uint32_t>(left) == std::bit_cast<std::uint32_t>(right);
  else if constexpr (std::is_same_v<Value, std::string_view>)
    return same_text(left, right);
  else
    return left == right;
}

template <class Value>
inline std::uint64_t hash_key(const Value& value, std::uint64_t seed) {
  if constexpr (std::is_same_v<Value, std::string_view>)
    return hash_text(value, seed);
  else if constexpr (std::is_same_v<Value, double>)
    return hash_word(std::bit_cast<std::uint64_t>(value), seed);
  else if constexpr (std::is_same_v<Value, float>)
    return hash_word(std::bit_cast<std::uint32_t>(value), seed);
  else if constexpr (sizeof(Value) > 8)
    return hash_word(static_cast<std::uint64_t>(value), hash_word(static_cast<std::uint64_t>(value >> 64), seed));
  else
    return hash_word(static_cast<std::uint64_t>(value), seed);
}
inline std::uint64_t hash_null(std::uint64_t seed) { return hash_word(~std::uint64_t{0}, seed + 1); }

}  // namespace etlantic::kernel
