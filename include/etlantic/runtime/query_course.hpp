#pragma once
#include <etlantic/core/result.hpp>
#include <etlantic/runtime/query_report.hpp>

#include <string>

namespace etlantic {

/// What a query's thread runs from start to end.
class query_course {
 public:
  virtual ~query_course() = default;

  virtual const std::string& query_id() const = 0;
  virtual const std::string& pipeline() const = 0;

  /// Runs until the end; never throws.
  virtual result<void> run(query_report& report) = 0;
};

}  // namespace etlantic
