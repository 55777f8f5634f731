#pragma once
#include <etlantic/connect/delta/key_index.hpp>
#include <etlantic/core/integer128.hpp>

#include <bit>
#include <cstring>
#include <functional>
#include <limits>
#include <string_view>

namespace etlantic::delta {

namespace detail {

/// Bits that are equal for equal values.
template <class T>
auto key_word(T value) {
  if constexpr (std::is_floating_point_v<T>) {
    if (value == 0) value = 0;
    if (value != value) value = std::numeric_limits<T>::quiet_NaN();
  }
  if constexpr (sizeof value == sizeof(uint128)) {
    return value;
  } else {
    std::uint64_t word = 0;
    std::memcpy(&word, &value, sizeof value);
    return word;
  }
}

/// Gives `use` a function that tells such bits of a row of a column of this type, in one or two words.
template <class Use>
void with_key_words(const field_description& field, Use use) {
  const auto fixed = [&]<class T>(T) {
    use([](const column& of, std::size_t row) { return key_word(of.value<T>(row)); });
  };
  switch (field.type) {
    case logical_type::text:
    case logical_type::binary: return use([](const column& of, std::size_t row) { return of.text_at(row); });
    case logical_type::boolean:
      return use([](const column& of, std::size_t row) { return std::uint64_t{of.is_true(row)}; });
    case logical_type::float32: return fixed(float());
    case logical_type::float64: return fixed(double());
    default: break;
  }
  switch (value_width(field)) {
    case 1: return fixed(std::uint8_t());
    case 2: return fixed(std::uint16_t());
    case 4: return fixed(std::uint32_t());
    case 8: return fixed(std::uint64_t());
    default: return fixed(uint128());
  }
}

constexpr std::uint64_t mixed_key(std::uint64_t hash, std::uint64_t word) {
  const auto product = static_cast<uint128>(hash ^ word ^ 0x2545f4914f6cdd1dULL) * 0x9e3779b97f4a7c15ULL;
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

constexpr std::uint64_t mixed_key(std::uint64_t hash, uint128 words) {
  return mixed_key(mixed_key(hash, static_cast<std::uint64_t>(words)), static_cast<std::uint64_t>(words >> 64));
}

inline std::uint64_t mixed_key(std::uint64_t hash, std::string_view text) {
  return mixed_key(hash, std::uint64_t{std::hash<std::string_view>()(text)});
}

}  // namespace detail

[[gnu::used]] inline void key_index::fill(std::span<const block> rows) {
  std::size_t count = 0;
  for (const block& each : rows) count += each.rows;
  slots_.resize(std::bit_ceil(count * 2 + 64));
  filter_.resize(std::bit_ceil(count * 16 + 64) / 64);
  shift_ = 64 - std::countr_zero(filter_.size() * 64);
  rows_.reserve(count);
  std::vector<std::uint64_t> hashes;
  for (std::size_t b = rows.size(); b-- > 0;) {
    hash_keys(rows[b], hashes);
    for (std::size_t row = rows[b].rows; row-- > 0;) {
      slot& found = slots_[place_of(rows[b], row, hashes[row])];
      if (found.number != none) continue;
      found = {hashes[row], static_cast<std::uint32_t>(rows_.size())};
      filter_[hashes[row] >> shift_ >> 6] |= std::uint64_t{1} << (hashes[row] >> shift_ & 63);
      rows_.push_back({&rows[b], static_cast<std::uint32_t>(row)});
    }
  }
}

[[gnu::used]] inline void key_index::hash_keys(const block& rows, std::vector<std::uint64_t>& hashes) const {
  hashes.assign(rows.rows, 0);
  for (const std::size_t index : key_) {
    const column& of = rows.columns[index];
    detail::with_key_words(*of.field, [&](auto word) {
      for (std::size_t row = 0; row < rows.rows; ++row) hashes[row] = detail::mixed_key(hashes[row], word(of, row));
    });
  }
}

[[gnu::used]] inline bool key_index::is_same_key(const block& rows, std::size_t row, std::uint32_t number) const {
  const row_place& other = rows_[number];
  bool is_same = true;
  for (const std::size_t index : key_)
    detail::with_key_words(*rows.columns[index].field, [&](auto word) {
      is_same = is_same && word(rows.columns[index], row) == word(other.rows->columns[index], other.row);
    });
  return is_same;
}

[[gnu::used]] inline std::size_t key_index::place_of(const block& rows, std::size_t row, std::uint64_t hash) const {
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t place = hash & mask;; place = (place + 1) & mask) {
    const slot& there = slots_[place];
    if (there.number == none || (there.hash == hash && is_same_key(rows, row, there.number))) return place;
  }
}

[[gnu::used]] inline std::uint32_t key_index::number_with(std::uint64_t hash) const {
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t place = hash & mask;; place = (place + 1) & mask)
    if (slots_[place].number == none || slots_[place].hash == hash) return slots_[place].number;
}

[[gnu::used]] inline void key_index::find(const block& rows, std::vector<std::uint32_t>& numbers) const {
  constexpr std::size_t ahead = 16;
  std::vector<std::uint64_t> hashes;
  hash_keys(rows, hashes);
  std::vector<std::uint32_t> likely(rows.rows + 1);
  std::size_t count = 0;
  for (std::uint32_t row = 0; row < rows.rows; ++row) {
    likely[count] = row;
    count += may_have(hashes[row]);
  }
  // First by the hash alone, so that neither table is waited for: keys of one hash are nearly always the same.
  numbers.assign(rows.rows, none);
  std::size_t found = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (i + ahead < count) __builtin_prefetch(&slots_[hashes[likely[i + ahead]] & (slots_.size() - 1)]);
    const std::uint32_t row = likely[i];
    numbers[row] = number_with(hashes[row]);
    likely[found] = row;
    found += numbers[row] != none;
  }
  std::vector<bool> differs(found);
  for (const std::size_t index : key_)
    detail::with_key_words(*rows.columns[index].field, [&](auto word) {
      for (std::size_t i = 0; i < found; ++i) {
        const row_place& other = rows_[numbers[likely[i]]];
        if (word(rows.columns[index], likely[i]) != word(other.rows->columns[index], other.row)) differs[i] = true;
      }
    });
  for (std::size_t i = 0; i < found; ++i)
    if (differs[i]) numbers[likely[i]] = slots_[place_of(rows, likely[i], hashes[likely[i]])].number;
}

}  // namespace etlantic::delta
