#pragma once
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <utility>

namespace etlantic::kernel {

/// What sums of a table have beyond 64 bits: few groups get there. `State` is the index of a sum among the `States` of
/// a slot.
template <std::size_t States>
class sum_carries {
 public:
  bool empty() const { return carries_.empty(); }
  std::size_t bytes() const {
    return carries_.size() * (sizeof(std::pair<const std::size_t, std::int64_t>) + 2 * sizeof(void*));
  }

  [[gnu::noinline]] void add(std::size_t slot, std::size_t state, std::int64_t carry) {
    carries_[slot * States + state] += carry;
  }

  std::int64_t of(std::size_t slot, std::size_t state) const {
    if (carries_.empty()) return 0;
    const auto found = carries_.find(slot * States + state);
    return found == carries_.end() ? 0 : found->second;
  }

  /// Gives those of a slot to `moved`, where it has another place.
  void move(std::size_t from, std::size_t to, sum_carries& moved) const {
    for (std::size_t state = 0; state < States; ++state)
      if (const std::int64_t carry = of(from, state)) moved.add(to, state, carry);
  }

 private:
  std::unordered_map<std::size_t, std::int64_t> carries_;
};

}  // namespace etlantic::kernel
