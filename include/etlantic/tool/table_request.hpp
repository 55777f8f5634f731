#pragma once
#include <etlantic/core/time.hpp>

#include <cstdint>
#include <optional>
#include <string>

namespace etlantic {

/// What `table` is asked to do, and with which table.
struct table_request {
  std::string action;                       ///< show, history, files, vacuum, optimize, verify
  std::string path;                         ///< its folder
  std::optional<std::int64_t> at;           ///< a version, of show and files; none: the newest
  std::int64_t limit = 20;                  ///< versions that history shows
  std::optional<duration> retention;        ///< of vacuum; none: as the table says
  bool forced = false;                      ///< a retention that is shorter than the table says is meant
  bool dry_run = false;                     ///< of vacuum
  std::optional<std::int64_t> target_size;  ///< bytes of a file, of optimize
  std::optional<std::int64_t> rows;         ///< of a file at most, of optimize
};

}  // namespace etlantic
