#pragma once
#include <etlantic/expression/aggregate.hpp>
#include <etlantic/kernel/bind.hpp>
#include <etlantic/kernel/may_overflow.hpp>
#include <etlantic/kernel/row_values.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

// Arguments of aggregates that choose a row: its value, what it is chosen by, and its place in source order.

namespace etlantic::kernel {

/// `By` is nullptr_t where source order alone chooses.
template <class Value, class By>
struct bound_choice {
  Value value;
  [[no_unique_address]] By by;

  void evaluate(chunk& at) {
    static_cast<void>(value.evaluate(at));
    if constexpr (!std::is_same_v<By, std::nullptr_t>) static_cast<void>(by.evaluate(at));
  }
};

template <class Value, class By>
inline constexpr bool may_overflow<bound_choice<Value, By>> = may_overflow<Value> || may_overflow<By>;

template <class V>
struct binder<in_source_order<V>> {
  template <class Row>
  static auto bind(const in_source_order<V>& of, const Row& row) {
    auto value = kernel::bind(of.value, row);
    return bound_choice<decltype(value), std::nullptr_t>{std::move(value), nullptr};
  }
};
template <class V, class By>
struct binder<value_by<V, By>> {
  template <class Row>
  static auto bind(const value_by<V, By>& of, const Row& row) {
    auto value = kernel::bind(of.value, row);
    auto by = kernel::bind(of.by, row);
    return bound_choice<decltype(value), decltype(by)>{std::move(value), std::move(by)};
  }
};

/// For the rows of a morsel; `first_order` is the place of its first row among all that the stage has seen.
template <class Value, class By>
struct chosen_rows {
  row_values<Value> values;
  row_values<By> by;
  std::uint64_t first_order = 0;

  std::uint64_t order(std::size_t row) const { return first_order + row; }
};
template <class Value>
struct chosen_rows<Value, void> {
  row_values<Value> values;
  std::uint64_t first_order = 0;

  std::uint64_t order(std::size_t row) const { return first_order + row; }
};

namespace detail {

template <class Node>
struct collected_by {
  using collector = row_collector<Node>;
  using value = typename Node::value;
};
template <>
struct collected_by<std::nullptr_t> {
  struct collector {};
  using value = void;
};

}  // namespace detail

template <class ValueNode, class ByNode>
class row_collector<bound_choice<ValueNode, ByNode>> {
 public:
  using node = bound_choice<ValueNode, ByNode>;

  /// Goes on behind a row of the state that was restored.
  void continue_behind(std::uint64_t order) { next_order_ = std::max(next_order_, order + 1); }

  void start(const node& of, const block& rows, std::size_t begin) {
    order_ = next_order_;
    next_order_ += std::min(morsel_rows, rows.rows - begin);
    values_.start(of.value, rows, begin);
    if constexpr (has_by) by_.start(of.by, rows, begin);
  }
  void fetch_ahead(std::size_t row) const {
    values_.fetch_ahead(row);
    if constexpr (has_by) by_.fetch_ahead(row);
  }
  void collect(node& of, chunk& at, std::size_t index) {
    values_.collect(of.value, at, index);
    if constexpr (has_by) by_.collect(of.by, at, index);
  }
  auto values() const {
    using rows = chosen_rows<typename ValueNode::value, typename detail::collected_by<ByNode>::value>;
    if constexpr (has_by)
      return rows{values_.values(), by_.values(), order_};
    else
      return rows{values_.values(), order_};
  }

 private:
  static constexpr bool has_by = !std::is_same_v<ByNode, std::nullptr_t>;

  row_collector<ValueNode> values_;
  [[no_unique_address]] typename detail::collected_by<ByNode>::collector by_;
  std::uint64_t order_ = 0;
  std::uint64_t next_order_ = 0;
};

}  // namespace etlantic::kernel
