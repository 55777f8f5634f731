#pragma once
#include <etlantic/column/state_io.hpp>
#include <etlantic/core/result.hpp>
#include <etlantic/runtime/program.hpp>
#include <etlantic/runtime/reference_version.hpp>
#include <etlantic/runtime/row_decoder.hpp>
#include <etlantic/runtime/source.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace etlantic {

// The bytes that a version of a reference is kept as: a text that describes the contract, the valid rows by blocks
// (each behind a byte 1, the last one before a byte 0), the same of the invalid rows as one text, and the numbers of
// both.

/// Reads a source as a whole and makes these bytes of it. The observed time of invalid rows is left to those who give
/// them out, so that equal content has equal bytes.
class reference_content final : public intake, private row_receiver {
 public:
  /// `keeps_invalid`: rows that break the contract go somewhere, and are no failure.
  reference_content(const program_node& extract, bool keeps_invalid, row_decoder& decoder, std::int64_t most_bytes)
      : extract_(extract), keeps_invalid_(keeps_invalid), decoder_(decoder), most_bytes_(most_bytes) {}

  result<void> read(source& from, const whole_content& what);
  state_writer take() { return std::move(bytes_); }

  result<void> lines(std::string_view split, std::int64_t begin, std::string_view bytes) override;
  result<void> rows(const block& typed) override;

 private:
  result<void> valid(const block& rows) override;
  result<void> invalid(const block& rows) override;
  result<void> count(const result<std::int64_t>& read);
  result<void> has_room() const;
  std::string line_of(std::int64_t position) const;

  const program_node& extract_;
  bool keeps_invalid_;
  row_decoder& decoder_;
  std::int64_t most_bytes_;
  state_writer bytes_;
  state_writer invalid_;
  std::uint64_t read_rows_ = 0;
  std::uint64_t valid_rows_ = 0;
  std::uint64_t invalid_rows_ = 0;

  std::string split_;  // of the lines at hand, and where they lie in it
  std::string_view lines_;
  std::int64_t begin_ = 0;
  std::int64_t lines_before_ = 0;
};

/// Takes a version of a reference apart again.
class reference_reader {
 public:
  /// `bytes` outlive the reader. `where` is for messages.
  reference_reader(const program_node& extract, std::string_view bytes, std::string where)
      : extract_(extract), bytes_(bytes), where_(std::move(where)) {}

  /// Hands over all rows, a block at a time.
  result<void> give(row_receiver& into);
  std::uint64_t valid_rows() const { return valid_rows_; }
  std::uint64_t invalid_rows() const { return invalid_rows_; }

 private:
  failure damaged() const;

  const program_node& extract_;
  std::string_view bytes_;
  std::string where_;
  std::uint64_t valid_rows_ = 0;
  std::uint64_t invalid_rows_ = 0;
};

}  // namespace etlantic
