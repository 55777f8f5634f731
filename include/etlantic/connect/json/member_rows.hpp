#pragma once
#include <etlantic/column/block.hpp>
#include <etlantic/connect/json/batch_members.hpp>
#include <etlantic/connect/json/column_batch.hpp>
#include <etlantic/connect/json/line_index.hpp>
#include <etlantic/connect/json/line_members.hpp>
#include <etlantic/connect/json/member_lookup.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

namespace etlantic::detail {

/// Decodes flat lines with their members in any order: finds the places of the values, and then decodes them column by
/// column. Accepts no line that the general code would not accept, and never decides that one is wrong.
class member_rows {
 public:
  member_rows(std::span<const field_description> fields, std::span<const value_plan> plans, const member_lookup& names,
              column_batch& batch)
      : plans_(plans), of_lines_(names), of_batches_(fields, batch.kernels()), batch_(batch), found_(plans.size()) {}

  /// As layout_rows::decode, for lines without escapes.
  std::uint64_t decode(const line_index& lines, std::size_t first_line, std::uint64_t wanted, bool keeps_others,
                       block& into, std::size_t row) {
    for (member_values& each : found_) each.seen = each.in_quotes = 0;
    batch_.set_step(0);
    std::uint64_t found = of_batches_.find(lines, first_line, wanted, found_, batch_.ahead());
    for (std::uint64_t rest = wanted & ~found; rest != 0; rest &= rest - 1) {
      const auto i = static_cast<std::size_t>(std::countr_zero(rest));
      found |= std::uint64_t{of_lines_.find(lines, first_line + i, i, found_)} << i;
      batch_.ahead().fetch(lines.line_end(first_line + i) - lines.line_begin(first_line + i));
    }
    if (found == 0) return 0;
    safe_place_ =
        static_cast<std::int32_t>(lines.line_begin(first_line + static_cast<std::size_t>(std::countr_zero(found))));
    batch_.begin(found, static_cast<std::size_t>(64 - std::countl_zero(wanted)), keeps_others, row);
    for (const value_plan& plan : plans_) read(plan, lines.begin(), into.columns[plan.field]);
    return batch_.left();
  }

 private:
  void read(const value_plan& plan, const char* text, column& values) {
    member_values& found = found_[plan.field];
    const std::uint64_t absent = batch_.left() & ~found.seen;
    // Where null is no value, it is one that nothing below can read.
    const std::uint64_t nulls = plan.nullable ? absent | nulls_of(found, text) : 0;
    if (!plan.nullable) batch_.drop(absent);
    const value_places places = places_of(found, nulls, text);
    if (plan.form == value_form::any) return batch_.read_any(found.in_quotes, nulls, places, values);
    batch_.drop((plan.is_quoted() ? ~found.in_quotes : found.in_quotes) & ~nulls);
    if (batch_.left() != 0) batch_.read_usual(plan, nulls, places, values);
  }

  // The lines whose value is the word null.
  std::uint64_t nulls_of(const member_values& found, const char* text) const {
    std::uint64_t nulls = 0;
    for (std::uint64_t rest = batch_.left() & found.seen & ~found.in_quotes; rest != 0; rest &= rest - 1) {
      const auto i = static_cast<std::size_t>(std::countr_zero(rest));
      const char* const value = text + found.begin[i];
      nulls |= std::uint64_t{*value == 'n' && found.end[i] - found.begin[i] == 4 && std::memcmp(value, "null", 4) == 0}
               << i;
    }
    return nulls;
  }

  // Every line needs places that can be read, also those without a value.
  value_places places_of(member_values& found, std::uint64_t nulls, const char* text) const {
    const std::uint64_t sound = batch_.left() & found.seen & ~nulls;
    const auto first = static_cast<std::size_t>(sound == 0 ? 0 : std::countr_zero(sound));
    for (std::uint64_t others = ~sound; others != 0; others &= others - 1) {
      const auto i = static_cast<std::size_t>(std::countr_zero(others));
      found.begin[i] = sound == 0 ? safe_place_ : found.begin[first];
      found.end[i] = sound == 0 ? safe_place_ : found.end[first];
    }
    return {text, found.begin, found.end};
  }

  std::span<const value_plan> plans_;
  line_members of_lines_;
  batch_members of_batches_;
  column_batch& batch_;
  std::vector<member_values> found_;  // by field
  std::int32_t safe_place_ = 0;
};

}  // namespace etlantic::detail
