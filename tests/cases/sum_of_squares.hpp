#pragma once
#include <cstdint>
#include <optional>

/// An aggregate as a user writes one, for the cases; reference_model.py says it in a loop.
struct sum_of_squares {
  std::int64_t sum = 0;
  bool has_values = false;

  void add(std::int64_t value) {
    sum += value * value;
    has_values = true;
  }
  void merge(const sum_of_squares& other) {
    sum += other.sum;
    has_values = has_values || other.has_values;
  }
  std::optional<std::int64_t> result() const { return has_values ? std::optional(sum) : std::nullopt; }
};
