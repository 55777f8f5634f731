#pragma once
#include <etlantic/connect/delta/table_state.hpp>
#include <etlantic/core/result.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace etlantic::delta {

/// A checkpoint of the log, as one Parquet file (V1, "classic"), and how many actions it holds.
struct encoded_checkpoint {
  std::string bytes;
  std::int64_t actions = 0;
};

/// The whole state of a table; tombstones only while a reader of an older version may need their files.
result<encoded_checkpoint> encode_checkpoint(const table_state& table, std::int64_t now);

/// The actions of a checkpoint, or of one part of it, as if they were one commit.
result<commit_content> decode_checkpoint(std::string_view bytes, const std::string& where);

}  // namespace etlantic::delta
