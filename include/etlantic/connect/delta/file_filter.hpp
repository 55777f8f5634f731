#pragma once
#include <etlantic/column/block.hpp>
#include <etlantic/connect/delta/action.hpp>
#include <etlantic/connect/delta/file_writer.hpp>
#include <etlantic/connect/delta/statistics.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace etlantic::delta {

/// Tells from a file's partition and statistics whether it can have a row with a key of a batch.
class file_filter {
 public:
  file_filter(const table_layout& layout, std::span<const block> rows, std::span<const std::size_t> key)
      : layout_(layout) {
    fill(rows, key);
  }

  bool may_match(const add_file& file) const;

 private:
  struct allowed {
    std::string name;
    std::set<std::optional<std::string>> texts;
  };
  struct key_values {
    const field_description* field = nullptr;
    std::optional<value_range> range;
    std::vector<std::int64_t> values;  ///< sorted; none where there are too many to look at each
  };

  void fill(std::span<const block> rows, std::span<const std::size_t> key);
  bool is_text(const std::string& name) const;

  const table_layout& layout_;
  std::vector<allowed> partitions_;
  std::vector<key_values> keys_;
};

}  // namespace etlantic::delta
