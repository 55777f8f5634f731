#pragma once
#include <etlantic/column/block.hpp>
#include <etlantic/column/flatten.hpp>
#include <etlantic/column/format_json.hpp>
#include <etlantic/contract/schema.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace etlantic {

/// Writes rows as CSV (RFC 4180, but with line feeds): structs flattened, lists as JSON. Null is empty and an empty
/// text is `""`, so that they stay apart.
class csv_writer {
 public:
  explicit csv_writer(const schema& contract) : fields_(flatten(contract)) {
    for (const flat_field& each : fields_) layouts_.push_back(json_member_of(*each.field));
  }

  const std::vector<flat_field>& fields() const { return fields_; }

  void append_header(std::string& to) const {
    for (std::size_t i = 0; i < fields_.size(); ++i) {
      if (i != 0) to += ',';
      append_quoted(to, fields_[i].name);
    }
    to += '\n';
  }

  /// To be called before the rows of a block.
  void look_at(const block& rows) {
    columns_.clear();
    for (const flat_field& each : fields_) columns_.push_back(flat_column_of(each, rows));
  }

  void append_row(std::string& to, std::size_t row) {
    for (std::size_t i = 0; i < fields_.size(); ++i) {
      if (i != 0) to += ',';
      if (columns_[i].is_valid(row)) append_value(to, i, row);
    }
    to += '\n';
  }

 private:
  void append_value(std::string& to, std::size_t i, std::size_t row) {
    switch (fields_[i].field->type) {
      case logical_type::text: return append_quoted(to, columns_[i].values->text_at(row));
      case logical_type::binary:
      case logical_type::enumeration:
      case logical_type::list:
        value_.clear();
        append_plain(value_, layouts_[i], *columns_[i].values, row);
        return append_quoted(to, value_);
      default: return append_plain(to, layouts_[i], *columns_[i].values, row);
    }
  }

  /// Quotes what a reader would cut, trim or take for null.
  static void append_quoted(std::string& to, std::string_view text) {
    const bool as_it_is = !text.empty() && text.find_first_of(",\"\r\n") == std::string_view::npos &&
                          text.front() != ' ' && text.back() != ' ';
    if (as_it_is) {
      to += text;
      return;
    }
    to += '"';
    for (char c : text) {
      if (c == '"') to += '"';
      to += c;
    }
    to += '"';
  }

  std::vector<flat_field> fields_;
  std::vector<json_member> layouts_;
  std::vector<flat_column> columns_;
  std::string value_;
};

}  // namespace etlantic
