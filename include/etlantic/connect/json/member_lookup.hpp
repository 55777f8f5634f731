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
  explicit member_lookup(std::span<const field_description> fields)
      : slots_(std::bit_ceil(fields.size() * 4 + 1)), shift_(64 - static_cast<int>(std::bit_width(slots_.size() - 1))) {
    for (std::size_t i = 0; i < fields.size(); ++i) {
      const std::string_view name = fields[i].data_name;
      std::string padded(name);
      padded.append(16, '\0');
      std::size_t at = slot_of(padded.data(), name.size());
      while (slots_[at].field >= 0) at = next(at);
      slots_[at] = {short_literal(name.substr(0, short_literal::most)), name, static_cast<std::ptrdiff_t>(i)};
    }
  }

  /// The field, or -1. Sixteen bytes behind the name are readable.
  std::ptrdiff_t find(const char* name, std::size_t size) const {
    for (std::size_t at = slot_of(name, size);; at = next(at)) {
      const slot& each = slots_[at];
      if (each.field < 0 || each.is(name, size)) [[likely]]
        return each.field;
    }
  }

 private:
  struct slot {
    short_literal head;
    std::string_view text;
    std::ptrdiff_t field = -1;

    bool is(const char* at, std::size_t size) const {
      return ((size ^ text.size()) | head.difference(at)) == 0 &&
             (size <= short_literal::most || std::memcmp(at, text.data(), size) == 0);
    }
  };

  // Of the first and the last eight bytes, and the size.
  std::size_t slot_of(const char* name, std::size_t size) const {
    static constexpr std::array<std::uint64_t, 9> masks = {low_bytes(0), low_bytes(1), low_bytes(2),
                                                           low_bytes(3), low_bytes(4), low_bytes(5),
                                                           low_bytes(6), low_bytes(7), low_bytes(8)};
    const std::uint64_t mask = masks[std::min<std::size_t>(size, 8)];
    const std::uint64_t first = load_word(name) & mask;
    const std::uint64_t last = load_word(name + std::max<std::size_t>(size, 8) - 8) & mask;
    return static_cast<std::size_t>((first ^ std::rotl(last, 29) ^ (size << 56)) * 0x9e3779b97f4a7c15 >> shift_);
  }

  std::size_t next(std::size_t at) const { return (at + 1) & (slots_.size() - 1); }

  std::vector<slot> slots_;
  int shift_;
};

}  // namespace etlantic::detail
