#pragma once
#include <etlantic/column/block.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace etlantic {

/// A column of a target that knows no structs: a field that is not a struct, and the way to it.
struct flat_field {
  std::string name;  ///< the names in the data from the outside in, joined by `_`: `event_order_id`
  const field_description* field = nullptr;
  std::vector<std::size_t> path;  ///< indices of children, the first one among the columns of the block
  bool nullable = false;          ///< the field or a struct around it
  int key_position = -1;          ///< place in the primary key, or -1
};

/// Flat fields in the order of the contract. The key of a contract is made of its outermost fields only: that an event
/// has a key says nothing about the late rows that carry it.
std::vector<flat_field> flatten(const schema& contract);

/// A flat field of one block.
struct flat_column {
  const column* values = nullptr;
  std::vector<const column*> nullable;  ///< those on the way, itself included, that have nulls in this block

  bool is_valid(std::size_t row) const {
    for (const column* each : nullable)
      if (!each->is_valid(row)) return false;
    return true;
  }
};

flat_column flat_column_of(const flat_field& field, const block& rows);

}  // namespace etlantic
