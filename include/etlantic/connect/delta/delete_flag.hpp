#pragma once
#include <etlantic/column/block.hpp>
#include <etlantic/core/result.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace etlantic::delta {

/// The field by which a row says that the row with its key is to be gone. It is no column of the table.
class delete_flag {
 public:
  bool is_used() const { return index_.has_value(); }

  result<void> take(const std::string& name, const schema& contract, const std::string& where) {
    std::string others;
    for (std::size_t i = 0; i < contract.fields.size(); ++i) {
      const field_description& field = contract.fields[i];
      const bool can_be = field.type == logical_type::boolean && field.key_position < 0;
      if (can_be && (field.name == name || field.data_name == name)) {
        index_ = i;
        return {};
      }
      if (can_be) others += (others.empty() ? "" : ", ") + std::string(field.data_name);
    }
    return failure{failure_class::configuration, "PMSTREAM430",
                   "delete_when names `" + name + "`, which is no bool field of the contract", where,
                   others.empty() ? "add one to the contract, or leave delete_when out" : "valid: " + others};
  }

  /// The contract of the rows that are written; of the whole lifetime of this flag.
  schema without(const schema& contract) {
    if (!index_) return contract;
    fields_.assign(contract.fields.begin(), contract.fields.end());
    fields_.erase(fields_.begin() + static_cast<std::ptrdiff_t>(*index_));
    schema made = contract;
    made.fields = fields_;
    return made;
  }

  /// Which rows are to be gone; null is no.
  std::vector<bool> rows_of(const block& rows) const {
    const column& of = rows.columns[*index_];
    std::vector<bool> found(rows.rows);
    for (std::size_t row = 0; row < rows.rows; ++row) found[row] = of.is_valid(row) && of.is_true(row);
    return found;
  }

 private:
  std::optional<std::size_t> index_;
  std::vector<field_description> fields_;
};

}  // namespace etlantic::delta
