#pragma once
#include <etlantic/core/result.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace etlantic {

/// How the states in a snapshot lie on the disk.
enum class snapshot_compression : std::uint8_t { none, zstd };

constexpr std::string_view name_of(snapshot_compression which) {
  return which == snapshot_compression::zstd ? "zstd" : "none";
}

/// Whether this program can write and read it. `zstd` needs the component `etlantic::zstd`.
bool is_available(snapshot_compression which);

/// What to do where it is not.
failure unavailable_compression(const std::string& place);

/// The pieces, one after the other, as one frame of Zstandard (RFC 8878) that tells how many bytes they are.
result<std::string> compress(std::span<const std::string_view> pieces, const std::string& place);

/// The bytes of such a frame. Memory is taken only for so many bytes as the frame can hold; nothing if it is damaged or
/// holds another number of bytes than `size`.
result<std::string> decompress(std::string_view frame, std::int64_t size, const std::string& place);

}  // namespace etlantic
