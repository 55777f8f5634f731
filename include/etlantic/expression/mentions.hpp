#pragma once
#include <etlantic/expression/infer.hpp>

namespace etlantic::detail {

template <class... Assignments>
constexpr int position_of_assignment([[maybe_unused]] std::string_view name) {
  int found = -1, at = 0;
  ((found = found < 0 && Assignments::name.view() == name ? at : found, ++at), ...);
  return found;
}

/// Whether an expression depends on the field that is called `Wanted` in the chain's first row.
template <class E, class Row>
struct mentions {
  static constexpr bool field(std::string_view) { return false; }
};

template <fixed_string Name, class C>
struct mentions<field_reference<Name>, contract_row<C>> {
  static constexpr bool field(std::string_view wanted) { return Name.view() == wanted; }
};
template <fixed_string Name, class Row, fixed_string Added, class E>
struct mentions<field_reference<Name>, derived_row<Row, Added, E>> {
  static constexpr bool field(std::string_view wanted) {
    if constexpr (Name == Added)
      return mentions<E, Row>::field(wanted);
    else
      return mentions<field_reference<Name>, Row>::field(wanted);
  }
};
template <fixed_string Name, class Row, class C, class... Assignments>
struct mentions<field_reference<Name>, selected_row<Row, C, Assignments...>> {
  static constexpr bool field(std::string_view wanted) {
    bool found =
        position_of_assignment<Assignments...>(Name.view()) < 0 && mentions<field_reference<Name>, Row>::field(wanted);
    ((found |= Assignments::name == Name && mentions<typename Assignments::expression, Row>::field(wanted)), ...);
    return found;
  }
};

template <operation Op, class L, class R, class Row>
struct mentions<binary_expression<Op, L, R>, Row> {
  static constexpr bool field(std::string_view wanted) {
    return mentions<L, Row>::field(wanted) || mentions<R, Row>::field(wanted);
  }
};
template <operation Op, class E, class Row>
struct mentions<unary_expression<Op, E>, Row> : mentions<E, Row> {};
template <class Function, class... Operands, class Row>
struct mentions<call_expression<Function, Operands...>, Row> {
  static constexpr bool field(std::string_view wanted) { return (mentions<Operands, Row>::field(wanted) || ...); }
};

/// Index of the contract's field that a name stands for unchanged, or -1 if it is computed.
template <class Row, fixed_string Name>
struct plain_field_of;
template <class C, fixed_string Name>
struct plain_field_of<contract_row<C>, Name> {
  static constexpr int index = static_cast<int>(member_index<C>(Name.view()));
};
/// The column that an expression stands for as it is.
template <class E>
struct column_of_expression {
  template <class Row>
  static constexpr int index = -1;
};
template <fixed_string Name>
struct column_of_expression<field_reference<Name>> {
  template <class Row>
  static constexpr int index = plain_field_of<Row, Name>::index;
};
template <class E, class Row>
constexpr int unchanged_field() {
  return column_of_expression<E>::template index<Row>;
}
template <class Row, fixed_string Added, class E, fixed_string Name>
struct plain_field_of<derived_row<Row, Added, E>, Name> {
  static constexpr int index = [] {
    if constexpr (Added == Name)
      return unchanged_field<E, Row>();
    else
      return plain_field_of<Row, Name>::index;
  }();
};
template <class Row, class C, class... Assignments, fixed_string Name>
struct plain_field_of<selected_row<Row, C, Assignments...>, Name> {
  static constexpr int index = unchanged_field<typename assigned_to<Name, Assignments...>::type, Row>();
};

}  // namespace etlantic::detail
