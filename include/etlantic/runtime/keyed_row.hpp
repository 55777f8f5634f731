#pragma once
#include <etlantic/column/block.hpp>
#include <etlantic/kernel/hash.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

namespace etlantic {

/// A row as it comes to what keeps rows by keys.
struct keyed_row {
  const block& rows;
  std::size_t row;
  std::string_view key;  ///< equal keys have equal bytes
  std::int64_t time;     ///< 0 where there is none
  const column* values;  ///< what is computed of the row besides, if anything is
  std::size_t value_row;
};

struct key_hash {
  using is_transparent = void;
  std::size_t operator()(std::string_view key) const { return kernel::hash_text(key, kernel::hash_seed); }
};
struct key_equal {
  using is_transparent = void;
  bool operator()(std::string_view left, std::string_view right) const { return left == right; }
};

/// Something for each key. What comes out of a walk over it has to be sorted: the walk has no order.
template <class Value>
using key_map = std::unordered_map<std::string, Value, key_hash, key_equal>;

/// The value of a key, which is made if there is none.
template <class Value>
Value& value_of_key(key_map<Value>& in, std::string_view key) {
  const auto found = in.find(key);
  return found != in.end() ? found->second : in.try_emplace(std::string(key)).first->second;
}

/// An estimate of the memory of a map.
template <class Value>
std::size_t memory_of_keys(const key_map<Value>& of) {
  constexpr std::size_t links = 4 * sizeof(void*);
  return of.size() * (sizeof(typename key_map<Value>::value_type) + links) + of.bucket_count() * sizeof(void*);
}

}  // namespace etlantic
