#pragma once
#include <etlantic/column/copy.hpp>
#include <etlantic/connect/delta/failure.hpp>
#include <etlantic/connect/delta/schema_match.hpp>

#include <algorithm>
#include <optional>

namespace etlantic::delta {

namespace detail {

enum class direction { write, read };

inline int integer_bytes(logical_type type) {
  switch (type) {
    case logical_type::int8: return 1;
    case logical_type::int16: return 2;
    case logical_type::int32: return 4;
    case logical_type::int64: return 8;
    default: return 0;
  }
}

/// The type that a table has for a type of a contract.
inline logical_type stored_type(logical_type type) {
  switch (type) {
    case logical_type::uint8: return logical_type::int16;
    case logical_type::uint16: return logical_type::int32;
    case logical_type::uint32:
    case logical_type::duration: return logical_type::int64;
    case logical_type::uint64: return logical_type::decimal;
    case logical_type::enumeration: return logical_type::text;
    default: return type;
  }
}

inline bool type_fits(const field_description& contract, const field_description& table, direction way) {
  const logical_type stored = stored_type(contract.type);
  const int ours = integer_bytes(stored), theirs = integer_bytes(table.type);
  const bool is_exact = stored != contract.type;  // reading into it has to be able to fail: only what we would write
  if (ours != 0 && theirs != 0)
    return way == direction::write ? theirs >= ours : is_exact ? ours == theirs : theirs <= ours;
  if (stored != table.type)
    return stored == logical_type::float32 && table.type == logical_type::float64
               ? way == direction::write
               : stored == logical_type::float64 && table.type == logical_type::float32 && way == direction::read;
  if (stored == logical_type::timestamp) return table.form != time_form::local;
  if (stored != logical_type::decimal) return true;
  const int precision = contract.type == logical_type::uint64 ? 20 : contract.precision;
  const int scale = contract.type == logical_type::uint64 ? 0 : contract.scale;
  if (contract.type == logical_type::uint64) return table.scale == 0 && table.precision == 20;
  return scale == table.scale &&
         (way == direction::write ? table.precision >= precision : table.precision <= precision);
}

inline void compare(std::span<const field_description> contract, std::span<const field_description> table,
                    direction way, const std::string& prefix, std::vector<std::string>& found);

inline void compare_field(const field_description& contract, const field_description& table, direction way,
                          const std::string& name, std::vector<std::string>& found) {
  if (!type_fits(contract, table, way)) {
    found.push_back("column `" + name + "` is " + type_text(table) + " in the table and " +
                    std::string(name_of(contract.type)) + " in the contract");
    return;
  }
  if (way == direction::write && contract.nullable && !table.nullable)
    found.push_back("column `" + name + "` cannot be null in the table and can be in the contract");
  if (contract.type == logical_type::structure) compare(contract.children, table.children, way, name + '.', found);
  if (contract.type == logical_type::list)
    compare_field(contract.children[0], table.children[0], way, name + "[]", found);
}

inline const field_description* find_column(std::span<const field_description> in, std::string_view name) {
  const auto found = std::find_if(in.begin(), in.end(),
                                  [&](const field_description& each) { return is_same_column(each.name, name); });
  return found == in.end() ? nullptr : &*found;
}

inline void compare(std::span<const field_description> contract, std::span<const field_description> table,
                    direction way, const std::string& prefix, std::vector<std::string>& found) {
  for (const field_description& each : contract) {
    const std::string name = prefix + std::string(each.data_name);
    const field_description* there = find_column(table, each.data_name);
    if (there != nullptr)
      compare_field(each, *there, way, name, found);
    else if (way == direction::write)
      found.push_back("column `" + name + "` is not in the table");
    else if (!each.nullable)
      found.push_back("column `" + name + "` is not in the table and cannot be null in the contract");
  }
  if (way == direction::read) return;
  for (const field_description& each : table) {
    const auto is_it = [&](const field_description& ours) { return is_same_column(ours.data_name, each.name); };
    if (!each.nullable && std::none_of(contract.begin(), contract.end(), is_it))
      found.push_back("column `" + prefix + std::string(each.name) +
                      "` cannot be null in the table and is not in the contract");
  }
}

inline int128 integer_at(const column& of, std::size_t row) {
  switch (of.field->type) {
    case logical_type::int8: return of.value<std::int8_t>(row);
    case logical_type::int16: return of.value<std::int16_t>(row);
    case logical_type::int32:
    case logical_type::date: return of.value<std::int32_t>(row);
    case logical_type::uint8: return of.value<std::uint8_t>(row);
    case logical_type::uint16: return of.value<std::uint16_t>(row);
    case logical_type::uint32: return of.value<std::uint32_t>(row);
    case logical_type::uint64: return static_cast<int128>(of.value<std::uint64_t>(row));
    case logical_type::decimal:
      return value_width(*of.field) == 8 ? int128{of.value<std::int64_t>(row)} : of.value<int128>(row);
    default: return of.value<std::int64_t>(row);
  }
}

/// False if the type has no such value.
inline bool set_integer(column& to, std::size_t row, int128 value) {
  const auto put = [&]<class T>(T) {
    to.set(row, static_cast<T>(value));
    return static_cast<int128>(static_cast<T>(value)) == value;
  };
  switch (to.field->type) {
    case logical_type::int8: return put(std::int8_t{});
    case logical_type::int16: return put(std::int16_t{});
    case logical_type::int32:
    case logical_type::date: return put(std::int32_t{});
    case logical_type::uint8: return put(std::uint8_t{});
    case logical_type::uint16: return put(std::uint16_t{});
    case logical_type::uint32: return put(std::uint32_t{});
    case logical_type::uint64: return put(std::uint64_t{});
    case logical_type::decimal:
      if (value_width(*to.field) == 8) return put(std::int64_t{});
      to.set(row, value);
      return true;
    default: return put(std::int64_t{});
  }
}

inline bool is_integer_like(logical_type type) {
  switch (type) {
    case logical_type::boolean:
    case logical_type::float32:
    case logical_type::float64:
    case logical_type::text:
    case logical_type::binary:
    case logical_type::enumeration:
    case logical_type::structure:
    case logical_type::list: return false;
    default: return true;
  }
}

inline std::size_t enumerator_at(const column& of, std::size_t row) {
  return value_width(*of.field) == 1 ? of.value<std::uint8_t>(row) : of.value<std::uint16_t>(row);
}

inline bool set_enumerator(column& to, std::size_t row, std::string_view name) {
  const auto names = to.field->enumerators;
  const auto found = std::find(names.begin(), names.end(), name);
  const auto place = static_cast<std::size_t>(found - names.begin());
  if (found == names.end()) return false;
  if (value_width(*to.field) == 1)
    to.set(row, static_cast<std::uint8_t>(place));
  else
    to.set(row, static_cast<std::uint16_t>(place));
  return true;
}

inline result<void> convert(const column& from, column& to, const column* around, direction way);

inline result<void> convert_fields(const std::vector<column>& from, std::size_t rows, std::vector<column>& to,
                                   const column* around, direction way) {
  for (column& each : to) {
    // A contract's fields have names in the data; those of a table are its columns' names, and others are in its files.
    const auto is_it = [&](const column& given) {
      return way == direction::read ? is_same_column(given.field->name, each.field->data_name)
                                    : is_same_column(given.field->data_name, each.field->name);
    };
    const auto found = std::find_if(from.begin(), from.end(), is_it);
    each.resize(rows);
    if (found == from.end()) {
      for (std::size_t row = 0; row < rows; ++row) each.set_null(row);
    } else if (auto done = convert(*found, each, around, way); !done) {
      return done;
    }
  }
  return {};
}

inline void copy_value(const column& from, std::size_t row, column& to) {
  switch (from.field->type) {
    case logical_type::boolean: return to.set_bool(row, from.is_true(row));
    case logical_type::float32: return to.set(row, from.value<float>(row));
    case logical_type::float64: return to.set(row, from.value<double>(row));
    case logical_type::enumeration: {
      const std::size_t place = enumerator_at(from, row);
      if (value_width(*to.field) == 1) return to.set(row, static_cast<std::uint8_t>(place));
      return to.set(row, static_cast<std::uint16_t>(place));
    }
    default: return to.set_text(row, from.text_at(row));
  }
}

inline result<void> convert_values(const column& from, column& to) {
  const logical_type source = from.field->type, target = to.field->type;
  const auto no_such_value = [&](std::size_t row) {
    return failure{failure_class::source_data, "PMSTREAM452",
                   "column `" + std::string(to.field->data_name) + "` holds a value that its type does not have" +
                       (source == logical_type::text ? ": `" + std::string(from.text_at(row)) + "`" : ""),
                   "", "correct the data, or the contract"};
  };
  for (std::size_t row = 0; row < from.rows; ++row) {
    if (!from.is_valid(row)) continue;
    if (source == target && !is_integer_like(source))
      copy_value(from, row, to);
    else if (source == logical_type::enumeration)
      to.set_text(row, from.field->enumerators[enumerator_at(from, row)]);
    else if (target == logical_type::enumeration) {
      if (!set_enumerator(to, row, from.text_at(row))) return no_such_value(row);
    } else if (source == logical_type::float32)
      to.set(row, static_cast<double>(from.value<float>(row)));
    else if (!set_integer(to, row, integer_at(from, row)))
      return no_such_value(row);
  }
  return {};
}

/// Nulls of a column that must not have any count only where the struct around it is there.
inline result<void> convert_nulls(const column& from, column& to, const column* around) {
  if (from.validity.empty()) return {};
  for (std::size_t row = 0; row < from.rows; ++row) {
    if (from.is_valid(row)) continue;
    if (to.field->nullable)
      to.set_null(row);
    else if (around == nullptr || around->is_valid(row))
      return failure{failure_class::source_data, "PMSTREAM452",
                     "column `" + std::string(to.field->data_name) + "` holds null, and the contract requires a value",
                     "", "correct the data, or make the field optional in the contract"};
  }
  return {};
}

/// `to` has its rows already; `around` is the struct that `from` stands in, if it stands in one.
inline result<void> convert(const column& from, column& to, const column* around, direction way) {
  const logical_type source = from.field->type, target = to.field->type;
  if (source == logical_type::structure) {
    if (auto done = convert_fields(from.children, from.rows, to.children, &from, way); !done) return done;
  } else if (source == logical_type::list) {
    to.offsets = from.offsets;
    if (to.offsets.empty()) to.offsets.resize(sizeof(std::int32_t));
    to.children[0].resize(from.children[0].rows);
    if (auto done = convert(from.children[0], to.children[0], nullptr, way); !done) return done;
  } else if (source == target && value_width(*from.field) == value_width(*to.field) &&
             source != logical_type::enumeration && (to.field->nullable || from.validity.empty())) {
    to.clear();
    append_all(to, from);
    return {};
  } else if (auto done = convert_values(from, to); !done) {
    return done;
  }
  return convert_nulls(from, to, around);
}

inline result<block> convert_rows(const block& rows, const schema& to, direction way) {
  block made(to);
  if (auto done = convert_fields(rows.columns, rows.rows, made.columns, nullptr, way); !done) return done.error();
  made.rows = rows.rows;
  return made;
}

}  // namespace detail

[[gnu::used]] inline std::vector<std::string> differences_for_writing(const schema& contract, const schema& table) {
  std::vector<std::string> found;
  detail::compare(contract.fields, table.fields, detail::direction::write, "", found);
  return found;
}

[[gnu::used]] inline std::vector<std::string> differences_for_reading(const schema& contract, const schema& table) {
  std::vector<std::string> found;
  detail::compare(contract.fields, table.fields, detail::direction::read, "", found);
  return found;
}

[[gnu::used]] inline result<block> converted(const block& rows, const schema& to) {
  return detail::convert_rows(rows, to, detail::direction::write);
}

[[gnu::used]] inline result<block> read_as(const block& rows, const schema& contract) {
  return detail::convert_rows(rows, contract, detail::direction::read);
}

[[gnu::used]] inline bool has_layout_of(const block& rows, const schema& of) {
  if (rows.columns.size() != of.fields.size()) return false;
  for (std::size_t i = 0; i < of.fields.size(); ++i) {
    const field_description &from = *rows.columns[i].field, &to = of.fields[i];
    if (from.data_name != to.data_name || from.type != to.type || from.type == logical_type::enumeration ||
        !from.children.empty() || value_width(from) != value_width(to) || from.scale != to.scale ||
        !(to.nullable || rows.columns[i].validity.empty()))
      return false;
  }
  return true;
}

}  // namespace etlantic::delta
