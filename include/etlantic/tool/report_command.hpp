#pragma once
#include <etlantic/core/result.hpp>
#include <etlantic/runtime/profile.hpp>

#include <cstdint>
#include <string>

namespace etlantic {

/// Which reports of runs are wanted.
struct report_request {
  std::int64_t last = 1;     ///< how many, newest first
  std::int64_t number = 0;   ///< this one; 0: the newest
  std::int64_t compare = 0;  ///< the wanted one with this one; 0: with none; -1: with the one before it
  bool json = false;
};

/// The reports of a profile's runs, for people or as one JSON document.
result<std::string> reports_of(const profile& where, const report_request& asked);

}  // namespace etlantic
