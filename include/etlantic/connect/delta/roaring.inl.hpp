#pragma once
#include <etlantic/connect/delta/roaring.hpp>

#include <bit>
#include <cstddef>
#include <cstring>

namespace etlantic::delta {

namespace detail {

/// Numbers at the front of some bytes, of which there have to be enough.
class little_endian_bytes {
 public:
  explicit little_endian_bytes(std::string_view bytes) : left_(bytes) {}

  bool is_empty() const { return left_.empty(); }

  template <class T>
  bool take(T& number) {
    if (left_.size() < sizeof number) return false;
    number = 0;
    for (std::size_t i = 0; i < sizeof number; ++i)
      number = static_cast<T>(number | static_cast<T>(T{static_cast<unsigned char>(left_[i])} << (8 * i)));
    left_.remove_prefix(sizeof number);
    return true;
  }
  bool take(std::uint64_t size, std::string_view& bytes) {
    if (left_.size() < size) return false;
    bytes = left_.substr(0, static_cast<std::size_t>(size));
    left_.remove_prefix(bytes.size());
    return true;
  }

 private:
  std::string_view left_;
};

class roaring_reader {
 public:
  roaring_reader(std::string_view bitmap, std::vector<bool>& into) : bytes_(bitmap), into_(into) {}

  std::int64_t count() const { return count_; }

  std::string_view read() {
    std::uint64_t parts = 0;
    if (!bytes_.take(parts)) return is_cut;
    std::int64_t last = -1;
    for (std::uint64_t i = 0; i < parts; ++i) {
      std::uint32_t high = 0;
      if (!bytes_.take(high)) return is_cut;
      if (high <= last) return is_not_sorted;
      last = high;
      if (const auto wrong = read_part(std::uint64_t{high} << 32); !wrong.empty()) return wrong;
    }
    return bytes_.is_empty() ? std::string_view() : "it has bytes behind its end";
  }

 private:
  static constexpr std::string_view is_cut = "it is cut";
  static constexpr std::string_view is_not_sorted = "its values are not in order";
  static constexpr std::string_view is_beyond = "it has rows that the data file does not have";
  static constexpr std::string_view counts_wrong = "it has not as many values as it says";

  struct container {
    std::uint16_t key = 0;
    std::uint32_t values = 0;
    bool has_runs = false;
  };

  std::string_view read_part(std::uint64_t high) {
    constexpr std::uint32_t with_runs = 12347, without_runs = 12346, few = 4;
    std::uint32_t cookie = 0, size = 0;
    std::string_view run_flags, offsets;
    if (!bytes_.take(cookie)) return is_cut;
    const bool may_have_runs = (cookie & 0xffffu) == with_runs;
    if (may_have_runs) {
      size = (cookie >> 16) + 1;
      if (!bytes_.take((size + 7) / 8, run_flags)) return is_cut;
    } else if (cookie != without_runs) {
      return "it is no Roaring bitmap";
    } else if (!bytes_.take(size)) {
      return is_cut;
    }
    if (size > 0x10000) return counts_wrong;
    std::vector<container> containers(size);
    std::int32_t last = -1;
    for (std::uint32_t i = 0; i < size; ++i) {
      std::uint16_t one_less = 0;
      if (!bytes_.take(containers[i].key) || !bytes_.take(one_less)) return is_cut;
      containers[i].values = one_less + 1u;
      containers[i].has_runs =
          may_have_runs && (std::to_integer<unsigned>(std::byte(run_flags[i / 8])) >> (i % 8) & 1u) != 0;
      if (containers[i].key <= last) return is_not_sorted;
      last = containers[i].key;
    }
    // Where the containers begin: they follow each other in any case.
    if ((!may_have_runs || size >= few) && !bytes_.take(std::uint64_t{size} * 4, offsets)) return is_cut;
    for (const container& each : containers)
      if (const auto wrong = read_container(high | std::uint64_t{each.key} << 16, each); !wrong.empty()) return wrong;
    return {};
  }

  std::string_view read_container(std::uint64_t first, const container& of) {
    constexpr std::uint32_t most_in_array = 4096;
    return of.has_runs                  ? read_runs(first, of.values)
           : of.values <= most_in_array ? read_array(first, of.values)
                                        : read_bits(first, of.values);
  }

  std::string_view read_runs(std::uint64_t first, std::uint32_t values) {
    std::uint16_t runs = 0;
    if (!bytes_.take(runs)) return is_cut;
    std::int32_t last = -1;
    std::uint32_t found = 0;
    for (std::uint32_t i = 0; i < runs; ++i) {
      std::uint16_t begin = 0, one_less = 0;
      if (!bytes_.take(begin) || !bytes_.take(one_less)) return is_cut;
      if (begin <= last) return is_not_sorted;
      last = std::int32_t{begin} + one_less;
      if (last > 0xffff) return is_beyond;
      for (std::uint32_t value = begin; value <= static_cast<std::uint32_t>(last); ++value)
        if (!mark(first + value)) return is_beyond;
      found += one_less + 1u;
    }
    return found == values ? std::string_view() : counts_wrong;
  }

  std::string_view read_array(std::uint64_t first, std::uint32_t values) {
    std::int32_t last = -1;
    for (std::uint32_t i = 0; i < values; ++i) {
      std::uint16_t value = 0;
      if (!bytes_.take(value)) return is_cut;
      if (value <= last) return is_not_sorted;
      last = value;
      if (!mark(first + value)) return is_beyond;
    }
    return {};
  }

  std::string_view read_bits(std::uint64_t first, std::uint32_t values) {
    std::uint32_t found = 0;
    for (std::uint32_t i = 0; i < 1024; ++i) {
      std::uint64_t word = 0;
      if (!bytes_.take(word)) return is_cut;
      for (; word != 0; word &= word - 1, ++found)
        if (!mark(first + i * 64 + static_cast<std::uint32_t>(std::countr_zero(word)))) return is_beyond;
    }
    return found == values ? std::string_view() : counts_wrong;
  }

  bool mark(std::uint64_t value) {
    if (value >= into_.size()) return false;
    into_[static_cast<std::size_t>(value)] = true;
    ++count_;
    return true;
  }

  little_endian_bytes bytes_;
  std::vector<bool>& into_;
  std::int64_t count_ = 0;
};

}  // namespace detail

[[gnu::used]] inline std::string_view mark_members(std::string_view bitmap, std::vector<bool>& into,
                                                   std::int64_t& count) {
  detail::roaring_reader reader(bitmap, into);
  const std::string_view wrong = reader.read();
  count = reader.count();
  return wrong;
}

}  // namespace etlantic::delta
