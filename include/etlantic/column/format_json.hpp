#pragma once
#include <etlantic/column/column.hpp>
#include <etlantic/column/format.hpp>

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace etlantic {

/// How a field is written as JSON: the text in front of its value, made once, and its members or its element.
struct json_member {
  std::string prefix;  ///< `{"name":` for the first member of an object, `,"name":` for the others
  std::vector<json_member> children;
};

std::vector<json_member> json_members_of(std::span<const field_description> fields);
json_member json_member_of(const field_description& field);

/// A JSON string with its quotes. Control characters are escaped; bytes that are not UTF-8 become U+FFFD, because no
/// JSON reader takes them.
void append_json_text(std::string& to, std::string_view text);

/// The value of one row: numbers with their exact digits (decimals too), times as the contract's data has them, binary
/// as base64, durations in microseconds, NaN and infinities as strings.
void append_json(std::string& to, const json_member& member, const column& from, std::size_t row);

/// The present value as plain text, for tables and CSV: as in JSON, but text as it is and nothing in quotes.
void append_plain(std::string& to, const json_member& member, const column& from, std::size_t row);

/// One object per row, in the order of the contract, under the names of the data.
void append_json_row(std::string& to, const std::vector<json_member>& members, std::span<const column> columns,
                     std::size_t row);

}  // namespace etlantic
