#pragma once
#include <etlantic/column/block_io.hpp>
#include <etlantic/column/rows.hpp>
#include <etlantic/graph/process.hpp>
#include <etlantic/kernel/window.hpp>
#include <etlantic/runtime/keyed_row.hpp>
#include <etlantic/runtime/rejected_output.hpp>
#include <etlantic/runtime/result_check.hpp>
#include <etlantic/runtime/result_failure.hpp>
#include <etlantic/runtime/stage.hpp>

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace etlantic {

/// Runs a behaviour of the user's own on the rows of type `Row`, and keeps its states and timers. A result that breaks
/// its contract is rejected.
template <class Behaviour, class Row>
class process_rows {
 public:
  static constexpr bool ranks = false;
  using state_type = typename Behaviour::state;
  using result_type = typename Behaviour::result;

  process_rows(Behaviour behaviour, rejected_output rejected, std::string where)
      : behaviour_(std::move(behaviour)),
        results_(schema_of<result_type>()),
        check_(schema_of<result_type>()),
        rejected_(std::move(rejected)),
        where_(std::move(where)) {}

  kernel::window_bounds late_bounds(std::int64_t time) const { return {time, time}; }

  void begin(const batch_context& batch) {
    rejected_.begin(batch);
    results_.clear();
  }
  void take(const keyed_row& row, const batch_context& batch) {
    const Row read = row_at<Row>(row.rows, row.row);
    auto found = keys_.find(row.key);
    if (found == keys_.end()) found = keys_.try_emplace(std::string(row.key)).first;
    start_call(batch);
    process_context<result_type> context(requests_);
    behaviour_.on_row(found->second.state, read, context);
    end_call(found, nullptr);
  }

  /// After the rows of a block.
  result<void> give(const batch_context& batch, stage_outputs& out, stage_counts& counts) {
    if (auto given = give_results(batch, out, counts); !given) return given;
    return rejected_.give(out);
  }

  result<void> finish(const batch_context& batch, stage_outputs& out, stage_counts& counts) {
    if constexpr (detail::TakesTimers<Behaviour>) {
      while (!timers_.empty() && timers_.begin()->first <= batch.watermark.microseconds) {
        const auto due = timers_.extract(timers_.begin());
        const timestamp time{due.value().first};
        const auto found = keys_.find(due.value().second);
        std::erase(found->second.timers, time.microseconds);
        start_call(batch);
        process_context<result_type> context(requests_);
        behaviour_.on_timer(found->second.state, time, context);
        end_call(found, &time);
        if (results_.rows < rows_per_block) continue;
        if (auto given = give(batch, out, counts); !given) return given;
      }
    }
    return give(batch, out, counts);
  }

  state_metrics state() const {
    constexpr std::size_t links = 4 * sizeof(void*);
    const std::size_t of_timers =
        timers_.size() * (sizeof(typename timer_set::value_type) + links + sizeof(std::int64_t));
    return {0, static_cast<std::int64_t>(keys_.size()), static_cast<std::int64_t>(memory_of_keys(keys_) + of_timers)};
  }

  void save(state_writer& into) const {
    into.put(format);
    into.put(static_cast<std::uint64_t>(keys_.size()));
    block states(schema_of<state_type>());
    for (const auto& [key, of] : keys_) {
      into.put_text(key);
      into.put(static_cast<std::uint64_t>(of.timers.size()));
      for (const std::int64_t time : of.timers) into.put(time);
    }
    for (const auto& [key, of] : keys_) {
      append_row(states, of.state);
      if (states.rows < rows_per_block) continue;
      save_block(states, into);
      states.clear();
    }
    if (states.rows != 0) save_block(states, into);
  }

  bool restore(state_reader& from) {
    keys_.clear();
    timers_.clear();
    if (from.get<std::uint8_t>() != format) return false;
    std::vector<entry*> entries;
    for (auto left = from.get<std::uint64_t>(); left != 0; --left) {
      const auto [found, is_new] = keys_.try_emplace(std::string(from.get_text()));
      const auto timers = from.get<std::uint64_t>();
      if (!from.ok() || !is_new || timers > from.rest() / sizeof(std::int64_t)) return false;
      entries.push_back(&found->second);
      for (std::uint64_t i = 0; i < timers; ++i)
        if (!add_timer(*found, from.get<std::int64_t>())) return false;
    }
    block states(schema_of<state_type>());
    for (std::size_t done = 0; done < entries.size(); done += states.rows) {
      if (!restore_block(from, states) || states.rows != std::min<std::size_t>(rows_per_block, entries.size() - done))
        return false;
      for (std::size_t i = 0; i < states.rows; ++i) entries[done + i]->state = row_at<state_type>(states, i);
    }
    return from.ok();
  }

 private:
  static constexpr std::uint8_t format = 1;
  static constexpr std::size_t rows_per_block = 4096;

  struct entry {
    state_type state{};
    std::vector<std::int64_t> timers{};
  };
  using key_place = typename key_map<entry>::iterator;
  /// Timers of one time fire in the order of their keys' bytes.
  using timer_set = std::set<std::pair<std::int64_t, std::string>>;

  void start_call(const batch_context& batch) {
    requests_.watermark = batch.watermark;
    requests_.results.clear();
    requests_.timers.clear();
    requests_.forgets = false;
  }

  /// `fired`: the timer whose call it was.
  void end_call(key_place of, const timestamp* fired) {
    for (const result_type& each : requests_.results) append_row(results_, each);
    for (const detail::timer_request& each : requests_.timers) {
      if (each.action == detail::timer_action::clear_all)
        clear_timers(of);
      else if (each.action == detail::timer_action::clear_one)
        clear_timer(of, each.time.microseconds);
      else if (fired == nullptr || each.time.microseconds > fired->microseconds)
        add_timer(*of, each.time.microseconds);
    }
    if (!requests_.forgets) return;
    clear_timers(of);
    keys_.erase(of);
  }

  bool add_timer(typename key_map<entry>::value_type& of, std::int64_t time) {
    if (!timers_.emplace(time, of.first).second) return false;
    of.second.timers.push_back(time);
    return true;
  }
  void clear_timer(key_place of, std::int64_t time) {
    if (timers_.erase({time, of->first}) != 0) std::erase(of->second.timers, time);
  }
  void clear_timers(key_place of) {
    for (const std::int64_t time : of->second.timers) timers_.erase({time, of->first});
    of->second.timers.clear();
  }

  result<void> give_results(const batch_context& batch, stage_outputs& out, stage_counts& counts) {
    if (results_.rows == 0) return {};
    block valid(schema_of<result_type>());
    bool all = true;
    for (std::size_t row = 0; check_.needed() && row < results_.rows; ++row) {
      const auto violations = check_(results_, row);
      if (!violations.empty()) {
        if (batch.on_overflow == overflow_policy::fail)
          return result_breaks_contract(where_, results_, row, violations.front());
        if (std::exchange(all, false))
          for (std::size_t i = 0; i < row; ++i) valid.append(results_, i);
        rejected_.add_row(results_, row, broken_contract_code, wrong_fields_of(violations));
        ++counts.rejected_results;
      } else if (!all)
        valid.append(results_, row);
    }
    const block& given = all ? results_ : valid;
    counts.emitted += static_cast<std::int64_t>(given.rows);
    auto done = given.rows == 0 ? result<void>() : out.emit(0, given);
    results_.clear();
    return done;
  }

  const Behaviour behaviour_;
  key_map<entry> keys_;
  timer_set timers_;
  detail::process_requests<result_type> requests_;  // of the call at hand
  block results_;
  result_check check_;
  rejected_output rejected_;
  std::string where_;
};

}  // namespace etlantic
