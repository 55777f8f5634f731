#pragma once
#include "text.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace orders {

/// What becomes of a row. The kinds from `malformed` on are invalid; their names are the reasons that the answer gives.
enum class row_kind { paid, unpaid, late, malformed, missing, not_in_set, constraint, bad_text, wrong_type };

inline constexpr std::size_t row_kinds = 9;

constexpr std::size_t index_of(row_kind kind) { return static_cast<std::size_t>(kind); }
constexpr bool is_invalid(row_kind kind) { return kind >= row_kind::malformed; }

constexpr std::string_view name_of(row_kind kind) {
  constexpr std::array<std::string_view, row_kinds> names = {
      "paid", "unpaid", "late", "malformed", "missing", "not_in_set", "constraint", "bad_text", "wrong_type"};
  return names[index_of(kind)];
}

/// The members of a row in the order of the contract.
enum class order_field { event_id, order_id, customer_id, order_total, status, event_time };

inline constexpr std::size_t order_fields = 6;

constexpr std::size_t index_of(order_field field) { return static_cast<std::size_t>(field); }

constexpr std::string_view name_of(order_field field) {
  constexpr std::array<std::string_view, order_fields> names = {"event_id",    "order_id", "customer_id",
                                                                "order_total", "status",   "event_time"};
  return names[index_of(field)];
}

struct order_row {
  row_kind kind = row_kind::paid;
  std::uint64_t variant = 0;  ///< counts the rows of this kind, so that its mistakes take turns
  std::uint64_t position = 0;
  std::int64_t customer_id = 1;
  std::int64_t order_cents = 0;
  std::string_view status = "paid";
  microseconds event_time = 0;
  std::size_t id_form = 0;  ///< index into `id_forms`

  std::int64_t order_id() const { return static_cast<std::int64_t>(position) + 1; }
};

/// A way to write an event id, and the text that a JSON parser must make of it.
struct id_form {
  std::string_view json_head, json_tail;
  std::string_view text_head, text_tail;
};

/// The first one is plain, all others need unescaping.
inline constexpr std::array<id_form, 9> id_forms = {{
    {"e-", "", "e-", ""},
    {R"(\u0065-)", "", "e-", ""},
    {"e-", R"(\")", "e-", "\""},
    {"e-", R"(\\)", "e-", "\\"},
    {R"(e\/)", "", "e/", ""},
    {"e-", R"(\u0041)", "e-", "A"},
    {"e-", R"(\t)", "e-", "\t"},
    {"e-", R"(\u00e9)", "e-", "\xC3\xA9"},
    {"e-", R"(\ud83d\ude00)", "e-", "\xF0\x9F\x98\x80"},
}};

inline void append_event_id_json(std::string& out, const order_row& row) {
  out += id_forms[row.id_form].json_head;
  append_padded(out, row.position, 9);
  out += id_forms[row.id_form].json_tail;
}

inline void append_event_id_text(std::string& out, const order_row& row) {
  out += id_forms[row.id_form].text_head;
  append_padded(out, row.position, 9);
  out += id_forms[row.id_form].text_tail;
}

}  // namespace orders
