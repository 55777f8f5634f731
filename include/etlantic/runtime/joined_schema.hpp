#pragma once
#include <etlantic/contract/schema.hpp>
#include <etlantic/core/join_sort.hpp>

#include <deque>
#include <string>
#include <vector>

namespace etlantic {

/// Describes blocks of joined rows: the columns of the left side, those of the right one, and whether each is there.
class joined_schema {
 public:
  joined_schema(const schema& of_left, const schema& of_right, join_sort sort) {
    add_side("left.", of_left, keeps_right(sort));
    add_side("right.", of_right, keeps_left(sort));
    for (const char* name : {"left", "right"})
      fields_.push_back({.name = name, .data_name = name, .type = logical_type::boolean});
    described_ = {.id = "joined", .version = "1", .fields = fields_};
  }
  joined_schema(const joined_schema&) = delete;
  joined_schema& operator=(const joined_schema&) = delete;

  const schema& described() const { return described_; }

 private:
  void add_side(const char* prefix, const schema& of, bool may_be_missing) {
    for (const field_description& each : of.fields) {
      field_description field = each;
      field.name = field.data_name = names_.emplace_back(std::string(prefix).append(each.name));
      field.nullable = each.nullable || may_be_missing;
      fields_.push_back(field);
    }
  }

  std::deque<std::string> names_;
  std::vector<field_description> fields_;
  schema described_;
};

}  // namespace etlantic
