#pragma once
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace etlantic::test {

inline std::string read_bytes(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// The rows of a comma-separated file behind its header; fields may be quoted.
inline std::vector<std::vector<std::string>> read_csv(const std::string& path) {
  std::vector<std::vector<std::string>> rows(1, std::vector<std::string>(1));
  bool quoted = false;
  for (char c : read_bytes(path)) {
    if (c == '"')
      quoted = !quoted;
    else if (c == ',' && !quoted)
      rows.back().emplace_back();
    else if (c == '\n' && !quoted)
      rows.emplace_back(1);
    else if (c != '\r' || quoted)
      rows.back().back().push_back(c);
  }
  if (rows.back().size() == 1) rows.pop_back();
  rows.erase(rows.begin());
  return rows;
}

}  // namespace etlantic::test
