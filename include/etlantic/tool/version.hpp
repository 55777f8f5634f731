#pragma once
#include <string_view>

namespace etlantic {

inline constexpr std::string_view library_version = "0.1.0";

}  // namespace etlantic
