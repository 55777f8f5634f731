#pragma once
#include <etlantic/core/format_decimal.hpp>
#include <etlantic/core/format_number.hpp>
#include <etlantic/core/rfc3339.hpp>
#include <etlantic/tool/field_text.hpp>
#include <etlantic/tool/quantity.hpp>

namespace etlantic {

[[gnu::used]] inline std::string contract_text(const schema* contract) {
  if (contract == nullptr) return "unknown";
  std::string text(contract->id);
  if (!contract->version.empty()) text.append(" ").append(contract->version);
  return text;
}

[[gnu::used]] inline std::string type_text(const field_description& field) {
  std::string text(name_of(field.type));
  switch (field.type) {
    case logical_type::decimal:
      text += "(" + std::to_string(field.precision) + "," + std::to_string(field.scale) + ")";
      if (field.rounds) text += " rounded";
      break;
    case logical_type::enumeration: {
      std::string names;
      for (const std::string_view each : field.enumerators) names.append(names.empty() ? "" : "|").append(each);
      text += "(" + names + ")";
      break;
    }
    case logical_type::list: text += field.children.empty() ? "" : "<" + type_text(field.children[0]) + ">"; break;
    case logical_type::structure: {
      std::string members;
      for (const field_description& each : field.children) {
        members.append(members.empty() ? "" : ", ").append(each.name).append(" ").append(type_text(each));
      }
      text += "{" + members + "}";
      break;
    }
    default: break;
  }
  return field.nullable ? text + "?" : text;
}

[[gnu::used]] inline std::string record_part_text(const schema& contract, std::size_t field) {
  if (contract.record == nullptr || field < contract.record->value->fields.size()) return {};
  const record_field& detail = contract.record->details[field - contract.record->value->fields.size()];
  if (detail.part == record_part::is_tombstone) return "whether the record has no value";
  std::string text(name_of(detail.part));
  if (!detail.header.empty()) text.append(" ").append(detail.header);
  return text + " of the record";
}

[[gnu::used]] inline std::string constant_text(const field_description& field, constraint_kind kind,
                                               const constant_description& constant) {
  if (kind == constraint_kind::min_length || kind == constraint_kind::max_length)
    return format_decimal(constant.exact, 0);
  switch (field.type) {
    case logical_type::text:
    case logical_type::binary: return std::string(constant.characters);
    case logical_type::float32:
    case logical_type::float64: return format_floating(constant.real);
    case logical_type::decimal: return format_decimal(constant.exact, field.scale);
    case logical_type::timestamp: return to_text(timestamp{static_cast<std::int64_t>(constant.exact)});
    case logical_type::date: return format_date(date{static_cast<std::int32_t>(constant.exact)});
    case logical_type::duration: return to_text(duration{static_cast<std::int64_t>(constant.exact)});
    case logical_type::boolean: return constant.exact != 0 ? "true" : "false";
    case logical_type::enumeration: {
      const auto index = static_cast<std::size_t>(constant.exact);
      if (!constant.characters.empty()) return std::string(constant.characters);
      return index < field.enumerators.size() ? std::string(field.enumerators[index])
                                              : format_decimal(constant.exact, 0);
    }
    default: return format_decimal(constant.exact, 0);
  }
}

[[gnu::used]] inline std::string constraint_text(const field_description& field,
                                                 const constraint_description& constraint) {
  std::string values;
  for (const constant_description& each : constraint.values)
    values += (values.empty() ? "" : ", ") + constant_text(field, constraint.kind, each);
  switch (constraint.kind) {
    case constraint_kind::gt: return "> " + values;
    case constraint_kind::ge: return ">= " + values;
    case constraint_kind::lt: return "< " + values;
    case constraint_kind::le: return "<= " + values;
    case constraint_kind::one_of: return "one of (" + values + ")";
    case constraint_kind::min_length: return "at least " + values + " characters";
    case constraint_kind::max_length: return "at most " + values + " characters";
  }
  return values;
}

}  // namespace etlantic
