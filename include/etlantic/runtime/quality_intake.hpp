#pragma once
#include <etlantic/runtime/batch_record.hpp>
#include <etlantic/runtime/progress.hpp>
#include <etlantic/runtime/quality_judge.hpp>
#include <etlantic/runtime/row_decoder.hpp>

#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

namespace etlantic {

/// Stands between an extract's intake and those that read it: has the gates count, and turns rows that a gate puts into
/// quarantine into invalid ones. Where a gate judges all rows of the batch for that, they wait here, in memory, until
/// the verdict.
class quality_intake final : public row_receiver {
 public:
  quality_intake(quality_judge& judge, const program& what, std::size_t extract, const plan_record& plan,
                 row_receiver& next, extract_progress& counted)
      : judge_(judge),
        what_(what),
        extract_(extract),
        plan_(plan),
        next_(next),
        counted_(counted),
        holds_back_(judge.holds_back(extract)) {}

  result<void> valid(const block& rows) override;
  result<void> invalid(const block& rows) override;
  /// All rows are there: judges, and gives on what waits.
  result<void> finish(progress& into);

 private:
  using rows_aside = std::vector<std::pair<std::size_t, const quality_gate*>>;

  result<void> divide(const block& rows, const rows_aside& aside);
  result<void> reject(const block& rows, const rows_aside& aside);
  result<void> pass(const block& rows);

  quality_judge& judge_;
  const program& what_;
  std::size_t extract_;
  const plan_record& plan_;
  row_receiver& next_;
  extract_progress& counted_;
  bool holds_back_;
  std::vector<block> held_;
};

}  // namespace etlantic
