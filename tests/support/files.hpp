#pragma once

#include <fstream>
#include <iterator>
#include <string>

// Whole files of a test, read and written without the library.

namespace etlantic::test {

inline std::string contents(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

inline void write(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
}

}  // namespace etlantic::test
