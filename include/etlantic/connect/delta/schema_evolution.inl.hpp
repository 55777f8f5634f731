#pragma once
#include <etlantic/connect/delta/failure.hpp>
#include <etlantic/connect/delta/json_values.hpp>
#include <etlantic/connect/delta/schema_evolution.hpp>
#include <etlantic/connect/delta/table_schema.hpp>

#include <span>
#include <vector>

namespace etlantic::delta {

namespace detail {

/// Writes the JSON of a schema again: what stays is copied as it stands.
class schema_evolver {
 public:
  explicit schema_evolver(schema_evolution allowed) : allowed_(allowed) {}

  bool has_changed() const { return has_changed_; }

  std::string structure(const json_token& of, std::span<const field_description> wanted) {
    return with_member(of, "fields", [&](const json_token& each) { return fields(each, wanted); });
  }

 private:
  static std::string as_it_stands(const json_token& value) {
    return value.kind == json_kind::string ? '"' + std::string(value.text) + '"' : std::string(value.text);
  }

  /// An object with one of its members written anew.
  template <class Write>
  static std::string with_member(const json_token& object, std::string_view name, Write write) {
    std::string text;
    for_each_member(object, [&](const std::string& each, const json_token& value) {
      json_writer key;
      key.value(each);
      text += (text.empty() ? "" : ",") + key.text() + ':' + (each == name ? write(value) : as_it_stands(value));
    });
    return '{' + text + '}';
  }

  std::string fields(const json_token& array, std::span<const field_description> wanted) {
    std::string text;
    std::vector<bool> is_there(wanted.size());
    for_each_element(array, [&](const json_token& each) {
      const std::string name = text_of(member_of(each, "name"));
      const auto found = std::find_if(wanted.begin(), wanted.end(),
                                      [&](const field_description& field) { return is_same_column(field.name, name); });
      text += text.empty() ? "" : ",";
      if (found == wanted.end()) {
        text += as_it_stands(each);
        return;
      }
      is_there[static_cast<std::size_t>(found - wanted.begin())] = true;
      text += with_member(each, "type", [&](const json_token& type) { return type_of(type, *found); });
    });
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      if (is_there[i] || !wanted[i].nullable) continue;
      text += (text.empty() ? "" : ",") + field_text(wanted[i]);
      has_changed_ = true;
    }
    return '[' + text + ']';
  }

  std::string type_of(const json_token& type, const field_description& wanted) {
    if (type.kind == json_kind::string) {
      if (allowed_ != schema_evolution::widen || !widens(text_of(type), wanted.type)) return as_it_stands(type);
      has_changed_ = true;
      return '"' + type_text(wanted) + '"';
    }
    const std::string kind = text_of(member_of(type, "type"));
    if (kind == "struct" && wanted.type == logical_type::structure) return structure(type, wanted.children);
    if (kind == "array" && wanted.type == logical_type::list)
      return with_member(type, "elementType",
                         [&](const json_token& each) { return type_of(each, wanted.children[0]); });
    return as_it_stands(type);
  }

  static bool widens(const std::string& from, logical_type to) {
    return (from == "byte" && (to == logical_type::int16 || to == logical_type::int32)) ||
           (from == "short" && to == logical_type::int32);
  }

  schema_evolution allowed_;
  bool has_changed_ = false;
};

}  // namespace detail

[[gnu::used]] inline result<std::string> evolved_schema(const table_metadata& table, const schema& contract,
                                                        schema_evolution allowed, const std::string& where) {
  const json_document document(table.schema);
  const auto& value = document.value();
  if (!value || value->kind != json_kind::object) return damaged_log("the schema of the table is not JSON", where);
  if (allowed == schema_evolution::none) return table.schema;
  auto wanted = schema_of_contract(contract, where);
  if (!wanted) return wanted.error();
  detail::schema_evolver evolver(allowed);
  std::string text = evolver.structure(*value, (*wanted)->described.fields);
  return evolver.has_changed() ? text : table.schema;
}

}  // namespace etlantic::delta
