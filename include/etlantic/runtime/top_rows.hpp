#pragma once
#include <etlantic/contract/describe.hpp>
#include <etlantic/kernel/window.hpp>
#include <etlantic/runtime/extended_schema.hpp>
#include <etlantic/runtime/keyed_row.hpp>
#include <etlantic/runtime/row_store.hpp>
#include <etlantic/runtime/stage.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

namespace etlantic {

struct top_settings {
  std::size_t limit = 1;
  bool ascending = false;
  kernel::window_grid windows;
  const schema* rows = nullptr;
  field_description value;  ///< what the rows are ranked by
};

/// The first rows of each key and window by a value. They leave when the watermark closes their window, with their rank
/// and the bounds of the window behind their own columns.
class top_rows {
 public:
  static constexpr bool ranks = true;

  explicit top_rows(const top_settings& settings)
      : settings_(settings),
        kept_(*settings.rows, {settings.value}),
        given_(*settings.rows, {column_of<std::int64_t>("rank"), column_of<timestamp>("window_start"),
                                column_of<timestamp>("window_end")}),
        store_(kept_.described()) {}

  kernel::window_bounds late_bounds(std::int64_t time) const { return settings_.windows.last_window(time); }
  void take(const keyed_row& row, const batch_context& batch);
  result<void> finish(const batch_context& batch, stage_outputs& out, stage_counts& counts);
  state_metrics state() const;

  void save(state_writer& into) const;
  bool restore(state_reader& from);

 private:
  struct window {
    std::int64_t end;
    int128 start;
    auto operator<=>(const window&) const = default;
  };
  using ranked_rows = std::vector<std::uint32_t>;  // the first one first

  template <class T>
  static field_description column_of(std::string_view name) {
    return detail::field_describer<T>::make(name);
  }

  bool comes_before(const keyed_row& row, std::uint32_t kept) const;
  void offer(const keyed_row& row, ranked_rows& to);
  void compact();

  top_settings settings_;
  extended_schema kept_, given_;
  row_store store_;
  std::map<window, key_map<ranked_rows>> open_;
};

}  // namespace etlantic
