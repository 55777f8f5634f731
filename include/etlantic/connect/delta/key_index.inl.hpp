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
std::uint64_t key_word(T value) {
  if constexpr (std::is_floating_point_v<T>) {
    if (value == 0) value = 0;
    if (value != value) value = std::numeric_limits<T>::quiet_NaN();
  }
  std::uint64_t word = 0;
  std::memcpy(&word, &value, sizeof value);
  return word;
}

/// Calls `take(row, word)` with the values of a column of fixed width, in one or two words each.
template <class Take>
void for_each_key_word(const column& of, std::size_t begin, std::size_t end, Take take) {
  const auto each = [&]<class T>(T) {
    for (std::size_t row = begin; row < end; ++row) take(row, key_word(of.value<T>(row)));
  };
  switch (of.field->type) {
    case logical_type::boolean:
      for (std::size_t row = begin; row < end; ++row) take(row, std::uint64_t{of.is_true(row)});
      return;
    case logical_type::float32: return each(float());
    case logical_type::float64: return each(double());
    default: break;
  }
  switch (value_width(*of.field)) {
    case 1: return each(std::uint8_t());
    case 2: return each(std::uint16_t());
    case 4: return each(std::uint32_t());
    case 8: return each(std::uint64_t());
    default: break;
  }
  for (std::size_t row = begin; row < end; ++row) {
    std::uint64_t words[2];
    std::memcpy(words, of.values.data() + row * sizeof words, sizeof words);
    take(row, words[0]);
    take(row, words[1]);
  }
}

inline bool is_text_key(const column& of) {
  return of.field->type == logical_type::text || of.field->type == logical_type::binary;
}

inline bool is_same_key(const column& one, std::size_t row, const column& other, std::size_t other_row) {
  if (is_text_key(one)) return one.text_at(row) == other.text_at(other_row);
  std::uint64_t words[2] = {}, others[2] = {};
  std::size_t count = 0, other_count = 0;
  for_each_key_word(one, row, row + 1, [&](std::size_t, std::uint64_t word) { words[count++] = word; });
  for_each_key_word(other, other_row, other_row + 1,
                    [&](std::size_t, std::uint64_t word) { others[other_count++] = word; });
  return words[0] == others[0] && words[1] == others[1];
}

constexpr std::uint64_t mixed_key(std::uint64_t hash, std::uint64_t word) {
  const auto product = static_cast<uint128>(hash ^ word ^ 0x2545f4914f6cdd1dULL) * 0x9e3779b97f4a7c15ULL;
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
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
    if (detail::is_text_key(of)) {
      for (std::size_t row = 0; row < rows.rows; ++row)
        hashes[row] = detail::mixed_key(hashes[row], std::hash<std::string_view>()(of.text_at(row)));
    } else {
      detail::for_each_key_word(of, 0, rows.rows, [&](std::size_t row, std::uint64_t word) {
        hashes[row] = detail::mixed_key(hashes[row], word);
      });
    }
  }
}

[[gnu::used]] inline std::size_t key_index::place_of(const block& rows, std::size_t row, std::uint64_t hash) const {
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t place = hash & mask;; place = (place + 1) & mask) {
    const slot& there = slots_[place];
    if (there.number == none) return place;
    if (there.hash != hash) continue;
    const row_place& other = rows_[there.number];
    bool is_same = true;
    for (const std::size_t index : key_)
      is_same = is_same && detail::is_same_key(rows.columns[index], row, other.rows->columns[index], other.row);
    if (is_same) return place;
  }
}

[[gnu::used]] inline void key_index::find(const block& rows, std::vector<std::uint32_t>& numbers) const {
  std::vector<std::uint64_t> hashes;
  hash_keys(rows, hashes);
  numbers.resize(rows.rows);
  for (std::size_t row = 0; row < rows.rows; ++row)
    numbers[row] = may_have(hashes[row]) ? slots_[place_of(rows, row, hashes[row])].number : none;
}

}  // namespace etlantic::delta
