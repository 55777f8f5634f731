#pragma once
#include <etlantic/runtime/batch_record_text.hpp>
#include <etlantic/runtime/snapshot_compression.hpp>

#if defined(ETLANTIC_WITH_ZSTD)
#include <zstd.h>

#include <algorithm>
#include <memory>
#endif

namespace etlantic {

[[gnu::used]] inline failure unavailable_compression(const std::string& place) {
  return {
      failure_class::configuration, "PMSTREAM456",
      "snapshots compressed with zstd are named, and this program was built without zstd", place,
      "Link etlantic::zstd (on Debian it needs libzstd-dev); without CMake define ETLANTIC_WITH_ZSTD and link zstd."};
}

#if defined(ETLANTIC_WITH_ZSTD)

namespace detail {

/// Of the levels the fastest that is not negative: states are mostly numbers, of which the others find little more.
inline constexpr int zstd_level = 1;

/// A block of a frame gives at most 128 KiB and takes at least four bytes (RFC 8878, 3.1.1.2).
inline constexpr std::int64_t most_bytes_of_a_compressed_byte = 128 * 1024 / 4;

inline failure zstd_failure(std::size_t code, const std::string& place) {
  return {failure_class::internal, "PMSTREAM473", std::string("zstd: ") + ZSTD_getErrorName(code), place,
          "Set checkpoint.compression: none; please report it."};
}

}  // namespace detail

[[gnu::used]] inline bool is_available(snapshot_compression) { return true; }

[[gnu::used]] inline result<std::string> compress(std::span<const std::string_view> pieces, const std::string& place) {
  const std::unique_ptr<ZSTD_CCtx, std::size_t (*)(ZSTD_CCtx*)> context(ZSTD_createCCtx(), ZSTD_freeCCtx);
  if (context == nullptr) throw std::bad_alloc();
  std::size_t size = 0;
  for (const std::string_view piece : pieces) size += piece.size();
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_compressionLevel, detail::zstd_level);
  ZSTD_CCtx_setPledgedSrcSize(context.get(), size);

  std::string frame;
  std::size_t used = 0;
  const auto add = [&](std::string_view piece, ZSTD_EndDirective end) -> std::size_t {
    ZSTD_inBuffer in{piece.data(), piece.size(), 0};
    for (;;) {
      if (frame.size() - used < ZSTD_CStreamOutSize()) frame.resize(frame.size() * 2 + ZSTD_CStreamOutSize());
      ZSTD_outBuffer out{frame.data(), frame.size(), used};
      const std::size_t left = ZSTD_compressStream2(context.get(), &out, &in, end);
      used = out.pos;
      if (ZSTD_isError(left) != 0 || (end == ZSTD_e_end ? left == 0 : in.pos == in.size)) return left;
    }
  };
  for (const std::string_view piece : pieces)
    if (const std::size_t done = add(piece, ZSTD_e_continue); ZSTD_isError(done) != 0)
      return detail::zstd_failure(done, place);
  if (const std::size_t done = add({}, ZSTD_e_end); ZSTD_isError(done) != 0) return detail::zstd_failure(done, place);
  frame.resize(used);
  return frame;
}

[[gnu::used]] inline result<std::string> decompress(std::string_view frame, std::int64_t size,
                                                    const std::string& place) {
  const auto stored = static_cast<std::int64_t>(frame.size());
  const unsigned long long said = ZSTD_getFrameContentSize(frame.data(), frame.size());
  const bool is_possible = size >= 0 && size / detail::most_bytes_of_a_compressed_byte <= stored &&
                           said == static_cast<unsigned long long>(size);
  if (!is_possible) return damaged_file(place, 0, "a compressed state is not as long as it says");
  std::string bytes(static_cast<std::size_t>(size), '\0');
  const std::size_t done = ZSTD_decompress(bytes.data(), bytes.size(), frame.data(), frame.size());
  if (ZSTD_isError(done) != 0 || done != bytes.size())
    return damaged_file(place, 0, "a compressed state cannot be read");
  return bytes;
}

#else

[[gnu::used]] inline bool is_available(snapshot_compression which) { return which == snapshot_compression::none; }
[[gnu::used]] inline result<std::string> compress(std::span<const std::string_view>, const std::string& place) {
  return unavailable_compression(place);
}
[[gnu::used]] inline result<std::string> decompress(std::string_view, std::int64_t, const std::string& place) {
  return unavailable_compression(place);
}

#endif

}  // namespace etlantic
