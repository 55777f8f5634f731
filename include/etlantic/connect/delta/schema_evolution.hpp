#pragma once
#include <etlantic/connect/delta/action.hpp>
#include <etlantic/contract/schema.hpp>
#include <etlantic/core/result.hpp>

#include <cstdint>
#include <string>

namespace etlantic::delta {

/// What a load may change of a table that does not have the columns of its contract.
enum class schema_evolution : std::uint8_t {
  none,
  add_nullable_fields,  ///< optional fields become new columns, null in the rows that are there
  widen,                ///< also byte to short and integer, short to integer: files hold all three in the same way
};

/// The schema of a table, as the log has it, after what is allowed and needed has been changed; everything else of it,
/// comments of columns too, stays as it is. It may still not fit the contract.
result<std::string> evolved_schema(const table_metadata& table, const schema& contract, schema_evolution allowed,
                                   const std::string& where);

}  // namespace etlantic::delta
