#pragma once
#include <etlantic/expression/infer.hpp>
#include <etlantic/expression/operators.hpp>
#include <etlantic/graph/stream.hpp>

namespace etlantic {

template <class Predicate, class Row>
struct where_operator {
  using where_tag = void;
  using predicate_type = Predicate;
  using row_type = Row;
  Predicate predicate;
  Row row;
};

template <class Predicate>
struct where_step {
  using step_tag = void;
  Predicate predicate;
};

/// Keeps the rows for which the predicate is true; false and null remove a row, which then counts as filtered.
template <Operand Predicate>
constexpr auto where(const Predicate& predicate) {
  return where_step<expression_of<Predicate>>{as_expression(predicate)};
}

template <Stream In, class Predicate>
constexpr auto attach(const In& in, const where_step<Predicate>& step) {
  using Row = typename In::row_type;
  using found = predicate_verdict<Predicate, Row>;
  enforce(found{});
  if constexpr (passed<found>)
    return detail::append_operator(in, in.row, where_operator<Predicate, Row>{step.predicate, in.row});
  else
    return poisoned{};
}

}  // namespace etlantic
