#pragma once
#include <etlantic/connect/json/short_literal.hpp>
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

/// Finds the field that a member name means, with one look into a small table. Written without branches on the name:
/// where members come in any order, none of them could be predicted.
class member_lookup {
 public:
  explicit member_lookup(std::span<const field_description> fields) {
    // With a factor that gives every name a slot of its own, no search goes further than one step; where none is found
    // the next best will do.
    const std::size_t fewest = std::bit_ceil(fields.size() * 4 + 1);
    for (std::size_t slots = fewest; slots <= fewest * 16; slots *= 2)
      for (factor_ = first_factor; factor_ != first_factor + 2 * most_tries; factor_ += 2)
        if (fill(fields, slots)) return;
    static_cast<void>(fill(fields, fewest));
  }

  /// The field, or -1. Eight bytes behind the name are readable.
  [[gnu::always_inline]] std::ptrdiff_t find(const char* name, std::size_t size) const {
    const ends_of_name ends(name, size);
    for (std::size_t at = slot_of(ends);; at = (at + 1) & (slots_.size() - 1)) {
      const slot& each = slots_[at];
      const std::uint64_t difference =
          (each.ends.first ^ ends.first) | (each.ends.last ^ ends.last) | (each.ends.size ^ size);
      if (difference == 0 && (size <= 16 || each.text == std::string_view(name, size))) [[likely]]
        return each.field;
      if (each.field < 0) return -1;
    }
  }

 private:
  /// Up to sixteen characters as they are; of longer names the first and the last eight.
  struct ends_of_name {
    std::uint64_t first = 0;
    std::uint64_t last = 0;
    std::uint64_t size = 0;

    ends_of_name() = default;
    [[gnu::always_inline]] ends_of_name(const char* name, std::size_t characters) : size(characters) {
      static constexpr std::array<std::uint64_t, 9> masks = {low_bytes(0), low_bytes(1), low_bytes(2),
                                                             low_bytes(3), low_bytes(4), low_bytes(5),
                                                             low_bytes(6), low_bytes(7), low_bytes(8)};
      // The greater and the lesser of the size and eight, in a form that gcc does not make a branch of.
      const std::int64_t beyond = static_cast<std::int64_t>(characters) - 8;
      const std::int64_t if_short = beyond >> 63;
      const std::uint64_t mask = masks[static_cast<std::size_t>(8 + (beyond & if_short))];
      first = load_word(name) & mask;
      last = load_word(name + (beyond & ~if_short)) & mask;
    }
  };

  struct slot {
    ends_of_name ends;
    std::string_view text;
    std::ptrdiff_t field = -1;
  };

  static constexpr std::uint64_t first_factor = 0x9e3779b97f4a7c15;
  static constexpr std::uint64_t most_tries = 64;

  /// Whether every name has the slot that it would look into first.
  bool fill(std::span<const field_description> fields, std::size_t slots) {
    slots_.assign(slots, {});
    shift_ = 64 - static_cast<int>(std::bit_width(slots - 1));
    bool is_perfect = true;
    for (std::size_t i = 0; i < fields.size(); ++i) {
      const std::string_view name = fields[i].data_name;
      const std::string padded = std::string(name) + "        ";
      const ends_of_name ends(padded.data(), name.size());
      std::size_t at = slot_of(ends);
      for (; slots_[at].field >= 0; at = (at + 1) & (slots - 1)) is_perfect = false;
      slots_[at] = {ends, name, static_cast<std::ptrdiff_t>(i)};
    }
    return is_perfect;
  }

  std::size_t slot_of(const ends_of_name& name) const {
    return static_cast<std::size_t>((name.first ^ std::rotl(name.last, 29) ^ name.size) * factor_ >> shift_);
  }

  std::vector<slot> slots_;
  std::uint64_t factor_ = first_factor;
  int shift_ = 0;
};

}  // namespace etlantic::detail
