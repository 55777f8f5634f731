#pragma once
#include <etlantic/column/column.hpp>
#include <etlantic/column/state_io.hpp>
#include <etlantic/kernel/hyperloglog.hpp>
#include <etlantic/kernel/row_values.hpp>
#include <etlantic/kernel/shared_state.hpp>
#include <etlantic/kernel/sketch_hash.hpp>

#include <cstddef>
#include <cstdint>

namespace etlantic::kernel {

/// About how many different values a group has.
template <class Value>
class approximate_distinct_state {
 public:
  void add(const row_values<Value>& from, std::size_t row) {
    if (from.is_present(row)) sketch_.own().add(sketch_hash(from.at(row)));
  }
  void merge(const approximate_distinct_state& other) { sketch_.merge(other.sketch_); }
  template <class To>
  bool write(column& into, std::size_t row) const {
    into.set(row, sketch_.get() == nullptr ? std::int64_t{0} : sketch_.get()->estimate());
    return true;
  }
  std::size_t heap_bytes() const { return sketch_.heap_bytes(); }

  void save(state_writer& into) const {
    sketch_.get() == nullptr ? hyperloglog().save(into) : sketch_.get()->save(into);
  }
  void restore(state_reader& from) { sketch_.own().restore(from); }

 private:
  shared_state<hyperloglog> sketch_;
};

}  // namespace etlantic::kernel
