#pragma once
#include <etlantic/runtime/profile.hpp>
#include <etlantic/runtime/program.hpp>

#include <string>
#include <vector>

namespace etlantic {

/// What is promised about rows between one source and one sink, and what it rests on.
struct delivery {
  std::string guarantee;   ///< `effectively exactly once`, `at least once`, `at most once`, `not stated`
  std::string assumption;  ///< `the files keep their content until ...`
};

delivery delivery_between(const asset_binding& source, const asset_binding& sink, const profile& where);

/// The extracts whose rows reach a node, as indices in the order of the program.
std::vector<std::size_t> extracts_of(const program& what, std::size_t node);

/// For people, without secrets: `sqlite path=orders.db table=bars`.
std::string binding_text(const asset_binding& binding);

}  // namespace etlantic
