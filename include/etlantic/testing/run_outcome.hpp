#pragma once
#include <etlantic/core/result.hpp>
#include <etlantic/runtime/progress.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace etlantic::test_kit {

/// What processing came to: the batches that were committed, and the failure that ended it, if one did. Used like an
/// expectation: true if nothing failed, and it prints as the failure.
class [[nodiscard]] run_outcome {
 public:
  run_outcome(std::vector<progress> batches, result<void> ended)
      : batches_(std::move(batches)), ended_(std::move(ended)) {}

  explicit operator bool() const { return ended_.ok(); }
  const std::vector<progress>& batches() const { return batches_; }
  const result<void>& ended() const { return ended_; }
  /// The code of the failure, such as PMSTREAM475; empty if there was none.
  std::string code() const { return ended_ ? std::string() : ended_.error().code; }
  std::string text() const {
    if (ended_) return {};
    const failure& why = ended_.error();
    return why.code + ": " + why.message + (why.where.empty() ? "" : "\n  where: " + why.where) +
           (why.help.empty() ? "" : "\n  help: " + why.help);
  }
  /// The warnings of all batches.
  std::vector<std::string> warnings() const {
    std::vector<std::string> all;
    for (const progress& each : batches_) all.insert(all.end(), each.warnings.begin(), each.warnings.end());
    return all;
  }

  template <class Stream>
  friend Stream& operator<<(Stream& to, const run_outcome& what) {
    if (what.ended_)
      to << what.batches_.size() << std::string_view(" batches committed");
    else
      to << what.text();
    return to;
  }

 private:
  std::vector<progress> batches_;
  result<void> ended_;
};

}  // namespace etlantic::test_kit
