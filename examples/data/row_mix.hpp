#pragma once
#include "order_options.hpp"
#include "order_row.hpp"
#include "random.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace orders {

/// An urn with one ball per row: the kinds come in random order, and their numbers are exact.
class row_mix {
 public:
  explicit row_mix(const order_counts& counts) : left_in_all_(counts.rows) {
    left_[index_of(row_kind::paid)] = counts.paid();
    left_[index_of(row_kind::unpaid)] = counts.unpaid;
    left_[index_of(row_kind::late)] = counts.late;
    constexpr std::size_t first = index_of(row_kind::malformed);
    constexpr std::uint64_t reasons = row_kinds - first;
    for (std::size_t kind = first; kind < row_kinds; ++kind) {
      const std::uint64_t leftover = kind - first < counts.invalid % reasons ? 1 : 0;
      left_[kind] = counts.invalid / reasons + leftover;
    }
  }

  std::uint64_t left(row_kind kind) const { return left_[index_of(kind)]; }

  row_kind take(row_kind kind) {
    --left_[index_of(kind)];
    --left_in_all_;
    return kind;
  }

  row_kind draw(random_source& random) {
    std::uint64_t ball = random.below(left_in_all_);
    std::size_t kind = 0;
    for (; ball >= left_[kind]; ++kind) ball -= left_[kind];
    return take(static_cast<row_kind>(kind));
  }

  row_kind draw_but_late(random_source& random) {
    std::uint64_t ball = random.below(left_in_all_ - left(row_kind::late));
    std::size_t kind = 0;
    while (kind == index_of(row_kind::late) || ball >= left_[kind]) {
      if (kind != index_of(row_kind::late)) ball -= left_[kind];
      ++kind;
    }
    return take(static_cast<row_kind>(kind));
  }

 private:
  std::array<std::uint64_t, row_kinds> left_{};
  std::uint64_t left_in_all_;
};

}  // namespace orders
