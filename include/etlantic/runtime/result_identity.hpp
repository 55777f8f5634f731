#pragma once
#include <etlantic/column/block.hpp>
#include <etlantic/kernel/window.hpp>
#include <etlantic/runtime/aggregate_settings.hpp>
#include <etlantic/runtime/rejected_output.hpp>

#include <boost/hana/tuple.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace etlantic {

/// Says of a group which one it is: `{"customer_id":7,"window_start":"...","window_end":"..."}`, whether its contract
/// has these fields or not. The same group has the same words in every batch and after every restart.
template <class Table>
class result_identity {
 public:
  /// The settings outlive this.
  explicit result_identity(const aggregate_settings& settings) {
    for (const field_description& part : settings.identity) {
      parts_.emplace_back(part);
      const auto same = [&](const field_description& each) { return each.name == part.name; };
      listed_.push_back(std::any_of(settings.result->fields.begin(), settings.result->fields.end(), same));
    }
  }

  template <class Group>
  std::string of(kernel::window_bounds window, const Group& group) {
    for (column& each : parts_) {
      each.clear();
      each.resize(1);
    }
    write_key(group, std::make_index_sequence<Table::key_count>{});
    if (parts_.size() > Table::key_count) {
      parts_[Table::key_count].set(0, window.start);
      parts_[Table::key_count + 1].set(0, window.end);
    }
    std::string text;
    for (const column& each : parts_) append_json_field(text, each, 0);
    return text.empty() ? "{}" : text + "}";
  }

  /// What is known of the result of the group that was asked for last: its identity and the fields that fit.
  std::string payload(const block& results, std::size_t row, const std::vector<std::size_t>& misfits) const {
    std::string text;
    for (std::size_t i = 0; i < parts_.size(); ++i)
      if (!listed_[i]) append_json_field(text, parts_[i], 0);
    for (std::size_t i = 0; i < results.columns.size(); ++i)
      if (std::find(misfits.begin(), misfits.end(), i) == misfits.end())
        append_json_field(text, results.columns[i], row);
    return text.empty() ? "{}" : text + "}";
  }

 private:
  template <class Group, std::size_t... K>
  void write_key(const Group& group, std::index_sequence<K...>) {
    static_cast<void>(group);
    (boost::hana::at_c<K>(group.key).write(parts_[K], 0), ...);
  }

  std::vector<column> parts_;
  std::vector<bool> listed_;  // whether the contract has a field of that name
};

}  // namespace etlantic
