#pragma once
#include <etlantic/runtime/program.hpp>
#include <etlantic/tool/profile_file.hpp>

#include <string>
#include <string_view>

namespace etlantic {

/// `CustomerOrders` -> `customer_orders`, `HTTPLog2` -> `http_log2`.
std::string snake_case(std::string_view name);

/// What a pipeline runs on when no profile is named: the extract of asset A reads `A.ndjson` in the folder, or all
/// files of the folder `A` if that is there instead; the loads write to tables of one SQLite database beside it,
/// named after their assets; the checkpoint lies beside that.
profile_reading default_profile(const program& what, const std::string& data_folder);

/// Which inputs of the default profile are not there.
report check_default_inputs(const program& what, const profile_reading& reading);

}  // namespace etlantic
