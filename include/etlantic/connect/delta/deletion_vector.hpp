#pragma once
#include <etlantic/connect/delta/action.hpp>
#include <etlantic/connect/delta/log_store.hpp>
#include <etlantic/core/result.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace etlantic::delta {

/// Which rows of a data file are deleted, one bit a row. The vector stands in the log or in a file of its own, whose
/// name is relative to the table or absolute; its checksum, its count and its values have to fit. `of` is the data
/// file, for people.
result<std::vector<bool>> deleted_rows(const folder_store& store, const deletion_vector& vector, std::int64_t rows,
                                       const std::string& of);

}  // namespace etlantic::delta
