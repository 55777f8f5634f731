#pragma once
#include <etlantic/core/integer128.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace etlantic {

/// A digest of a description: 128-bit FNV-1a over its parts, each preceded by its length, so that no two lists of parts
/// have the same bytes. Tells descriptions apart; it does not protect against somebody who wants a collision.
class fingerprint {
 public:
  fingerprint& add(std::string_view part) {
    const std::string length = std::to_string(part.size()) + ":";
    absorb(length);
    absorb(part);
    return *this;
  }

  /// 32 lower-case hexadecimal digits.
  std::string text() const {
    std::string digits(32, '0');
    uint128 rest = state_;
    for (std::size_t i = digits.size(); i-- > 0; rest >>= 4)
      digits[i] = "0123456789abcdef"[static_cast<int>(rest & 0xf)];
    return digits;
  }

  /// 63 bits of it, for columns that hold no more.
  std::int64_t number() const {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(state_) & 0x7fffffffffffffffu);
  }

 private:
  // Constants of the FNV specification (draft-eastlake-fnv).
  static constexpr uint128 offset_basis = uint128{0x6c62272e07bb0142u} << 64 | 0x62b821756295c58du;
  static constexpr uint128 prime = uint128{1} << 88 | 0x13bu;

  void absorb(std::string_view bytes) {
    for (char byte : bytes) state_ = (state_ ^ static_cast<unsigned char>(byte)) * prime;
  }

  uint128 state_ = offset_basis;
};

}  // namespace etlantic
