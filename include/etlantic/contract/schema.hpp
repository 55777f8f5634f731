#pragma once
#include <etlantic/core/integer128.hpp>

#include <cstdint>
#include <span>
#include <string_view>

namespace etlantic {

#if defined(__GNUC__) && !defined(__clang__)  // gcc 12 takes a scoped enumerator for a shadow of etlantic::duration
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
#endif
/// The types that a field can have, as errors, plans and contract files print them.
enum class logical_type : std::uint8_t {
  boolean,
  int8,
  int16,
  int32,
  int64,
  uint8,
  uint16,
  uint32,
  uint64,
  float32,
  float64,
  decimal,
  text,
  binary,
  date,
  timestamp,
  duration,
  enumeration,
  structure,
  list,
};
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif

constexpr std::string_view name_of(logical_type type) {
  constexpr std::string_view names[] = {"bool",   "int8",      "int16",    "int32",   "int64",   "uint8", "uint16",
                                        "uint32", "uint64",    "float32",  "float64", "decimal", "text",  "binary",
                                        "date",   "timestamp", "duration", "enum",    "struct",  "list"};
  return names[static_cast<int>(type)];
}

enum class constraint_kind : std::uint8_t { gt, ge, lt, le, one_of, min_length, max_length };

constexpr std::string_view name_of(constraint_kind kind) {
  constexpr std::string_view names[] = {"gt", "ge", "lt", "le", "one_of", "min_length", "max_length"};
  return names[static_cast<int>(kind)];
}

/// A bound or a member of a set, in the unit of its field: `exact` for integers, decimals (scaled as the field),
/// times and lengths; `real` for floating point; `characters` for text.
struct constant_description {
  int128 exact = 0;
  double real = 0;
  std::string_view characters{};
};

/// One constraint of one field. Every kind but `one_of` has exactly one value. Lengths count characters (code points).
struct constraint_description {
  constraint_kind kind{};
  std::span<const constant_description> values{};
};

/// How a time stamp is written in the data.
enum class time_form : std::uint8_t { rfc3339, epoch_seconds, epoch_milliseconds, epoch_microseconds, local };

/// Whether it is a text, and no number.
constexpr bool is_text(time_form form) { return form == time_form::rfc3339 || form == time_form::local; }

/// One field of a contract, as a value: what decoders, sinks, plans and contract files need to know.
struct field_description {
  std::string_view name{};       ///< the member's name in the program
  std::string_view data_name{};  ///< its name in the data; the same unless `named_as` says otherwise
  logical_type type{};
  bool nullable = false;       ///< std::optional
  bool rounds = false;         ///< rounded<decimal>: excess digits are rounded half away from zero
  std::uint8_t precision = 0;  ///< of a decimal
  std::uint8_t scale = 0;
  std::int16_t key_position = -1;  ///< place in the primary key, or -1
  time_form form = time_form::rfc3339;
  std::string_view zone{};  ///< of a local time: what texts without a zone are in
  std::string_view description{};
  std::span<const std::string_view> enumerators{};  ///< of an enumeration, in declaration order
  std::span<const field_description> children{};    ///< the fields of a struct, or the one element of a list
  std::span<const constraint_description> constraints{};
  std::string_view former_name{};  ///< what the member was called in an earlier version, by renamed_from
};

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
#endif
/// What a record of a topic has beside its value.
enum class record_part : std::uint8_t { topic, partition, offset, timestamp, key, header, is_tombstone };
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif

constexpr std::string_view name_of(record_part part) {
  constexpr std::string_view names[] = {"topic", "partition", "offset", "timestamp", "key", "header", "is_tombstone"};
  return names[static_cast<int>(part)];
}

/// What a field of a record's contract is filled from.
struct record_field {
  record_part part{};
  std::string_view header{};  ///< its name, of a header
};

struct schema;

/// Of a contract `record<...>`: its first fields are those of the value, and the others are parts of the record.
struct record_description {
  const schema* value = nullptr;
  bool has_tombstones = false;  ///< records without a value are rows in which all fields of the value are null
  std::span<const record_field> details{};
};

/// A contract as a value. Lives as long as the program: all of it is constexpr data.
struct schema {
  std::string_view id{};
  std::string_view version{};
  std::string_view description{};
  std::span<const field_description> fields{};
  const record_description* record = nullptr;  ///< of a contract `record<...>`
};

/// Bytes of one value of a field in a column; 0 for bool (one bit), struct and list.
constexpr std::size_t value_width(const field_description& field) {
  switch (field.type) {
    case logical_type::int8:
    case logical_type::uint8: return 1;
    case logical_type::int16:
    case logical_type::uint16: return 2;
    case logical_type::enumeration: return field.enumerators.size() <= 127 ? 1 : 2;
    case logical_type::int32:
    case logical_type::uint32:
    case logical_type::float32:
    case logical_type::date: return 4;
    case logical_type::int64:
    case logical_type::uint64:
    case logical_type::float64:
    case logical_type::timestamp:
    case logical_type::duration: return 8;
    case logical_type::decimal: return field.precision <= 18 ? 8 : 16;
    case logical_type::text:
    case logical_type::binary: return 16;
    case logical_type::boolean:
    case logical_type::structure:
    case logical_type::list: return 0;
  }
  return 0;
}

}  // namespace etlantic
