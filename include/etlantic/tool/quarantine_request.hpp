#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace etlantic {

/// What `quarantine` is asked to do, and with which rows.
struct quarantine_request {
  std::string action;            ///< list, show, count, redrive
  std::vector<std::string> ids;  ///< of rows
  std::string asset;             ///< of one load; empty: all that hold rejected rows
  std::string reason, field;     ///< empty: any
  std::int64_t limit = 20;       ///< of list
  bool all = false;              ///< redrive everything that was not
  bool dry_run = false;
  std::string repaired;  ///< a file with lines {"id": ..., "payload": ...}

  bool selects() const { return !ids.empty() || !reason.empty() || !field.empty(); }
};

}  // namespace etlantic
