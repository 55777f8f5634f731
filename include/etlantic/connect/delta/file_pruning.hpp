#pragma once
#include <etlantic/connect/delta/action.hpp>
#include <etlantic/connect/delta/file_writer.hpp>
#include <etlantic/connect/delta/json_values.hpp>
#include <etlantic/connect/delta/statistics.hpp>
#include <etlantic/contract/schema.hpp>
#include <etlantic/runtime/row_condition.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace etlantic::delta {

/// What is known of a column in a file.
struct column_facts {
  bool has_no_nulls = false;
  bool has_only_nulls = false;
  std::optional<value_range> range{};  ///< of the values that are there; with NaN nothing is said about these
  bool is_exact = false;               ///< the ends are values
};

/// Whether a row of a file may keep a condition by what is known of its column. Unsure is yes.
bool may_keep(const row_condition& condition, const field_description& column, const column_facts& facts);

/// What a log says about a column of a file: by the partition value, or by the statistics.
column_facts facts_of(const add_file& file, const json_document& statistics, const table_layout& layout,
                      const field_description& column);

/// Leaves out files of which no row can keep some conditions. Not those that may have rows which the contract cannot
/// hold: such rows are invalid before any filter sees them, and somebody may count them.
class file_pruning {
 public:
  file_pruning() = default;
  file_pruning(const schema& contract, std::span<const row_condition> conditions)
      : contract_(&contract), conditions_(conditions.begin(), conditions.end()) {}

  bool leaves_out(const add_file& file, const table_layout& layout) const;

 private:
  const schema* contract_ = nullptr;
  std::vector<row_condition> conditions_;
};

}  // namespace etlantic::delta
