#pragma once

#include <filesystem>

namespace etlantic::test {

// The folder tests/ of the sources. Only one object knows it: the others are then the same in every clone, and a
// compiler cache finds them.
std::filesystem::path tests_folder();

inline std::filesystem::path data_folder() { return tests_folder() / "data"; }
inline std::filesystem::path golden_folder() { return tests_folder() / "golden"; }

}  // namespace etlantic::test
