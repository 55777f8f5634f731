#pragma once
#include <span>
#include <string_view>

namespace etlantic {

/// Gets the numbers of a document, each with the names of the members that lead to it.
struct number_visitor {
  virtual ~number_visitor() = default;
  virtual void number(std::span<const std::string_view> path, double value) = 0;
};

/// Goes through the objects of a document of another program, such as statistics of a client; lists are passed over.
/// Whether it is JSON; what came before a mistake has been visited.
bool visit_numbers(std::string_view json, number_visitor& to);

}  // namespace etlantic
