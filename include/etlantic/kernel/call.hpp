#pragma once
#include <etlantic/contract/enumerators.hpp>
#include <etlantic/core/text_room.hpp>
#include <etlantic/kernel/bind.hpp>
#include <etlantic/kernel/may_overflow.hpp>
#include <etlantic/kernel/row_values.hpp>

#include <array>
#include <optional>
#include <type_traits>
#include <utility>

namespace etlantic::kernel {

/// What a function does with the values of one row; each function specialises it, with a call operator for the types of
/// its values. An operator gives
///   a value                 which is the result
///   std::optional of one    nothing: null, or an invalid row where `can_fail` is declared true
/// and takes a `text_room&` first if it makes texts. Texts that are parts of an operand need no room.
template <class Function>
struct meaning;

namespace detail {

template <class T>
inline constexpr bool is_optional = false;
template <class T>
inline constexpr bool is_optional<std::optional<T>> = true;

/// A value as users write it, from what lies in a column.
template <class T, class Storage>
constexpr auto value_from(const Storage& stored) {
  if constexpr (std::is_same_v<T, timestamp> || std::is_same_v<T, date> || std::is_same_v<T, duration>)
    return T{stored};
  else if constexpr (etlantic::detail::is_decimal<T>::value)
    return T::from_scaled(stored);
  else if constexpr (std::is_enum_v<T>)
    return etlantic::enumerator_at<T>(static_cast<std::size_t>(stored));
  else
    return stored;
}

/// What functions see of a value of type T: text as a view.
template <class T>
using row_value = decltype(value_from<T>(std::declval<storage_of<T>>()));

template <class T>
constexpr storage_of<T> storage_from(const row_value<T>& value) {
  if constexpr (std::is_same_v<T, timestamp>)
    return value.microseconds;
  else if constexpr (std::is_same_v<T, date>)
    return value.days;
  else if constexpr (std::is_same_v<T, duration>)
    return value.count();
  else if constexpr (etlantic::detail::is_decimal<T>::value)
    return value.scaled;
  else if constexpr (std::is_enum_v<T>)
    return static_cast<storage_of<T>>(enumerator_index(value));
  else
    return value;
}

template <class Value>
constexpr Value lane_of(const lanes<Value>& from, std::size_t row) {
  if constexpr (std::is_same_v<Value, bool>)
    return ((from.bits >> row) & 1) != 0;
  else
    return from.values[row];
}

/// The rows that a chunk has.
inline std::uint64_t rows_of(const chunk& at) {
  return at.count == lane_count ? ~std::uint64_t{0} : (std::uint64_t{1} << at.count) - 1;
}

/// Texts that one node makes. Whoever collects values looks at a whole morsel of them, so each of its chunks has a
/// room.
struct text_rooms {
  std::array<text_room, morsel_chunks> of_chunks;

  text_room& start(const chunk& at) {
    text_room& room = of_chunks[at.begin / lane_count % morsel_chunks];
    room.clear();
    return room;
  }
};
struct no_text_rooms {
  std::nullptr_t start(const chunk&) { return nullptr; }
};

template <class... Values>
struct value_types {};

}  // namespace detail

/// A function of values row by row. Where an operand is null, so is the result.
template <class Function, class Result, bool Nullable, class Values, class... Nodes>
struct bound_call;

template <class Function, class Result, bool Nullable, class... Values, class... Nodes>
struct bound_call<Function, Result, Nullable, detail::value_types<Values...>, Nodes...> {
  using value = storage_of<Result>;
  using row_function = meaning<Function>;
  static constexpr bool nullable = Nullable;
  static constexpr bool gives_bools = std::is_same_v<value, bool>;
  static constexpr bool makes_texts =
      std::is_invocable_v<const row_function&, text_room&, detail::row_value<Values>...>;
  static constexpr bool misfit_is_failure = requires { row_function::can_fail; };
  static constexpr bool can_fail = misfit_is_failure || (may_overflow<Nodes> || ...);

  row_function function;
  boost::hana::tuple<Nodes...> operands;
  std::conditional_t<gives_bools, std::nullptr_t, value[lane_count]> room{};
  [[no_unique_address]] std::conditional_t<makes_texts, detail::text_rooms, detail::no_text_rooms> texts{};

  lanes<value> evaluate(chunk& at) { return evaluate(at, std::index_sequence_for<Nodes...>{}); }

 private:
  template <std::size_t... I>
  lanes<value> evaluate(chunk& at, std::index_sequence<I...>) {
    return compute(at, boost::hana::at_c<I>(operands).evaluate(at)...);
  }

  template <class... From>
  lanes<value> compute(chunk& at, const From&... from) {
    auto&& texts_of_chunk = texts.start(at);
    const std::uint64_t rows = (detail::rows_of(at) & ... & from.valid);
    std::uint64_t bits = 0, missing = 0;
    for (std::size_t i = 0; i < lane_count; ++i) {
      if (((rows >> i) & 1) == 0) {
        if constexpr (!gives_bools) room[i] = value{};  // texts of the chunk before are gone
        continue;
      }
      const auto made = call(texts_of_chunk, detail::value_from<Values>(detail::lane_of(from, i))...);
      if constexpr (detail::is_optional<std::remove_cvref_t<decltype(made)>>) {
        missing |= static_cast<std::uint64_t>(!made) << i;
        keep(i, bits, made ? detail::storage_from<Result>(*made) : value{});
      } else
        keep(i, bits, detail::storage_from<Result>(made));
    }
    std::uint64_t valid = (~std::uint64_t{0} & ... & from.valid);
    if constexpr (requires { row_function::casts_to; })
      at.fail_cast(missing & at.active, row_function::casts_to);
    else if constexpr (misfit_is_failure)
      at.overflow |= missing & at.active;
    else
      valid &= ~missing;
    if constexpr (gives_bools)
      return {bits, valid};
    else
      return {room, valid};
  }

  auto call([[maybe_unused]] auto& texts_of_chunk, const detail::row_value<Values>&... values) const {
    if constexpr (makes_texts)
      return function(texts_of_chunk, values...);
    else
      return function(values...);
  }

  void keep([[maybe_unused]] std::size_t row, [[maybe_unused]] std::uint64_t& bits, value made) {
    if constexpr (gives_bools)
      bits |= static_cast<std::uint64_t>(made) << row;
    else
      room[row] = made;
  }
};

namespace detail {

template <class Function, class Result, class Values, class... Nodes>
auto call_node(const Function& function, boost::hana::tuple<Nodes...> nodes) {
  return bound_call<Function, typename Result::value, Result::nullable, Values, Nodes...>{meaning<Function>(function),
                                                                                          std::move(nodes)};
}

}  // namespace detail

/// How a call is bound: its operands as they are, and the function row by row. Functions that look at all rows at once,
/// or treat nulls in their own way, specialise it.
template <class Function>
struct call_binder {
  template <class Row, class... Operands>
  static auto bind(const call_expression<Function, Operands...>& of, const Row& row) {
    using result = inferred<call_expression<Function, Operands...>, Row>;
    using values = detail::value_types<value_of<Operands, Row>...>;
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      boost::hana::tuple<decltype(kernel::bind(std::declval<const Operands&>(), row))...> nodes{
          kernel::bind(boost::hana::at_c<I>(of.operands), row)...};
      return detail::call_node<Function, result, values>(of.function, std::move(nodes));
    }(std::index_sequence_for<Operands...>{});
  }
};

template <class Function, class... Operands>
struct binder<call_expression<Function, Operands...>> {
  template <class Row>
  static auto bind(const call_expression<Function, Operands...>& of, const Row& row) {
    return call_binder<Function>::bind(of, row);
  }
};

/// An operand in the representation of a result that can hold its values.
template <class Result, class E, class Row>
auto bind_as(const E& operand, const Row& row) {
  return bind_operand<operation::add, Result>(operand, row);
}

}  // namespace etlantic::kernel
