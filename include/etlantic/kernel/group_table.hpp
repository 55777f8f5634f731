#pragma once
#include <etlantic/column/state_io.hpp>
#include <etlantic/kernel/group_key.hpp>
#include <etlantic/kernel/indexed_rows.hpp>
#include <etlantic/kernel/place_index.hpp>
#include <etlantic/kernel/slot_layout.hpp>
#include <etlantic/kernel/slot_memory.hpp>
#include <etlantic/kernel/sum_carries.hpp>
#include <etlantic/kernel/text_arena.hpp>
#include <etlantic/kernel/used_slots.hpp>

#include <boost/hana/tuple.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <tuple>
#include <utility>
#include <vector>

namespace etlantic::kernel {

/// The groups of one window: linear probing with key and states in the slot. `Parts` are key_parts, `States` packed
/// states.
///
/// A slot's place begins with the first bits of its key's hash, and probing never wraps: behind the last place there
/// are some more slots, of which the last stays empty. So runs of used slots follow each other by hash whatever the
/// size of the table is, and the groups can be visited in the order of their hashes by sorting inside each run: an
/// order that depends neither on how the rows were cut into batches nor on restarts.
template <class Parts, class States>
class group_table;

template <class... Parts, class... States>
class group_table<boost::hana::tuple<Parts...>, boost::hana::tuple<States...>> {
  using layout = slot_layout<boost::hana::tuple<Parts...>, boost::hana::tuple<States...>>;
  using slot = typename layout::slot;
  using probe = typename layout::probe;
  using part_indices = typename layout::part_indices;
  using state_indices = typename layout::state_indices;
  using stored_states = typename layout::stored_states;
  using carries = sum_carries<sizeof...(States)>;
  using places = typename place_index_of<boost::hana::tuple<Parts...>>::type;
  static constexpr std::uint64_t changed_mark = layout::changed_mark;

 public:
  static constexpr std::size_t key_count = sizeof...(Parts);
  static constexpr std::size_t state_count = sizeof...(States);
  static constexpr std::size_t slot_size = sizeof(slot);
  /// Whether state A looks at its argument.
  template <std::size_t A>
  static constexpr bool reads_rows = std::tuple_element_t<A, std::tuple<States...>>::reads_rows;

  /// Whether tables can be merged in any groups, as long as their order stays.
  static constexpr bool regroups = (true && ... && States::regroups);

  /// A group as others see it. Text of the key lies in the table.
  struct group {
    boost::hana::tuple<stored_key<typename Parts::value>...> key;
    boost::hana::tuple<typename States::full...> aggregates;
    std::int64_t rows = 0;
    bool changed = false;
  };

  group_table() = default;
  group_table(group_table&& other) noexcept { swap(other); }
  group_table& operator=(group_table&& other) noexcept {
    group_table taken(std::move(other));
    swap(taken);
    return *this;
  }
  ~group_table() { destroy_states(); }

  std::size_t size() const { return size_; }
  std::size_t bytes() const {
    std::size_t sum = memory_.size() + texts_.bytes() + carries_.bytes() + index_.bytes();
    if constexpr ((false || ... || has_heap<States>))
      used().for_each([&](std::size_t i) { sum += heap_of(slots()[i].states(), state_indices{}); });
    return sum;
  }

  /// Adds rows of a morsel to their groups. `keys` and `arguments` are tuples of row_values. With `track_changes` the
  /// groups count as changed. What lies in columns is fetched for rows that are `ahead`.
  template <class Keys, class Arguments>
  void add_rows(Keys keys, Arguments arguments, const std::uint16_t* rows, std::size_t count, bool track_changes,
                std::size_t ahead = 0) {
    if (capacity_ == 0) grow();
    if constexpr (sizeof...(Parts) == 0) return add_to_only_group(arguments, rows, count, track_changes, ahead);
    if constexpr (places::exists) {
      if (memory_.size() <= stays_in_cache && index_.is_due(size_, count))
        make_index(index_, capacity_,
                   [&](auto&& visit) { each_used([&](const slot& at) { visit(index_key(at), index_place(at)); }); });
      if (!index_.empty()) {
        const std::size_t added = add_by_index(keys, arguments, rows, count, track_changes, ahead);
        if (added == count) return;
        rows += added;
        count -= added;
      }
    }
    std::uint64_t hashes[morsel_rows + prefetch_distance];
    for (std::size_t i = 0; i < count; ++i) {
      hashes[i] = layout::hash(layout::probe_of(keys, rows[i]));
      fetch(keys, arguments, rows[i] + ahead);
    }
    const std::uint64_t changed = track_changes ? changed_mark : 0;
    // Copies of what no store to a slot can change, though the compiler cannot know.
    slot* first = slots();
    int shift = shift_;
    const auto add_row = [&](std::size_t i) __attribute__((always_inline)) {
      const std::size_t row = rows[i];
      const probe key = layout::probe_of(keys, row);
      slot* at = first + (hashes[i] >> shift);
      while (!layout::has_key(*at, key, hashes[i]) && at->mark != 0) ++at;
      if (at->mark == 0) [[unlikely]] {
        at = make_group(at, key, hashes[i]);
        first = slots();
        shift = shift_;
      }
      at->mark = (at->mark + 1) | changed;
      add_arguments(*at, at->states(), arguments, row, state_indices{});
    };
    if (memory_.size() <= stays_in_cache) {
      for (std::size_t i = 0; i < count; ++i) add_row(i);
      return;
    }
    std::fill_n(hashes + count, prefetch_distance, hashes[0]);
    for (std::size_t i = 0; i < prefetch_distance; ++i) fetch(first + (hashes[i] >> shift));
    for (std::size_t i = 0; i < count; ++i) {
      fetch(first + (hashes[i + prefetch_distance] >> shift));
      add_row(i);
    }
  }

  /// Adds the rows of a morsel whose key is new, and none of the others. The new ones are put into `first_rows`, in
  /// order; how many there are.
  template <class Keys, class Arguments>
  std::size_t add_first_rows(Keys keys, Arguments arguments, const std::uint16_t* rows, std::size_t count,
                             std::uint16_t* first_rows) {
    if (capacity_ == 0) grow();
    std::uint64_t hashes[morsel_rows + prefetch_distance];
    for (std::size_t i = 0; i < count; ++i) hashes[i] = layout::hash(layout::probe_of(keys, rows[i]));
    const bool fetches = memory_.size() > stays_in_cache;
    if (fetches) {
      std::fill_n(hashes + count, prefetch_distance, hashes[0]);
      for (std::size_t i = 0; i < prefetch_distance; ++i) fetch(home(hashes[i]));
    }
    std::size_t found = 0;
    for (std::size_t i = 0; i < count; ++i) {
      if (fetches) fetch(home(hashes[i + prefetch_distance]));
      const probe key = layout::probe_of(keys, rows[i]);
      slot* at = home(hashes[i]);
      while (at->mark != 0 && !layout::has_key(*at, key, hashes[i])) ++at;
      if (at->mark != 0) continue;
      at = make_group(at, key, hashes[i]);
      ++at->mark;
      add_arguments(*at, at->states(), arguments, rows[i], state_indices{});
      first_rows[found++] = rows[i];
    }
    return found;
  }

  /// Adds the groups of another table, whose rows came later.
  void merge(const group_table& later) {
    if (size_ < later.size_) reserve(later.size_);
    std::vector<std::size_t> missing;
    const bool same_size = slot_count() == later.slot_count();  // then most groups have the same place
    later.used().for_each([&](std::size_t i) {
      const slot& from = later.slots()[i];
      const std::uint64_t hash = layout::hash_of(from);
      const probe key = layout::probe_of(from);
      slot* at = same_size ? slots() + i : nullptr;
      if (at == nullptr || at->mark == 0 || !layout::has_key(*at, key, hash)) {
        at = home(hash);
        while (!layout::has_key(*at, key, hash) && at->mark != 0) ++at;
      }
      if (at->mark == 0)
        missing.push_back(i);
      else {
        at->mark = (at->mark + (from.mark & layout::rows_mask)) | (from.mark & changed_mark);
        merge_states(*at, later, i, state_indices{});
      }
    });
    // At once, since keys in the order of their hashes crowd a table that grows with them.
    reserve(size_ + missing.size());
    for (const std::size_t i : missing) take_over(later, i, state_indices{});
  }

  group_table copy() const {
    group_table made;
    if constexpr (layout::moves_as_bytes && !layout::has_text) {
      made.memory_ = slot_memory(memory_.size());
      if (size_ != 0) std::memcpy(made.memory_.data(), memory_.data(), memory_.size());
      made.capacity_ = capacity_, made.behind_ = behind_, made.shift_ = shift_;
      made.size_ = size_, made.limit_ = limit_;
      made.carries_ = carries_;
    } else
      made.merge(*this);
    return made;
  }

  void forget_changes() {
    each_used([](slot& at) { at.mark &= ~changed_mark; });
  }

  /// Visits all groups in the order of their hashes.
  template <class Visit>
  void for_each(Visit&& visit) const {
    used().for_each_by_hash([&](std::size_t at) { visit(static_cast<const group&>(unpacked_at(at))); });
  }

  /// Removes the groups for which `closed(group)` holds.
  template <class Closed>
  void remove_if(Closed&& closed) {
    if constexpr (layout::moves_as_bytes)
      if (carries_.empty() && size_ >= limit_ / 8) return remove_in_place(closed);
    group_table kept;
    kept.reserve(size_);
    bool any = false;
    for_each([&](const group& each) {
      if (closed(each))
        any = true;
      else
        kept.insert(each);
    });
    if (any) *this = std::move(kept);
  }

  void save(state_writer& into) const {
    if constexpr (layout::moves_as_bytes)
      if (into.takes_copies() && memory_.size() >= worth_copying) return put_copy(into);
    into.put(static_cast<std::uint64_t>(size_));
    for_each([&](const group& each) { save_group(each, into, part_indices{}, state_indices{}); });
  }

  void restore(state_reader& from) {
    *this = group_table();
    const auto count = from.get<std::uint64_t>();
    reserve(std::min(count, static_cast<std::uint64_t>(from.rest())));  // a group has a byte at least
    for (std::uint64_t i = 0; i < count && from.ok(); ++i) {
      group read;
      restore_group(read, from, part_indices{}, state_indices{});
      if (from.ok()) insert(read);
    }
  }

 private:
  /// A copy for a snapshot. Its memory is used again and again, since getting new memory takes longer than copying.
  struct table_copy final : copied_state {
    group_table groups;
    void save(state_writer& into) const override { groups.save(into); }
  };
  inline static char kind_of_copy = 0;  // its address is the kind

  void put_copy(state_writer& into) const {
    auto copy = into.take_used<table_copy>(
        &kind_of_copy, [&](const table_copy& used) { return used.groups.memory_.size() == memory_.size(); });
    if (copy == nullptr) {
      copy = std::make_unique<table_copy>();
      copy->kind = &kind_of_copy;
      copy->groups.memory_ = slot_memory(memory_.size());
    }
    group_table& made = copy->groups;
    std::memcpy(made.memory_.data(), memory_.data(), memory_.size());
    made.capacity_ = capacity_, made.behind_ = behind_, made.shift_ = shift_;
    made.size_ = size_, made.limit_ = limit_;
    made.texts_ = texts_.share();
    made.carries_ = carries_;
    into.put_later(std::move(copy));
  }

  static constexpr std::size_t worth_copying = std::size_t{1} << 15;
  static constexpr std::size_t prefetch_distance = 32;
  static constexpr std::size_t small_table = std::size_t{1} << 18;
  static constexpr std::size_t stays_in_cache = std::size_t{1100} << 10;

  slot* slots() const { return reinterpret_cast<slot*>(memory_.data()); }
  std::size_t slot_count() const { return memory_.size() / sizeof(slot); }
  std::size_t index_of(const slot& at) const { return static_cast<std::size_t>(&at - slots()); }
  slot* home(std::uint64_t hash) const { return slots() + (hash >> shift_); }

  /// Where a key is looked for, into the cache; the second place often lies in another line of it.
  [[gnu::always_inline]] static void fetch(const slot* first) {
    __builtin_prefetch(first, 1);
    __builtin_prefetch(first + 1, 1);
  }

  template <class State>
  static constexpr bool has_heap = requires(const State& state) { state.heap_bytes(); };

  template <std::size_t... A>
  static std::size_t heap_of(const stored_states& states, std::index_sequence<A...>) {
    const auto bytes_of = [](const auto& state) -> std::size_t {
      if constexpr (has_heap<std::remove_cvref_t<decltype(state)>>)
        return state.heap_bytes();
      else
        return 0;
    };
    return (std::size_t{0} + ... + bytes_of(boost::hana::at_c<A>(states)));
  }

  // ---- rows ---------------------------------------------------------------------------------------------------------

  /// What a row has in columns, into the cache.
  template <class Keys, class Arguments>
  [[gnu::always_inline]] static void fetch(const Keys& keys, const Arguments& arguments, std::size_t row) {
    const auto fetch_from = [&](const auto& from) __attribute__((always_inline)) {
      if constexpr (is_column<std::remove_cvref_t<decltype(from)>>) from.fetch(row);
    };
    [&]<std::size_t... I, std::size_t... A>(std::index_sequence<I...>, std::index_sequence<A...>)
        __attribute__((always_inline)) {
          (fetch_from(boost::hana::at_c<I>(keys)), ...);
          ((reads_rows<A> ? fetch_from(boost::hana::at_c<A>(arguments)) : void()), ...);
        }(part_indices{}, state_indices{});
  }

  /// Without a key: the states are in registers from row to row, since each waits for the one before.
  template <class Arguments>
  void add_to_only_group(const Arguments& arguments, const std::uint16_t* rows, std::size_t count, bool track_changes,
                         std::size_t ahead) {
    const std::uint64_t hashed = layout::hash({});
    slot* at = home(hashed);
    if (at->mark == 0) at = make_group(at, {}, hashed);
    at->mark = (at->mark + count) | (track_changes ? changed_mark : 0);
    if constexpr (layout::moves_as_bytes) {
      stored_states states = at->states();
      for (std::size_t i = 0; i < count; ++i) {
        add_arguments(*at, states, arguments, rows[i], state_indices{});
        fetch(boost::hana::tuple<>{}, arguments, rows[i] + ahead);
      }
      at->states() = states;
    } else
      for (std::size_t i = 0; i < count; ++i) add_arguments(*at, at->states(), arguments, rows[i], state_indices{});
  }

  /// Adds rows until the index is gone; how many were added.
  template <class Keys, class Arguments>
  std::size_t add_by_index(const Keys& keys, const Arguments& arguments, const std::uint16_t* rows, std::size_t count,
                           bool track_changes, std::size_t ahead) {
    const std::uint64_t changed = track_changes ? changed_mark : 0;
    std::byte* first = memory_.data() - sizeof(slot);
    const auto add_row = [&](std::size_t row, std::uint32_t place) __attribute__((always_inline)) {
      fetch(keys, arguments, row + ahead);
      slot* at = reinterpret_cast<slot*>(first + place);
      at->mark = (at->mark + 1) | changed;
      add_arguments(*at, at->states(), arguments, row, state_indices{});
    };
    const auto add_unknown = [&](std::size_t row) __attribute__((always_inline)) {
      add_new_group(keys, arguments, row, changed);
      first = memory_.data() - sizeof(slot);
    };
    return visit_by_index(index_, boost::hana::at_c<0>(keys), {rows, count}, add_row, add_unknown);
  }

  /// The first row of its group.
  template <class Keys, class Arguments>
  [[gnu::noinline]] void add_new_group(const Keys& keys, const Arguments& arguments, std::size_t row,
                                       std::uint64_t changed) {
    const probe key = layout::probe_of(keys, row);
    const std::uint64_t hash = layout::hash(key);
    slot* at = make_group(empty_from(hash), key, hash);
    at->mark = (at->mark + 1) | changed;
    add_arguments(*at, at->states(), arguments, row, state_indices{});
  }

  static const auto& index_key(const slot& at) { return boost::hana::at_c<0>(at.parts); }
  std::uint32_t index_place(const slot& at) const {
    return static_cast<std::uint32_t>((index_of(at) + 1) * sizeof(slot));
  }

  template <class Arguments, std::size_t... A>
  [[gnu::always_inline]] void add_arguments(const slot& at, stored_states& states, const Arguments& arguments,
                                            std::size_t row, std::index_sequence<A...>) {
    const auto add = [&]<class State>(std::size_t index, State& state, const auto& from) {
      if constexpr (State::carries) {
        if (const std::int64_t carry = state.add(from, row)) [[unlikely]]
          carries_.add(index_of(at), index, carry);
      } else if constexpr (State::reads_rows)
        state.add(from, row);
      else if constexpr (requires { state.add_row(); })
        state.add_row();
      static_cast<void>(index), static_cast<void>(state), static_cast<void>(from);
    };
    (add(A, boost::hana::at_c<A>(states), boost::hana::at_c<A>(arguments)), ...);
    static_cast<void>(add), static_cast<void>(states), static_cast<void>(arguments);
  }

  template <std::size_t... A>
  [[gnu::always_inline]] void merge_states(slot& at, const group_table& later, std::size_t from,
                                           std::index_sequence<A...>) {
    const auto merge = [&]<class State>(std::size_t index, State& state, const State& other) {
      if constexpr (State::carries) {
        if (const std::int64_t carry = state.merge(other) + later.carries_.of(from, index); carry != 0) [[unlikely]]
          carries_.add(index_of(at), index, carry);
      } else
        state.merge(other);
    };
    (merge(A, boost::hana::at_c<A>(at.states()), boost::hana::at_c<A>(later.slots()[from].states())), ...);
    static_cast<void>(merge), static_cast<void>(later), static_cast<void>(from);
  }

  template <std::size_t... A>
  void take_over(const group_table& later, std::size_t index, std::index_sequence<A...>) {
    const slot& from = later.slots()[index];
    const std::uint64_t hash = layout::hash_of(from);
    slot& at = *make_group(empty_from(hash), layout::probe_of(from), hash);
    at.mark |= from.mark & (layout::rows_mask | changed_mark);
    at.states() = from.states();
    if (!later.carries_.empty()) (copy_carry(at, later, index, A), ...);
  }
  void copy_carry(const slot& at, const group_table& later, std::size_t from, std::size_t state) {
    if (const std::int64_t carry = later.carries_.of(from, state)) carries_.add(index_of(at), state, carry);
  }

  /// Makes an empty slot that of a new group; returns where it is, which is elsewhere if the table had to grow.
  slot* make_group(slot* at, probe key, std::uint64_t hash) {
    if (size_ >= limit_ || at == slots() + slot_count() - 1) [[unlikely]] {
      do {
        grow();
        at = empty_from(hash);
      } while (at == slots() + slot_count() - 1);
    }
    at->mark = key.nulls;
    if constexpr (layout::has_text) at->hash = hash;
    keep_parts(*at, key, part_indices{});
    new (at->room) stored_states{};
    ++size_;
    if constexpr (places::exists)
      if (!index_.empty()) index_.put(index_key(*at), index_place(*at));
    return at;
  }

  template <std::size_t... I>
  void keep_parts(slot& at, const probe& key, std::index_sequence<I...>) {
    at.parts = key.parts;
    const auto keep = [&](auto& part) {
      if constexpr (std::is_same_v<std::remove_cvref_t<decltype(part)>, std::string_view>) part = texts_.keep(part);
    };
    (keep(boost::hana::at_c<I>(at.parts)), ...);
    static_cast<void>(keep);
  }

  slot* empty_from(std::uint64_t hash) const {
    slot* at = home(hash);
    while (at->mark != 0) ++at;
    return at;
  }

  // ---- memory -------------------------------------------------------------------------------------------------------

  /// Twice as many places. At most 11/16 of them are used, so that a group takes at most 32/11 slots' bytes when the
  /// table has just grown; half of them while memory does not matter, since then most rows find their group where they
  /// look first, which branch prediction likes.
  [[gnu::noinline]] void grow() {
    // Few at first: with many windows open, most of them hold few groups.
    if (capacity_ == 0)
      resize(4, 4);
    else if (size_ < limit_ / 4)
      resize(capacity_, behind_ * 2);  // keys that were made to collide fill the end of an empty table
    else
      resize(capacity_ * 2, slots_behind(capacity_ * 2));
  }

  /// Makes room for so many groups.
  void reserve(std::size_t groups) {
    if (groups <= limit_) return;
    std::size_t capacity = std::max(capacity_, std::size_t{4});
    while (limit_of(capacity) < groups) capacity *= 2;
    resize(capacity, slots_behind(capacity));
  }

  static std::size_t limit_of(std::size_t capacity) {
    return capacity * sizeof(slot) <= small_table ? capacity / 2 : capacity * 11 / 16;
  }
  std::size_t slots_behind(std::size_t capacity) const {
    return std::max(behind_, std::min(capacity / 2 + 2, std::size_t{256}));
  }

  void resize(std::size_t capacity, std::size_t behind) {
    const std::size_t old_count = slot_count();
    capacity_ = capacity;
    behind_ = behind;
    shift_ = 64 - std::countr_zero(capacity_);
    limit_ = limit_of(capacity_);
    const std::size_t size = (capacity_ + behind_) * sizeof(slot);
    carries moved;
    index_.forget();
    if (layout::moves_as_bytes && memory_.extend(size))
      spread(old_count, moved);
    else {
      const slot_memory before = std::exchange(memory_, slot_memory(size));
      auto* old = reinterpret_cast<slot*>(before.data());
      for (std::size_t i = 0; i < old_count; ++i)
        if (old[i].mark != 0) move_slot(old[i], i, moved);
    }
    carries_ = std::move(moved);
  }

  /// Moves the slots of the table before it grew to their new places in the same memory, from the end on: nearly all go
  /// to a place behind those that still wait.
  void spread(std::size_t old_count, carries& moved) {
    const auto move = [&](std::size_t at, std::size_t some_later) {
      fetch(home(layout::hash_of(slots()[some_later])));
      slot& from = slots()[at];
      if (home(layout::hash_of(from)) <= &from) return spread_first(at + 1, moved), false;
      slot taken = from;
      empty(from);
      move_slot(taken, at, moved);
      return true;
    };
    used_slots<layout>(slots(), old_count).for_each_backwards(move);
  }

  /// The rest, which is in its own way.
  void spread_first(std::size_t count, carries& moved) {
    std::vector<slot> waiting(slots(), slots() + count);
    for (std::size_t i = 0; i < count; ++i) empty(slots()[i]);
    for (std::size_t i = 0; i < count; ++i)
      if (waiting[i].mark != 0) move_slot(waiting[i], i, moved);
  }

  void move_slot(slot& from, std::size_t old_place, carries& moved) {
    slot& to = *empty_from(layout::hash_of(from));
    move_slot(from, to);
    if (!carries_.empty()) carries_.move(old_place, index_of(to), moved);
  }

  /// In one pass over the slots: those behind a gap that a removed group leaves move up to it. A slot that is looked at
  /// never has to move behind those that come later, so the pass never meets one twice.
  template <class Closed>
  void remove_in_place(Closed&& closed) {
    index_.forget();
    bool has_gap = false;
    for (std::size_t i = 0; i < slot_count(); ++i) {
      slot& at = slots()[i];
      if (at.mark == 0)
        has_gap = false;
      else if (closed(unpacked_at(i))) {
        empty(at);
        --size_;
        has_gap = true;
      } else if (has_gap) {
        const slot taken = at;
        empty(at);
        *empty_from(layout::hash_of(taken)) = taken;
      }
    }
    if constexpr (layout::has_text) drop_unused_texts(part_indices{});
  }

  /// Who looks for a key compares it with what an empty slot holds too, which must not be a text that is gone.
  static void empty(slot& at) {
    at.mark = 0;
    if constexpr (layout::has_text) at.parts = {};
  }

  /// Once most of the texts belong to groups that were removed.
  template <std::size_t... I>
  void drop_unused_texts(std::index_sequence<I...>) {
    constexpr std::size_t not_worth_it = std::size_t{1} << 12;
    const auto visit_texts = [](slot& at, auto&& visit) {
      const auto look = [&](auto& part) {
        if constexpr (std::is_same_v<std::remove_cvref_t<decltype(part)>, std::string_view>) visit(part);
      };
      (look(boost::hana::at_c<I>(at.parts)), ...);
    };
    std::size_t used = 0;
    each_used([&](slot& at) { visit_texts(at, [&](std::string_view text) { used += text.size(); }); });
    if (texts_.bytes() <= 3 * used + not_worth_it) return;  // the last piece of new ones may be half empty
    text_arena kept;
    each_used([&](slot& at) { visit_texts(at, [&](std::string_view& text) { text = kept.keep(text); }); });
    texts_ = std::move(kept);
  }

  static void move_slot(slot& from, slot& to) {
    to = from;
    if constexpr (!layout::moves_as_bytes) {
      new (to.room) stored_states(std::move(from.states()));
      std::destroy_at(&from.states());
    }
  }

  template <class Visit>
  void each_used(Visit&& visit) {
    for (std::size_t i = 0; i < slot_count(); ++i)
      if (slots()[i].mark != 0) visit(slots()[i]);
  }

  used_slots<layout> used() const { return {slots(), slot_count()}; }

  void destroy_states() {
    if constexpr (!layout::moves_as_bytes) each_used([](slot& at) { std::destroy_at(&at.states()); });
  }

  void swap(group_table& other) {
    std::swap(memory_, other.memory_);
    std::swap(capacity_, other.capacity_);
    std::swap(behind_, other.behind_);
    std::swap(shift_, other.shift_);
    std::swap(size_, other.size_);
    std::swap(limit_, other.limit_);
    std::swap(texts_, other.texts_);
    std::swap(carries_, other.carries_);
    std::swap(index_, other.index_);
  }

  // ---- groups as others see them ------------------------------------------------------------------------------------

  group unpacked_at(std::size_t at) const { return unpacked(at, part_indices{}, state_indices{}); }

  template <std::size_t... I, std::size_t... A>
  group unpacked(std::size_t at, std::index_sequence<I...>, std::index_sequence<A...>) const {
    const slot& from = slots()[at];
    return {{stored_key<typename Parts::value>{boost::hana::at_c<I>(from.parts),
                                               (from.mark & layout::template null_bit<I>()) != 0}...},
            {boost::hana::at_c<A>(from.states()).unpack(from.rows(), carries_.of(at, A))...},
            from.rows(),
            (from.mark & changed_mark) != 0};
  }

  void insert(const group& from) { insert(from, part_indices{}, state_indices{}); }

  template <std::size_t... I, std::size_t... A>
  void insert(const group& from, std::index_sequence<I...>, std::index_sequence<A...>) {
    if (capacity_ == 0) grow();
    const probe key{
        {boost::hana::at_c<I>(from.key).value...},
        (std::uint64_t{0} | ... | (boost::hana::at_c<I>(from.key).is_null ? layout::template null_bit<I>() : 0))};
    const std::uint64_t hashed = layout::hash(key);
    slot& at = *make_group(empty_from(hashed), key, hashed);
    const std::int64_t rows =
        std::max({std::int64_t{1}, from.rows, States::rows_of(boost::hana::at_c<A>(from.aggregates))...});
    at.mark |= static_cast<std::uint64_t>(rows) | (from.changed ? changed_mark : 0);
    const auto put = [&]<class State>(std::size_t index, State& into, const typename State::full& state) {
      std::int64_t carry = 0;
      into = State::pack(state, carry);
      if (carry != 0) carries_.add(index_of(at), index, carry);
    };
    (put(A, boost::hana::at_c<A>(at.states()), boost::hana::at_c<A>(from.aggregates)), ...);
    static_cast<void>(put);
  }

  template <std::size_t... I, std::size_t... A>
  static void save_group(const group& each, state_writer& into, std::index_sequence<I...>, std::index_sequence<A...>) {
    (boost::hana::at_c<I>(each.key).save(into), ...);
    (boost::hana::at_c<A>(each.aggregates).save(into), ...);
  }
  template <std::size_t... I, std::size_t... A>
  static void restore_group(group& into, state_reader& from, std::index_sequence<I...>, std::index_sequence<A...>) {
    (boost::hana::at_c<I>(into.key).restore(from), ...);
    // A table without values is one inside of a value.
    if constexpr (sizeof...(A) != 0)
      if (const std::vector<saved_part>* parts = from.parts()) return restore_parts<A...>(into, from, *parts);
    (boost::hana::at_c<A>(into.aggregates).restore(from), ...);
  }
  /// Values that are new stay as they begin.
  template <std::size_t... A>
  static void restore_parts(group& into, state_reader& from, const std::vector<saved_part>& parts) {
    for (const saved_part& each : parts) {
      if (each.place < 0)
        from.pass_over(each);
      else
        static_cast<void>((
            (static_cast<int>(A) == each.place && (boost::hana::at_c<A>(into.aggregates).restore(from), true)) || ...));
    }
  }

  slot_memory memory_;
  std::size_t capacity_ = 0;  // places where groups may begin to look
  std::size_t behind_ = 0;    // slots behind them
  int shift_ = 0;
  std::size_t size_ = 0;
  std::size_t limit_ = 0;
  text_arena texts_;
  carries carries_;
  [[no_unique_address]] places index_;
};

}  // namespace etlantic::kernel
