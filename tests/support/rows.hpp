#pragma once
#include <etlantic/column/block.hpp>
#include <etlantic/core/time.hpp>

#include <concepts>
#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

/// Schemas and blocks written by hand, for tests of what stands below the contracts.
namespace etlantic::test {

inline field_description plain_field(std::string_view name, logical_type type) {
  return {.name = name, .data_name = name, .type = type};
}
inline field_description decimal_field(std::string_view name, int precision, int scale) {
  field_description made = plain_field(name, logical_type::decimal);
  made.precision = static_cast<std::uint8_t>(precision);
  made.scale = static_cast<std::uint8_t>(scale);
  return made;
}
/// `children` and `enumerators` must outlive the field; so do static arrays.
inline field_description nested_field(std::string_view name, logical_type type,
                                      std::span<const field_description> children) {
  field_description made = plain_field(name, type);
  made.children = children;
  return made;
}
inline field_description enum_field(std::string_view name, std::span<const std::string_view> enumerators) {
  field_description made = plain_field(name, logical_type::enumeration);
  made.enumerators = enumerators;
  return made;
}
inline field_description nullable(field_description made) {
  made.nullable = true;
  return made;
}
inline field_description keyed(field_description made, int position = 0) {
  made.key_position = static_cast<std::int16_t>(position);
  return made;
}

/// One value: `nullptr` is null; a list of cells is a list, or a struct with its fields in order.
/// Decimals are given scaled, times in microseconds, days in days, enumerations by index.
struct cell {
  std::variant<std::nullptr_t, bool, int128, double, std::string, std::vector<cell>> value;

  cell(std::nullptr_t) : value(nullptr) {}
  cell(bool given) : value(given) {}
  template <class T>
    requires(std::integral<T> || std::same_as<T, int128>) && (!std::same_as<T, bool>)
  cell(T given) : value(static_cast<int128>(given)) {}
  cell(double given) : value(given) {}
  cell(const char* given) : value(std::string(given)) {}
  cell(std::string given) : value(std::move(given)) {}
  cell(std::vector<cell> given) : value(std::move(given)) {}
  cell(timestamp given) : value(static_cast<int128>(given.microseconds)) {}
  cell(date given) : value(static_cast<int128>(given.days)) {}
};

inline void append_cell(column& to, const cell& given) {
  const std::size_t row = to.rows;
  if (std::holds_alternative<std::nullptr_t>(given.value)) return to.append_null();
  to.resize(row + 1);
  const auto put = [&]<class T>(T) { to.set(row, static_cast<T>(std::get<int128>(given.value))); };
  switch (to.field->type) {
    case logical_type::boolean: return to.set_bool(row, std::get<bool>(given.value));
    case logical_type::float32: return to.set(row, static_cast<float>(std::get<double>(given.value)));
    case logical_type::float64: return to.set(row, std::get<double>(given.value));
    case logical_type::text:
    case logical_type::binary: return to.set_text(row, std::get<std::string>(given.value));
    case logical_type::structure: {
      const auto& members = std::get<std::vector<cell>>(given.value);
      for (std::size_t i = 0; i < to.children.size(); ++i) {
        to.children[i].resize(row);
        append_cell(to.children[i], members.at(i));
      }
      return;
    }
    case logical_type::list: {
      for (const cell& each : std::get<std::vector<cell>>(given.value)) append_cell(to.children[0], each);
      reinterpret_cast<std::int32_t*>(to.offsets.data())[row + 1] = static_cast<std::int32_t>(to.children[0].rows);
      return;
    }
    default:
      switch (value_width(*to.field)) {
        case 1: return put(std::uint8_t{});
        case 2: return put(std::uint16_t{});
        case 4: return put(std::uint32_t{});
        case 8: return put(std::uint64_t{});
        default: return put(int128{});
      }
  }
}

/// `make_block(orders, {{1, "a", nullptr}, {2, "b", 3}})`
inline block make_block(const schema& contract, const std::vector<std::vector<cell>>& rows) {
  block made(contract);
  for (const std::vector<cell>& row : rows) {
    for (std::size_t i = 0; i < made.columns.size(); ++i) append_cell(made.columns[i], row.at(i));
    ++made.rows;
  }
  return made;
}

}  // namespace etlantic::test
