#pragma once
#include <etlantic/column/column.hpp>
#include <etlantic/connect/parquet/column_chunks.inl.hpp>
#include <etlantic/connect/parquet/parquet_file.hpp>
#include <etlantic/connect/parquet/repeated_values.hpp>

#include <arrow/api.h>
#include <arrow/io/interfaces.h>
#include <parquet/arrow/writer.h>

#include <algorithm>
#include <exception>
#include <memory>
#include <utility>

// Columns of ours to Parquet by Arrow C++.

namespace etlantic::parquet {

namespace detail {

using array_pointer = std::shared_ptr<arrow::Array>;
using type_pointer = std::shared_ptr<arrow::DataType>;
using buffer_pointer = std::shared_ptr<arrow::Buffer>;

inline bool is_map(const field_description& field) {
  return field.type == logical_type::list && field.children[0].type == logical_type::structure &&
         field.children[0].name == "entries";
}

inline type_pointer type_of(const field_description& field);

inline std::shared_ptr<arrow::Field> arrow_field(const std::string& name, const field_description& field) {
  return arrow::field(name, type_of(field), field.nullable);
}

inline type_pointer type_of(const field_description& field) {
  switch (field.type) {
    case logical_type::boolean: return arrow::boolean();
    case logical_type::int8: return arrow::int8();
    case logical_type::int16: return arrow::int16();
    case logical_type::int32: return arrow::int32();
    case logical_type::int64: return arrow::int64();
    case logical_type::float32: return arrow::float32();
    case logical_type::float64: return arrow::float64();
    case logical_type::decimal:
      return value_width(field) == 8 ? arrow::decimal64(field.precision, field.scale)
                                     : arrow::decimal128(field.precision, field.scale);
    case logical_type::text: return arrow::utf8();
    case logical_type::binary: return arrow::binary();
    case logical_type::date: return arrow::date32();
    case logical_type::timestamp:
      return arrow::timestamp(arrow::TimeUnit::MICRO, field.form == time_form::local ? "" : "UTC");
    case logical_type::structure: {
      arrow::FieldVector fields;
      for (const field_description& each : field.children)
        fields.push_back(arrow_field(std::string(each.data_name), each));
      return arrow::struct_(std::move(fields));
    }
    case logical_type::list: {
      const field_description& element = field.children[0];
      if (is_map(field)) return arrow::map(type_of(element.children[0]), arrow_field("value", element.children[1]));
      return arrow::list(arrow_field("element", element));
    }
    default: return nullptr;
  }
}

inline buffer_pointer view_of(const buffer& bytes) {
  static constexpr std::uint8_t nothing[8] = {};
  if (bytes.empty()) return std::make_shared<arrow::Buffer>(nothing, 0);
  return std::make_shared<arrow::Buffer>(reinterpret_cast<const std::uint8_t*>(bytes.data()),
                                         static_cast<std::int64_t>(bytes.size()));
}

inline buffer_pointer validity_of(const column& of) { return of.validity.empty() ? nullptr : view_of(of.validity); }

inline array_pointer array_of(const column& from, const type_pointer& type);

inline array_pointer text_array(const column& from, const type_pointer& type) {
  std::vector<std::int32_t> ends{0};
  ends.reserve(from.rows + 1);
  std::string bytes;
  for (std::size_t row = 0; row < from.rows; ++row) {
    if (from.is_valid(row)) bytes += from.text_at(row);
    ends.push_back(etlantic::detail::place_in_column(bytes.size(), 0));
  }
  return arrow::MakeArray(arrow::ArrayData::Make(
      type, static_cast<std::int64_t>(from.rows),
      {validity_of(from), arrow::Buffer::FromVector(std::move(ends)), arrow::Buffer::FromString(std::move(bytes))}));
}

inline array_pointer nested_array(const column& from, const type_pointer& type) {
  std::vector<std::shared_ptr<arrow::ArrayData>> children;
  std::vector<buffer_pointer> buffers{validity_of(from)};
  if (from.field->type == logical_type::structure) {
    for (std::size_t i = 0; i < from.children.size(); ++i)
      children.push_back(array_of(from.children[i], type->field(static_cast<int>(i))->type())->data());
  } else {
    buffers.push_back(from.offsets.empty() ? arrow::Buffer::FromVector(std::vector<std::int32_t>{0})
                                           : view_of(from.offsets));
    children.push_back(array_of(from.children[0], type->field(0)->type())->data());
  }
  return arrow::MakeArray(arrow::ArrayData::Make(type, static_cast<std::int64_t>(from.rows), std::move(buffers),
                                                 std::move(children), arrow::kUnknownNullCount));
}

/// Points into the column where the layouts are the same.
inline array_pointer array_of(const column& from, const type_pointer& type) {
  switch (from.field->type) {
    case logical_type::text:
    case logical_type::binary: return text_array(from, type);
    case logical_type::structure:
    case logical_type::list: return nested_array(from, type);
    default: break;
  }
  return arrow::MakeArray(
      arrow::ArrayData::Make(type, static_cast<std::int64_t>(from.rows), {validity_of(from), view_of(from.values)}));
}

/// Columns of another file that are copied; nothing for those that are encoded.
using copied_chunks = std::vector<std::unique_ptr<::parquet::ColumnChunkMetaData>>;

inline std::shared_ptr<::parquet::WriterProperties> writer_properties(const schema& contract,
                                                                      std::span<const block> rows, const encoding& how,
                                                                      const copied_chunks& copied = {}) {
  ::parquet::WriterProperties::Builder builder;
  builder.compression(how.codec == "zstd"     ? ::parquet::Compression::ZSTD
                      : how.codec == "snappy" ? ::parquet::Compression::SNAPPY
                                              : ::parquet::Compression::UNCOMPRESSED);
  builder.enable_store_decimal_as_integer();
  builder.max_row_group_length(how.rows_per_group);
  // Pages end by their bytes: each page is compressed by itself, and setting that up costs as much as some thousand
  // rows.
  builder.max_rows_per_page(how.rows_per_group);
  for (std::size_t i = 0; i < contract.fields.size(); ++i) {
    const std::string name(contract.fields[i].data_name);
    if (i < copied.size() && copied[i])
      builder.compression(name, copied[i]->compression());
    else if (!has_repeated_values(rows, i))
      builder.disable_dictionary(name);
  }
  return builder.build();
}

/// Writes to a text, which need not be copied in the end.
class text_stream final : public arrow::io::OutputStream {
 public:
  explicit text_stream(std::size_t expected) { bytes_.reserve(expected); }

  arrow::Status Close() override {
    is_closed_ = true;
    return arrow::Status::OK();
  }
  bool closed() const override { return is_closed_; }
  arrow::Result<std::int64_t> Tell() const override { return static_cast<std::int64_t>(bytes_.size()); }
  arrow::Status Write(const void* bytes, std::int64_t count) override {
    bytes_.append(static_cast<const char*>(bytes), static_cast<std::size_t>(count));
    return arrow::Status::OK();
  }
  std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
  bool is_closed_ = false;
};

/// About half of what fixed values take without compression.
inline std::size_t expected_size(const schema& contract, std::span<const block> rows) {
  std::size_t count = 0;
  for (const block& each : rows) count += each.rows;
  return count * contract.fields.size() * 4 + 4096;
}

inline std::shared_ptr<arrow::Schema> arrow_schema(const schema& contract) {
  arrow::FieldVector fields;
  for (const field_description& each : contract.fields)
    fields.push_back(arrow_field(std::string(each.data_name), each));
  return arrow::schema(std::move(fields));
}

/// 1 for each value that is there.
inline void find_levels(const column& of, std::vector<std::int16_t>& levels) {
  levels.resize(of.rows);
  for (std::size_t row = 0; row < of.rows; ++row) levels[row] = of.is_valid(row) ? 1 : 0;
}

inline void write_column(::parquet::ColumnWriter& to, std::span<const block> rows, std::size_t index,
                         const arrow::Field& field) {
  ::parquet::ArrowWriteContext context(arrow::default_memory_pool(),
                                       ::parquet::default_arrow_writer_properties().get());
  std::vector<std::int16_t> levels;
  for (const block& each : rows) {
    const column& of = each.columns[index];
    if (of.rows == 0) continue;
    if (field.nullable()) find_levels(of, levels);
    const array_pointer values = array_of(of, field.type());
    PARQUET_THROW_NOT_OK(to.WriteArrow(field.nullable() ? levels.data() : nullptr, nullptr, values->length(), *values,
                                       &context, field.nullable()));
  }
}

/// A file of one group of rows, some columns of which are copied. Nothing if none can be.
inline std::optional<std::string> encode_changed(const schema& contract, std::span<const block> rows,
                                                 const encoding& how) {
  const auto has_parts = [](const field_description& each) { return !each.children.empty(); };
  if (!how.before || std::any_of(contract.fields.begin(), contract.fields.end(), has_parts)) return {};
  std::int64_t count = 0;
  for (const block& each : rows) count += static_cast<std::int64_t>(each.rows);
  const encoded_columns before(how.before->file);
  if (!before.has_rows(count) || count > how.rows_per_group) return {};
  const auto layout = arrow_schema(contract);
  std::shared_ptr<::parquet::SchemaDescriptor> described;
  auto properties = writer_properties(contract, {}, how);
  PARQUET_THROW_NOT_OK(::parquet::arrow::ToParquetSchema(layout.get(), *properties, &described));
  copied_chunks copied(contract.fields.size());
  for (std::size_t i = 0; i < copied.size(); ++i)
    if (how.before->unchanged[i]) copied[i] = before.find(*described->Column(static_cast<int>(i)));
  if (std::all_of(copied.begin(), copied.end(), [](const auto& each) { return each == nullptr; })) return {};
  properties = writer_properties(contract, rows, how, copied);

  const auto into = std::make_shared<text_stream>(expected_size(contract, rows));
  PARQUET_THROW_NOT_OK(into->Write("PAR1", 4));
  const auto file = ::parquet::FileMetaDataBuilder::Make(described.get(), properties);
  ::parquet::RowGroupMetaDataBuilder& group = *file->AppendRowGroup();
  std::int64_t written = 0;
  for (std::size_t i = 0; i < copied.size(); ++i) {
    ::parquet::ColumnChunkMetaDataBuilder& chunk = *group.NextColumnChunk();
    const int at = static_cast<int>(i);
    if (copied[i]) {
      copy_chunk(before, *copied[i], chunk, *into);
      written += copied[i]->total_uncompressed_size();
    } else {
      written += write_chunk(chunk, at, into, *properties,
                             [&](auto& writer) { write_column(writer, rows, i, *layout->field(at)); });
    }
  }
  group.set_num_rows(count);
  group.Finish(written, 0);
  ::parquet::WriteFileMetaData(*file->Finish(), into.get());
  return into->take();
}

inline result<std::string> encode_rows(const schema& contract, std::span<const block> rows, const encoding& how) {
  if (auto changed = encode_changed(contract, rows, how)) return std::move(*changed);
  const auto layout = arrow_schema(contract);
  const auto failed = [](const arrow::Status& status) {
    return failure{failure_class::internal, "PMSTREAM451", "Parquet cannot be written: " + status.ToString(), "", ""};
  };
  const auto into = std::make_shared<text_stream>(expected_size(contract, rows));
  auto writer = ::parquet::arrow::FileWriter::Open(*layout, arrow::default_memory_pool(), into,
                                                   writer_properties(contract, rows, how));
  if (!writer.ok()) return failed(writer.status());
  for (const block& each : rows) {
    arrow::ArrayVector arrays;
    for (std::size_t i = 0; i < each.columns.size(); ++i)
      arrays.push_back(array_of(each.columns[i], layout->field(static_cast<int>(i))->type()));
    const auto batch = arrow::RecordBatch::Make(layout, static_cast<std::int64_t>(each.rows), std::move(arrays));
    if (auto status = (*writer)->WriteRecordBatch(*batch); !status.ok()) return failed(status);
  }
  if (auto status = (*writer)->Close(); !status.ok()) return failed(status);
  return into->take();
}

}  // namespace detail

[[gnu::used]] inline result<std::string> encode(const schema& contract, std::span<const block> rows,
                                                const encoding& how) {
  try {
    return detail::encode_rows(contract, rows, how);
  } catch (const std::exception& thrown) {
    return failure{failure_class::internal, "PMSTREAM451", std::string("Parquet cannot be written: ") + thrown.what(),
                   "", ""};
  }
}

}  // namespace etlantic::parquet
