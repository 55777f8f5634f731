#pragma once
#include <etlantic/contract/schema.hpp>

#include <initializer_list>
#include <vector>

namespace etlantic {

/// Describes blocks of a contract's rows with columns of a stage behind them.
class extended_schema {
 public:
  extended_schema(const schema& rows, std::initializer_list<field_description> added)
      : fields_(rows.fields.begin(), rows.fields.end()) {
    fields_.insert(fields_.end(), added.begin(), added.end());
    described_ = {.id = rows.id, .version = rows.version, .fields = fields_};
  }
  extended_schema(const extended_schema&) = delete;
  extended_schema& operator=(const extended_schema&) = delete;

  const schema& described() const { return described_; }

 private:
  std::vector<field_description> fields_;
  schema described_;
};

}  // namespace etlantic
