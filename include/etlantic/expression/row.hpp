#pragma once
#include <etlantic/core/fixed_string.hpp>

#include <boost/hana/tuple.hpp>

namespace etlantic {

// What a row holds at one place of a chain. Names that were derived are expressions over the row before, so that
// every field comes down to fields of the contract at the chain's start.

/// The fields of a contract.
template <class C>
struct contract_row {};

/// The row before and one more column.
template <class Row, fixed_string Name, class E>
struct derived_row {
  Row before;
  E value;
};

/// The fields of contract C, each computed from the row before or taken from it by name.
template <class Row, class C, class... Assignments>
struct selected_row {
  Row before;
  boost::hana::tuple<Assignments...> assignments;
};

}  // namespace etlantic
