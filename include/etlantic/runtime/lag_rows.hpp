#pragma once
#include <etlantic/core/time.hpp>
#include <etlantic/kernel/window.hpp>
#include <etlantic/runtime/extended_schema.hpp>
#include <etlantic/runtime/keyed_row.hpp>
#include <etlantic/runtime/row_store.hpp>
#include <etlantic/runtime/stage.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace etlantic {

struct lag_settings {
  std::size_t distance = 1;
  std::optional<duration> forgotten_after;  ///< none: never
  const schema* rows = nullptr;
  field_description value;  ///< what is looked back at; null where there is no row so far back
};

/// Lets rows wait until the watermark has reached them, and gives them on in the order of their event times with a
/// value of a row of the same key before them.
class lag_rows {
 public:
  static constexpr bool ranks = false;

  explicit lag_rows(const lag_settings& settings)
      : settings_(settings),
        kept_(*settings.rows, {settings.value}),
        past_value_(schema{}, {settings.value}),
        waiting_rows_(kept_.described()),
        past_values_(past_value_.described()) {}

  kernel::window_bounds late_bounds(std::int64_t time) const { return {time, time}; }
  void take(const keyed_row& row, const batch_context& batch);
  result<void> finish(const batch_context& batch, stage_outputs& out, stage_counts& counts);
  state_metrics state() const;

  void save(state_writer& into) const;
  bool restore(state_reader& from);

 private:
  static constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();
  struct waiting_row {
    std::int64_t time;
    std::uint32_t number;
    std::string key;
  };
  /// The values of the last rows of a key, the newest one last.
  struct past {
    std::int64_t last_time = 0;
    std::vector<std::uint32_t> values;
  };

  bool is_earlier(const waiting_row& left, const waiting_row& right) const;
  std::int64_t forgotten_at(std::int64_t last_time) const;
  row_place look_back(const waiting_row& row);
  void forget(std::int64_t watermark);
  void compact();

  lag_settings settings_;
  extended_schema kept_;  // also what is given on: the values of the rows themselves stand where those before them go
  extended_schema past_value_;
  row_store waiting_rows_, past_values_;
  std::vector<waiting_row> waiting_;
  key_map<past> keys_;
  block no_columns_;
  std::int64_t next_forgotten_ = never;  // no key is forgotten at an earlier watermark
};

}  // namespace etlantic
