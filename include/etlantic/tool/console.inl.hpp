#pragma once
#include <etlantic/tool/console.hpp>

#include <sys/ioctl.h>
#include <unistd.h>

namespace etlantic {

[[gnu::used]] inline console process_console() {
  console found;
  found.out_is_terminal = ::isatty(STDOUT_FILENO) == 1;
  found.error_is_terminal = ::isatty(STDERR_FILENO) == 1;
  struct winsize size{};
  const int terminal = found.error_is_terminal ? STDERR_FILENO : STDOUT_FILENO;
  if (::ioctl(terminal, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) found.columns = size.ws_col;
  return found;
}

[[gnu::used]] inline bool print(std::FILE* to, std::string_view text) {
  const bool written = std::fwrite(text.data(), 1, text.size(), to) == text.size();
  return std::fflush(to) == 0 && written;
}

}  // namespace etlantic
