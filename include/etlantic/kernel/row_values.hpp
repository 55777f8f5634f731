#pragma once
#include <etlantic/kernel/bound.hpp>
#include <etlantic/kernel/lanes.hpp>

#include <boost/hana/tuple.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <type_traits>
#include <utility>

namespace etlantic::kernel {

/// Values of an expression for the rows of a morsel; `valid` has a bit for each row that is not null, and is nullptr if
/// none is.
template <class Value>
struct row_values {
  const Value* values = nullptr;
  const std::uint64_t* valid = nullptr;

  bool is_present(std::size_t row) const {
    return valid == nullptr || ((valid[row / lane_count] >> (row % lane_count)) & 1);
  }
  Value at(std::size_t row) const { return values[row]; }
};

template <>
struct row_values<bool> {
  const std::uint64_t* bits = nullptr;
  const std::uint64_t* valid = nullptr;

  bool is_present(std::size_t row) const {
    return valid == nullptr || ((valid[row / lane_count] >> (row % lane_count)) & 1);
  }
  bool at(std::size_t row) const { return (bits[row / lane_count] >> (row % lane_count)) & 1; }
};

/// Values that lie in a column, where those of later rows can be fetched into the cache.
template <class Value>
struct column_values : row_values<Value> {
  // Inlined always, since gcc 12 takes a call of what only fetches for one without effect.
  [[gnu::always_inline]] void fetch(std::size_t row) const { __builtin_prefetch(this->values + row, 0, 2); }
};

template <class Values>
inline constexpr bool is_column = false;
template <class Value>
inline constexpr bool is_column<column_values<Value>> = true;

/// Collects what a node computes, 64 rows at a time, for a whole morsel.
template <class Node>
class row_collector {
 public:
  using value = typename Node::value;

  void start(const Node&, const block&, std::size_t) {}
  void fetch_ahead(std::size_t) const {}

  void collect(Node& node, chunk& at, std::size_t index) {
    const lanes<value> from = node.evaluate(at);
    if constexpr (std::is_same_v<value, bool>)
      bits_[index] = from.bits;
    else
      std::copy_n(from.values, lane_count, room_ + index * lane_count);
    valid_[index] = from.valid;
  }

  row_values<value> values() const {
    if constexpr (std::is_same_v<value, bool>)
      return {bits_, valid_};
    else
      return {room_, valid_};
  }

 private:
  static constexpr bool is_bool = std::is_same_v<value, bool>;

  std::conditional_t<is_bool, std::nullptr_t, value[morsel_rows]> room_{};
  std::uint64_t bits_[is_bool ? morsel_chunks : 1]{};
  std::uint64_t valid_[morsel_chunks]{};
};

/// A column of fixed width is read where it lies.
template <class Value, bool Nullable>
  requires(!std::is_same_v<Value, std::string_view>)
class row_collector<bound_field<Value, Nullable>> {
 public:
  void start(const bound_field<Value, Nullable>& node, const block& rows, std::size_t begin) {
    const column& from = rows.columns[node.index];
    if constexpr (std::is_same_v<Value, bool>)
      values_.bits = from.data<std::uint64_t>() + begin / lane_count;
    else
      values_.values = from.data<Value>() + begin;
    values_.valid = Nullable && !from.validity.empty()
                        ? reinterpret_cast<const std::uint64_t*>(from.validity.data()) + begin / lane_count
                        : nullptr;
  }
  void collect(bound_field<Value, Nullable>&, chunk&, std::size_t) {}
  void fetch_ahead(std::size_t row) const {
    if constexpr (!std::is_same_v<Value, bool>)
#pragma GCC unroll 16
      for (std::size_t i = 0; i < lane_count * sizeof(Value); i += 64)
        __builtin_prefetch(reinterpret_cast<const char*>(values_.values + row) + i, 0, 2);
  }
  auto values() const { return values_; }

 private:
  std::conditional_t<std::is_same_v<Value, bool>, row_values<Value>, column_values<Value>> values_;
};

/// Text is looked up for the rows that are asked for only.
template <bool Nullable>
class row_collector<bound_field<std::string_view, Nullable>> {
 public:
  void start(const bound_field<std::string_view, Nullable>& node, const block& rows, std::size_t begin) {
    from_ = &rows.columns[node.index];
    begin_ = begin;
  }
  void fetch_ahead(std::size_t) const {}
  void collect(bound_field<std::string_view, Nullable>&, chunk& at, std::size_t index) {
    const std::size_t first = index * lane_count;
    for_each_lane(at.active, [&](std::size_t row) { room_[first + row] = from_->text_at(begin_ + first + row); });
  }
  row_values<std::string_view> values() const {
    return {room_, Nullable && !from_->validity.empty()
                       ? reinterpret_cast<const std::uint64_t*>(from_->validity.data()) + begin_ / lane_count
                       : nullptr};
  }

 private:
  const column* from_ = nullptr;
  std::size_t begin_ = 0;
  std::string_view room_[morsel_rows];
};

/// A collector for each of some nodes.
template <class Nodes>
struct row_collectors;
template <class... Nodes>
struct row_collectors<boost::hana::tuple<Nodes...>> {
  using type = boost::hana::tuple<row_collector<Nodes>...>;
};

/// What collectors hold, in their order.
template <class... Nodes>
auto values_of(const boost::hana::tuple<row_collector<Nodes>...>& collectors) {
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    static_cast<void>(collectors);
    return boost::hana::make_tuple(boost::hana::at_c<I>(collectors).values()...);
  }(std::index_sequence_for<Nodes...>{});
}

/// Computes what some nodes say of the active rows, for what cannot be computed.
template <class... Nodes>
void evaluate_all(boost::hana::tuple<Nodes...>& nodes, chunk& at) {
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    static_cast<void>(nodes), static_cast<void>(at);
    (static_cast<void>(boost::hana::at_c<I>(nodes).evaluate(at)), ...);
  }(std::index_sequence_for<Nodes...>{});
}

}  // namespace etlantic::kernel
