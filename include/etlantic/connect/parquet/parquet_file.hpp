#pragma once
#include <etlantic/column/block.hpp>
#include <etlantic/connect/parquet/field_names.hpp>
#include <etlantic/core/result.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// The seam to a Parquet library: columns of ours on this side, whatever it has on the other. Only the .inl.hpp files
// know which library it is.

namespace etlantic::parquet {

/// A file that has the same number of rows, and the same values in some columns: their bytes are copied where they can
/// stand in the new file, too.
struct encoded_before {
  std::string_view file;
  const std::vector<bool>& unchanged;  ///< by the fields of the contract
};

struct encoding {
  std::string codec = "zstd";  ///< zstd, snappy, none
  std::int64_t rows_per_group = std::int64_t{1} << 20;
  std::optional<encoded_before> before{};
};

/// A Parquet file of blocks of one contract, by the names in the data. Types: bool, signed integers, floating point,
/// decimals (as integers up to 18 digits), text, binary, dates, timestamps in UTC or without a zone, structs, lists. A
/// list whose element is the struct `entries` of a key and a value is a map.
result<std::string> encode(const schema& contract, std::span<const block> rows, const encoding& how);

/// Reads some columns of a Parquet file, by the names in the data; those that the file lacks are null. Integers may be
/// narrower in the file, timestamps of any unit or INT96; a map is a list of {key, value}. What cannot be the wanted
/// type is a failure that names the column. `where` is the file, for people. With `by_id` the fields of the file have
/// the names that these give to their ids, and a file whose fields have no ids is refused.
result<std::vector<block>> decode(std::string_view bytes, const schema& wanted, const std::string& where,
                                  const std::optional<names_by_id>& by_id = {});

}  // namespace etlantic::parquet
