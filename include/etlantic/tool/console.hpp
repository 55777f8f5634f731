#pragma once
#include <cstdio>
#include <string_view>

namespace etlantic {

/// Where a pipeline binary writes: results and records to `out`, everything else to `error`.
struct console {
  std::FILE* out = stdout;
  std::FILE* error = stderr;
  bool out_is_terminal = false;
  bool error_is_terminal = false;
  int columns = 80;  ///< of the terminal
};

/// That of the process.
console process_console();

/// Writes all of it at once; false if it could not (disk full, reader gone).
bool print(std::FILE* to, std::string_view text);

}  // namespace etlantic
