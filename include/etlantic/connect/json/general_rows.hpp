#pragma once
#include <etlantic/column/block.hpp>
#include <etlantic/connect/json/encoding_check.hpp>
#include <etlantic/connect/json/members.hpp>
#include <etlantic/connect/json/row_layout.hpp>
#include <etlantic/connect/json/value_writer.hpp>

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace etlantic::detail {

/// Decodes rows of any layout, and finds all that is wrong with them.
class general_rows {
 public:
  general_rows(const schema& contract, encoding_check& encoding, value_writer& writer)
      : contract_(contract), encoding_(encoding), writer_(writer), tokens_(contract.fields.size()) {}

  /// Writes the line, which is not blank, as row `row`. False when it is wrong: then `violations` says why.
  bool decode(std::string_view line, block& into, std::size_t row) {
    violations_.clear();
    members_.clear();
    if (!encoding_.is_utf8_line(line)) return fail(violation_reason::malformed);
    const char* const end = line.data() + line.size();
    const char* const at = skip_json_blanks(line.data(), end);
    switch (*at == '{' ? read_fields(at, end) : read_other(at, end)) {
      case json_fault::malformed: return fail(violation_reason::malformed);
      case json_fault::depth: return fail(violation_reason::depth);
      case json_fault::none: break;
    }
    if (*at != '{') return fail(violation_reason::wrong_type);
    for (std::size_t i = 0; i < tokens_.size(); ++i) writer_.write(into.columns[i], row, tokens_[i], violations_);
    if (!violations_.empty())
      for (column& each : into.columns) forget_from(each, row);
    return violations_.empty();
  }

  /// In contract order; the first one stands for the row.
  const std::vector<violation>& violations() const { return violations_; }
  /// Of the object that was read last, in its order.
  std::span<const seen_member> members() const { return members_; }

 private:
  bool fail(violation_reason reason) {
    violations_.assign(1, violation{{}, reason});
    return false;
  }

  // Reads the whole line before anything of it is believed. Of several members of one name the last counts.
  json_fault read_fields(const char* at, const char* end) {
    std::fill(tokens_.begin(), tokens_.end(), json_token{});
    json_fault fault;
    at = read_json_object(at, end, 0, contract_.fields, scratch_, fault,
                          [&](std::ptrdiff_t field, const json_token& value) {
                            if (field >= 0) tokens_[static_cast<std::size_t>(field)] = value;
                            members_.push_back({field, value});
                          });
    return at != nullptr && skip_json_blanks(at, end) != end ? json_fault::malformed : fault;
  }

  static json_fault read_other(const char* at, const char* end) {
    json_token root;
    json_fault fault;
    at = read_json_value(at, end, 0, root, fault);
    return at != nullptr && skip_json_blanks(at, end) != end ? json_fault::malformed : fault;
  }

  const schema& contract_;
  encoding_check& encoding_;
  value_writer& writer_;
  std::vector<json_token> tokens_;  // by place in the contract
  std::vector<seen_member> members_;
  std::vector<violation> violations_;
  std::string scratch_;
};

}  // namespace etlantic::detail
