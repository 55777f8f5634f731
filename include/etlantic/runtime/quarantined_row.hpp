#pragma once
#include <cstdint>
#include <functional>
#include <string>

namespace etlantic {

/// A row of `rejected<...>` that a load has published, read back from its target.
struct quarantined_row {
  std::string split;
  std::int64_t position = 0;
  std::string code, field, reason, violations;
  std::string payload;        ///< the bytes as they came
  std::string observed_time;  ///< RFC 3339
  std::string pipeline, contract;
};

/// Takes the rows of a target one after the other; false: no more are wanted.
using quarantine_visitor = std::function<bool(quarantined_row&&)>;

}  // namespace etlantic
