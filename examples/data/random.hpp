#pragma once
#include <cstdint>

namespace orders {

/// splitmix64: the same numbers on every platform, which the distributions of <random> do not promise.
class random_source {
 public:
  explicit random_source(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    state_ += 0x9E3779B97F4A7C15U;
    std::uint64_t mixed = state_;
    mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9U;
    mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EBU;
    return mixed ^ (mixed >> 31);
  }

  /// A number in [0, bound); the bound is at most 2^32, so that one multiplication of 64 bits is enough.
  std::uint64_t below(std::uint64_t bound) { return ((next() >> 32) * bound) >> 32; }

  bool one_in(std::uint64_t times) { return below(times) == 0; }

 private:
  std::uint64_t state_;
};

/// Chooses exactly `wanted` of `candidates` by looking at each of them once.
class quota {
 public:
  quota(std::uint64_t wanted, std::uint64_t candidates)
      : wanted_(wanted < candidates ? wanted : candidates), candidates_(candidates) {}

  bool draw(random_source& random) {
    // without this, a switched-off feature would still use up random numbers
    if (wanted_ == 0) return false;
    const bool chosen = random.below(candidates_) < wanted_;
    --candidates_;
    if (chosen) --wanted_;
    return chosen;
  }

 private:
  std::uint64_t wanted_;
  std::uint64_t candidates_;
};

}  // namespace orders
