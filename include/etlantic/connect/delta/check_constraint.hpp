#pragma once
#include <etlantic/contract/schema.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace etlantic::delta {

/// A condition that every row of a table meets, in the SQL that engines share. `name` is that of the property
/// `delta.constraints.NAME`.
struct check_constraint {
  std::string name;
  std::string expression;
};

inline constexpr std::string_view constraint_prefix = "delta.constraints.";

/// What a contract requires of its fields, as far as it can be said in SQL without doubt: ranges of integers, decimals
/// and dates, lengths of texts, sets of integers and of plain texts, the names of enumerations. Null is allowed where
/// the field is optional. Times, bounds of floating point with a fraction, and what is inside of structs and lists are
/// left out.
std::vector<check_constraint> check_constraints_of(const schema& contract);

}  // namespace etlantic::delta
