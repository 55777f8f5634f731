#pragma once
#include <etlantic/column/flatten.hpp>

#include <algorithm>
#include <utility>

namespace etlantic {
namespace detail {

inline void flatten_into(std::vector<flat_field>& flat, std::span<const field_description> fields,
                         const flat_field& around, bool outermost) {
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const field_description& field = fields[i];
    flat_field each = around;
    if (!outermost) each.name += '_';
    each.name += field.data_name;
    each.field = &field;
    each.path.push_back(i);
    each.nullable = around.nullable || field.nullable;
    if (outermost) each.key_position = field.key_position;
    if (field.type == logical_type::structure)
      flatten_into(flat, field.children, each, false);
    else
      flat.push_back(std::move(each));
  }
}

/// The fields of a struct in the key are key fields one after the other.
inline void number_keys(std::vector<flat_field>& flat) {
  std::vector<flat_field*> keys;
  for (flat_field& each : flat)
    if (each.key_position >= 0) keys.push_back(&each);
  std::sort(keys.begin(), keys.end(), [](const flat_field* a, const flat_field* b) {
    return a->key_position != b->key_position ? a->key_position < b->key_position : a->path < b->path;
  });
  for (std::size_t i = 0; i < keys.size(); ++i) keys[i]->key_position = static_cast<int>(i);
}

}  // namespace detail

[[gnu::used]] inline std::vector<flat_field> flatten(const schema& contract) {
  std::vector<flat_field> flat;
  detail::flatten_into(flat, contract.fields, {}, true);
  detail::number_keys(flat);
  return flat;
}

[[gnu::used]] inline flat_column flat_column_of(const flat_field& field, const block& rows) {
  flat_column found;
  for (std::size_t index : field.path) {
    found.values = found.values == nullptr ? &rows.columns[index] : &found.values->children[index];
    if (!found.values->validity.empty()) found.nullable.push_back(found.values);
  }
  return found;
}

}  // namespace etlantic
