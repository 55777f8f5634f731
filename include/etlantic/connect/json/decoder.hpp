#pragma once
#include <etlantic/column/block.hpp>
#include <etlantic/column/violation.hpp>
#include <etlantic/connect/json/rejected_rows.hpp>
#include <etlantic/core/instruction_set.hpp>
#include <etlantic/core/result.hpp>
#include <etlantic/runtime/row_decoder.hpp>

#include <array>
#include <cstdint>
#include <memory>
#include <string_view>

namespace etlantic {

struct decoder_options {
  bool fast_path = true;                               ///< off only to test that it changes nothing
  std::size_t max_line_bytes = std::size_t{16} << 20;  ///< longer lines are rejected as `too_long`
  instruction_set instructions = available_instruction_set();
  future_bound future{};
};

struct decoder_counts {
  std::int64_t rows = 0;   ///< valid + invalid
  std::int64_t blank = 0;  ///< lines that are no rows
  std::int64_t valid = 0;
  std::int64_t invalid = 0;
  std::int64_t fast = 0;       ///< valid rows decoded without the code for all of JSON
  std::int64_t by_layout = 0;  ///< of these, together with others of their layout
  std::int64_t by_name = 0;    ///< of these, together with others by member names
  std::array<std::int64_t, violation_reason_count> by_reason{};  ///< invalid rows by their first reason
};

/// Newline-delimited JSON to columns. Every line is a document of its own: what is wrong with it never reaches its
/// neighbours. A row is malformed (no JSON, or over a limit), invalid (breaks the contract) or valid.
///
/// The payload of a rejected row is the line as it came; of a line that is too long only its beginning.
class json_decoder : public row_decoder {
 public:
  static constexpr std::size_t block_rows = 8192;
  static constexpr std::size_t too_long_payload_bytes = std::size_t{64} << 10;

  /// Of all calls so far.
  virtual const decoder_counts& counts() const = 0;
};

/// `contract` and `rejected` (of `rejected<Contract>`) outlive the decoder. Its `decode` skips a byte order mark at
/// byte 0 of a split only, and needs 64 readable bytes behind the end. Rows that `check` rejects have their JSON as
/// payload, because a row in columns has no text that it came as.
std::unique_ptr<json_decoder> make_json_decoder(const schema& contract, const schema& rejected,
                                                rejected_context context, const decoder_options& options = {});

/// A decoder with the usual options; rejected rows name the contract as `id version`.
std::unique_ptr<row_decoder> make_json_decoder(const decoder_request& request);

}  // namespace etlantic
