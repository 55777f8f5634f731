#pragma once
#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace bench {

/// Readable bytes behind the end of a text, which wide loads want.
inline constexpr std::size_t padding = 64;

/// The text of a file, for as long as the program runs. Not a copy: other programs of the same run read the same pages.
inline std::string_view map_lines(const std::string& path) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  struct stat about{};
  if (file < 0 || fstat(file, &about) != 0) throw std::runtime_error("cannot read " + path);
  const auto size = static_cast<std::size_t>(about.st_size);
  // Anonymous memory first, so that bytes behind the end of the file are readable even where its last page is full.
  void* const place = mmap(nullptr, size + padding, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (place == MAP_FAILED ||
      (size != 0 && mmap(place, size, PROT_READ, MAP_PRIVATE | MAP_FIXED | MAP_POPULATE, file, 0) == MAP_FAILED))
    throw std::runtime_error("cannot map " + path);
  close(file);
  return {static_cast<const char*>(place), size};
}

/// Calls `take(offset, chunk)` for pieces of about `chunk_bytes` that end with a line, as sources hand text over.
template <class Take>
void for_each_chunk(std::string_view lines, std::size_t chunk_bytes, Take&& take) {
  for (std::size_t begin = 0; begin < lines.size();) {
    std::size_t end = lines.size();
    if (end - begin > chunk_bytes) end = lines.rfind('\n', begin + chunk_bytes - 1) + 1;
    if (end <= begin) throw std::runtime_error("a line is longer than a chunk");
    take(begin, lines.substr(begin, end - begin));
    begin = end;
  }
}

/// As the file source's, so that a chunk stays in the second-level cache.
inline constexpr std::size_t usual_chunk = std::size_t{256} << 10;

}  // namespace bench
