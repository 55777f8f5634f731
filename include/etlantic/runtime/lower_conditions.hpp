#pragma once
#include <etlantic/core/decimal.hpp>
#include <etlantic/expression/node.hpp>
#include <etlantic/graph/join.hpp>
#include <etlantic/graph/stream.hpp>
#include <etlantic/graph/union_all.hpp>
#include <etlantic/graph/where.hpp>
#include <etlantic/runtime/row_condition.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

// What the filters that stand directly behind an input say about its rows, as values: sources may leave out what no row
// passes. A predicate that is more than comparisons of fields with constants, joined by `and`, says nothing.

namespace etlantic::detail {

constexpr bool is_comparing(operation op) { return op >= operation::equal && op <= operation::greater_equal; }

/// With the field on the left.
constexpr comparison comparison_of(operation op, bool is_mirrored) {
  switch (op) {
    case operation::equal: return comparison::equal;
    case operation::not_equal: return comparison::not_equal;
    case operation::less: return is_mirrored ? comparison::greater : comparison::less;
    case operation::less_equal: return is_mirrored ? comparison::greater_equal : comparison::less_equal;
    case operation::greater: return is_mirrored ? comparison::less : comparison::greater;
    default: return is_mirrored ? comparison::less_equal : comparison::greater_equal;
  }
}

using condition_value = std::optional<decltype(row_condition::value)>;
template <class T>
condition_value condition_value_of(const T&) {
  return {};
}
inline condition_value condition_value_of(std::int64_t value) { return exact_number{value, 0}; }
inline condition_value condition_value_of(timestamp value) { return exact_number{value.microseconds, 0}; }
inline condition_value condition_value_of(date value) { return exact_number{value.days, 0}; }
inline condition_value condition_value_of(double value) { return value; }
inline condition_value condition_value_of(std::string_view value) { return std::string(value); }
inline condition_value condition_value_of(bool) { return {}; }
template <int P, int S>
condition_value condition_value_of(const decimal<P, S>& value) {
  return exact_number{value.scaled, S};
}

inline void add_condition(std::string_view name, comparison op, condition_value value, const schema& of,
                          std::vector<row_condition>& into) {
  if (!value) return;
  for (const field_description& each : of.fields)
    if (each.name == name) into.push_back({std::string(each.data_name), op, std::move(*value)});
}

template <class E>
void add_conditions(const E&, const schema&, std::vector<row_condition>&) {}
template <operation Op, fixed_string Name, class T>
  requires(is_comparing(Op))
void add_conditions(const binary_expression<Op, field_reference<Name>, literal<T>>& of, const schema& contract,
                    std::vector<row_condition>& into) {
  add_condition(Name.view(), comparison_of(Op, false), condition_value_of(of.right.value), contract, into);
}
template <operation Op, fixed_string Name, class T>
  requires(is_comparing(Op))
void add_conditions(const binary_expression<Op, literal<T>, field_reference<Name>>& of, const schema& contract,
                    std::vector<row_condition>& into) {
  add_condition(Name.view(), comparison_of(Op, true), condition_value_of(of.left.value), contract, into);
}
template <class L, class R>
void add_conditions(const binary_expression<operation::logical_and, L, R>& of, const schema& contract,
                    std::vector<row_condition>& into) {
  add_conditions(of.left, contract, into);
  add_conditions(of.right, contract, into);
}

/// Whether a predicate cannot fail for a row: one that may would give out rows as invalid, which must not be lost.
template <class E>
inline constexpr bool computes_nothing = false;
template <fixed_string Name>
inline constexpr bool computes_nothing<field_reference<Name>> = true;
template <class T>
inline constexpr bool computes_nothing<literal<T>> = true;
template <operation Op, class E>
inline constexpr bool computes_nothing<unary_expression<Op, E>> =
    (Op == operation::logical_not || Op == operation::is_null) && computes_nothing<E>;
template <operation Op, class L, class R>
inline constexpr bool computes_nothing<binary_expression<Op, L, R>> =
    (is_comparing(Op) || Op == operation::logical_and || Op == operation::logical_or) && computes_nothing<L> &&
    computes_nothing<R>;

/// Whether the operator behind this one is looked at, too.
template <class Operator>
bool take_filter(const Operator&, const schema&, std::vector<row_condition>&) {
  return false;
}
template <class Predicate, class Row>
bool take_filter(const where_operator<Predicate, Row>& of, const schema& contract, std::vector<row_condition>& into) {
  if constexpr (computes_nothing<Predicate>) add_conditions(of.predicate, contract, into);
  return computes_nothing<Predicate>;
}

template <class C, class Row, class... Operators>
void take_conditions(const stream<port_source<C>, Row, Operators...>& chain, std::vector<input_conditions>& into);
template <class C, class Row, class... Operators>
void take_conditions(const stream<reference_source<C>, Row, Operators...>& chain, std::vector<input_conditions>& into);
template <class C, class... Parts, class Row, class... Operators>
void take_conditions(const stream<union_source<C, Parts...>, Row, Operators...>& chain,
                     std::vector<input_conditions>& into);
template <JoinSource Source, class Row, class... Operators>
void take_conditions(const stream<Source, Row, Operators...>& chain, std::vector<input_conditions>& into);

template <class C, class Row, class... Operators>
void take_conditions(const stream<port_source<C>, Row, Operators...>& chain, std::vector<input_conditions>& into) {
  input_conditions* found = nullptr;
  for (input_conditions& each : into)
    if (each.input == chain.source.port) found = &each;
  if (found == nullptr) found = &into.emplace_back(input_conditions{chain.source.port});
  ++found->readers;
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    static_cast<void>((take_filter(boost::hana::at_c<I>(chain.operators), schema_of<C>(), found->all) && ...));
  }(std::index_sequence_for<Operators...>{});
}
template <class C, class Row, class... Operators>
void take_conditions(const stream<reference_source<C>, Row, Operators...>&, std::vector<input_conditions>&) {}
template <class C, class... Parts, class Row, class... Operators>
void take_conditions(const stream<union_source<C, Parts...>, Row, Operators...>& chain,
                     std::vector<input_conditions>& into) {
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    (take_conditions(boost::hana::at_c<I>(chain.source.parts), into), ...);
  }(std::index_sequence_for<Parts...>{});
}
template <JoinSource Source, class Row, class... Operators>
void take_conditions(const stream<Source, Row, Operators...>& chain, std::vector<input_conditions>& into) {
  take_conditions(chain.source.left_stream, into);
  take_conditions(chain.source.right_stream, into);
}

}  // namespace etlantic::detail
