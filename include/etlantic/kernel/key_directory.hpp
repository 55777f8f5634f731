#pragma once
#include <etlantic/kernel/group_key.hpp>
#include <etlantic/kernel/slot_layout.hpp>
#include <etlantic/kernel/text_arena.hpp>

#include <boost/hana/tuple.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

namespace etlantic::kernel {

/// Keys with a value each, by numbers that count from 0 in the order in which keys are added. None can be removed: what
/// holds a directory makes a new one of the keys that it still needs. `Parts` are key_parts.
template <class Parts, class Value>
class key_directory;

template <class... Parts, class Value>
class key_directory<boost::hana::tuple<Parts...>, Value> {
  using layout = slot_layout<boost::hana::tuple<Parts...>, boost::hana::tuple<>>;
  using part_indices = std::index_sequence_for<Parts...>;

 public:
  using probe = typename layout::probe;
  /// A key as others see it. Text lies in the directory.
  using stored_keys = boost::hana::tuple<stored_key<typename Parts::value>...>;

  template <class Keys>
  static probe probe_of(const Keys& keys, std::size_t row) {
    return layout::probe_of(keys, row);
  }
  static probe probe_of(const stored_keys& key) { return probe_of(key, part_indices{}); }
  static std::uint64_t hash(const probe& key) { return layout::hash(key); }

  /// The number of a key, which is added if it is new.
  std::uint32_t number_of(const probe& key, std::uint64_t hash) {
    if (entries_.size() >= limit_) [[unlikely]]
      grow();
    for (std::size_t at = home(hash);; at = (at + 1) & (places_.size() - 1)) {
      place& here = places_[at];
      if (here.number == none) return add(here, key, hash);
      if (here.tag == tag_of(hash) && layout::has_key(entries_[here.number].key, key, hash)) return here.number;
    }
  }
  void fetch_ahead(std::uint64_t hash) const {
    if (!places_.empty()) __builtin_prefetch(&places_[home(hash)]);
  }

  Value& operator[](std::uint32_t number) { return entries_[number].value; }
  const Value& operator[](std::uint32_t number) const { return entries_[number].value; }

  probe probe_at(std::uint32_t number) const { return layout::probe_of(entries_[number].key); }
  std::uint64_t hash_at(std::uint32_t number) const { return layout::hash_of(entries_[number].key); }
  stored_keys key_at(std::uint32_t number) const { return key_at(entries_[number].key, part_indices{}); }
  /// The order of keys with the same hash.
  bool precedes(std::uint32_t left, std::uint32_t right) const {
    return layout::precedes(entries_[left].key, entries_[right].key);
  }

  std::size_t size() const { return entries_.size(); }
  std::size_t bytes() const {
    return entries_.capacity() * sizeof(entry) + places_.capacity() * sizeof(place) + texts_.bytes();
  }

 private:
  struct entry {
    typename layout::slot key;
    Value value;
  };
  static constexpr std::uint32_t none = ~std::uint32_t{0};
  struct place {
    std::uint32_t tag = 0;  // of the hash: spares most looks at keys
    std::uint32_t number = none;
  };

  static std::uint32_t tag_of(std::uint64_t hash) { return static_cast<std::uint32_t>(hash); }
  std::size_t home(std::uint64_t hash) const { return (hash >> 32) & (places_.size() - 1); }

  std::uint32_t add(place& here, const probe& key, std::uint64_t hash) {
    here = {tag_of(hash), static_cast<std::uint32_t>(entries_.size())};
    entry& made = entries_.emplace_back();
    made.key.mark = key.nulls;
    if constexpr (layout::has_text) made.key.hash = hash;
    keep_parts(made.key, key, part_indices{});
    return here.number;
  }

  template <std::size_t... I>
  void keep_parts(typename layout::slot& at, const probe& key, std::index_sequence<I...>) {
    at.parts = key.parts;
    const auto keep = [&](auto& part) {
      if constexpr (std::is_same_v<std::remove_cvref_t<decltype(part)>, std::string_view>) part = texts_.keep(part);
    };
    (keep(boost::hana::at_c<I>(at.parts)), ...);
    static_cast<void>(keep);
  }

  void grow() {
    places_.assign(places_.empty() ? 16 : places_.size() * 2, place{});
    limit_ = places_.size() / 2;
    for (std::uint32_t number = 0; number < entries_.size(); ++number) {
      const std::uint64_t hash = hash_at(number);
      std::size_t at = home(hash);
      while (places_[at].number != none) at = (at + 1) & (places_.size() - 1);
      places_[at] = {tag_of(hash), number};
    }
  }

  template <std::size_t... I>
  static probe probe_of(const stored_keys& key, std::index_sequence<I...>) {
    static_cast<void>(key);
    return {{boost::hana::at_c<I>(key).value...},
            (std::uint64_t{0} | ... | (boost::hana::at_c<I>(key).is_null ? layout::template null_bit<I>() : 0))};
  }
  template <std::size_t... I>
  static stored_keys key_at(const typename layout::slot& from, std::index_sequence<I...>) {
    static_cast<void>(from);
    return {stored_key<typename Parts::value>{boost::hana::at_c<I>(from.parts),
                                              (from.mark & layout::template null_bit<I>()) != 0}...};
  }

  std::vector<entry> entries_;
  std::vector<place> places_;
  std::size_t limit_ = 0;  // entries that the places are enough for
  text_arena texts_;
};

}  // namespace etlantic::kernel
