#pragma once
#include <etlantic/runtime/connector.hpp>
#include <etlantic/runtime/program.hpp>
#include <etlantic/tool/profile_file.hpp>

#include <span>

namespace etlantic {

/// What is wrong between a pipeline, the profile that it shall run on, and the connectors that the program has.
report check_profile(const program& what, const profile_reading& reading, std::span<const connector> connectors);

/// Fills in what an asset's name says: the table of a load that names none. For binding and for the plan.
void complete_bindings(profile_reading& reading, const program& what, std::span<const connector> connectors);

/// What is odd in the definition itself: everything that is wrong did not compile.
report check_definition(const program& what);

}  // namespace etlantic
