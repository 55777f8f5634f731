#pragma once
#include <etlantic/core/result.hpp>

#include <string>

namespace etlantic {

/// What is known of the query of a checkpoint, for people or as one JSON document: what it wrote last, and whether
/// somebody holds the lock. A failure if no query has run there.
result<std::string> status_of(const std::string& checkpoint, bool as_json);

}  // namespace etlantic
