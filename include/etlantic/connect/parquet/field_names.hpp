#pragma once
#include <cstdint>
#include <map>
#include <string>

namespace etlantic::parquet {

/// The names that fields of a file shall have, by their ids, where the names in the file say nothing.
using names_by_id = std::map<std::int32_t, std::string>;

}  // namespace etlantic::parquet
