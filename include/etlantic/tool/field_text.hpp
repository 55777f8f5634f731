#pragma once
#include <etlantic/contract/schema.hpp>

#include <cstddef>
#include <string>

namespace etlantic {

/// `OrderEvent 1.2.0`, or the id alone when there is no version.
std::string contract_text(const schema* contract);

/// `decimal(18,2)`, `enum(paid|refunded)`, `list<text>`, `struct{city text, street text?}`; `?` marks what may be null.
std::string type_text(const field_description& field);

/// What a field of a contract `record<...>` is of the record, such as `header tenant of the record`; of other fields
/// empty.
std::string record_part_text(const schema& contract, std::size_t field);

/// A bound as people write it, in the unit of its field: `0.50`, `2026-01-01T00:00:00Z`, `1h`.
std::string constant_text(const field_description& field, constraint_kind kind, const constant_description& constant);

/// `> 0`, `one of (a, b)`, `at most 40 characters`.
std::string constraint_text(const field_description& field, const constraint_description& constraint);

}  // namespace etlantic
