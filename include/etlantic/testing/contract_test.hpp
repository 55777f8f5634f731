#pragma once
#include <etlantic/column/rows.hpp>
#include <etlantic/contract/rejected.hpp>
#include <etlantic/runtime/row_decoder.hpp>
#include <etlantic/testing/expectation.hpp>
#include <etlantic/testing/wrong_use.hpp>

#include <optional>
#include <string>
#include <utility>

namespace etlantic::test_kit {

/// A line of JSON as a contract takes it: the row, or everything that is wrong with the line.
template <class C>
struct read_row {
  std::optional<C> row;
  std::string violations;  ///< `field=reason` separated by `;`; of a line that is no JSON object `=malformed`
};

/// Reads one line by a contract, with the decoder that runs in pipelines. `now` is what `reject_future` would compare
/// with; without a pipeline nothing is in the future.
template <class C>
read_row<C> read_line(const std::string& line) {
  struct receiver final : row_receiver {
    read_row<C> read;
    result<void> valid(const block& rows) override {
      if (rows.rows != 0) read.row = row_at<C>(rows, 0);
      return {};
    }
    result<void> invalid(const block& rows) override {
      if (rows.rows != 0) read.violations = row_at<rejected<C>>(rows, 0).violations.value;
      return {};
    }
  } into;
  std::string bytes = line + '\n';
  const std::size_t size = bytes.size();
  bytes.append(buffer::padding, '\0');
  const auto decoder = make_row_decoder({&schema_of<C>(), &schema_of<rejected<C>>(), "test"});
  decoder->begin({});
  const result<std::int64_t> rows = decoder->decode("test", 0, std::string_view(bytes).substr(0, size), into);
  if (!rows) throw wrong_use("the line cannot be read: " + rows.error().message);
  if (*rows != 1) throw wrong_use("a line is one row, but these are " + std::to_string(*rows));
  return std::move(into.read);
}

/// The contract takes the line.
template <class C>
expectation expect_valid(const std::string& line) {
  const read_row<C> read = read_line<C>(line);
  return read.row ? expectation() : expectation("expected a valid row, found " + read.violations + " in " + line);
}

/// The contract refuses the line for exactly these reasons: `order_id=constraint;status=not_in_set`.
template <class C>
expectation expect_invalid(const std::string& line, const std::string& violations) {
  const read_row<C> read = read_line<C>(line);
  if (read.row) return expectation("expected " + violations + ", but the contract takes " + line);
  std::string text;
  detail::compare(text, "violations of " + line, violations, read.violations);
  return expectation(std::move(text));
}

}  // namespace etlantic::test_kit
