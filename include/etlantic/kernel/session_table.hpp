#pragma once
#include <etlantic/column/state_io.hpp>
#include <etlantic/kernel/closing_queue.hpp>
#include <etlantic/kernel/key_directory.hpp>
#include <etlantic/kernel/row_values.hpp>
#include <etlantic/kernel/window.hpp>

#include <boost/hana/tuple.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace etlantic::kernel {

/// The open sessions of all keys with their aggregates. `Parts` are key_parts, `States` aggregate states.
///
/// Sessions of one key neither overlap nor touch. A row that touches one is added to it; one that touches several first
/// merges their aggregates in the order of their starts. So what a session comes to depends on the order of the rows
/// only, and not on how they were cut into batches.
template <class Parts, class States>
class session_table;

template <class... Parts, class... States>
class session_table<boost::hana::tuple<Parts...>, boost::hana::tuple<States...>> {
 public:
  using states = boost::hana::tuple<States...>;
  static constexpr std::size_t key_count = sizeof...(Parts);

  /// A session as others see it.
  struct group {
    boost::hana::tuple<stored_key<typename Parts::value>...> key;
    const states& aggregates;
    bool changed = false;
  };

  /// Whether sessions ever close; where they do not, no closing times are kept.
  explicit session_table(bool closes) : closes_(closes) {}

  std::size_t size() const { return sessions_.size() - free_.size(); }

  std::size_t bytes() const {
    const std::size_t older = size() - (keys_.size() - idle_keys_);  // those in lists
    std::size_t heap = 0;
    if constexpr ((false || ... || has_heap<States>))
      for (const session& each : sessions_) heap += heap_of(each.aggregates, state_indices{});
    return heap + keys_.bytes() + sessions_.capacity() * sizeof(session) + free_.capacity() * sizeof(std::uint32_t) +
           2 * older * sizeof(std::uint32_t) + closing_.bytes();
  }

  /// Adds rows of a morsel to the sessions of their keys. `keys` and `arguments` are tuples of row_values; the row's
  /// own session is [times[row], ends[row]).
  template <class Keys, class Arguments>
  void add_rows(const Keys& keys, const Arguments& arguments, const std::int64_t* times, const std::int64_t* ends,
                const std::uint16_t* rows, std::size_t count) {
    std::uint64_t hashes[morsel_rows + prefetch_distance];
    for (std::size_t i = 0; i < count; ++i) hashes[i] = directory::hash(directory::probe_of(keys, rows[i]));
    std::fill_n(hashes + count, prefetch_distance, hashes[0]);
    for (std::size_t i = 0; i < count; ++i) {
      keys_.fetch_ahead(hashes[i + prefetch_distance]);
      const std::size_t row = rows[i];
      const std::uint32_t key = number_of(directory::probe_of(keys, row), hashes[i]);
      session& into = sessions_[session_of(key, times[row], ends[row])];
      add_arguments(into.aggregates, arguments, row, state_indices{});
    }
  }

  /// The sessions that end at or before the watermark, in the order of their ends, starts and keys.
  std::vector<std::uint32_t> closed_by(std::int64_t watermark) {
    std::vector<std::uint32_t> found;
    closing_.take_until(watermark, [&](const closing_time& due) {
      const session& of = sessions_[due.session];
      if (of.generation != due.generation) return;  // merged into another one
      if (of.end <= watermark)
        found.push_back(due.session);
      else
        closing_.add({of.end, due.session, due.generation});
    });
    sort(found);
    return found;
  }

  /// All sessions, in the same order.
  std::vector<std::uint32_t> all() const {
    std::vector<std::uint32_t> found;
    for (std::uint32_t i = 0; i < sessions_.size(); ++i)
      if (sessions_[i].key != no_key) found.push_back(i);
    sort(found);
    return found;
  }

  window_bounds bounds_of(std::uint32_t of) const { return {sessions_[of].start, sessions_[of].end}; }
  group group_of(std::uint32_t of) const { return {keys_.key_at(sessions_[of].key), sessions_[of].aggregates}; }

  /// Removes sessions that `closed_by` gave.
  void remove(const std::vector<std::uint32_t>& closed) {
    std::vector<std::uint32_t> touched;
    for (const std::uint32_t each : closed) {
      touched.push_back(sessions_[each].key);
      release(each);
    }
    std::sort(touched.begin(), touched.end());
    touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
    for (const std::uint32_t key : touched) forget_released(keys_[key]);
    const std::size_t garbage = idle_keys_ + free_.size() + (closing_.size() - std::min(closing_.size(), size()));
    if (garbage > 3 * size() + 4096) compact();
  }

  void save(state_writer& into) const {
    into.put(static_cast<std::uint64_t>(size()));
    for (const std::uint32_t each : all()) {
      const session& of = sessions_[each];
      save_each(keys_.key_at(of.key), into, part_indices{});
      into.put(of.start);
      into.put(of.end);
      save_each(of.aggregates, into, state_indices{});
    }
  }

  /// Whether what was read can be the state of sessions.
  bool restore(state_reader& from) {
    *this = session_table(closes_);
    const auto count = from.get<std::uint64_t>();
    for (std::uint64_t i = 0; i < count && from.ok(); ++i)
      if (!restore_session(from)) return false;
    return from.ok();
  }

 private:
  static constexpr std::uint32_t none = ~std::uint32_t{0}, no_key = none;
  static constexpr std::size_t prefetch_distance = 16;

  using part_indices = std::index_sequence_for<Parts...>;
  using state_indices = std::index_sequence_for<States...>;

  struct session {
    std::int64_t start = 0;
    std::int64_t end = 0;
    std::uint32_t key = no_key;
    std::uint32_t generation = 0;  // of what has been in this place
    states aggregates{};
  };
  /// The sessions of a key in the order of time. Nearly all rows belong to the newest, and most keys have no other.
  struct open_sessions {
    std::uint32_t newest = none;
    std::unique_ptr<std::vector<std::uint32_t>> older;
  };
  using directory = key_directory<boost::hana::tuple<Parts...>, open_sessions>;

  template <class State>
  static constexpr bool has_heap = requires(const State& state) { state.heap_bytes(); };

  template <std::size_t... A>
  static std::size_t heap_of(const states& of, std::index_sequence<A...>) {
    const auto bytes_of = []<class State>(const State& state) -> std::size_t {
      if constexpr (has_heap<State>)
        return state.heap_bytes();
      else
        return 0;
    };
    return (std::size_t{0} + ... + bytes_of(boost::hana::at_c<A>(of)));
  }

  // ---- rows ---------------------------------------------------------------------------------------------------------

  std::uint32_t number_of(const typename directory::probe& key, std::uint64_t hash) {
    const std::size_t before = keys_.size();
    const std::uint32_t number = keys_.number_of(key, hash);
    idle_keys_ += keys_.size() - before;  // until it gets its session
    return number;
  }

  template <class Arguments, std::size_t... A>
  static void add_arguments(states& into, const Arguments& arguments, std::size_t row, std::index_sequence<A...>) {
    (boost::hana::at_c<A>(into).add(boost::hana::at_c<A>(arguments), row), ...);
    static_cast<void>(into), static_cast<void>(arguments), static_cast<void>(row);
  }

  /// The session that [start, end) belongs to, which reaches around it from now on.
  std::uint32_t session_of(std::uint32_t key, std::int64_t start, std::int64_t end) {
    open_sessions& open = keys_[key];
    if (open.newest == none) {
      --idle_keys_;
      return open.newest = make(key, start, end);
    }
    session& newest = sessions_[open.newest];
    if (start > newest.end) {
      list_of(open).push_back(open.newest);
      return open.newest = make(key, start, end);
    }
    const bool reaches_older =
        start < newest.start && open.older && !open.older->empty() && sessions_[open.older->back()].end >= start;
    if (end < newest.start || reaches_older) return session_among(open, key, start, end);
    newest.start = std::min(newest.start, start);
    newest.end = std::max(newest.end, end);
    return open.newest;
  }

  std::uint32_t session_among(open_sessions& open, std::uint32_t key, std::int64_t start, std::int64_t end) {
    std::vector<std::uint32_t>& list = list_of(open);
    list.push_back(open.newest);
    const auto first = std::lower_bound(list.begin(), list.end(), start, [&](std::uint32_t each, std::int64_t time) {
      return sessions_[each].end < time;
    });
    const auto last = std::find_if(first, list.end(), [&](std::uint32_t each) { return sessions_[each].start > end; });
    std::uint32_t found;
    if (first == last) {
      found = make(key, start, end);
      list.insert(first, found);
    } else {
      found = *first;
      merge(found, first + 1, last);
      list.erase(first + 1, last);
      session& merged = sessions_[found];
      merged.start = std::min(merged.start, start);
      merged.end = std::max(merged.end, end);
    }
    open.newest = list.back();
    list.pop_back();
    return found;
  }

  template <class Iterator>
  void merge(std::uint32_t into, Iterator first, Iterator last) {
    for (; first != last; ++first) {
      merge_states(sessions_[into].aggregates, sessions_[*first].aggregates, state_indices{});
      sessions_[into].end = std::max(sessions_[into].end, sessions_[*first].end);
      release(*first);
    }
  }
  template <std::size_t... A>
  static void merge_states(states& into, const states& later, std::index_sequence<A...>) {
    (boost::hana::at_c<A>(into).merge(boost::hana::at_c<A>(later)), ...);
    static_cast<void>(into), static_cast<void>(later);
  }

  // ---- places -------------------------------------------------------------------------------------------------------

  static std::vector<std::uint32_t>& list_of(open_sessions& open) {
    if (!open.older) open.older = std::make_unique<std::vector<std::uint32_t>>();
    return *open.older;
  }

  std::uint32_t make(std::uint32_t key, std::int64_t start, std::int64_t end) {
    if (free_.empty()) {
      free_.push_back(static_cast<std::uint32_t>(sessions_.size()));
      sessions_.emplace_back();
    }
    const std::uint32_t place = free_.back();
    free_.pop_back();
    session& made = sessions_[place];
    made.start = start;
    made.end = end;
    made.key = key;
    if (closes_) closing_.add({end, place, made.generation});
    return place;
  }

  void release(std::uint32_t place) {
    session& of = sessions_[place];
    of.key = no_key;
    ++of.generation;
    of.aggregates = states{};
    free_.push_back(place);
  }

  void forget_released(open_sessions& open) {
    if (sessions_[open.newest].key == no_key) {  // the others end before it
      open = {};
      ++idle_keys_;
    } else if (open.older)
      std::erase_if(*open.older, [&](std::uint32_t each) { return sessions_[each].key == no_key; });
  }

  /// Gives back what keys and sessions that are gone have left.
  void compact() {
    session_table made(closes_);
    for (const std::uint32_t each : all()) {  // in the order of time, so that each is its key's newest
      const auto key = keys_.probe_at(sessions_[each].key);
      made.put(key, directory::hash(key), std::move(sessions_[each]));
    }
    *this = std::move(made);
  }

  /// Takes a session over, if it touches none of its key's.
  bool put(const typename directory::probe& key, std::uint64_t hash, session&& from) {
    const std::size_t before = size();
    const std::uint32_t place = session_of(number_of(key, hash), from.start, from.end);
    if (size() != before + 1) return false;
    sessions_[place].aggregates = std::move(from.aggregates);
    return true;
  }

  // ---- order and bytes ----------------------------------------------------------------------------------------------

  void sort(std::vector<std::uint32_t>& found) const {
    struct placed {
      std::int64_t end, start;
      std::uint32_t place;
    };
    std::vector<placed> order;
    order.reserve(found.size());
    for (const std::uint32_t each : found) order.push_back({sessions_[each].end, sessions_[each].start, each});
    std::sort(order.begin(), order.end(), [&](const placed& l, const placed& r) {
      if (l.end != r.end) return l.end < r.end;
      if (l.start != r.start) return l.start < r.start;
      return precedes(sessions_[l.place].key, sessions_[r.place].key);
    });
    for (std::size_t i = 0; i < found.size(); ++i) found[i] = order[i].place;
  }

  bool precedes(std::uint32_t left, std::uint32_t right) const {
    const std::uint64_t left_hash = keys_.hash_at(left), right_hash = keys_.hash_at(right);
    return left_hash != right_hash ? left_hash < right_hash : keys_.precedes(left, right);
  }

  template <class Tuple, std::size_t... I>
  static void save_each(const Tuple& of, state_writer& into, std::index_sequence<I...>) {
    (boost::hana::at_c<I>(of).save(into), ...);
    static_cast<void>(of), static_cast<void>(into);
  }
  template <class Tuple, std::size_t... I>
  static void restore_each(Tuple& of, state_reader& from, std::index_sequence<I...>) {
    (boost::hana::at_c<I>(of).restore(from), ...);
    static_cast<void>(of), static_cast<void>(from);
  }

  bool restore_session(state_reader& from) {
    typename directory::stored_keys key;
    session read;
    restore_each(key, from, part_indices{});
    read.start = from.get<std::int64_t>();
    read.end = from.get<std::int64_t>();
    restore_each(read.aggregates, from, state_indices{});
    const auto probe = directory::probe_of(key);
    return from.ok() && read.start <= read.end && put(probe, directory::hash(probe), std::move(read));
  }

  bool closes_;
  directory keys_;
  std::size_t idle_keys_ = 0;  // without a session
  std::vector<session> sessions_;
  std::vector<std::uint32_t> free_;  // places in it
  closing_queue closing_;
};

}  // namespace etlantic::kernel
