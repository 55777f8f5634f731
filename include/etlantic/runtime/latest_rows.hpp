#pragma once
#include <etlantic/kernel/window.hpp>
#include <etlantic/runtime/keyed_row.hpp>
#include <etlantic/runtime/row_store.hpp>
#include <etlantic/runtime/stage.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace etlantic {

struct latest_settings {
  bool forgets = true;  ///< a key whose newest row the watermark has reached: what may still come is newer
  const schema* rows = nullptr;
};

/// The newest row of each key. Those that became it in a batch leave when the batch ends.
class latest_rows {
 public:
  static constexpr bool ranks = false;

  explicit latest_rows(const latest_settings& settings) : settings_(settings), store_(*settings.rows) {}

  kernel::window_bounds late_bounds(std::int64_t time) const { return {time, time}; }
  void take(const keyed_row& row, const batch_context& batch);
  result<void> finish(const batch_context& batch, stage_outputs& out, stage_counts& counts);
  state_metrics state() const;

  void save(state_writer& into) const;
  bool restore(state_reader& from);

 private:
  static constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();
  struct newest {
    std::uint32_t number = 0;
    std::int64_t time = 0;
    bool is_known = false;
    bool changed = false;
  };

  void forget(std::int64_t watermark);

  latest_settings settings_;
  row_store store_;
  key_map<newest> keys_;
  std::vector<newest*> changed_;         // in this batch; values of a map stay where they are
  std::int64_t next_forgotten_ = never;  // no key is forgotten at an earlier watermark
};

}  // namespace etlantic
