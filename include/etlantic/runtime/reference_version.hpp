#pragma once
#include <etlantic/core/time.hpp>

#include <cstdint>
#include <string>

namespace etlantic {

/// The content of a reference that a batch looks rows up in. Its rows are kept beside the plan records, so that a
/// replay of the batch meets the same, whatever its source has become.
struct reference_version {
  std::string node;        ///< the extract
  std::int64_t batch = 0;  ///< the first batch that used it
  timestamp read_at;       ///< when its source was last found to have this content
  std::int64_t bytes = 0;
  std::uint32_t checksum = 0;
  std::uint64_t hash = 0;  ///< of the same bytes

  bool has_content_of(const reference_version& other) const {
    return bytes == other.bytes && checksum == other.checksum && hash == other.hash;
  }
  friend bool operator==(const reference_version&, const reference_version&) = default;
};

}  // namespace etlantic
