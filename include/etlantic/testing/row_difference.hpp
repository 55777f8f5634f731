#pragma once
#include <etlantic/column/block.hpp>
#include <etlantic/column/format_json.hpp>
#include <etlantic/column/rows.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace etlantic::test_kit {

/// A row as the JSON text of each of its fields, in the order of the contract.
using row_text = std::vector<std::string>;

inline std::vector<row_text> row_texts_of(const block& rows) {
  std::vector<json_member> members;
  for (const column& each : rows.columns) members.push_back(json_member_of(*each.field));
  std::vector<row_text> made(rows.rows);
  for (std::size_t row = 0; row < rows.rows; ++row)
    for (std::size_t i = 0; i < members.size(); ++i)
      append_json(made[row].emplace_back(), members[i], rows.columns[i], row);
  return made;
}

template <class C>
std::vector<row_text> row_texts_of(const std::vector<C>& rows) {
  block made(schema_of<C>());
  for (const C& each : rows) append_row(made, each);
  return row_texts_of(made);
}

namespace detail {

inline std::string whole_row(const schema& contract, const row_text& row) {
  std::string text("{");
  for (std::size_t i = 0; i < row.size(); ++i)
    text.append(i == 0 ? "" : ", ").append(contract.fields[i].name).append(": ").append(row[i]);
  return text + "}";
}

inline std::size_t fields_that_differ(const row_text& a, const row_text& b) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < a.size(); ++i) count += a[i] != b[i];
  return count;
}

inline bool have_same_key(const schema& contract, const row_text& a, const row_text& b) {
  bool has_key = false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (contract.fields[i].key_position < 0) continue;
    has_key = true;
    if (a[i] != b[i]) return false;
  }
  return has_key;
}

/// The found row that was probably meant: the one of the same key, or the one that differs least, in fewer than half of
/// its fields.
inline std::size_t nearest_row(const schema& contract, const row_text& wanted, const std::vector<row_text>& found) {
  std::size_t best = found.size();
  std::size_t fewest = (wanted.size() + 1) / 2;
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (have_same_key(contract, wanted, found[i])) return i;
    if (const std::size_t differ = fields_that_differ(wanted, found[i]); differ < fewest) {
      fewest = differ;
      best = i;
    }
  }
  return best;
}

inline std::string changed_row(const schema& contract, const row_text& wanted, const row_text& found) {
  std::string text = "\n  differs: " + whole_row(contract, found);
  for (std::size_t i = 0; i < wanted.size(); ++i)
    if (wanted[i] != found[i])
      text.append("\n    ")
          .append(contract.fields[i].name)
          .append(": expected ")
          .append(wanted[i])
          .append(", found ") += found[i];
  return text;
}

}  // namespace detail

/// What differs between two lists of rows of one contract whose order means nothing; empty if nothing does.
inline std::string difference_of_rows(const std::string& where, const schema& contract, std::vector<row_text> expected,
                                      std::vector<row_text> found) {
  constexpr std::size_t most = 20;  // a table that differs everywhere need not fill the screen
  std::sort(expected.begin(), expected.end());
  std::sort(found.begin(), found.end());
  if (expected == found) return {};
  std::vector<row_text> missing, surplus;
  std::set_difference(expected.begin(), expected.end(), found.begin(), found.end(), std::back_inserter(missing));
  std::set_difference(found.begin(), found.end(), expected.begin(), expected.end(), std::back_inserter(surplus));
  std::string text =
      where + ": expected " + std::to_string(expected.size()) + " rows, found " + std::to_string(found.size());
  std::size_t told = 0;
  for (const row_text& each : missing) {
    if (told++ == most) return text + "\n  ...";
    const std::size_t meant = detail::nearest_row(contract, each, surplus);
    if (meant == surplus.size())
      text += "\n  missing: " + detail::whole_row(contract, each);
    else {
      text += detail::changed_row(contract, each, surplus[meant]);
      surplus.erase(surplus.begin() + static_cast<std::ptrdiff_t>(meant));
    }
  }
  for (const row_text& each : surplus) {
    if (told++ == most) return text + "\n  ...";
    text += "\n  not expected: " + detail::whole_row(contract, each);
  }
  return text;
}

}  // namespace etlantic::test_kit
