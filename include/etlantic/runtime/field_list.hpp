#pragma once
#include <etlantic/contract/schema.hpp>

#include <span>
#include <string>
#include <string_view>

namespace etlantic::detail {

/// Fields by name and type, as what is kept of rows is compared.
inline void describe_fields(std::span<const field_description> fields, std::string& into) {
  bool first = true;
  for (const field_description& each : fields) {
    if (!first) into.append(", ");
    into.append(each.name).append(" ").append(name_of(each.type)).append(each.nullable ? "?" : "");
    if (each.type == logical_type::decimal)
      into.append("(")
          .append(std::to_string(each.precision))
          .append(",")
          .append(std::to_string(each.scale))
          .append(")");
    for (std::string_view name : each.enumerators) into.append(" ").append(name);
    if (!each.children.empty()) {
      into.append(" {");
      describe_fields(each.children, into);
      into.append("}");
    }
    first = false;
  }
}

}  // namespace etlantic::detail
