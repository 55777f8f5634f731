#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <utility>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace etlantic::kernel {

/// Bytes that are zero at first, on a boundary of a cache line. Large ones are asked of the system in huge pages, since
/// a table that is visited at random otherwise misses in the address cache at every visit.
class slot_memory {
 public:
  slot_memory() = default;
  explicit slot_memory(std::size_t size) : size_(size) {
    if (size == 0) return;
    if (is_mapped()) map();
    else {
      bytes_ = static_cast<std::byte*>(::operator new(size, std::align_val_t{line}));
      std::memset(bytes_, 0, size);
    }
  }
  slot_memory(slot_memory&& other) noexcept
      : bytes_(std::exchange(other.bytes_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  slot_memory& operator=(slot_memory other) noexcept {
    std::swap(bytes_, other.bytes_);
    std::swap(size_, other.size_);
    return *this;
  }
  ~slot_memory() { release(); }

  std::byte* data() const { return bytes_; }
  std::size_t size() const { return size_; }

  /// Gives the pages of the first `count` bytes back; they may be read no more. So a table that moves to a larger place
  /// never holds both.
  void forget_front(std::size_t count) {
#if defined(__linux__)
    if (is_mapped()) madvise(bytes_, count / page * page, MADV_DONTNEED);
#else
    static_cast<void>(count);
#endif
  }

 private:
  static constexpr std::size_t line = 64;
  static constexpr std::size_t page = std::size_t{2} << 20;

#if defined(__linux__)
  bool is_mapped() const { return size_ >= page; }

  void map() {
    // One page more, so that there is a boundary of a huge page inside; what lies around goes back at once.
    const std::size_t wanted = (size_ + page - 1) / page * page;
    void* found = mmap(nullptr, wanted + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (found == MAP_FAILED) throw std::bad_alloc();
    auto* start = static_cast<std::byte*>(found);
    const std::size_t before = (page - reinterpret_cast<std::uintptr_t>(start) % page) % page;
    if (before != 0) munmap(start, before);
    if (before != page) munmap(start + before + wanted, page - before);
    bytes_ = start + before;
    madvise(bytes_, wanted, MADV_HUGEPAGE);
  }

  void release() {
    if (bytes_ == nullptr) return;
    if (is_mapped()) munmap(bytes_, (size_ + page - 1) / page * page);
    else ::operator delete(bytes_, std::align_val_t{line});
  }
#else
  bool is_mapped() const { return false; }
  void map() {}
  void release() { ::operator delete(bytes_, std::align_val_t{line}); }
#endif

  std::byte* bytes_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace etlantic::kernel
