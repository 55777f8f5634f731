#pragma once
#include <etlantic/runtime/progress.hpp>
#include <etlantic/runtime/row_decoder.hpp>
#include <etlantic/runtime/source.hpp>

#include <string_view>

namespace etlantic {

/// Stands between a source and the nodes that read an extract: has the input decoded, counts every row, and passes
/// valid and invalid rows on.
class extract_intake : public intake, private row_receiver {
 public:
  /// `next` takes the rows; both outlive the intake.
  extract_intake(row_decoder& decoder, row_receiver& next, extract_progress& counted)
      : decoder_(decoder), next_(next), counted_(counted) {}

  result<void> lines(std::string_view split, std::int64_t begin, std::string_view bytes) override;
  result<void> rows(const block& typed) override;

 private:
  result<void> valid(const block& rows) override;
  result<void> invalid(const block& rows) override;
  result<void> count(const result<std::int64_t>& read, std::string_view split);
  void count_reasons(const block& rejected);

  row_decoder& decoder_;
  row_receiver& next_;
  extract_progress& counted_;
};

}  // namespace etlantic
