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
    if (is_mapped())
      map();
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

  /// Makes it larger where the system can do that without copying, with zeros behind what there is; otherwise nothing
  /// happens. So a table that grows never holds both places, and gets only as many new pages as it grows by.
  bool extend(std::size_t size) {
#if defined(__linux__)
    if (!is_mapped()) return false;
    void* place = reserve(size, PROT_NONE);
    if (place == nullptr) return false;
    if (mremap(bytes_, in_pages(size_), in_pages(size), MREMAP_MAYMOVE | MREMAP_FIXED, place) == MAP_FAILED) {
      munmap(place, in_pages(size));
      return false;
    }
    bytes_ = static_cast<std::byte*>(place);
    size_ = size;
    madvise(bytes_, in_pages(size), MADV_HUGEPAGE);
    return true;
#else
    return size == size_;
#endif
  }

 private:
  static constexpr std::size_t line = 64;
  static constexpr std::size_t page = std::size_t{2} << 20;

#if defined(__linux__)
  bool is_mapped() const { return size_ >= page; }

  static std::size_t in_pages(std::size_t size) { return (size + page - 1) / page * page; }

  /// Address space that begins where a huge page does; nullptr if there is none.
  static void* reserve(std::size_t size, int protection) {
    // One page more, so that there is such a place inside; what lies around goes back at once.
    const std::size_t wanted = in_pages(size);
    void* found = mmap(nullptr, wanted + page, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (found == MAP_FAILED) return nullptr;
    auto* start = static_cast<std::byte*>(found);
    const std::size_t before = (page - reinterpret_cast<std::uintptr_t>(start) % page) % page;
    if (before != 0) munmap(start, before);
    if (before != page) munmap(start + before + wanted, page - before);
    return start + before;
  }

  void map() {
    bytes_ = static_cast<std::byte*>(reserve(size_, PROT_READ | PROT_WRITE));
    if (bytes_ == nullptr) throw std::bad_alloc();
    madvise(bytes_, in_pages(size_), MADV_HUGEPAGE);
  }

  void release() {
    if (bytes_ == nullptr) return;
    if (is_mapped())
      munmap(bytes_, in_pages(size_));
    else
      ::operator delete(bytes_, std::align_val_t{line});
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
