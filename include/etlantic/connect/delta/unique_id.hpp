#pragma once
#include <etlantic/core/result.hpp>
#include <etlantic/runtime/checkpoint_identity.hpp>

#include <chrono>
#include <cstdint>
#include <string>

namespace etlantic::delta {

/// A random UUID (RFC 4122, version 4).
inline result<std::string> make_uuid() {
  auto bits = make_query_id();
  if (!bits) return bits.error();
  std::string text = *bits;
  text[12] = '4';
  text[16] = "89ab"[text[16] & 3];
  for (const std::size_t place : {20u, 16u, 12u, 8u}) text.insert(place, 1, '-');
  return text;
}

/// Milliseconds since 1970, as logs have times.
inline std::int64_t milliseconds_now() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::system_clock::now().time_since_epoch())
      .count();
}

}  // namespace etlantic::delta
