#pragma once
#include <etlantic/connect/json/row_layout.hpp>
#include <etlantic/contract/schema.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace etlantic::detail {

/// The member names of a contract for loops that look up many at once: by their size, their first and their last four
/// characters, each in a slot of its own. A name that is found may still be another one: `literals` tells.
class member_table {
 public:
  explicit member_table(std::span<const field_description> fields) {
    if (fields.size() > most_names || !all_short(fields) || !find_slots(fields)) return;
    for (const field_description& each : fields)
      for (std::size_t gap = 0; gap < 2; ++gap)
        literals_[gap].emplace_back('"' + std::string(each.data_name) + "\":" + std::string(gap, ' '));
  }

  /// Where names are too many, too long or too alike.
  bool empty() const { return literals_[0].empty(); }

  /// What stands before the value of each field, with so many blanks behind the colon.
  const std::vector<layout_literal>& literals(std::size_t gap) const { return literals_[gap]; }

  /// Of each slot the size of its name, above the number of its field. The size fits no name where the slot has none.
  const std::uint32_t* slots() const { return slots_.data(); }
  /// Whether there are not more of them than two registers hold, but exactly as many.
  bool fits_registers() const { return slots_.size() == slots_in_registers; }
  std::uint32_t factor() const { return factor_; }
  int shift() const { return shift_; }
  int rotation() const { return rotation_; }

  static constexpr int size_shift = 16;

  /// `first` and `last` are the four characters from the beginning of the name on and those before its end; they may
  /// be partly beyond a name that is shorter.
  std::uint32_t slot_of(std::uint32_t first, std::uint32_t last, std::uint32_t size) const {
    return mixed(first, last, size) * factor_ >> shift_;
  }

 private:
  static constexpr std::size_t most_names = 1'000;
  static constexpr std::size_t longest_name = 64;
  static constexpr std::size_t slots_in_registers = 32;
  static constexpr std::uint32_t no_name = 0xffffu << size_shift;

  static bool all_short(std::span<const field_description> fields) {
    return std::all_of(fields.begin(), fields.end(),
                       [](const field_description& each) { return each.data_name.size() <= longest_name; });
  }

  std::uint32_t mixed(std::uint32_t first, std::uint32_t last, std::uint32_t size) const {
    const std::uint32_t unused = size >= 4 ? 0 : 32 - 8 * size;
    const auto kept_first = static_cast<std::uint32_t>(std::uint64_t{first} << unused);
    const auto kept_last = static_cast<std::uint32_t>(std::uint64_t{last} >> unused);
    return kept_first ^ std::rotl(kept_last, rotation_) ^ size;
  }

  struct name_ends {
    std::uint32_t first = 0;
    std::uint32_t last = 0;
    std::uint32_t size = 0;

    explicit name_ends(std::string_view name) : size(static_cast<std::uint32_t>(name.size())) {
      const std::string padded = "    " + std::string(name) + "    ";
      std::memcpy(&first, padded.data() + 4, 4);
      std::memcpy(&last, padded.data() + name.size(), 4);
    }
  };

  bool find_slots(std::span<const field_description> fields) {
    std::vector<name_ends> names;
    for (const field_description& each : fields) names.emplace_back(each.data_name);
    const std::size_t fewest = std::max(std::bit_ceil(fields.size() * 2), slots_in_registers);
    for (std::size_t slots = fewest; slots <= fewest * 16; slots *= 2) {
      shift_ = 32 - static_cast<int>(std::bit_width(slots - 1));
      for (rotation_ = 5; rotation_ < 32; rotation_ += 8)
        for (factor_ = first_factor; factor_ != first_factor + 2 * most_tries; factor_ += 2)
          if (fill(names, slots)) return true;
    }
    return false;
  }

  bool fill(std::span<const name_ends> names, std::size_t slots) {
    slots_.assign(slots, no_name);
    for (std::size_t i = 0; i < names.size(); ++i) {
      std::uint32_t& slot = slots_[slot_of(names[i].first, names[i].last, names[i].size)];
      if (slot != no_name) return false;
      slot = names[i].size << size_shift | static_cast<std::uint32_t>(i);
    }
    return true;
  }

  static constexpr std::uint32_t first_factor = 0x9e3779b1;
  static constexpr std::uint32_t most_tries = 32;

  std::array<std::vector<layout_literal>, 2> literals_;
  std::vector<std::uint32_t> slots_;
  std::uint32_t factor_ = first_factor;
  int shift_ = 0;
  int rotation_ = 0;
};

}  // namespace etlantic::detail
