#pragma once
#include <etlantic/column/state_io.hpp>
#include <etlantic/kernel/group_key.hpp>

#include <boost/hana/tuple.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace etlantic::kernel {

/// The groups of one window: linear probing with the key in the slot, at most half full.
template <class Keys, class States>
class group_table;

template <class... KeyValues, class... States>
class group_table<boost::hana::tuple<KeyValues...>, boost::hana::tuple<States...>> {
 public:
  using probe = boost::hana::tuple<key_probe<KeyValues>...>;
  using states = boost::hana::tuple<States...>;
  static constexpr std::size_t key_count = sizeof...(KeyValues);

  struct slot {
    boost::hana::tuple<stored_key<KeyValues>...> key;
    states aggregates;
    bool used = false;
    bool changed = false;  // since the start of the batch
  };

  std::size_t size() const { return size_; }
  std::size_t bytes() const { return slots_.capacity() * sizeof(slot); }

  /// The group of a key, made if it is new.
  slot& at(const probe& key) {
    if ((size_ + 1) * 2 > slots_.size()) grow();
    slot& found = slots_[position_of(key)];
    if (!found.used) insert(found, key, std::index_sequence_for<KeyValues...>{});
    return found;
  }

  template <class Visit>
  void for_each(Visit&& visit) {
    for (slot& each : slots_)
      if (each.used) visit(each);
  }
  template <class Visit>
  void for_each(Visit&& visit) const {
    for (const slot& each : slots_)
      if (each.used) visit(each);
  }

  /// Removes the groups for which `closed(slot)` holds.
  template <class Closed>
  void remove_if(Closed&& closed) {
    bool any = false;
    for (slot& each : slots_)
      if (each.used && closed(each)) {
        each = slot{};
        --size_;
        any = true;
      }
    if (any) rehash(slots_.size());  // linear probing leaves no holes
  }

  void save(state_writer& into) const {
    into.put(static_cast<std::uint64_t>(size_));
    for_each([&](const slot& each) {
      save_parts(each, into, std::index_sequence_for<KeyValues...>{}, std::index_sequence_for<States...>{});
    });
  }

  void restore(state_reader& from) {
    slots_.clear();
    size_ = 0;
    const auto count = from.get<std::uint64_t>();
    for (std::uint64_t i = 0; i < count && from.ok(); ++i)
      restore_one(from, std::index_sequence_for<KeyValues...>{}, std::index_sequence_for<States...>{});
  }

 private:
  std::size_t position_of(const probe& key) const {
    const std::size_t mask = slots_.size() - 1;
    std::size_t position = hash(key, std::index_sequence_for<KeyValues...>{}) & mask;
    while (slots_[position].used && !equal(slots_[position], key, std::index_sequence_for<KeyValues...>{}))
      position = (position + 1) & mask;
    return position;
  }

  template <std::size_t... I>
  static std::uint64_t hash(const probe& key, std::index_sequence<I...>) {
    std::uint64_t hash = hash_seed;
    ((hash = hash_of(boost::hana::at_c<I>(key), hash)), ...);
    static_cast<void>(key);
    return hash;
  }

  template <std::size_t... I>
  static bool equal(const slot& candidate, const probe& key, std::index_sequence<I...>) {
    static_cast<void>(candidate), static_cast<void>(key);
    return (boost::hana::at_c<I>(candidate.key).equals(boost::hana::at_c<I>(key)) && ...);
  }

  template <std::size_t... I>
  void insert(slot& into, const probe& key, std::index_sequence<I...>) {
    static_cast<void>(key);
    ((boost::hana::at_c<I>(into.key) = stored_key<KeyValues>(boost::hana::at_c<I>(key))), ...);
    into.used = true;
    ++size_;
  }

  template <std::size_t... I>
  static probe probe_of_slot(const slot& from, std::index_sequence<I...>) {
    static_cast<void>(from);
    return probe{boost::hana::at_c<I>(from.key).probe()...};
  }

  // Few at first: with many windows open, most of them hold few groups.
  void grow() { rehash(slots_.empty() ? 8 : slots_.size() * 2); }

  void rehash(std::size_t capacity) {
    std::vector<slot> before = std::exchange(slots_, std::vector<slot>(capacity));
    for (slot& each : before)
      if (each.used) slots_[position_of(probe_of_slot(each, std::index_sequence_for<KeyValues...>{}))] = std::move(each);
  }

  template <std::size_t... K, std::size_t... S>
  static void save_parts(const slot& each, state_writer& into, std::index_sequence<K...>, std::index_sequence<S...>) {
    (boost::hana::at_c<K>(each.key).save(into), ...);
    (boost::hana::at_c<S>(each.aggregates).save(into), ...);
  }

  template <std::size_t... K, std::size_t... S>
  void restore_one(state_reader& from, std::index_sequence<K...>, std::index_sequence<S...>) {
    slot read;
    (boost::hana::at_c<K>(read.key).restore(from), ...);
    (boost::hana::at_c<S>(read.aggregates).restore(from), ...);
    slot& into = at(probe_of_slot(read, std::index_sequence_for<KeyValues...>{}));
    into.aggregates = std::move(read.aggregates);
  }

  std::vector<slot> slots_;
  std::size_t size_ = 0;
};

}  // namespace etlantic::kernel
