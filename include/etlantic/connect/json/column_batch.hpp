#pragma once
#include <etlantic/column/block.hpp>
#include <etlantic/column/check.hpp>
#include <etlantic/connect/json/batch_values.hpp>
#include <etlantic/connect/json/column_rows.hpp>
#include <etlantic/connect/json/value_plan.hpp>
#include <etlantic/connect/json/value_writer.hpp>
#include <etlantic/core/bytes_ahead.hpp>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace etlantic::detail {

/// Writes the values of up to 64 lines into columns, one column after the other. Lines whose value is wrong, or right
/// in a form that only the general code knows, drop out.
class column_batch {
 public:
  column_batch(value_writer& writer, instruction_set instructions)
      : writer_(writer), kernels_(batch_kernels_for(instructions)) {}

  const batch_kernels& kernels() const { return kernels_; }

  /// Begins with those of `count` lines that `lines` names as bits. Line i becomes row `row` + i. `keeps_others`: the
  /// rows of other lines are written already.
  void begin(std::uint64_t lines, std::size_t count, bool keeps_others, std::size_t row) {
    left_ = lines;
    count_ = count;
    keeps_others_ = keeps_others;
    row_ = row;
  }

  /// What the decoder works on next.
  bytes_ahead& ahead() { return ahead_; }
  /// How much of it `fetch_step` fetches.
  void set_step(std::size_t bytes) { step_ = bytes; }
  void fetch_step() { ahead_.fetch(step_); }

  /// The lines that have not dropped out.
  std::uint64_t left() const { return left_; }
  void drop(std::uint64_t lines) { left_ &= ~lines; }

  /// Values in the form that the plan names, but for those lines that have null.
  void read_usual(const value_plan& plan, std::uint64_t nulls, const value_places& places, column& values) {
    fetch_step();
    nulls &= left_;
    if (nulls != 0 && !plan.nullable) {
      drop(nulls);
      nulls = 0;
    }
    switch (plan.form) {
      case value_form::text:
        kernels_.texts(places, values.borrowed, texts_.data());
        put(texts_.data(), sizeof(text_view), values);
        break;
      case value_form::enumeration:
        drop(kernels_.enumerators(places, plan.enumerators, codes_) & ~nulls);
        put(codes_.data(), 1, values);
        break;
      case value_form::integer:
        drop(kernels_.integers(places, numbers_) & ~nulls);
        if (plan.unit != 1) scale_numbers(plan.unit, ~nulls);
        put_numbers(plan, nulls, values);
        break;
      case value_form::decimal:
        drop(kernels_.decimals(places, plan.scale, plan.unit, numbers_) & ~nulls);
        put_numbers(plan, nulls, values);
        break;
      case value_form::timestamp:
        drop(kernels_.timestamps(places, times_, numbers_) & ~nulls);
        put_numbers(plan, nulls, values);
        break;
      case value_form::any: break;
    }
    mark(nulls, values);
    if (plan.checks_more) check(nulls, values);
  }

  /// Values of any form, one by one; those `in_quotes` are texts without escapes.
  void read_any(std::uint64_t in_quotes, std::uint64_t nulls, const value_places& places, column& values) {
    for_each_left([&](std::size_t i) {
      json_token token{json_kind::string, false, {places.begin_of(i), places.size_of(i)}};
      if ((nulls >> i & 1) != 0)
        token = {};
      else if ((in_quotes >> i & 1) == 0 && !is_scalar(places, i, token))
        return false;
      violations_.clear();
      return writer_.write(values, row_ + i, token, violations_);
    });
  }

  /// Values that no column wants and that are not in quotes. They must be JSON all the same.
  void skip(const value_places& places) {
    for_each_left([&](std::size_t i) {
      json_token ignored;
      return is_scalar(places, i, ignored);
    });
  }

  void write_nulls(column& values) {
    for_each_left([&](std::size_t i) { return write_null(values, row_ + i), true; });
  }

  /// Lines whose value is the word null.
  static std::uint64_t nulls_among(const value_places& places) {
    std::uint64_t nulls = 0;
    for (std::size_t i = 0; i < batch_lines; ++i) nulls |= std::uint64_t{is_null(places, i)} << i;
    return nulls;
  }

 private:
  static bool is_null(const value_places& places, std::size_t i) {
    return places.size_of(i) == 4 && std::memcmp(places.begin_of(i), "null", 4) == 0;
  }

  static bool is_scalar(const value_places& places, std::size_t i, json_token& token) {
    return is_json_scalar(places.begin_of(i), places.end_of(i), token);
  }

  void scale_numbers(std::int64_t unit, std::uint64_t lines) {
    std::uint64_t overflow = 0;
    for (std::size_t i = 0; i < batch_lines; ++i)
      overflow |= std::uint64_t{__builtin_mul_overflow(numbers_[i], unit, &numbers_[i])} << i;
    drop(overflow & lines);
  }

  void put_numbers(const value_plan& plan, std::uint64_t nulls, column& values) {
    drop(kernels_.outside(numbers_, plan.least, plan.greatest) & ~nulls);
    if (plan.width == 8) return put(numbers_.data(), 8, values);
    std::byte* const to = values.values.data() + row_ * plan.width;
    for_each_left([&](std::size_t i) { return store_integer(to + i * plan.width, plan.width, numbers_[i]), true; });
  }

  void put(const void* from, std::size_t width, column& values) {
    const auto* const bytes = static_cast<const std::byte*>(from);
    std::byte* const to = values.values.data() + row_ * width;
    if (!keeps_others_)
      std::memcpy(to, bytes, count_ * width);
    else
      for_each_left([&](std::size_t i) { return std::memcpy(to + i * width, bytes + i * width, width), true; });
  }

  void mark(std::uint64_t nulls, column& values) {
    if (nulls == 0 && values.validity.empty()) return;
    for_each_left([&](std::size_t i) {
      if ((nulls >> i & 1) != 0)
        write_null(values, row_ + i);
      else
        mark_present(values, row_ + i);
      return true;
    });
  }

  void check(std::uint64_t nulls, const column& values) {
    for_each_left([&](std::size_t i) { return (nulls >> i & 1) != 0 || !broken_constraint(values, row_ + i); });
  }

  template <class Accepts>
  void for_each_left(Accepts&& accepts) {
    std::uint64_t refused = 0;
    for (std::uint64_t rest = left_; rest != 0; rest &= rest - 1) {
      const auto i = static_cast<std::size_t>(std::countr_zero(rest));
      if (!accepts(i)) refused |= std::uint64_t{1} << i;
    }
    drop(refused);
  }

  value_writer& writer_;
  const batch_kernels& kernels_;
  fast_timestamps times_;
  std::vector<violation> violations_;

  bytes_ahead ahead_;
  std::size_t step_ = 0;
  std::uint64_t left_ = 0;
  std::size_t count_ = 0;
  std::size_t row_ = 0;
  bool keeps_others_ = false;
  batch_numbers numbers_{};
  std::array<std::uint8_t, batch_lines> codes_{};
  std::array<text_view, batch_lines> texts_{};
};

}  // namespace etlantic::detail
