#pragma once
#include <etlantic/column/check.hpp>
#include <etlantic/runtime/result_check.hpp>

#include <algorithm>
#include <span>

namespace etlantic {

namespace detail {

inline bool has_constraints(std::span<const field_description> fields) {
  return std::any_of(fields.begin(), fields.end(), [](const field_description& each) {
    return !each.constraints.empty() || has_constraints(each.children);
  });
}

}  // namespace detail

[[gnu::used]] inline bool has_constraints(const schema& contract) { return detail::has_constraints(contract.fields); }

[[gnu::used]] inline std::vector<violation> result_check::operator()(const block& results, std::size_t row) const {
  return constrained_ ? check_row(results, row) : std::vector<violation>();
}

}  // namespace etlantic
