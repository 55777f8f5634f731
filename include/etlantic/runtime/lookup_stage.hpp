#pragma once
#include <etlantic/kernel/filter.hpp>
#include <etlantic/kernel/hash.hpp>
#include <etlantic/kernel/join_key.hpp>
#include <etlantic/runtime/join_inputs.hpp>
#include <etlantic/runtime/join_state.hpp>
#include <etlantic/runtime/looked_up_rows.hpp>
#include <etlantic/runtime/rejected_output.hpp>
#include <etlantic/runtime/result_failure.hpp>
#include <etlantic/runtime/stage.hpp>
#include <etlantic/runtime/unusable_reference.hpp>

#include <boost/hana/tuple.hpp>

#include <array>
#include <bit>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

namespace etlantic {

struct lookup_settings {
  join_sort sort = join_sort::inner;  // inner, or left outer
  const schema* left = nullptr;
  const schema* right = nullptr;
  std::size_t left_input = 0;  // of the step
  std::size_t right_input = 0;
  std::string where;
  const schema* result = nullptr;
  const schema* invalid = nullptr;
  std::size_t invalid_port = 0;
  std::size_t most_bytes = variable_bytes_per_block;
};

/// Looks the rows of a stream up in a reference, which is there as a whole before the first of them comes. Keeps
/// nothing from batch to batch but the reference. `Conditions` are asked of pairs of rows.
template <class Left, class Right, class Conditions>
class lookup_stage final : public stage {
 public:
  /// What stands before the join on a side, if anything does. Null: rows enter as they come.
  using entrances = std::array<std::unique_ptr<stage>, 2>;

  lookup_stage(lookup_settings settings, Left of_left, Right of_right, Conditions conditions, entrances before)
      : settings_(std::move(settings)),
        of_left_(std::move(of_left)),
        of_right_(std::move(of_right)),
        conditions_(std::move(conditions)),
        before_(std::move(before)),
        reference_(*settings_.right, settings_.most_bytes),
        pairs_(*settings_.left, *settings_.right, settings_.sort, settings_.most_bytes),
        rejected_(*settings_.result, settings_.invalid, settings_.invalid_port, settings_.where, settings_.most_bytes) {
  }

  void begin(const batch_context& batch) override {
    batch_ = batch;
    rejected_.begin(batch);
    counts_ = {};
    if (before_[0] != nullptr) before_[0]->begin(batch);
  }

  result<void> process(std::size_t, const block& rows, stage_outputs& out) override {
    if (before_[0] == nullptr) return take(rows, out);
    entrance to(*this, out);
    return before_[0]->process(0, rows, to);
  }
  result<void> finish(stage_outputs&) override { return {}; }

  void begin_reference(std::size_t input) override {
    if (input != settings_.right_input) return;
    reference_ = join_state(*settings_.right, settings_.most_bytes);
    if (before_[1] != nullptr) before_[1]->begin(batch_);
  }
  result<void> add_reference(std::size_t input, const block& rows) override {
    if (input != settings_.right_input) return {};
    if (before_[1] == nullptr) return take_reference(rows);
    reference_entrance to(*this);
    auto done = before_[1]->process(0, rows, to);
    // A step without an output for them drops such rows.
    if (done && before_[1]->counts().invalid != 0)
      return failure{failure_class::source_data, "PMSTREAM407", "a row of a reference cannot be computed",
                     settings_.where, "Correct what the step computes of the reference, or the row."};
    return done;
  }

  stage_counts counts() const override {
    stage_counts sum = counts_;
    if (before_[0] != nullptr) {
      const stage_counts entered = before_[0]->counts();
      sum.received = entered.received;
      sum.filtered += entered.filtered;
      sum.invalid += entered.invalid;
    }
    return sum;
  }
  state_metrics state() const override { return {.bytes = static_cast<std::int64_t>(reference_.bytes())}; }
  /// Rows of the reference that can be found.
  std::size_t reference_rows() const { return reference_.size(); }
  void add_greatest_event_times(std::vector<std::optional<timestamp>>&) const override {}
  void forget_event_times() override {}
  void save(state_writer&) const override {}
  result<void> restore(state_reader&) override { return {}; }

 private:
  // ---- the reference ------------------------------------------------------------------------------------------------

  struct reference_entrance final : stage_outputs {
    lookup_stage& join;
    explicit reference_entrance(lookup_stage& of) : join(of) {}
    result<void> emit(std::size_t port, const block& rows) override {
      if (port != 0) return unusable_reference(join.settings_.where, rows, {});
      return join.take_reference(rows);
    }
  };

  /// Rows that nothing can match are left out: those with a null key, and those for which a condition on them alone
  /// does not hold.
  result<void> take_reference(const block& rows) {
    for (std::size_t begin = 0; begin < rows.rows; begin += kernel::lane_count) {
      kernel::chunk at(rows, begin);
      const auto values = of_right_.look_at(at, false);
      if (values.invalid != 0) {
        const auto first = static_cast<std::size_t>(std::countr_zero(values.invalid));
        return cannot_be_computed(settings_.where, rows, begin + first, reason_of(at, first));
      }
      std::array<row_place, kernel::lane_count> places;
      const std::array<std::int64_t, kernel::lane_count> times{};
      std::size_t count = 0;
      kernel::for_each_lane(
          values.keyed, [&](std::size_t row) { places[count++] = {&rows, static_cast<std::uint32_t>(begin + row)}; });
      std::uint32_t number = reference_.append(std::span(places).first(count), std::span(times).first(count));
      kernel::for_each_lane(values.keyed, [&](std::size_t row) {
        values.write_key(row, key_);
        reference_.link(number++, key_, kernel::hash_text(key_, kernel::hash_seed));
      });
    }
    return {};
  }

  // ---- rows come in -------------------------------------------------------------------------------------------------

  struct entrance final : stage_outputs {
    lookup_stage& join;
    stage_outputs& out;
    entrance(lookup_stage& of, stage_outputs& to) : join(of), out(to) {}
    result<void> emit(std::size_t port, const block& rows) override {
      return port == 0 ? join.take(rows, out) : out.emit(port, rows);
    }
  };

  static constexpr bool has_conditions = !std::is_same_v<Conditions, boost::hana::tuple<>>;
  bool keeps_all() const { return keeps_left(settings_.sort); }

  result<void> take(const block& rows, stage_outputs& out) {
    for (std::size_t begin = 0; begin < rows.rows; begin += kernel::lane_count)
      if (auto taken = take_chunk(kernel::chunk(rows, begin), out); !taken) return taken;
    if (auto given = give(rows, out); !given) return given;
    return rejected_.give(out);
  }

  result<void> take_chunk(kernel::chunk at, stage_outputs& out) {
    const std::uint64_t all = at.active;
    const auto values = of_left_.look_at(at, false);
    counts_.received += static_cast<std::int64_t>(at.count);
    counts_.invalid += std::popcount(values.invalid);
    if (auto done = rejected_.set_aside(at, values.invalid); !done) return done;
    result<void> done;
    kernel::for_each_lane(all & ~values.invalid, [&](std::size_t row) {
      if (!done) return;
      const auto mine = static_cast<std::uint32_t>(at.begin + row);
      bool found = false;
      if (((values.keyed >> row) & 1) != 0) {
        values.write_key(row, key_);
        reference_.for_each_of(key_, kernel::hash_text(key_, kernel::hash_seed),
                               [&](std::uint32_t theirs, std::int64_t) {
                                 if (!done) return;
                                 found = true;
                                 done = add(*at.rows, mine, theirs, out);
                               });
      }
      if (done) done = end_row(*at.rows, mine, found, out);
    });
    return done;
  }

  result<void> add(const block& rows, std::uint32_t row, std::uint32_t found, stage_outputs& out) {
    pairs_.add(rows, row, found, reference_);
    return pairs_.is_full() ? give(rows, out) : result<void>();
  }

  /// Where conditions are asked of pairs, each row ends with itself alone, for when none of its pairs holds.
  result<void> end_row(const block& rows, std::uint32_t row, bool found, stage_outputs& out) {
    if constexpr (has_conditions)
      return add(rows, row, join_state::none, out);
    else {
      ++(found || keeps_all() ? counts_.kept : counts_.filtered);
      return found || !keeps_all() ? result<void>() : add(rows, row, join_state::none, out);
    }
  }

  // ---- results come out ---------------------------------------------------------------------------------------------

  result<void> give(const block& from, stage_outputs& out) {
    if (pairs_.empty()) return {};
    const block* rows = &pairs_.rows_of(from, reference_);
    if constexpr (has_conditions) {
      if (auto judged = judge_pairs(*rows); !judged) return judged;
      rows = &pairs_.rows_of(from, reference_);
    }
    counts_.emitted += static_cast<std::int64_t>(rows->rows);
    result<void> given = rows->rows != 0 ? out.emit(0, *rows) : result<void>();
    pairs_.clear();
    return given;
  }

  /// Leaves the pairs for which the conditions hold, and rows alone that have no such pair, if the join keeps them. A
  /// pair for which a condition cannot be computed is a wrong result.
  result<void> judge_pairs(const block& rows) {
    for (std::size_t begin = 0; begin < rows.rows; begin += kernel::lane_count) {
      kernel::chunk at(rows, begin);
      const std::uint64_t lone = at.active & ~pairs_.complete(begin);
      at.active &= ~lone;
      const std::uint64_t asked = at.active;
      std::uint64_t passed = kernel::apply_filters(conditions_, at).passed & asked;
      const std::uint64_t invalid = at.overflow & asked;
      passed &= ~invalid;
      counts_.rejected_results += std::popcount(invalid);
      if (auto done = rejected_.set_aside(at, invalid); !done) return done;
      std::uint64_t kept = passed;
      kernel::for_each_lane(passed | lone, [&](std::size_t row) {
        const std::uint64_t bit = std::uint64_t{1} << row;
        if ((passed & bit) != 0) {
          has_pair_ = true;
          return;
        }
        if (!has_pair_ && keeps_all()) kept |= bit;
        ++(has_pair_ || keeps_all() ? counts_.kept : counts_.filtered);
        has_pair_ = false;
      });
      pairs_.keep_of_chunk(begin, kept);
    }
    pairs_.drop_others();
    return {};
  }

  lookup_settings settings_;
  Left of_left_;
  Right of_right_;
  Conditions conditions_;
  entrances before_;
  join_state reference_;

  batch_context batch_;
  stage_counts counts_;
  looked_up_rows pairs_;
  bool has_pair_ = false;  // of the row whose pairs are judged
  std::string key_;
  rejected_output rejected_;
};

}  // namespace etlantic
