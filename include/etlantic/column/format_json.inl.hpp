#pragma once
#include <etlantic/column/format_json.hpp>
#include <etlantic/core/base64.hpp>
#include <etlantic/core/json_escape.hpp>
#include <etlantic/core/utf8.hpp>

#include <cstring>

namespace etlantic {

[[gnu::used]] inline json_member json_member_of(const field_description& field) {
  json_member made;
  if (field.type == logical_type::list) made.children.push_back(json_member_of(field.children[0]));
  if (field.type == logical_type::structure) made.children = json_members_of(field.children);
  return made;
}

[[gnu::used]] inline std::vector<json_member> json_members_of(std::span<const field_description> fields) {
  std::vector<json_member> members;
  for (const field_description& field : fields) {
    json_member made = json_member_of(field);
    made.prefix = members.empty() ? "{" : ",";
    append_json_text(made.prefix, field.data_name);
    made.prefix += ':';
    members.push_back(std::move(made));
  }
  return members;
}

namespace detail {

/// How many bytes at the front can stand in a JSON string as they are: ASCII without control characters, `"` and `\`.
inline std::size_t plain_json_bytes(std::string_view text) {
  constexpr std::uint64_t ones = 0x0101010101010101u;
  constexpr std::uint64_t tops = 0x8080808080808080u;
  const auto has_zero = [](std::uint64_t word) { return (word - ones) & ~word; };
  std::size_t at = 0;
  for (; at + 8 <= text.size(); at += 8) {
    std::uint64_t word;
    std::memcpy(&word, text.data() + at, 8);
    const std::uint64_t control = (word - ones * 0x20) & ~word;
    const std::uint64_t special = has_zero(word ^ ones * '"') | has_zero(word ^ ones * '\\');
    if (((word | control | special) & tops) != 0) break;
  }
  for (; at < text.size(); ++at) {
    const auto byte = static_cast<unsigned char>(text[at]);
    if (byte < 0x20 || byte >= 0x80 || byte == '"' || byte == '\\') break;
  }
  return at;
}

/// Writes the first character escaped or repaired; returns how many bytes of `text` that was.
inline std::size_t append_json_special(std::string& to, std::string_view text) {
  const utf8_character first = first_character(text);
  if (!first.valid) {
    to += "\xef\xbf\xbd";
    return 1;
  }
  if (first.size > 1) {
    to.append(text.substr(0, first.size));
    return first.size;
  }
  append_json_escape(to, text.front());
  return 1;
}

inline void append_json_list(std::string& to, const json_member& member, const column& from, std::size_t row) {
  to += '[';
  for (std::int32_t i = from.list_begin(row); i < from.list_end(row); ++i) {
    if (i != from.list_begin(row)) to += ',';
    append_json(to, member.children[0], from.children[0], static_cast<std::size_t>(i));
  }
  to += ']';
}

/// A present number, bool, day or time. What JSON has no token for stands in quotes.
inline void append_json_scalar(std::string& to, const column& from, std::size_t row) {
  char buffer[scalar_text_size];
  const std::string_view written(buffer, static_cast<std::size_t>(write_scalar(buffer, from, row) - buffer));
  const logical_type type = from.field->type;
  const bool real = type == logical_type::float32 || type == logical_type::float64;
  const bool day = type == logical_type::date;
  const bool time = type == logical_type::timestamp && is_text(from.field->form);
  if (day || time || (real && (written.back() == 'N' || written.back() == 'y'))) {
    to += '"';
    to += written;
    to += '"';
  } else {
    to += written;
  }
}

}  // namespace detail

[[gnu::used]] inline void append_json_text(std::string& to, std::string_view text) {
  to += '"';
  while (true) {
    const std::size_t plain = detail::plain_json_bytes(text);
    to.append(text.data(), plain);
    text.remove_prefix(plain);
    if (text.empty()) break;
    text.remove_prefix(detail::append_json_special(to, text));
  }
  to += '"';
}

[[gnu::used]] inline void append_json(std::string& to, const json_member& member, const column& from, std::size_t row) {
  if (!from.is_valid(row)) {
    to += "null";
    return;
  }
  switch (from.field->type) {
    case logical_type::text: append_json_text(to, from.text_at(row)); break;
    case logical_type::enumeration: append_json_text(to, enumerator_at(from, row)); break;
    case logical_type::binary:
      to += '"';
      append_base64(to, from.text_at(row));
      to += '"';
      break;
    case logical_type::list: detail::append_json_list(to, member, from, row); break;
    case logical_type::structure: append_json_row(to, member.children, from.children, row); break;
    default: detail::append_json_scalar(to, from, row); break;
  }
}

[[gnu::used]] inline void append_plain(std::string& to, const json_member& member, const column& from,
                                       std::size_t row) {
  switch (from.field->type) {
    case logical_type::text: to += from.text_at(row); break;
    case logical_type::enumeration: to += enumerator_at(from, row); break;
    case logical_type::binary: append_base64(to, from.text_at(row)); break;
    case logical_type::list:
    case logical_type::structure: append_json(to, member, from, row); break;
    default: {
      char buffer[scalar_text_size];
      to.append(buffer, write_scalar(buffer, from, row));
    }
  }
}

[[gnu::used]] inline void append_json_row(std::string& to, const std::vector<json_member>& members,
                                          std::span<const column> columns, std::size_t row) {
  for (std::size_t i = 0; i < members.size(); ++i) {
    to += members[i].prefix;
    append_json(to, members[i], columns[i], row);
  }
  to += members.empty() ? "{}" : "}";
}

}  // namespace etlantic
