#pragma once
#include <etlantic/column/block.hpp>
#include <etlantic/connect/delta/checkpoint.hpp>
#include <etlantic/connect/delta/time_interval.hpp>
#include <etlantic/connect/parquet/parquet_file.hpp>

#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace etlantic::delta {

namespace detail {

constexpr field_description nullable_field(std::string_view name, logical_type type,
                                           std::span<const field_description> children = {}) {
  return {.name = name, .data_name = name, .type = type, .nullable = true, .children = children};
}
constexpr field_description present_field(std::string_view name, logical_type type,
                                          std::span<const field_description> children = {}) {
  return {.name = name, .data_name = name, .type = type, .children = children};
}

using enum logical_type;

inline constexpr field_description pair_fields[] = {present_field("key", text), nullable_field("value", text)};
inline constexpr field_description pair_element[] = {present_field("entries", structure, pair_fields)};
inline constexpr field_description text_element[] = {nullable_field("element", text)};

constexpr field_description map_field(std::string_view name) { return nullable_field(name, list, pair_element); }
constexpr field_description texts_field(std::string_view name) { return nullable_field(name, list, text_element); }

inline constexpr field_description transaction_fields[] = {
    nullable_field("appId", text), nullable_field("version", int64), nullable_field("lastUpdated", int64)};
inline constexpr field_description vector_fields[] = {
    nullable_field("storageType", text), nullable_field("pathOrInlineDv", text), nullable_field("offset", int32),
    nullable_field("sizeInBytes", int32), nullable_field("cardinality", int64)};
inline constexpr field_description add_fields[] = {nullable_field("path", text),
                                                   map_field("partitionValues"),
                                                   nullable_field("size", int64),
                                                   nullable_field("modificationTime", int64),
                                                   nullable_field("dataChange", boolean),
                                                   nullable_field("stats", text),
                                                   nullable_field("deletionVector", structure, vector_fields)};
inline constexpr field_description remove_fields[] = {nullable_field("path", text),
                                                      nullable_field("deletionTimestamp", int64),
                                                      nullable_field("dataChange", boolean),
                                                      nullable_field("extendedFileMetadata", boolean),
                                                      map_field("partitionValues"),
                                                      nullable_field("size", int64),
                                                      nullable_field("deletionVector", structure, vector_fields)};
inline constexpr field_description format_fields[] = {nullable_field("provider", text), map_field("options")};
inline constexpr field_description metadata_fields[] = {
    nullable_field("id", text),           nullable_field("name", text),
    nullable_field("description", text),  nullable_field("format", structure, format_fields),
    nullable_field("schemaString", text), texts_field("partitionColumns"),
    map_field("configuration"),           nullable_field("createdTime", int64)};
inline constexpr field_description protocol_fields[] = {nullable_field("minReaderVersion", int32),
                                                        nullable_field("minWriterVersion", int32),
                                                        texts_field("readerFeatures"), texts_field("writerFeatures")};
inline constexpr field_description checkpoint_fields[] = {
    nullable_field("txn", structure, transaction_fields), nullable_field("add", structure, add_fields),
    nullable_field("remove", structure, remove_fields), nullable_field("metaData", structure, metadata_fields),
    nullable_field("protocol", structure, protocol_fields)};
inline constexpr schema checkpoint_schema{.id = "checkpoint", .version = "1", .fields = checkpoint_fields};

enum checkpoint_column : std::size_t { of_transaction, of_add, of_remove, of_metadata, of_protocol };

inline void put(column& to, const std::string& value) { to.set_text(to.rows - 1, value); }
inline void put(column& to, std::int64_t value) {
  if (to.field->type == boolean)
    to.set_bool(to.rows - 1, value != 0);
  else if (to.field->type == int32)
    to.set(to.rows - 1, static_cast<std::int32_t>(value));
  else
    to.set(to.rows - 1, value);
}
inline void put(column& to, const deletion_vector& value) {
  put(to.children[0], value.storage);
  put(to.children[1], value.place);
  if (value.offset)
    put(to.children[2], *value.offset);
  else
    to.children[2].set_null(to.rows - 1);
  put(to.children[3], value.bytes);
  put(to.children[4], value.rows);
}
template <class T>
void put(column& to, const std::optional<T>& value) {
  if (value)
    put(to, *value);
  else
    to.set_null(to.rows - 1);
}
inline void end_list(column& to) {
  reinterpret_cast<std::int32_t*>(to.offsets.data())[to.rows] =
      etlantic::detail::place_in_column(to.children[0].rows, 0);
}
inline void put(column& to, const std::vector<std::string>& values) {
  for (const std::string& each : values) {
    to.children[0].resize(to.children[0].rows + 1);
    put(to.children[0], each);
  }
  end_list(to);
}
template <class T>
void put(column& to, const std::map<std::string, T>& values) {
  column& pairs = to.children[0];
  for (const auto& [key, value] : values) {
    pairs.resize(pairs.rows + 1);
    put(pairs.children[0], key);
    put(pairs.children[1], value);
  }
  end_list(to);
}
inline std::optional<std::string> unless_empty(const std::string& value) {
  return value.empty() ? std::nullopt : std::optional(value);
}

/// One action a row: all columns but its own are null.
class checkpoint_rows {
 public:
  block& rows() { return rows_; }

  std::vector<column>& next(checkpoint_column which) {
    rows_.resize(rows_.rows + 1);
    for (std::size_t i = 0; i < rows_.columns.size(); ++i)
      if (i != which) rows_.columns[i].set_null(rows_.rows - 1);
    return rows_.columns[which].children;
  }

 private:
  block rows_{checkpoint_schema};
};

inline void put_protocol(checkpoint_rows& to, const table_protocol& of) {
  auto& at = to.next(of_protocol);
  put(at[0], of.reader);
  put(at[1], of.writer);
  if (of.reader >= 3)
    put(at[2], of.reader_features);
  else
    at[2].set_null(at[2].rows - 1);
  if (of.writer >= 7)
    put(at[3], of.writer_features);
  else
    at[3].set_null(at[3].rows - 1);
}

inline void put_metadata(checkpoint_rows& to, const table_metadata& of) {
  auto& at = to.next(of_metadata);
  put(at[0], of.id);
  put(at[1], unless_empty(of.name));
  put(at[2], unless_empty(of.description));
  put(at[3].children[0], of.format);
  put(at[3].children[1], std::map<std::string, std::string>());
  put(at[4], of.schema);
  put(at[5], of.partition_columns);
  put(at[6], of.configuration);
  put(at[7], of.created);
}

/// After a week, or what the table says; of a table that says what we do not understand all are kept.
inline bool is_expired(const table_state& table, const remove_file& file, std::int64_t now) {
  const auto kept = interval_property(*table.metadata, "delta.deletedFileRetentionDuration", week);
  return kept && file.removed_at.value_or(0) < now - *kept;
}

inline std::string text_at(const column& of, std::size_t row) {
  return of.is_valid(row) ? std::string(of.text_at(row)) : std::string();
}
inline std::optional<std::int64_t> number_at(const column& of, std::size_t row) {
  if (!of.is_valid(row)) return {};
  return of.field->type == int32 ? of.value<std::int32_t>(row) : of.value<std::int64_t>(row);
}
inline std::vector<std::string> texts_at(const column& of, std::size_t row) {
  std::vector<std::string> found;
  if (!of.is_valid(row)) return found;
  for (std::int32_t i = of.list_begin(row); i < of.list_end(row); ++i)
    found.push_back(text_at(of.children[0], static_cast<std::size_t>(i)));
  return found;
}
template <class Map>
Map map_at(const column& of, std::size_t row) {
  Map found;
  if (!of.is_valid(row)) return found;
  const column& pairs = of.children[0];
  for (auto i = static_cast<std::size_t>(of.list_begin(row)); i < static_cast<std::size_t>(of.list_end(row)); ++i) {
    auto& value = found[text_at(pairs.children[0], i)];
    if (pairs.children[1].is_valid(i)) value = text_at(pairs.children[1], i);
  }
  return found;
}
inline std::optional<deletion_vector> vector_at(const column& of, std::size_t row) {
  if (!of.is_valid(row)) return {};
  return deletion_vector{text_at(of.children[0], row), text_at(of.children[1], row), number_at(of.children[2], row),
                         number_at(of.children[3], row).value_or(0), number_at(of.children[4], row).value_or(0)};
}

inline void take_row(const block& rows, std::size_t row, commit_content& into) {
  const auto children = [&](checkpoint_column which) -> const std::vector<column>* {
    return rows.columns[which].is_valid(row) ? &rows.columns[which].children : nullptr;
  };
  if (const auto* of = children(of_transaction))
    into.transactions.push_back(
        {text_at((*of)[0], row), number_at((*of)[1], row).value_or(0), number_at((*of)[2], row)});
  if (const auto* of = children(of_add))
    into.added.push_back({text_at((*of)[0], row), map_at<partition_values>((*of)[1], row),
                          number_at((*of)[2], row).value_or(0), number_at((*of)[3], row).value_or(0),
                          (*of)[4].is_true(row), text_at((*of)[5], row), vector_at((*of)[6], row)});
  if (const auto* of = children(of_remove))
    into.removed.push_back({text_at((*of)[0], row), number_at((*of)[1], row), (*of)[2].is_true(row),
                            map_at<partition_values>((*of)[4], row), number_at((*of)[5], row).value_or(0),
                            vector_at((*of)[6], row)});
  if (const auto* of = children(of_metadata))
    into.metadata = table_metadata{text_at((*of)[0], row),
                                   text_at((*of)[1], row),
                                   text_at((*of)[2], row),
                                   text_at((*of)[3].children[0], row),
                                   text_at((*of)[4], row),
                                   texts_at((*of)[5], row),
                                   map_at<std::map<std::string, std::string>>((*of)[6], row),
                                   number_at((*of)[7], row)};
  if (const auto* of = children(of_protocol))
    into.protocol = table_protocol{number_at((*of)[0], row).value_or(0), number_at((*of)[1], row).value_or(0),
                                   texts_at((*of)[2], row), texts_at((*of)[3], row)};
}

}  // namespace detail

[[gnu::used]] inline result<encoded_checkpoint> encode_checkpoint(const table_state& table, std::int64_t now) {
  detail::checkpoint_rows rows;
  detail::put_protocol(rows, *table.protocol);
  detail::put_metadata(rows, *table.metadata);
  for (const auto& [key, each] : table.transactions) {
    auto& at = rows.next(detail::of_transaction);
    detail::put(at[0], each.application);
    detail::put(at[1], each.version);
    detail::put(at[2], each.updated);
  }
  for (const auto& [key, each] : table.removed) {
    if (detail::is_expired(table, each, now)) continue;
    auto& at = rows.next(detail::of_remove);
    detail::put(at[0], each.path);
    detail::put(at[1], each.removed_at);
    detail::put(at[2], std::int64_t{0});
    detail::put(at[3], std::int64_t{1});
    detail::put(at[4], each.partition);
    detail::put(at[5], each.size);
    detail::put(at[6], each.deleted);
  }
  for (const auto& [key, each] : table.files) {
    auto& at = rows.next(detail::of_add);
    detail::put(at[0], each.path);
    detail::put(at[1], each.partition);
    detail::put(at[2], each.size);
    detail::put(at[3], each.modified);
    detail::put(at[4], std::int64_t{0});
    detail::put(at[5], detail::unless_empty(each.statistics));
    detail::put(at[6], each.deleted);
  }
  auto bytes = parquet::encode(detail::checkpoint_schema, std::span(&rows.rows(), 1), {.codec = "snappy"});
  if (!bytes) return bytes.error();
  return encoded_checkpoint{std::move(*bytes), static_cast<std::int64_t>(rows.rows().rows)};
}

[[gnu::used]] inline result<commit_content> decode_checkpoint(std::string_view bytes, const std::string& where) {
  auto blocks = parquet::decode(bytes, detail::checkpoint_schema, where);
  if (!blocks) return blocks.error();
  commit_content content;
  for (const block& each : *blocks)
    for (std::size_t row = 0; row < each.rows; ++row) detail::take_row(each, row, content);
  return content;
}

}  // namespace etlantic::delta
