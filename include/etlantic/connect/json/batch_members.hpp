#pragma once
#include <etlantic/connect/json/batch_values.hpp>
#include <etlantic/connect/json/line_index.hpp>
#include <etlantic/connect/json/member_places.hpp>
#include <etlantic/connect/json/member_table.hpp>
#include <etlantic/core/bytes_ahead.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace etlantic::detail {

/// Finds the members of many flat lines without escapes at once, where names and values stand together without blanks,
/// or with one behind each colon and comma. Which kind it is, the first line says.
class batch_members {
 public:
  batch_members(std::span<const field_description> fields, const batch_kernels& kernels)
      : kernels_(kernels), names_(fields), places_(fields.size()) {}

  /// Of the lines that `wanted` names as bits (bit 0: `first_line`) those whose members are in `into` then. 128 bytes
  /// before and behind each wanted line are readable. Where it finds hardly any, it tries less and less often.
  std::uint64_t find(const line_index& lines, std::size_t first_line, std::uint64_t wanted,
                     std::span<member_values> into, bytes_ahead& ahead) {
    if (kernels_.find_members == nullptr || names_.empty()) return 0;
    if (pause_left_ > 0) {
      --pause_left_;
      return 0;
    }
    const std::uint64_t found = find_all(lines, first_line, wanted, into, ahead);
    pause_ = std::popcount(found) * 8 >= std::popcount(wanted) ? 0 : std::min(2 * pause_ + 1, longest_pause);
    pause_left_ = pause_;
    return found;
  }

 private:
  static constexpr int longest_pause = 31;

  std::uint64_t find_all(const line_index& lines, std::size_t first_line, std::uint64_t wanted,
                         std::span<member_values> into, bytes_ahead& ahead) {
    places_.gap = gap_of(lines, first_line + static_cast<std::size_t>(std::countr_zero(wanted)));
    std::uint64_t found = kernels_.find_members(lines, first_line, wanted, names_, places_);
    if (found == 0) return 0;
    const std::vector<layout_literal>& literals = names_.literals(places_.gap);
    const auto last = first_line + static_cast<std::size_t>(63 - std::countl_zero(wanted));
    const std::size_t step = (lines.line_end(last) - lines.line_begin(first_line)) / into.size();
    std::uint32_t places = 0;
    std::uint64_t others = 0;
    for (std::size_t i = 0; i < into.size(); ++i) {
      places += kernels_.open_members(places_.fields[i], found, literals[i].size(), into[i]);
      if (into[i].seen != 0) others |= kernels_.differences(lines.begin(), into[i].name, literals[i]);
      ahead.fetch(step);
    }
    // Where a member comes twice, it is not decided here which of them counts.
    found = places == places_.known ? found & ~others : 0;
    for (member_values& each : into) {
      each.seen &= found;
      each.in_quotes &= found;
    }
    return found;
  }

  static std::uint32_t gap_of(const line_index& lines, std::size_t line) {
    const std::uint32_t quote = lines.first_quote(line);
    if (lines.first_quote(line + 1) - quote < 2) return 0;
    const char* const behind_name = lines.begin() + lines.quotes()[quote + 1] + 1;
    return behind_name[0] == ':' && behind_name[1] == ' ' ? 1 : 0;
  }

  const batch_kernels& kernels_;
  member_table names_;
  member_places places_;
  int pause_ = 0;  // calls without a try after the last one that was in vain
  int pause_left_ = 0;
};

}  // namespace etlantic::detail
