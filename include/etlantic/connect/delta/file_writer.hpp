#pragma once
#include <etlantic/column/gather.hpp>
#include <etlantic/connect/delta/action.hpp>
#include <etlantic/connect/delta/log_store.hpp>
#include <etlantic/connect/delta/table_schema.hpp>
#include <etlantic/connect/delta/work_ahead.hpp>
#include <etlantic/core/result.hpp>

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace etlantic::delta {

struct file_settings {
  std::string codec = "zstd";
  std::size_t rows_per_file = 1'000'000;
};

/// A table as those see it who read and write its files.
struct table_layout {
  table_schema_pointer whole;
  table_schema_pointer in_files;               ///< without the partition columns
  std::vector<std::string> partition_columns;  ///< as the log names them
  std::vector<std::size_t> partition_indices;  ///< among the columns of the whole
};
result<table_layout> layout_of(const table_metadata& table, const std::string& where);

/// Turns rows of a table into data files, one partition each. Names are flat, without folders of partition values, and
/// nobody else can have them; before a commit names the files nobody looks at them. Full files are encoded and written
/// beside the caller.
class file_writer {
 public:
  file_writer(const folder_store& store, const table_layout& layout, const file_settings& settings)
      : store_(store), layout_(layout), settings_(settings) {}

  /// Copies rows of blocks that have all columns of the table. Writes files that are full.
  result<void> append(std::span<const row_place> places);
  result<void> append(const block& from, std::span<const std::uint32_t> rows);
  /// Whole blocks, which must stay until `finish`; those that need no sorting by partition and fit into a file are not
  /// copied.
  result<void> append(std::span<const block> blocks);
  /// A file of its own for the rows of another file of no partition, whose columns that are `unchanged` have the same
  /// values there: `bytes` are those of that file.
  result<void> rewrite(std::vector<block> rows, std::string bytes, std::vector<bool> unchanged);
  /// Writes what is left, and makes the names of all files durable.
  result<void> finish();
  /// Waits for all files that were begun, and names them, also when something has failed.
  std::vector<add_file>& files();

 private:
  struct open_partition {
    partition_values values;
    std::vector<block> rows;
    std::size_t count = 0;
  };

  result<void> append(open_partition& to, std::span<const row_place> places);
  result<open_partition*> partition_of(const row_place& row);
  result<void> write(open_partition& what);
  struct file_content {
    partition_values values{};
    std::vector<block> owned{};
    std::span<const block> elsewhere{};  // where none are owned
    std::string before{};                // of a file that had these rows
    std::vector<bool> unchanged{};

    std::span<const block> rows() const { return owned.empty() ? elsewhere : owned; }
  };
  result<void> begin_file(file_content content);
  result<void> take_file();

  const folder_store& store_;
  const table_layout& layout_;
  const file_settings& settings_;
  std::map<std::string, open_partition> partitions_;
  std::vector<add_file> files_;
  std::size_t taken_ = 0;  // of the files
  work_ahead<result<add_file>> writing_;
};

}  // namespace etlantic::delta
