#pragma once
#include <etlantic/connect/delta/failure.hpp>
#include <etlantic/connect/delta/json_values.hpp>
#include <etlantic/connect/delta/table_schema.hpp>
#include <etlantic/core/json_writer.hpp>

#include <algorithm>
#include <optional>
#include <utility>

namespace etlantic::delta {

namespace detail {

struct plain_type {
  std::string_view name;
  logical_type type;
};

inline constexpr plain_type plain_types[] = {
    {"boolean", logical_type::boolean}, {"byte", logical_type::int8},          {"short", logical_type::int16},
    {"integer", logical_type::int32},   {"long", logical_type::int64},         {"float", logical_type::float32},
    {"double", logical_type::float64},  {"string", logical_type::text},        {"binary", logical_type::binary},
    {"date", logical_type::date},       {"timestamp", logical_type::timestamp}};

class schema_parser {
 public:
  schema_parser(table_schema& into, bool has_names_of_files, const std::string& where)
      : into_(into), has_names_of_files_(has_names_of_files), where_(where) {}

  result<std::vector<field_description>> fields(const json_token& structure) {
    std::vector<field_description> made;
    std::optional<failure> failed;
    if (member_of(structure, "fields").kind != json_kind::array) return damaged_log("the schema has no fields", where_);
    for_each_element(member_of(structure, "fields"), [&](const json_token& each) {
      if (failed) return;
      auto parsed = field(each);
      if (parsed)
        made.push_back(*parsed);
      else
        failed = parsed.error();
    });
    if (failed) return *failed;
    return made;
  }

 private:
  result<field_description> field(const json_token& of) {
    const json_token name = member_of(of, "name");
    if (name.kind != json_kind::string) return damaged_log("a field of the schema has no name", where_);
    field_description made;
    made.name = made.data_name = into_.keep(text_of(name));
    if (has_names_of_files_)
      if (auto named = set_name_in_files(made, member_of(of, "metadata")); !named) return named.error();
    made.nullable = member_of(of, "nullable").text != "false";
    if (auto typed = set_type(made, member_of(of, "type")); !typed) return typed.error();
    return made;
  }

  result<void> set_name_in_files(field_description& to, const json_token& metadata) {
    const json_token physical = member_of(metadata, "delta.columnMapping.physicalName");
    if (physical.kind == json_kind::string) to.data_name = into_.keep(text_of(physical));
    if (!into_.files_by_id) return {};
    const auto id = integer_of(member_of(metadata, "delta.columnMapping.id"));
    if (!id || *id < 0 || *id > INT32_MAX ||
        !into_.files_by_id->emplace(static_cast<std::int32_t>(*id), to.data_name).second)
      return damaged_log("the table maps columns by id, and column `" + std::string(to.name) + "` has none of its own",
                         where_);
    return {};
  }

  result<field_description> inner(std::string_view name, const json_token& type, bool can_be_null) {
    field_description made;
    made.name = made.data_name = name;
    made.nullable = can_be_null;
    if (auto typed = set_type(made, type); !typed) return typed.error();
    return made;
  }

  result<void> set_type(field_description& to, const json_token& type) {
    if (type.kind == json_kind::string) return set_plain(to, text_of(type));
    const std::string kind = text_of(member_of(type, "type"));
    if (kind == "struct") {
      auto children = fields(type);
      if (!children) return children.error();
      to.type = logical_type::structure;
      to.children = into_.keep(std::move(*children));
      return {};
    }
    to.type = logical_type::list;
    if (kind == "array") {
      auto element = inner("element", member_of(type, "elementType"), member_of(type, "containsNull").text != "false");
      if (!element) return element.error();
      to.children = into_.keep(std::vector{*element});
      return {};
    }
    if (kind == "map") {
      auto key = inner("key", member_of(type, "keyType"), false);
      if (!key) return key.error();
      auto value = inner("value", member_of(type, "valueType"), member_of(type, "valueContainsNull").text != "false");
      if (!value) return value.error();
      field_description entry;
      entry.name = entry.data_name = "entries";
      entry.type = logical_type::structure;
      entry.children = into_.keep(std::vector{*key, *value});
      to.children = into_.keep(std::vector{entry});
      return {};
    }
    return refuse(to, kind);
  }

  result<void> set_plain(field_description& to, const std::string& type) {
    for (const plain_type& each : plain_types)
      if (each.name == type) {
        to.type = each.type;
        return {};
      }
    if (type == "timestamp_ntz") {
      to.type = logical_type::timestamp;
      to.form = time_form::local;
      return {};
    }
    int precision = 0, scale = 0, read = 0;
    if (std::sscanf(type.c_str(), "decimal(%d,%d)%n", &precision, &scale, &read) == 2 &&
        static_cast<std::size_t>(read) == type.size() && precision >= 1 && precision <= 38 && scale >= 0 &&
        scale <= precision) {
      to.type = logical_type::decimal;
      to.precision = static_cast<std::uint8_t>(precision);
      to.scale = static_cast<std::uint8_t>(scale);
      return {};
    }
    return refuse(to, type);
  }

  failure refuse(const field_description& of, const std::string& type) const {
    return unsupported("column `" + std::string(of.name) + "` has the type " + type + ", which etlantic does not have",
                       where_, "use a table without it");
  }

  table_schema& into_;
  bool has_names_of_files_;
  const std::string& where_;
};

class contract_mapper {
 public:
  contract_mapper(table_schema& into, const std::string& where) : into_(into), where_(where) {}

  result<std::vector<field_description>> fields(std::span<const field_description> of) {
    std::vector<field_description> made;
    for (const field_description& each : of) {
      const std::string name(each.data_name);
      for (const field_description& before : made)
        if (is_same_column(before.name, name))
          return unusable_contract("two fields of the contract become the column `" + name + "`", where_,
                                   "rename one of them; Delta tables do not tell upper from lower case");
      if (name.empty() || name.find_first_of(" ,;{}()\n\t=") != std::string::npos)
        return unusable_contract("the column `" + name + "` has a name that a Delta table cannot have", where_,
                                 "rename it: no spaces, commas, semicolons, brackets or equals signs");
      auto mapped = field(each, name);
      if (!mapped) return mapped.error();
      made.push_back(*mapped);
    }
    if (made.empty()) return unusable_contract("the contract has no fields", where_, "add one");
    return made;
  }

 private:
  result<field_description> field(const field_description& of, std::string name) {
    field_description made;
    made.name = made.data_name = into_.keep(std::move(name));
    // Spark holds `NOT NULL` against fields of a struct that is null, and writes to no table that has it in lists.
    made.nullable = of.nullable || may_lack_parent_;
    made.type = of.type;
    made.precision = of.precision;
    made.scale = of.scale;
    switch (of.type) {
      case logical_type::uint8: made.type = logical_type::int16; break;
      case logical_type::uint16: made.type = logical_type::int32; break;
      case logical_type::uint32:
      case logical_type::duration: made.type = logical_type::int64; break;
      case logical_type::uint64:
        made.type = logical_type::decimal;
        made.precision = 20;
        made.scale = 0;
        break;
      case logical_type::enumeration: made.type = logical_type::text; break;
      case logical_type::structure: {
        const bool around = std::exchange(may_lack_parent_, made.nullable);
        auto children = fields(of.children);
        may_lack_parent_ = around;
        if (!children) return children.error();
        made.children = into_.keep(std::move(*children));
        break;
      }
      case logical_type::list: {
        const bool around = std::exchange(may_lack_parent_, true);
        auto element = field(of.children[0], "element");
        may_lack_parent_ = around;
        if (!element) return element.error();
        made.children = into_.keep(std::vector{*element});
        break;
      }
      default: break;
    }
    return made;
  }

  table_schema& into_;
  const std::string& where_;
  bool may_lack_parent_ = false;  // below a list, or a struct that can be null
};

inline void write_type(json_writer& to, const field_description& field);

inline void write_field(json_writer& to, const field_description& field) {
  to.begin_object().member("name", std::string_view(field.name)).key("type");
  write_type(to, field);
  to.member("nullable", field.nullable).key("metadata").begin_object().end_object().end_object();
}

inline void write_struct(json_writer& to, std::span<const field_description> fields) {
  to.begin_object().member("type", "struct").key("fields").begin_array();
  for (const field_description& each : fields) write_field(to, each);
  to.end_array().end_object();
}

inline void write_type(json_writer& to, const field_description& field) {
  if (field.type == logical_type::structure) {
    write_struct(to, field.children);
  } else if (field.type == logical_type::list) {
    to.begin_object().member("type", "array").key("elementType");
    write_type(to, field.children[0]);
    to.member("containsNull", field.children[0].nullable).end_object();
  } else {
    to.value(type_text(field));
  }
}

}  // namespace detail

[[gnu::used]] inline bool is_same_column(std::string_view left, std::string_view right) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  return std::equal(left.begin(), left.end(), right.begin(), right.end(),
                    [&](char a, char b) { return lower(a) == lower(b); });
}

[[gnu::used]] inline std::string type_text(const field_description& field) {
  for (const detail::plain_type& each : detail::plain_types)
    if (each.type == field.type)
      return field.type == logical_type::timestamp && field.form == time_form::local ? "timestamp_ntz"
                                                                                     : std::string(each.name);
  if (field.type == logical_type::decimal)
    return "decimal(" + std::to_string(field.precision) + ',' + std::to_string(field.scale) + ')';
  return std::string(name_of(field.type));
}

[[gnu::used]] inline result<table_schema_pointer> parse_schema(const table_metadata& table, const std::string& where) {
  const json_document document(table.schema);
  const auto& value = document.value();
  if (!value || value->kind != json_kind::object) return damaged_log("the schema of the table is not JSON", where);
  auto made = std::make_shared<table_schema>();
  const auto mode = table.configuration.find("delta.columnMapping.mode");
  const bool is_mapped = mode != table.configuration.end() && mode->second != "none";
  if (is_mapped && mode->second == "id") made->files_by_id.emplace();
  auto fields = detail::schema_parser(*made, is_mapped, where).fields(*value);
  if (!fields) return fields.error();
  made->described = {.id = "delta", .version = "", .description = "", .fields = made->keep(std::move(*fields))};
  return table_schema_pointer(std::move(made));
}

[[gnu::used]] inline result<table_schema_pointer> schema_of_contract(const schema& contract, const std::string& where) {
  auto made = std::make_shared<table_schema>();
  auto fields = detail::contract_mapper(*made, where).fields(contract.fields);
  if (!fields) return fields.error();
  made->described = {.id = "delta", .version = "", .description = "", .fields = made->keep(std::move(*fields))};
  return table_schema_pointer(std::move(made));
}

[[gnu::used]] inline std::string schema_text(std::span<const field_description> fields) {
  json_writer text;
  detail::write_struct(text, fields);
  return text.text();
}

[[gnu::used]] inline std::string field_text(const field_description& field) {
  json_writer text;
  detail::write_field(text, field);
  return text.text();
}

[[gnu::used]] inline table_schema_pointer schema_without(const table_schema_pointer& of,
                                                         const std::vector<std::string>& columns) {
  // Its names and children stay those of the other one, which lives as long.
  struct shortened : table_schema {
    table_schema_pointer whole;
  };
  auto made = std::make_shared<shortened>();
  made->whole = of;
  std::vector<field_description> kept;
  for (const field_description& each : of->described.fields) {
    const auto is_it = [&](const std::string& name) { return is_same_column(name, each.name); };
    if (std::none_of(columns.begin(), columns.end(), is_it)) kept.push_back(each);
  }
  made->described = of->described;
  made->files_by_id = of->files_by_id;
  made->described.fields = made->keep(std::move(kept));
  return made;
}

}  // namespace etlantic::delta
