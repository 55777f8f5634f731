#pragma once
#include <etlantic/column/block.hpp>
#include <etlantic/column/format_json.hpp>
#include <etlantic/contract/schema.hpp>

#include <string>
#include <vector>

namespace etlantic {

/// Writes rows as lines of JSON.
class ndjson_writer {
 public:
  explicit ndjson_writer(const schema& contract) : members_(json_members_of(contract.fields)) {}

  void append_row(std::string& to, const block& rows, std::size_t row) const {
    append_json_row(to, members_, rows.columns, row);
    to += '\n';
  }

 private:
  std::vector<json_member> members_;
};

}  // namespace etlantic
