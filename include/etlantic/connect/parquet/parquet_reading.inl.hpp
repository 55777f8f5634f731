#pragma once
#include <etlantic/column/column.hpp>
#include <etlantic/connect/parquet/column_chunks.inl.hpp>
#include <etlantic/connect/parquet/parquet_file.hpp>
#include <etlantic/connect/parquet/stored_values.inl.hpp>
#include <etlantic/core/time.hpp>

#include <arrow/api.h>
#include <arrow/util/decimal.h>
#include <parquet/arrow/reader.h>
#include <parquet/arrow/schema.h>

#include <algorithm>
#include <exception>
#include <limits>
#include <memory>
#include <utility>

// Parquet to columns of ours by Arrow C++: values that are stored as ours are decoded to where they shall lie, of
// others Arrow makes arrays.

namespace etlantic::parquet {

namespace detail {

inline failure parquet_failure(const std::string& message, const std::string& where) {
  return {failure_class::sink_rejected, "PMSTREAM451", message, where,
          "check that the file is whole; a damaged file has to be restored from a copy"};
}

/// Which field of a file is meant: the one of that name, or the one whose id has it.
class field_finder {
 public:
  explicit field_finder(const std::optional<names_by_id>& by_id) : by_id_(by_id) {}

  bool is_it(const arrow::Field& in_file, const field_description& wanted) const {
    if (!by_id_) return in_file.name() == wanted.data_name;
    const std::int32_t id = id_of(in_file);
    if (id < 0) return in_file.name() == wanted.data_name;  // what is no column of the table has none
    const auto found = by_id_->find(id);
    return found != by_id_->end() && found->second == wanted.data_name;
  }

  /// Its place among some fields, or -1.
  int find(const arrow::FieldVector& fields, const field_description& wanted) const {
    for (std::size_t i = 0; i < fields.size(); ++i)
      if (is_it(*fields[i], wanted)) return static_cast<int>(i);
    return -1;
  }

  bool goes_by_id() const { return by_id_.has_value(); }

  static std::int32_t id_of(const arrow::Field& in_file) {
    const auto& about = in_file.metadata();
    const int place = about == nullptr ? -1 : about->FindKey("PARQUET:field_id");
    return place < 0 ? -1 : static_cast<std::int32_t>(std::stol(about->value(place)));
  }

 private:
  const std::optional<names_by_id>& by_id_;
};

[[noreturn]] inline void refuse(const arrow::Array& from, const field_description& field) {
  throw misfit{"column `" + std::string(field.data_name) + "` is " + from.type()->ToString() +
               " in the file and should be " + std::string(name_of(field.type))};
}

inline void read_array(const arrow::Array& from, column& into, const field_finder& fields);

template <class Array, class T>
void read_numbers(const arrow::Array& from, column& into) {
  const auto& typed = static_cast<const Array&>(from);
  for (std::size_t row = 0; row < into.rows; ++row)
    into.set(row, static_cast<T>(typed.Value(static_cast<std::int64_t>(row))));
}

template <class T>
void read_integers(const arrow::Array& from, column& into) {
  switch (from.type_id()) {
    case arrow::Type::INT8: return read_numbers<arrow::Int8Array, T>(from, into);
    case arrow::Type::INT16:
      if constexpr (sizeof(T) >= 2) return read_numbers<arrow::Int16Array, T>(from, into);
      break;
    case arrow::Type::INT32:
      if constexpr (sizeof(T) >= 4) return read_numbers<arrow::Int32Array, T>(from, into);
      break;
    case arrow::Type::INT64:
      if constexpr (sizeof(T) >= 8) return read_numbers<arrow::Int64Array, T>(from, into);
      break;
    default: break;
  }
  // Files of others may leave the narrower types unmarked: their values fit all the same.
  if (from.type_id() != arrow::Type::INT32) refuse(from, *into.field);
  const auto& typed = static_cast<const arrow::Int32Array&>(from);
  for (std::size_t row = 0; row < into.rows; ++row) {
    const std::int32_t value =
        typed.IsNull(static_cast<std::int64_t>(row)) ? 0 : typed.Value(static_cast<std::int64_t>(row));
    if (value < std::numeric_limits<T>::min() || value > std::numeric_limits<T>::max()) refuse(from, *into.field);
    into.set(row, static_cast<T>(value));
  }
}

template <class Array>
void read_texts(const arrow::Array& from, column& into) {
  const auto& typed = static_cast<const Array&>(from);
  for (std::size_t row = 0; row < into.rows; ++row)
    if (typed.IsValid(static_cast<std::int64_t>(row)))
      into.set_text(row, typed.GetView(static_cast<std::int64_t>(row)));
}

inline void read_text(const arrow::Array& from, column& into) {
  switch (from.type_id()) {
    case arrow::Type::STRING:
    case arrow::Type::BINARY: return read_texts<arrow::BinaryArray>(from, into);
    case arrow::Type::LARGE_STRING:
    case arrow::Type::LARGE_BINARY: return read_texts<arrow::LargeBinaryArray>(from, into);
    case arrow::Type::STRING_VIEW:
    case arrow::Type::BINARY_VIEW: return read_texts<arrow::BinaryViewArray>(from, into);
    case arrow::Type::FIXED_SIZE_BINARY: return read_texts<arrow::FixedSizeBinaryArray>(from, into);
    default: refuse(from, *into.field);
  }
}

inline void read_decimals(const arrow::Array& from, column& into) {
  if (from.type_id() != arrow::Type::DECIMAL128) refuse(from, *into.field);
  const auto& type = static_cast<const arrow::Decimal128Type&>(*from.type());
  if (type.scale() != into.field->scale || type.precision() > into.field->precision) refuse(from, *into.field);
  const auto& typed = static_cast<const arrow::Decimal128Array&>(from);
  const bool narrow = value_width(*into.field) == 8;
  for (std::size_t row = 0; row < into.rows; ++row) {
    int128 value;
    std::memcpy(&value, typed.GetValue(static_cast<std::int64_t>(row)), sizeof value);
    if (typed.IsNull(static_cast<std::int64_t>(row))) value = 0;
    if (narrow)
      into.set(row, static_cast<std::int64_t>(value));
    else
      into.set(row, value);
  }
}

inline void read_timestamps(const arrow::Array& from, column& into) {
  if (from.type_id() != arrow::Type::TIMESTAMP) refuse(from, *into.field);
  const auto unit = static_cast<const arrow::TimestampType&>(*from.type()).unit();
  const auto& typed = static_cast<const arrow::TimestampArray&>(from);
  for (std::size_t row = 0; row < into.rows; ++row) {
    if (typed.IsNull(static_cast<std::int64_t>(row))) continue;
    std::int64_t value = typed.Value(static_cast<std::int64_t>(row));
    if (unit == arrow::TimeUnit::NANO) value = floor_divide(value, 1000);
    const std::int64_t factor = unit == arrow::TimeUnit::SECOND ? 1'000'000 : unit == arrow::TimeUnit::MILLI ? 1000 : 1;
    if (__builtin_mul_overflow(value, factor, &value))
      throw misfit{"column `" + std::string(into.field->data_name) + "` holds a time that microseconds cannot say"};
    into.set(row, value);
  }
}

/// Keys and values of a map have names and ids of no meaning.
inline void read_pairs(const arrow::MapArray& from, std::int64_t begin, column& into, const field_finder& fields) {
  if (into.children.size() != 2) refuse(from, *into.field);
  const std::shared_ptr<arrow::Array> parts[] = {from.keys(), from.items()};
  for (std::size_t i = 0; i < 2; ++i) {
    into.children[i].resize(into.rows);
    read_array(*parts[i]->Slice(begin, static_cast<std::int64_t>(into.rows)), into.children[i], fields);
  }
}

inline void read_nested(const arrow::Array& from, column& into, const field_finder& fields) {
  if (into.field->type == logical_type::structure) {
    if (from.type_id() != arrow::Type::STRUCT) refuse(from, *into.field);
    const auto& typed = static_cast<const arrow::StructArray&>(from);
    for (column& child : into.children) {
      const int place = fields.find(from.type()->fields(), *child.field);
      child.resize(into.rows);
      if (place >= 0) {
        read_array(*typed.field(place), child, fields);
      } else if (child.field->nullable) {
        for (std::size_t row = 0; row < into.rows; ++row) child.set_null(row);
      } else {
        throw misfit{"column `" + std::string(child.field->data_name) + "` is missing in the file and cannot be null"};
      }
    }
    return;
  }
  if (from.type_id() != arrow::Type::LIST && from.type_id() != arrow::Type::MAP) refuse(from, *into.field);
  const auto& typed = static_cast<const arrow::ListArray&>(from);  // what a MapArray is, too
  auto* ends = reinterpret_cast<std::int32_t*>(into.offsets.data());
  std::int32_t end = 0;
  arrow::ArrayVector pieces;
  for (std::size_t row = 0; row < into.rows; ++row) {
    const auto at = static_cast<std::int64_t>(row);
    if (typed.IsValid(at)) end += typed.value_length(at);
    ends[row + 1] = end;
  }
  const std::int32_t begin = into.rows == 0 ? 0 : typed.value_offset(0);
  column& elements = into.children[0];
  const std::int32_t all = into.rows == 0 ? 0 : typed.value_offset(static_cast<std::int64_t>(into.rows)) - begin;
  if (all != end) throw misfit{"column `" + std::string(into.field->data_name) + "` has lists behind its nulls"};
  elements.resize(static_cast<std::size_t>(end));
  if (end == 0) return;
  if (from.type_id() == arrow::Type::MAP)
    read_pairs(static_cast<const arrow::MapArray&>(from), begin, elements, fields);
  else
    read_array(*typed.values()->Slice(begin, end), elements, fields);
}

/// `into` has its rows already.
inline void read_array(const arrow::Array& from, column& into, const field_finder& fields) {
  switch (into.field->type) {
    case logical_type::boolean: {
      if (from.type_id() != arrow::Type::BOOL) refuse(from, *into.field);
      const auto& typed = static_cast<const arrow::BooleanArray&>(from);
      for (std::size_t row = 0; row < into.rows; ++row) into.set_bool(row, typed.Value(static_cast<std::int64_t>(row)));
      break;
    }
    case logical_type::int8: read_integers<std::int8_t>(from, into); break;
    case logical_type::int16: read_integers<std::int16_t>(from, into); break;
    case logical_type::int32: read_integers<std::int32_t>(from, into); break;
    case logical_type::int64: read_integers<std::int64_t>(from, into); break;
    case logical_type::float32:
      if (from.type_id() != arrow::Type::FLOAT) refuse(from, *into.field);
      read_numbers<arrow::FloatArray, float>(from, into);
      break;
    case logical_type::float64:
      if (from.type_id() == arrow::Type::FLOAT)
        read_numbers<arrow::FloatArray, double>(from, into);
      else if (from.type_id() == arrow::Type::DOUBLE)
        read_numbers<arrow::DoubleArray, double>(from, into);
      else
        refuse(from, *into.field);
      break;
    case logical_type::decimal: read_decimals(from, into); break;
    case logical_type::text:
    case logical_type::binary: read_text(from, into); break;
    case logical_type::date:
      if (from.type_id() != arrow::Type::DATE32) refuse(from, *into.field);
      read_numbers<arrow::Date32Array, std::int32_t>(from, into);
      break;
    case logical_type::timestamp: read_timestamps(from, into); break;
    case logical_type::structure:
    case logical_type::list: read_nested(from, into, fields); break;
    default: refuse(from, *into.field);
  }
  if (from.null_count() == 0) return;
  check_nullable(*into.field);
  for (std::size_t row = 0; row < into.rows; ++row)
    if (from.IsNull(static_cast<std::int64_t>(row))) into.set_null(row);
}

inline void leaves_of(const ::parquet::arrow::SchemaField& field, std::vector<int>& leaves) {
  if (field.is_leaf()) leaves.push_back(field.column_index);
  for (const auto& child : field.children) leaves_of(child, leaves);
}

/// The columns of a file: those that have our values, and those that Arrow makes arrays of.
struct file_columns {
  std::vector<std::unique_ptr<stored_values>> stored;  // by the wanted fields; nothing for others
  std::vector<int> leaves;
  std::int64_t rows = 0;
};

inline file_columns columns_of(::parquet::arrow::FileReader& reader, const schema& wanted, const field_finder& fields) {
  const auto& in_file = reader.manifest().schema_fields;
  const auto has_no_id = [](const auto& each) { return field_finder::id_of(*each.field) < 0; };
  if (fields.goes_by_id() && !in_file.empty() && std::all_of(in_file.begin(), in_file.end(), has_no_id))
    throw misfit{"the columns have no field ids in the file, and the table goes by these"};
  arrow::FieldVector named;
  for (const auto& each : in_file) named.push_back(each.field);
  ::parquet::ParquetFileReader& file = *reader.parquet_reader();
  file_columns found;
  for (const field_description& each : wanted.fields) {
    auto& stored = found.stored.emplace_back();
    const int place = fields.find(named, each);
    if (place < 0) continue;
    const auto& field = in_file[static_cast<std::size_t>(place)];
    stored = stored_values_for(file, field, each);
    if (!stored) leaves_of(field, found.leaves);
  }
  for (int group = 0; group < file.metadata()->num_row_groups(); ++group)
    found.rows += file.metadata()->RowGroup(group)->num_rows();
  return found;
}

/// The next rows of a file; `others` has those columns that are not read by themselves.
inline block read_rows(std::size_t rows, const arrow::RecordBatch* others, const schema& wanted, file_columns& from,
                       const field_finder& fields) {
  block made(wanted);
  made.rows = rows;
  for (std::size_t i = 0; i < made.columns.size(); ++i) {
    column& into = made.columns[i];
    if (from.stored[i]) {
      into.resize_for_overwrite(rows);
      from.stored[i]->read(into);
      continue;
    }
    into.resize(rows);
    const int place = others == nullptr ? -1 : fields.find(others->schema()->fields(), *into.field);
    if (place >= 0) {
      read_array(*others->column(place), into, fields);
      continue;
    }
    if (!into.field->nullable)
      throw misfit{"column `" + std::string(into.field->data_name) + "` is missing in the file and cannot be null"};
    for (std::size_t row = 0; row < rows; ++row) into.set_null(row);
  }
  return made;
}

inline result<std::vector<block>> decode_rows(std::string_view bytes, const schema& wanted, const std::string& where,
                                              const field_finder& fields) {
  constexpr std::int64_t rows_per_block = std::int64_t{1} << 16;
  const auto failed = [&](const arrow::Status& status) {
    return parquet_failure("the Parquet file cannot be read: " + status.ToString(), where);
  };
  ::parquet::arrow::FileReaderBuilder builder;
  if (auto status = builder.Open(reader_of(bytes)); !status.ok()) return failed(status);
  ::parquet::ArrowReaderProperties properties;
  properties.set_coerce_int96_timestamp_unit(arrow::TimeUnit::MICRO);
  auto reader = builder.memory_pool(arrow::default_memory_pool())->properties(properties)->Build();
  if (!reader.ok()) return failed(reader.status());
  file_columns columns = columns_of(**reader, wanted, fields);
  std::vector<block> blocks;
  if (columns.leaves.empty()) {  // rows of nothing but nulls, or of partition values, still count
    for (std::int64_t left = columns.rows; left > 0; left -= rows_per_block)
      blocks.push_back(
          read_rows(static_cast<std::size_t>(std::min(left, rows_per_block)), nullptr, wanted, columns, fields));
    return blocks;
  }
  auto table = (*reader)->ReadTable(columns.leaves);
  if (!table.ok()) return failed(table.status());
  arrow::TableBatchReader batches(**table);
  batches.set_chunksize(rows_per_block);
  for (;;) {
    std::shared_ptr<arrow::RecordBatch> batch;
    if (auto status = batches.ReadNext(&batch); !status.ok()) return failed(status);
    if (batch == nullptr) return blocks;
    blocks.push_back(read_rows(static_cast<std::size_t>(batch->num_rows()), batch.get(), wanted, columns, fields));
  }
}

}  // namespace detail

[[gnu::used]] inline result<std::vector<block>> decode(std::string_view bytes, const schema& wanted,
                                                       const std::string& where,
                                                       const std::optional<names_by_id>& by_id) {
  try {
    return detail::decode_rows(bytes, wanted, where, detail::field_finder(by_id));
  } catch (const detail::misfit& found) {
    return detail::parquet_failure(found.message, where);
  } catch (const std::exception& thrown) {
    return detail::parquet_failure(std::string("the Parquet file cannot be read: ") + thrown.what(), where);
  }
}

}  // namespace etlantic::parquet
