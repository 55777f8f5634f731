#pragma once
#include <etlantic/kernel/group_key.hpp>

#include <boost/hana/tuple.hpp>

#include <cstddef>
#include <cstdint>
#include <new>
#include <string_view>
#include <type_traits>
#include <utility>

namespace etlantic::kernel {

/// How the slots of a table are laid out, and how rows and slots are found to have the same key. `Parts` are key_parts,
/// `States` packed states.
template <class Parts, class States>
struct slot_layout;

template <class... Parts, class... States>
struct slot_layout<boost::hana::tuple<Parts...>, boost::hana::tuple<States...>> {
  using part_indices = std::index_sequence_for<Parts...>;
  using state_indices = std::index_sequence_for<States...>;
  using stored_parts = boost::hana::tuple<typename Parts::value...>;
  using stored_states = boost::hana::tuple<States...>;

  // The mark of a slot: how many rows its group has, which parts of its key are null, and whether it changed since the
  // start of the batch. Zero: the slot is empty.
  static constexpr int null_bits = (0 + ... + (Parts::nullable ? 1 : 0));
  static constexpr int row_bits = 63 - null_bits;
  static_assert(row_bits >= 40, "a key has at most 23 parts that can be null");
  static constexpr std::uint64_t rows_mask = (std::uint64_t{1} << row_bits) - 1;
  static constexpr std::uint64_t changed_mark = std::uint64_t{1} << 63;
  static constexpr std::uint64_t nulls_mask = ~rows_mask & ~changed_mark;

  static constexpr bool has_text = (false || ... || std::is_same_v<typename Parts::value, std::string_view>);
  static constexpr bool moves_as_bytes = (true && ... && std::is_trivially_copyable_v<States>);

  struct no_hash {};
  struct slot {
    std::uint64_t mark;
    [[no_unique_address]] std::conditional_t<has_text, std::uint64_t, no_hash> hash;  // spares most looks at texts
    [[no_unique_address]] stored_parts parts;
    alignas(stored_states) std::byte room[sizeof(stored_states)];

    stored_states& states() { return *std::launder(reinterpret_cast<stored_states*>(room)); }
    const stored_states& states() const { return *std::launder(reinterpret_cast<const stored_states*>(room)); }
    std::int64_t rows() const { return static_cast<std::int64_t>(mark & rows_mask); }
  };

  /// The key of a row.
  struct probe {
    stored_parts parts;
    std::uint64_t nulls = 0;  // as in a mark
  };
  /// The bit of part I in a mark.
  template <std::size_t I>
  static constexpr std::uint64_t null_bit() {
    constexpr bool nullable[] = {Parts::nullable..., false};
    int before = 0;
    for (std::size_t i = 0; i < I; ++i) before += nullable[i];
    return nullable[I] ? std::uint64_t{1} << (row_bits + before) : 0;
  }

  template <class Keys>
  static probe probe_of(const Keys& keys, std::size_t row) {
    return probe_of(keys, row, part_indices{});
  }
  static probe probe_of(const slot& from) { return {from.parts, from.mark & nulls_mask}; }
  static std::uint64_t hash(const probe& key) { return hash(key, part_indices{}); }
  static std::uint64_t hash_of(const slot& at) {
    if constexpr (has_text)
      return at.hash;
    else
      return hash(probe_of(at));
  }
  /// Given the hash of the key. A slot that is empty may seem to have the key, since its bytes are zero.
  static bool has_key(const slot& at, const probe& key, [[maybe_unused]] std::uint64_t hash) {
    if constexpr (has_text)
      if (at.hash != hash) return false;
    if constexpr (null_bits != 0)
      if ((at.mark & nulls_mask) != key.nulls) return false;
    return same_parts(at.parts, key.parts, part_indices{});
  }
  /// An order of keys for those that have the same hash.
  static bool precedes(const slot& left, const slot& right) { return precedes(left, right, part_indices{}); }

 private:
  template <class Keys, std::size_t... I>
  static probe probe_of(const Keys& keys, std::size_t row, std::index_sequence<I...>) {
    probe made{};
    const auto take = [&]<std::size_t At>(std::integral_constant<std::size_t, At>) {
      const auto& from = boost::hana::at_c<At>(keys);
      if constexpr (null_bit<At>() != 0)
        if (!from.is_present(row)) {
          made.nulls |= null_bit<At>();
          return;
        }
      boost::hana::at_c<At>(made.parts) = key_form(from.at(row));
    };
    (take(std::integral_constant<std::size_t, I>{}), ...);
    static_cast<void>(take), static_cast<void>(keys), static_cast<void>(row);
    return made;
  }

  template <std::size_t... I>
  static std::uint64_t hash(const probe& key, std::index_sequence<I...>) {
    std::uint64_t made = hash_seed;
    ((made = (key.nulls & null_bit<I>()) != 0 ? hash_null(made) : hash_key(boost::hana::at_c<I>(key.parts), made)),
     ...);
    static_cast<void>(key);
    return made;
  }

  template <std::size_t... I>
  static bool same_parts(const stored_parts& left, const stored_parts& right, std::index_sequence<I...>) {
    static_cast<void>(left), static_cast<void>(right);
    return (same_key(boost::hana::at_c<I>(left), boost::hana::at_c<I>(right)) && ...);
  }

  template <std::size_t... I>
  static bool precedes(const slot& l, const slot& r, std::index_sequence<I...>) {
    int order = 0;
    const auto compare = [&](const auto& a, const auto& b) {
      if (order == 0) order = a < b ? -1 : b < a ? 1 : 0;
    };
    (compare(boost::hana::at_c<I>(l.parts), boost::hana::at_c<I>(r.parts)), ...);
    compare(l.mark & nulls_mask, r.mark & nulls_mask);
    return order < 0;
  }
};

}  // namespace etlantic::kernel
