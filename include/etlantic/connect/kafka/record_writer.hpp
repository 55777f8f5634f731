#pragma once
#include <etlantic/column/block.hpp>
#include <etlantic/column/format_json.hpp>
#include <etlantic/contract/schema.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

namespace etlantic::kafka {

/// Writes rows as values and keys of records.
class record_writer {
 public:
  explicit record_writer(const schema& contract) : value_(json_members_of(contract.fields)) {
    for (std::size_t i = 0; i < contract.fields.size(); ++i)
      if (contract.fields[i].key_position >= 0) key_columns_.push_back(i);
    std::sort(key_columns_.begin(), key_columns_.end(), [&](std::size_t one, std::size_t other) {
      return contract.fields[one].key_position < contract.fields[other].key_position;
    });
    for (const std::size_t each : key_columns_) {
      const field_description& field = contract.fields[each];
      key_names_.emplace_back();
      append_json_text(key_names_.back(), field.data_name.empty() ? field.name : field.data_name);
      key_layouts_.push_back(json_member_of(field));
    }
  }

  bool has_key() const { return !key_columns_.empty(); }

  void append_value(std::string& to, const block& rows, std::size_t row) const {
    append_json_row(to, value_, rows.columns, row);
  }

  /// One field as it is, several as an object in the order of the key.
  void append_key(std::string& to, const block& rows, std::size_t row) const {
    if (key_columns_.size() == 1) return append_plain(to, key_layouts_[0], rows.columns[key_columns_[0]], row);
    for (std::size_t i = 0; i < key_columns_.size(); ++i) {
      to += i == 0 ? '{' : ',';
      to += key_names_[i];
      to += ':';
      append_json(to, key_layouts_[i], rows.columns[key_columns_[i]], row);
    }
    to += '}';
  }

 private:
  std::vector<json_member> value_;
  std::vector<std::size_t> key_columns_;
  std::vector<std::string> key_names_;
  std::vector<json_member> key_layouts_;
};

}  // namespace etlantic::kafka
