#pragma once
#include <etlantic/column/state_io.hpp>
#include <etlantic/kernel/row_values.hpp>

#include <cstdint>
#include <limits>

namespace etlantic::kernel {

/// A packed state (see packed_state.hpp) that keeps no aggregate but the watermark at which a key is forgotten. Only
/// the first row of a group is added to it.
struct forgetting_time {
  using full = forgetting_time;
  static constexpr bool reads_rows = true;
  static constexpr bool carries = false;
  static constexpr bool regroups = true;
  static constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();
  std::int64_t at = never;

  void add(const row_values<std::int64_t>& from, std::size_t row) { at = from.at(row); }
  void merge(const forgetting_time&) {}  // the earlier rows have said it

  full unpack(std::int64_t, std::int64_t) const { return *this; }
  static forgetting_time pack(const full& from, std::int64_t&) { return from; }
  static std::int64_t rows_of(const full&) { return 0; }

  void save(state_writer& into) const { into.put(at); }
  void restore(state_reader& from) { at = from.get<std::int64_t>(); }
};

}  // namespace etlantic::kernel
