#pragma once
#include "order_row.hpp"
#include "random.hpp"
#include "text.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace orders {

/// The values of a row as JSON text, in the order of the contract. An empty one is left out.
using order_values = std::array<std::string, order_fields>;

// The first five functions make exactly one mistake each and say which field has it.

inline order_field leave_out(const order_row& row, order_values& values) {
  const std::size_t field = row.variant % order_fields;
  values[field].clear();
  return static_cast<order_field>(field);
}

inline order_field leave_the_set(const order_row& row, order_values& values) {
  constexpr std::array<std::string_view, 5> strangers = {R"("shipped")", R"("PAID")", R"("")", R"("paid ")",
                                                         R"("pai")"};
  values[index_of(order_field::status)] = strangers[row.variant % strangers.size()];
  return order_field::status;
}

inline order_field break_constraint(const order_row& row, order_values& values) {
  constexpr std::array fields = {order_field::order_total, order_field::order_total, order_field::order_id,
                                 order_field::order_total, order_field::customer_id};
  const order_field field = fields[row.variant % fields.size()];
  std::string& value = values[index_of(field)];
  value.clear();
  if (field == order_field::order_total) append_cents(value, -1 - row.order_cents);
  if (field == order_field::order_id) value = "0";
  if (field == order_field::customer_id) append_number(value, -row.customer_id);
  return field;
}

inline order_field spoil_time(const order_row& row, order_values& values) {
  constexpr std::array<std::string_view, 8> times = {R"("2026-13-01T00:00:00Z")",  R"("yesterday")",
                                                     R"("2026-01-01T24:61:00Z")",  R"("2026-02-29T12:00:00Z")",
                                                     R"("2026-01-01T12:00:00")",   R"("2026-01-01 12:00:00Z")",
                                                     R"("2026-01-01T12:00:00.Z")", R"("")"};
  values[index_of(order_field::event_time)] = times[row.variant % times.size()];
  return order_field::event_time;
}

inline order_field change_type(const order_row& row, order_values& values) {
  const auto wrap = [](std::string_view before, std::string& value, std::string_view after) {
    value.insert(0, before);
    value += after;
  };
  constexpr std::array turns = {order_field::order_id, order_field::customer_id, order_field::order_total,
                                order_field::event_id, order_field::event_time,  order_field::status};
  const order_field field = turns[row.variant % turns.size()];
  std::string& value = values[index_of(field)];
  const bool is_number = field == order_field::order_id || field == order_field::customer_id;
  switch (row.variant / turns.size() % 4) {
    case 0:  // a decimal may stand in a string, so that a string is no mistake there
      if (is_number)
        wrap("\"", value, "\"");
      else
        value = field == order_field::order_total ? "true" : "1767225600";
      break;
    case 1: wrap("{\"value\":", value, "}"); break;
    case 2: wrap("[", value, "]"); break;
    default: value = "false";
  }
  return field;
}

/// Mistakes of syntax that sit inside one value.
inline void break_value(std::size_t mistake, order_values& values) {
  std::string& event_id = values[index_of(order_field::event_id)];
  std::string& status = values[index_of(order_field::status)];
  switch (mistake) {
    case 0: values[index_of(order_field::order_id)].insert(0, "0"); break;
    case 1: status = status.substr(1, status.size() - 2); break;
    case 2:  // no UTF-8
      event_id.insert(3, "\xFF");
      break;
    case 3:  // a control character must be escaped
      event_id.insert(3, "\x01");
      break;
    default: values[index_of(order_field::order_total)] += '.';
  }
}

/// Mistakes of syntax between the values, made in the finished line.
inline void break_line(std::size_t mistake, random_source& random, std::string& line) {
  switch (mistake) {
    case 0: line.resize(1 + random.below(line.size() - 1)); break;
    case 1: line.insert(line.size() - 1, ","); break;
    case 2:  // the first name loses its quotes
      line.erase(line.find('"', 2), 1).erase(1, 1);
      break;
    case 3: line += " abde"; break;
    case 4: line += R"({"order_id":8})"; break;
    case 5: line += " ]"; break;
    case 6: line.erase(line.find(':'), 1); break;
    default:  // all members are there, only the brace is not
      line.pop_back();
  }
}

inline constexpr std::size_t value_mistakes = 5;
inline constexpr std::size_t line_mistakes = 8;

}  // namespace orders
