#pragma once
#include <cstddef>
#include <cstring>
#include <new>
#include <utility>

namespace etlantic {

/// Bytes on a 64-byte boundary, always followed by 64 more readable ones, so that the last wide load needs no mask.
/// Growing keeps the contents. What lies behind them may be anything.
class buffer {
 public:
  static constexpr std::size_t alignment = 64;
  static constexpr std::size_t padding = 64;

  buffer() = default;
  buffer(const buffer& other) { assign(other); }
  buffer(buffer&& other) noexcept
      : bytes_(std::exchange(other.bytes_, nullptr)),
        size_(std::exchange(other.size_, 0)),
        capacity_(std::exchange(other.capacity_, 0)) {}
  buffer& operator=(buffer other) noexcept {
    std::swap(bytes_, other.bytes_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
    return *this;
  }
  ~buffer() { ::operator delete(bytes_, std::align_val_t{alignment}); }

  std::size_t size() const { return size_; }
  std::size_t capacity() const { return capacity_; }
  bool empty() const { return size_ == 0; }
  std::byte* data() { return bytes_; }
  const std::byte* data() const { return bytes_; }

  void clear() { size_ = 0; }

  /// New bytes are zero.
  void resize(std::size_t size) {
    reserve(size);
    if (size > size_) std::memset(bytes_ + size_, 0, size - size_);
    size_ = size;
  }

  /// As `resize`, but new bytes may hold anything: for those who write all of them.
  void resize_for_overwrite(std::size_t size) {
    reserve(size);
    size_ = size;
  }

  void append(const void* bytes, std::size_t count) {
    if (count == 0) return;
    reserve(size_ + count);
    std::memcpy(bytes_ + size_, bytes, count);
    size_ += count;
  }

  void reserve(std::size_t size) {
    if (size <= capacity_ && bytes_ != nullptr) return;
    std::size_t capacity = capacity_ * 2 > size ? capacity_ * 2 : size;
    capacity = (capacity + padding - 1) / padding * padding;
    auto* bytes = static_cast<std::byte*>(::operator new(capacity + padding, std::align_val_t{alignment}));
    if (size_ != 0) std::memcpy(bytes, bytes_, size_);
    std::memset(bytes + capacity, 0, padding);
    ::operator delete(bytes_, std::align_val_t{alignment});
    bytes_ = bytes;
    capacity_ = capacity;
  }

 private:
  void assign(const buffer& other) {
    if (other.size_ == 0) return;
    reserve(other.size_);
    std::memcpy(bytes_, other.bytes_, other.size_);
    size_ = other.size_;
  }

  std::byte* bytes_ = nullptr;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

}  // namespace etlantic
