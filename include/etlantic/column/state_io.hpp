#pragma once
#include <etlantic/column/buffer.hpp>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace etlantic {

class state_writer;

/// A copy of some state that is written later, on another thread, while what it was copied from changes.
class copied_state {
 public:
  virtual ~copied_state() = default;
  virtual void save(state_writer& into) const = 0;

  const void* kind = nullptr;  ///< the same for copies that can take over each other's memory
};

/// Writes state as plain bytes, little-endian, for a snapshot. What the bytes mean is the business of the stage that
/// wrote them; the snapshot file around them carries version, length and checksum.
class state_writer {
 public:
  enum class when : std::uint8_t { now, later };

  /// `later`: what can be copied much faster than written is only copied, until `write_copies`.
  explicit state_writer(when writes) : writes_(writes) {}
  state_writer() = default;

  /// Whether copies are welcome instead of bytes.
  bool takes_copies() const { return writes_ == when::later; }

  /// A copy of before that may be written over; null if there is none of this kind for which `fits` holds.
  template <class Copy, class Fits>
  std::unique_ptr<Copy> take_used(const void* kind, Fits fits) {
    for (auto& each : used_)
      if (each != nullptr && each->kind == kind && fits(static_cast<const Copy&>(*each)))
        return std::unique_ptr<Copy>(static_cast<Copy*>(each.release()));
    return nullptr;
  }
  void put_later(std::unique_ptr<copied_state> copy) { copies_.push_back({bytes_.size(), std::move(copy), {}}); }

  /// Writes what was copied.
  void write_copies() {
    while (written_.size() < copies_.size()) written_.emplace_back();
    for (std::size_t i = 0; i < copies_.size(); ++i) {
      written_[i].clear();
      copies_[i].copy->save(written_[i]);
      copies_[i].bytes = written_[i].bytes();
    }
  }

  /// All that was written, in order, in pieces.
  std::vector<std::string_view> pieces() const {
    std::vector<std::string_view> found;
    std::size_t at = 0;
    for (const later_part& each : copies_) {
      found.push_back(bytes().substr(at, each.place - at));
      found.push_back(each.bytes);
      at = each.place;
    }
    found.push_back(bytes().substr(at));
    std::erase_if(found, [](std::string_view piece) { return piece.empty(); });
    return found;
  }

  /// Forgets what was written and keeps the memory, since the system has to clear new memory first.
  void clear() {
    bytes_.clear();
    used_.clear();
    for (later_part& each : copies_) used_.push_back(std::move(each.copy));
    copies_.clear();
  }

  template <class T>
    requires std::is_trivially_copyable_v<T>
  void put(const T& value) {
    bytes_.append(&value, sizeof value);
  }

  void put_text(std::string_view text) {
    put(static_cast<std::uint64_t>(text.size()));
    bytes_.append(text.data(), text.size());
  }

  bool is_empty() const { return bytes_.empty() && copies_.empty(); }

  /// What was written at once.
  std::string_view bytes() const { return {reinterpret_cast<const char*>(bytes_.data()), bytes_.size()}; }

 private:
  struct later_part {
    std::size_t place;  // in front of this byte
    std::unique_ptr<copied_state> copy;
    std::string_view bytes;
  };

  when writes_ = when::now;
  buffer bytes_;
  std::vector<later_part> copies_;
  std::vector<state_writer> written_;  // what became of the copies
  std::vector<std::unique_ptr<copied_state>> used_;
};

/// One of the values that a group was saved with, in their order, for a program that keeps others.
struct saved_part {
  int place = 0;  ///< among those of now; -1: it is gone, and what it kept is passed over:
  std::size_t bytes = 0;
  bool has_text = false;  ///< behind the bytes
};

/// Reads what state_writer wrote. Reading past the end gives zeros and clears `ok()`.
class state_reader {
 public:
  explicit state_reader(std::string_view bytes) : rest_(bytes) {}
  /// Of groups that were saved with other values than they have now; `parts` outlive the reader.
  state_reader(std::string_view bytes, const std::vector<saved_part>& parts) : rest_(bytes), parts_(&parts) {}

  /// Null: groups have the values that they were saved with.
  const std::vector<saved_part>* parts() const { return parts_; }

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

  void pass_over(const saved_part& gone) {
    ok_ &= rest_.size() >= gone.bytes;
    rest_.remove_prefix(std::min(rest_.size(), gone.bytes));
    if (gone.has_text) static_cast<void>(get_text());
  }

 private:
  std::string_view rest_;
  const std::vector<saved_part>* parts_ = nullptr;
  bool ok_ = true;
};

}  // namespace etlantic
