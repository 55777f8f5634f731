#pragma once
#include <cstddef>
#include <fstream>
#include <stdexcept>
#include <string>
#include <string_view>

namespace bench {

/// Text with the readable bytes behind its end that wide loads want.
class padded_text {
 public:
  static constexpr std::size_t padding = 64;

  explicit padded_text(std::string text) : size_(text.size()), bytes_(std::move(text)) { bytes_.append(padding, '\0'); }
  std::string_view view() const { return {bytes_.data(), size_}; }

  static padded_text of_file(const std::string& path) {
    std::ifstream file(path, std::ios::binary | std::ios::ate);
    if (!file) throw std::runtime_error("cannot read " + path);
    std::string text(static_cast<std::size_t>(file.tellg()), '\0');
    file.seekg(0);
    file.read(text.data(), static_cast<std::streamsize>(text.size()));
    return padded_text(std::move(text));
  }

 private:
  std::size_t size_;
  std::string bytes_;
};

/// Calls `take(offset, chunk)` for pieces of about `chunk_bytes` that end with a line, as sources hand text over.
template <class Take>
void for_each_chunk(std::string_view lines, std::size_t chunk_bytes, Take&& take) {
  for (std::size_t begin = 0; begin < lines.size();) {
    std::size_t end = lines.size();
    if (end - begin > chunk_bytes) end = lines.rfind('\n', begin + chunk_bytes) + 1;
    if (end <= begin) end = lines.find('\n', begin) + 1;  // a line that is longer than a chunk
    if (end == 0) end = lines.size();
    take(begin, lines.substr(begin, end - begin));
    begin = end;
  }
}

/// As the file source's, so that a chunk stays in the second-level cache.
inline constexpr std::size_t usual_chunk = std::size_t{256} << 10;

}  // namespace bench
