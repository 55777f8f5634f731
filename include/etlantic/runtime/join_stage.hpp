#pragma once
#include <etlantic/kernel/filter.hpp>
#include <etlantic/kernel/hash.hpp>
#include <etlantic/kernel/join_key.hpp>
#include <etlantic/runtime/join_inputs.hpp>
#include <etlantic/runtime/join_settings.hpp>
#include <etlantic/runtime/join_state.hpp>
#include <etlantic/runtime/joined_rows.hpp>
#include <etlantic/runtime/late_rows.hpp>
#include <etlantic/runtime/rejected_output.hpp>
#include <etlantic/runtime/stage.hpp>

#include <boost/hana/tuple.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace etlantic {

/// Joins two streams. Each row looks for its matches among the rows of the other side that wait, and then waits itself
/// until the watermark says that no match can come; then it goes, without a match if it has found none and the join
/// keeps its side. `Conditions` are asked of pairs of rows.
template <class Left, class Right, class Conditions>
class join_stage final : public stage {
 public:
  /// What stands before the join on a side, if anything does: filters and selections. Null: rows enter as they come.
  using entrances = std::array<std::unique_ptr<stage>, 2>;

  join_stage(join_settings settings, Left of_left, Right of_right, Conditions conditions, entrances before)
      : settings_(std::move(settings)),
        of_left_(std::move(of_left)),
        of_right_(std::move(of_right)),
        conditions_(std::move(conditions)),
        before_(std::move(before)),
        waiting_{join_state(*settings_.sides[0].rows, settings_.most_bytes),
                 join_state(*settings_.sides[1].rows, settings_.most_bytes)},
        pairs_(*settings_.sides[0].rows, *settings_.sides[1].rows, settings_.sort, settings_.most_bytes),
        rejected_(*settings_.result, settings_.invalid, settings_.invalid_port, settings_.where, settings_.most_bytes) {
    for (std::size_t side = 0; side < 2; ++side)
      if (settings_.sides[side].late != nullptr) late_[side].emplace(*settings_.sides[side].late);
  }

  void begin(const batch_context& batch) override {
    batch_ = batch;
    rejected_.begin(batch);
    counts_ = {};
    greatest_times_ = {};
    for (auto& each : before_)
      if (each != nullptr) each->begin(batch);
  }

  /// Both sides may read the same input.
  result<void> process(std::size_t input, const block& rows, stage_outputs& out) override {
    if (settings_.sides[0].input == input)
      if (auto done = enter<join_side::of_left>(rows, out); !done) return done;
    if (settings_.sides[1].input == input) return enter<join_side::of_right>(rows, out);
    return {};
  }

  result<void> finish(stage_outputs& out) override {
    // What has come out, or never will, need not wait.
    for (std::uint32_t row : matched_left_) waiting_[0].remove(row);
    matched_left_.clear();
    if (auto done = let_go(join_side::of_left, out); !done) return done;
    if (auto done = let_go(join_side::of_right, out); !done) return done;
    return rejected_.give(out);
  }

  stage_counts counts() const override {
    stage_counts sum;
    for (std::size_t side = 0; side < 2; ++side) {
      stage_counts of = counts_[side];
      if (before_[side] != nullptr) {
        const stage_counts entered = before_[side]->counts();
        of.received = entered.received;
        of.filtered += entered.filtered;
        of.invalid += entered.invalid;
      }
      sum += of;
    }
    return sum;
  }
  std::int64_t counts_of_row(std::size_t input) const override {
    return (settings_.sides[0].input == input) + (settings_.sides[1].input == input);
  }
  state_metrics state() const override {
    state_metrics metrics;
    for (const join_state& each : waiting_) {
      metrics.groups += static_cast<std::int64_t>(each.size());
      metrics.bytes += static_cast<std::int64_t>(each.bytes());
    }
    return metrics;
  }
  /// Rows of a side that wait.
  std::size_t waiting(join_side side) const { return waiting_[place(side)].size(); }

  void add_greatest_event_times(std::vector<std::optional<timestamp>>& into) const override {
    add_greatest_time<join_side::of_left>(into);
    add_greatest_time<join_side::of_right>(into);
  }
  void forget_event_times() override {
    greatest_times_ = {};
    for (auto& each : before_)
      if (each != nullptr) each->forget_event_times();
  }

  void save(state_writer& into) const override {
    for (const join_state& each : waiting_) each.save(into);
  }
  result<void> restore(state_reader& from) override {
    if (restore_side<join_side::of_left>(from) && restore_side<join_side::of_right>(from)) return {};
    return failure{failure_class::state, "PMSTREAM483", "the saved state of this step ends too early or is damaged",
                   settings_.where, "restore the checkpoint directory from a copy, or start a new checkpoint"};
  }

 private:
  static constexpr std::size_t place(join_side side) { return static_cast<std::size_t>(side); }
  static constexpr join_side other(join_side side) {
    return side == join_side::of_left ? join_side::of_right : join_side::of_left;
  }
  template <join_side Side>
  auto& inputs() {
    if constexpr (Side == join_side::of_left)
      return of_left_;
    else
      return of_right_;
  }
  template <join_side Side>
  static constexpr bool has_time =
      !std::is_same_v<decltype(std::conditional_t<Side == join_side::of_left, Left, Right>::time), std::nullptr_t>;

  template <join_side Side>
  void add_greatest_time(std::vector<std::optional<timestamp>>& into) const {
    const auto& before = before_[place(Side)];
    if (before != nullptr)
      before->add_greatest_event_times(into);
    else if constexpr (has_time<Side>)
      into.push_back(greatest_times_[place(Side)]);
  }

  // ---- rows come in -------------------------------------------------------------------------------------------------

  /// The results of what stands before a side.
  template <join_side Side>
  struct entrance final : stage_outputs {
    join_stage& join;
    stage_outputs& out;

    entrance(join_stage& of, stage_outputs& to) : join(of), out(to) {}
    result<void> emit(std::size_t port, const block& rows) override {
      return port == 0 ? join.template take<Side>(rows, out) : out.emit(port, rows);
    }
  };

  template <join_side Side>
  result<void> enter(const block& rows, stage_outputs& out) {
    const auto& before = before_[place(Side)];
    if (before == nullptr) return take<Side>(rows, out);
    entered_ = &rows;
    entrance<Side> to(*this, out);
    auto done = before->process(0, rows, to);
    entered_ = nullptr;
    return done;
  }

  template <join_side Side>
  result<void> take(const block& rows, stage_outputs& out) {
    for (std::size_t begin = 0; begin < rows.rows; begin += kernel::lane_count)
      if (auto taken = take_chunk<Side>(kernel::chunk(rows, begin), out); !taken) return taken;
    if (auto given = give_pairs(out); !given) return given;
    if (auto given = rejected_.give(out); !given) return given;
    auto& late = late_[place(Side)];
    if (!late || late->empty()) return {};
    auto given = out.emit(settings_.sides[place(Side)].late_port, late->rows());
    late->clear();
    return given;
  }

  template <join_side Side>
  result<void> take_chunk(kernel::chunk at, stage_outputs& out) {
    const std::uint64_t all = at.active;
    const auto values = inputs<Side>().look_at(at, settings_.time.bounded());
    stage_counts& counts = counts_[place(Side)];
    counts.received += static_cast<std::int64_t>(at.count);
    counts.invalid += std::popcount(values.invalid);
    if (auto done = rejected_.set_aside(at, values.invalid); !done) return done;
    std::uint64_t rest = all & ~values.invalid;
    if constexpr (has_time<Side>) rest &= ~late_rows_of<Side>(at, values.times, rest & values.times.valid);
    // Where the join keeps the side, a row that can match nothing is a result, at once or once it has waited. A row
    // with a null key waits like any other where the watermark ends that.
    const std::uint64_t may_wait = settings_.time.bounded() ? values.open : values.keyed;
    const std::uint64_t taken = keeps(settings_.sort, Side) ? rest : rest & may_wait;
    counts.filtered += std::popcount(rest & ~taken);
    counts.kept += std::popcount(taken);
    return taken == 0 ? result<void>() : add<Side>(at, values, taken, out);
  }

  /// The rows behind the watermark; the others may move it.
  template <join_side Side>
  std::uint64_t late_rows_of(const kernel::chunk& at, const kernel::lanes<std::int64_t>& times, std::uint64_t timed) {
    std::optional<timestamp>& greatest = greatest_times_[place(Side)];
    std::uint64_t late = 0;
    kernel::for_each_lane(timed, [&](std::size_t row) {
      const std::int64_t time = times.values[row];
      if (!greatest || time > greatest->microseconds) greatest = timestamp{time};
      if (time > batch_.late_watermark.microseconds) return;
      late |= std::uint64_t{1} << row;
      if (late_[place(Side)]) add_late<Side>(*at.rows, at.begin + row, {time, time});
    });
    counts_[place(Side)].late += std::popcount(late);
    return late;
  }

  /// A late row is given out as the input had it, whatever was made of it since.
  template <join_side Side>
  void add_late(const block& rows, std::size_t row, kernel::window_bounds when) {
    late_rows& late = *late_[place(Side)];
    if (entered_ == nullptr)
      late.add(rows, row, batch_.late_watermark, when);
    else
      late.add(*entered_, before_[place(Side)]->origins()[row], batch_.late_watermark, when);
  }

  /// Lets rows wait, and finds those that wait for them.
  template <join_side Side, class Values>
  result<void> add(const kernel::chunk& at, const Values& values, std::uint64_t rows, stage_outputs& out) {
    join_state& own = waiting_[place(Side)];
    std::uint32_t number = append<Side>(at, values, rows);
    result<void> done;
    kernel::for_each_lane(rows, [&](std::size_t row) {
      const std::uint32_t mine = number++;
      if (!done) return;
      if (((values.keyed >> row) & 1) != 0) {
        const std::uint64_t hash = encode_key<Side>(values, row);
        own.link(mine, key_, hash);
        done = match<Side>(mine, hash, values, row, out);
      } else if (((values.open >> row) & 1) == 0) {
        pairs_.add_without_match(Side, mine, waiting_);
        pairs_.let_go(Side, mine);
        done = give_if_full(out);
      }
    });
    return done;
  }

  template <join_side Side, class Values>
  std::uint32_t append(const kernel::chunk& at, const Values& values, std::uint64_t rows) {
    std::array<row_place, kernel::lane_count> places;
    std::array<std::int64_t, kernel::lane_count> times{};
    std::size_t count = 0;
    kernel::for_each_lane(rows, [&](std::size_t row) {
      if constexpr (has_time<Side>)
        if (((values.times.valid >> row) & 1) != 0) times[count] = values.times.values[row];
      places[count++] = {at.rows, static_cast<std::uint32_t>(at.begin + row)};
    });
    return waiting_[place(Side)].append(std::span(places).first(count), std::span(times).first(count));
  }

  /// Puts the key of a row into `key_`; its hash.
  template <join_side Side, class Values>
  std::uint64_t encode_key(const Values& values, std::size_t row) {
    values.write_key(row, key_);
    if constexpr (has_time<Side>)
      if (settings_.time.has_key_time())
        kernel::append_key_bytes(key_, settings_.time.key_time(values.times.values[row]));
    return kernel::hash_text(key_, kernel::hash_seed);
  }

  template <join_side Side, class Values>
  result<void> match(std::uint32_t mine, std::uint64_t hash, const Values& values, std::size_t row,
                     stage_outputs& out) {
    times_between partners = settings_.time.partners(Side, 0);
    if constexpr (has_time<Side>)
      if (settings_.time.bounded()) partners = settings_.time.partners(Side, values.times.values[row]);
    result<void> done;
    waiting_[place(other(Side))].for_each_of(key_, hash, [&](std::uint32_t theirs, std::int64_t time) {
      if (!done || !partners.contains(time)) return;
      if (gives_left_rows(settings_.sort) && waiting_[0].has_matched(Side == join_side::of_left ? mine : theirs))
        return;
      pairs_.add(Side, mine, theirs, waiting_);
      done = give_if_full(out);
    });
    return done;
  }

  // ---- rows go ------------------------------------------------------------------------------------------------------

  /// Removes the rows that nothing can match any more, and gives out those without a match if the join keeps the side.
  result<void> let_go(join_side side, stage_outputs& out) {
    join_state& of = waiting_[place(side)];
    of.find_before(settings_.time.leaves_before(side, batch_.watermark.microseconds), leaving_);
    if (keeps(settings_.sort, side)) {
      for (std::uint32_t row : leaving_) {
        if (of.has_matched(row)) continue;
        pairs_.add_without_match(side, row, waiting_);
        if (auto given = give_if_full(out); !given) return given;
      }
      if (auto given = give_pairs(out); !given) return given;
    }
    for (std::uint32_t row : leaving_) of.remove(row);
    of.shrink();
    return {};
  }

  // ---- results come out ---------------------------------------------------------------------------------------------

  result<void> give_if_full(stage_outputs& out) { return pairs_.is_full() ? give_pairs(out) : result<void>(); }

  result<void> give_pairs(stage_outputs& out) {
    if (pairs_.empty()) return {};
    if constexpr (!std::is_same_v<Conditions, boost::hana::tuple<>>)
      if (auto judged = judge_pairs(pairs_.rows_of(waiting_)); !judged) return judged;
    const block* rows = nullptr;
    if (gives_left_rows(settings_.sort)) {
      rows = &pairs_.left_rows(waiting_, settings_.sort == join_sort::left_semi, matched_left_);
    } else {
      rows = &pairs_.rows_of(waiting_);
      pairs_.mark_matched(waiting_);
    }
    counts_[0].emitted += static_cast<std::int64_t>(rows->rows);
    result<void> given = rows->rows != 0 ? out.emit(0, *rows) : result<void>();
    pairs_.clear(waiting_);
    return given;
  }

  /// Leaves the pairs for which the conditions hold. A pair for which they cannot be computed is a wrong result.
  result<void> judge_pairs(const block& rows) {
    for (std::size_t begin = 0; begin < rows.rows; begin += kernel::lane_count) {
      kernel::chunk at(rows, begin);
      const std::uint64_t lone = at.active & ~pairs_.complete(begin);
      at.active &= ~lone;
      const std::uint64_t asked = at.active;
      const std::uint64_t passed = kernel::apply_filters(conditions_, at).passed & asked;
      const std::uint64_t invalid = at.overflow & asked;
      counts_[0].rejected_results += std::popcount(invalid);
      if (auto done = rejected_.set_aside(at, invalid); !done) return done;
      pairs_.keep_of_chunk(begin, lone | (passed & ~invalid));
    }
    pairs_.drop_others();
    return {};
  }

  // ---- snapshots ----------------------------------------------------------------------------------------------------

  /// Times and keys are computed again.
  template <join_side Side>
  bool restore_side(state_reader& from) {
    const schema& contract = *settings_.sides[place(Side)].rows;
    join_state& into = waiting_[place(Side)];
    into = join_state(contract, settings_.most_bytes);
    return join_state::read(contract, from, [&](const block& rows, const std::vector<std::uint8_t>& matched) {
      for (std::size_t begin = 0; begin < rows.rows; begin += kernel::lane_count) {
        kernel::chunk at(rows, begin);
        const std::uint64_t all = at.active;
        const auto values = inputs<Side>().look_at(at, settings_.time.bounded());
        if (values.open != all) return false;  // such a row does not wait
        std::uint32_t number = append<Side>(at, values, all);
        kernel::for_each_lane(all, [&](std::size_t row) {
          if (matched[begin + row] != 0) into.mark_matched(number);
          if (((values.keyed >> row) & 1) != 0) {
            const std::uint64_t hash = encode_key<Side>(values, row);
            into.link(number, key_, hash);
          }
          ++number;
        });
      }
      return true;
    });
  }

  join_settings settings_;
  Left of_left_;
  Right of_right_;
  Conditions conditions_;
  entrances before_;
  std::array<join_state, 2> waiting_;

  const block* entered_ = nullptr;  // what the results of a side's entrance were
  batch_context batch_;
  std::array<stage_counts, 2> counts_;
  std::array<std::optional<timestamp>, 2> greatest_times_;
  joined_rows pairs_;
  std::vector<std::uint32_t> leaving_;
  std::vector<std::uint32_t> matched_left_;  // of a semi or anti join, until the batch ends
  std::string key_;
  std::array<std::optional<late_rows>, 2> late_;
  rejected_output rejected_;
};

}  // namespace etlantic
