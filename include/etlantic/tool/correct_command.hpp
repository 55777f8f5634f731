#pragma once
#include <etlantic/runtime/correction.hpp>

#include <string>

namespace etlantic {

/// What a correction did, for people.
std::string correction_text(const correction& made);
std::string correction_json(const correction& made);

}  // namespace etlantic
