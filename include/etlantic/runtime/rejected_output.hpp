#pragma once
#include <etlantic/column/block.hpp>
#include <etlantic/column/variable_size.hpp>
#include <etlantic/column/violation.hpp>
#include <etlantic/kernel/lanes.hpp>
#include <etlantic/runtime/stage.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace etlantic {

/// What is wrong with a field of a computed row.
struct wrong_field {
  std::string_view name;  ///< empty if what overflowed is not the value of one field, such as a predicate
  std::string_view reason;
};

inline constexpr std::string_view overflow_reason = "overflow";
/// `cast_to_int32` and so on.
std::string_view cast_reason(logical_type to);
/// Why a row of a chunk has no value.
std::string_view reason_of(const kernel::chunk& at, std::size_t row);

/// Which kind of mistake it is; also the codes of the failures that `on_overflow: fail` makes of them.
inline constexpr std::string_view arithmetic_overflow_code = "PMSTREAM480";
inline constexpr std::string_view result_overflow_code = "PMSTREAM481";
inline constexpr std::string_view broken_contract_code = "PMSTREAM482";

/// The fields that broke a constraint, for as long as the violations live.
std::vector<wrong_field> wrong_fields_of(const std::vector<violation>& violations);

/// Adds a value under the name of the data to a JSON object that is still open, `{"a":1,"b":2`; starts one in an empty
/// text.
void append_json_field(std::string& to, const column& from, std::size_t row);

/// Collects what a step cannot give out as rows of rejected<C> and hands them to its `invalid` output.
class rejected_output {
 public:
  /// `rejected` is the contract of the port; without one rows are counted by the stage and dropped. A block of them
  /// ends with the row that makes a column's texts as long as `most_bytes`.
  rejected_output(const schema& result, const schema* rejected, std::size_t port, std::string step,
                  std::size_t most_bytes = variable_bytes_per_block)
      : rows_(rejected != nullptr ? block(*rejected) : block()),
        wanted_(rejected != nullptr),
        port_(port),
        step_(std::move(step)),
        contract_(std::string(result.id).append(" ").append(result.version)),
        most_bytes_(most_bytes) {}

  void begin(const batch_context& batch);

  /// Input rows of a chunk for which something cannot be computed; a failure where the batch is to end with the first.
  result<void> set_aside(const kernel::chunk& at, std::uint64_t rows);

  /// An input row. It keeps its place in the source, if it has one.
  void add_row(const block& rows, std::size_t row, std::string_view code, std::span<const wrong_field> wrong);

  /// A result. `identity` says which one, in the same words whenever it is computed.
  void add_result(std::string_view identity, std::string_view payload, std::string_view code,
                  std::span<const wrong_field> wrong);

  std::size_t rows() const { return rows_.rows + full_rows_; }
  result<void> give(stage_outputs& out);

 private:
  void add(std::string_view split, std::int64_t position, std::string_view payload, std::string_view code,
           std::span<const wrong_field> wrong);
  bool is_full() const;

  block rows_;
  std::vector<block> full_;  // before them
  std::size_t full_rows_ = 0;
  bool wanted_;
  std::size_t port_;
  std::string step_;
  std::string contract_;
  std::size_t most_bytes_;
  std::string pipeline_;
  timestamp observed_;
  overflow_policy on_overflow_ = overflow_policy::quarantine;
};

}  // namespace etlantic
