#pragma once
#include <etlantic/column/block.hpp>
#include <etlantic/column/violation.hpp>

#include <cstddef>
#include <vector>

namespace etlantic {

/// Whether rows of a contract, or parts of them, have anything to keep besides their types.
bool has_constraints(const schema& contract);

/// Looks at computed rows as a decoder looks at rows that come in.
class result_check {
 public:
  explicit result_check(const schema& contract) : constrained_(has_constraints(contract)) {}

  /// Whether there is anything to look at.
  bool needed() const { return constrained_; }

  /// The constraints that a row breaks, in contract order.
  std::vector<violation> operator()(const block& results, std::size_t row) const;

 private:
  bool constrained_;
};

}  // namespace etlantic
