#pragma once
#include "order_options.hpp"
#include "random.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace orders {

/// Draws customers, numbered from 1.
class customer_keys {
 public:
  explicit customer_keys(const order_options& options)
      : skew_(options.skew),
        customers_(static_cast<std::uint64_t>(options.customers)),
        first_customer_(skew_ == key_skew::half ? rows_of(0.5, static_cast<std::uint64_t>(options.rows)) : 0,
                        static_cast<std::uint64_t>(options.rows)) {
    if (skew_ == key_skew::zipf) fill_weights();
  }

  std::int64_t draw(random_source& random) {
    switch (skew_) {
      case key_skew::uniform: break;
      case key_skew::zipf: {
        const std::uint64_t point = random.below(weights_.back());
        const auto found = std::upper_bound(weights_.begin(), weights_.end(), point);
        return found - weights_.begin() + 1;
      }
      case key_skew::half:
        if (first_customer_.draw(random) || customers_ == 1) return 1;
        return static_cast<std::int64_t>(2 + random.below(customers_ - 1));
    }
    return static_cast<std::int64_t>(1 + random.below(customers_));
  }

 private:
  /// Running sums of 1/rank in integers, since powers of floating point differ between platforms.
  void fill_weights() {
    constexpr std::uint64_t weight_of_first = std::uint64_t{1} << 27;  // 10 million of them still add up to below 2^32
    weights_.reserve(customers_);
    std::uint64_t sum = 0;
    for (std::uint64_t rank = 1; rank <= customers_; ++rank) weights_.push_back(sum += weight_of_first / rank);
  }

  key_skew skew_;
  std::uint64_t customers_;
  quota first_customer_;
  std::vector<std::uint64_t> weights_;
};

}  // namespace orders
