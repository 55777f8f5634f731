#pragma once
#include <etlantic/column/buffer.hpp>

#include <cstdint>
#include <cstring>
#include <string_view>
#include <type_traits>

namespace etlantic {

/// Writes state as plain bytes, little-endian, for a snapshot. What the bytes mean is the business of the stage that
/// wrote them; the snapshot file around them carries version, length and checksum.
class state_writer {
 public:
  template <class T>
    requires std::is_trivially_copyable_v<T>
  void put(const T& value) {
    bytes_.append(&value, sizeof value);
  }

  void put_text(std::string_view text) {
    put(static_cast<std::uint64_t>(text.size()));
    bytes_.append(text.data(), text.size());
  }

  std::string_view bytes() const { return {reinterpret_cast<const char*>(bytes_.data()), bytes_.size()}; }

 private:
  buffer bytes_;
};

/// Reads what state_writer wrote. Reading past the end gives zeros and clears `ok()`.
class state_reader {
 public:
  explicit state_reader(std::string_view bytes) : rest_(bytes) {}

  bool ok() const { return ok_; }
  bool at_end() const { return rest_.empty(); }
  /// How many bytes there are still.
  std::size_t rest() const { return rest_.size(); }

  template <class T>
    requires std::is_trivially_copyable_v<T>
  T get() {
    T value{};
    if (rest_.size() < sizeof value) {
      ok_ = false;
      rest_ = {};
      return value;
    }
    if constexpr (std::is_same_v<T, bool>) {  // other bytes than 0 and 1 are not values of bool
      const char byte = rest_.front();
      ok_ &= byte == 0 || byte == 1;
      value = byte == 1;
    } else
      std::memcpy(&value, rest_.data(), sizeof value);
    rest_.remove_prefix(sizeof value);
    return value;
  }

  std::string_view get_text() {
    const auto size = get<std::uint64_t>();
    if (rest_.size() < size) {
      ok_ = false;
      rest_ = {};
      return {};
    }
    const std::string_view text = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return text;
  }

 private:
  std::string_view rest_;
  bool ok_ = true;
};

}  // namespace etlantic
