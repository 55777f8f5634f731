#pragma once
#include <etlantic/connect/json/numbers.hpp>

#include <simdjson.h>

#include <vector>

namespace etlantic {

namespace detail {

inline void visit_numbers_of(simdjson::dom::element value, std::vector<std::string_view>& path, number_visitor& to) {
  if (value.is_object()) {
    for (const auto member : simdjson::dom::object(value)) {
      path.push_back(member.key);
      visit_numbers_of(member.value, path, to);
      path.pop_back();
    }
  } else if (value.is_number()) {
    to.number(path, double(value));
  }
}

}  // namespace detail

[[gnu::used]] inline bool visit_numbers(std::string_view json, number_visitor& to) {
  simdjson::dom::parser parser;
  simdjson::dom::element root;
  // The parser refuses more than 1,024 levels, so that the recursion has an end.
  if (parser.parse(simdjson::padded_string(json)).get(root) != simdjson::SUCCESS) return false;
  std::vector<std::string_view> path;
  detail::visit_numbers_of(root, path, to);
  return true;
}

}  // namespace etlantic
