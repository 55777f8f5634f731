#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace etlantic::delta {

/// Keys as bytes, numbered in the order in which they come. The bytes lie one behind the other, because a text of its
/// own for each of a million keys takes most of the time of a merge.
class key_table {
 public:
  explicit key_table(std::size_t expected) {
    std::size_t slots = 64;
    while (slots < expected * 2) slots *= 2;
    slots_.resize(slots);
    entries_.reserve(expected);
  }

  std::size_t size() const { return entries_.size(); }

  /// The number of a key, and whether it is new.
  std::pair<std::size_t, bool> insert(std::string_view key) {
    if (entries_.size() * 2 >= slots_.size()) grow();
    const std::size_t hash = std::hash<std::string_view>()(key);
    std::size_t& slot = slots_[place_of(key, hash)];
    if (slot != 0) return {slot - 1, false};
    entries_.push_back({hash, bytes_.size(), key.size()});
    bytes_ += key;
    slot = entries_.size();
    return {slot - 1, true};
  }

  std::optional<std::size_t> find(std::string_view key) const {
    const std::size_t slot = slots_[place_of(key, std::hash<std::string_view>()(key))];
    return slot == 0 ? std::nullopt : std::optional(slot - 1);
  }

 private:
  struct entry {
    std::size_t hash;
    std::size_t begin;
    std::size_t size;
  };

  std::size_t place_of(std::string_view key, std::size_t hash) const {
    const std::size_t mask = slots_.size() - 1;
    std::size_t place = hash & mask;
    for (; slots_[place] != 0; place = (place + 1) & mask) {
      const entry& there = entries_[slots_[place] - 1];
      if (there.hash == hash && key == std::string_view(bytes_).substr(there.begin, there.size)) break;
    }
    return place;
  }

  void grow() {
    std::vector<std::size_t> slots(slots_.size() * 2);
    const std::size_t mask = slots.size() - 1;
    for (std::size_t i = 0; i < entries_.size(); ++i) {
      std::size_t place = entries_[i].hash & mask;
      while (slots[place] != 0) place = (place + 1) & mask;
      slots[place] = i + 1;
    }
    slots_ = std::move(slots);
  }

  std::vector<std::size_t> slots_;  // number of an entry + 1; 0: free
  std::vector<entry> entries_;
  std::string bytes_;
};

}  // namespace etlantic::delta
