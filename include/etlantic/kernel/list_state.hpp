#pragma once
#include <etlantic/column/column.hpp>
#include <etlantic/column/state_io.hpp>
#include <etlantic/expression/collect_list.hpp>
#include <etlantic/kernel/bind.hpp>
#include <etlantic/kernel/chosen_values.hpp>
#include <etlantic/kernel/shared_state.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace etlantic::kernel {

template <class V, std::size_t Most>
struct binder<first_in_source_order<V, Most>> {
  template <class Row>
  static auto bind(const first_in_source_order<V, Most>& of, const Row& row) {
    auto value = kernel::bind(of.value, row);
    return bound_choice<decltype(value), std::nullptr_t>{std::move(value), nullptr};
  }
};

/// Some values with their places in source order, ascending.
template <class Value, std::size_t Most>
class first_values {
 public:
  using stored = std::conditional_t<std::is_same_v<Value, std::string_view>, std::string,
                                    std::conditional_t<std::is_same_v<Value, bool>, std::uint8_t, Value>>;
  struct placed {
    std::uint64_t order;
    stored value;
  };

  const std::vector<placed>& values() const { return kept_; }

  /// A value behind all others.
  void add(std::uint64_t order, const Value& value) { kept_.push_back({order, stored(value)}); }

  void merge(const first_values& other) {
    std::vector<placed> merged;
    merged.reserve(std::min(Most, kept_.size() + other.kept_.size()));
    auto own = kept_.begin();
    auto theirs = other.kept_.begin();
    while (merged.size() < Most && (own != kept_.end() || theirs != other.kept_.end()))
      if (theirs == other.kept_.end() || (own != kept_.end() && own->order < theirs->order))
        merged.push_back(std::move(*own++));
      else
        merged.push_back(*theirs++);
    kept_ = std::move(merged);
  }

  std::size_t heap_bytes() const {
    std::size_t sum = kept_.capacity() * sizeof(placed);
    if constexpr (std::is_same_v<stored, std::string>)
      for (const placed& each : kept_)
        if (each.value.capacity() > std::string().capacity()) sum += each.value.capacity() + 1;
    return sum;
  }

  void save(state_writer& into) const {
    into.put(static_cast<std::uint32_t>(kept_.size()));
    for (const placed& each : kept_) {
      into.put(each.order);
      if constexpr (std::is_same_v<stored, std::string>)
        into.put_text(each.value);
      else
        into.put(each.value);
    }
  }
  void restore(state_reader& from) {
    kept_.clear();
    const auto size = from.get<std::uint32_t>();
    for (std::uint32_t i = 0; i < size && from.ok(); ++i) {
      placed read{};
      read.order = from.get<std::uint64_t>();
      if constexpr (std::is_same_v<stored, std::string>)
        read.value = from.get_text();
      else
        read.value = from.get<stored>();
      if (kept_.size() < Most) kept_.push_back(std::move(read));
    }
  }

 private:
  std::vector<placed> kept_;
};

template <class Value, std::size_t Most>
struct list_state {
  shared_state<first_values<Value, Most>> kept;
  std::uint64_t order = 0;  // of the last one

  void add(const chosen_rows<Value, void>& from, std::size_t row) {
    if (!from.values.is_present(row) || (kept.get() != nullptr && kept.get()->values().size() >= Most)) return;
    order = from.order(row);
    kept.own().add(order, from.values.at(row));
  }
  void merge(const list_state& other) {
    kept.merge(other.kept);
    if (kept.get() != nullptr && !kept.get()->values().empty()) order = kept.get()->values().back().order;
  }
  /// Rows are written one after the other; what a row that was taken back has left behind them goes.
  template <class To>
  bool write(column& into, std::size_t row) const {
    auto* offsets = reinterpret_cast<std::int32_t*>(into.offsets.data());
    column& elements = into.children[0];
    auto at = static_cast<std::size_t>(offsets[row]);
    elements.resize(at);
    if (kept.get() != nullptr) {
      const auto& values = kept.get()->values();
      elements.resize(at + values.size());
      for (const auto& each : values) {
        if constexpr (std::is_same_v<Value, bool>)
          elements.set_bool(at, each.value != 0);
        else if constexpr (std::is_same_v<Value, std::string_view>)
          elements.set_text(at, each.value);
        else
          elements.set(at, each.value);
        ++at;
      }
    }
    offsets[row + 1] = static_cast<std::int32_t>(at);
    return true;
  }
  std::size_t heap_bytes() const { return kept.heap_bytes(); }

  void save(state_writer& into) const {
    kept.get() == nullptr ? first_values<Value, Most>().save(into) : kept.get()->save(into);
  }
  void restore(state_reader& from) {
    kept.own().restore(from);
    if (!kept.get()->values().empty()) order = kept.get()->values().back().order;
  }
};

}  // namespace etlantic::kernel
