#pragma once
#include <etlantic/column/column.hpp>

#include <arrow/type.h>
#include <parquet/arrow/schema.h>
#include <parquet/column_reader.h>
#include <parquet/file_reader.h>
#include <parquet/metadata.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

// Columns whose values are the same bytes in a Parquet file and in ours: they are decoded to where they shall lie,
// instead of into an array of Arrow that is copied.

namespace etlantic::parquet::detail {

struct misfit {
  std::string message;
};

/// Refuses a null where the wanted field has none.
inline void check_nullable(const field_description& field) {
  if (!field.nullable) throw misfit{"column `" + std::string(field.data_name) + "` holds null, which it must not"};
}

/// A column of a file, which must outlive this, read from its beginning to its end.
class stored_values {
 public:
  virtual ~stored_values() = default;
  /// The next values, as many as the column has rows.
  virtual void read(column& into) = 0;
};

template <class Stored>
class stored_values_of final : public stored_values {
  using value_type = typename Stored::c_type;

 public:
  stored_values_of(::parquet::ParquetFileReader& file, int leaf)
      : file_(file), leaf_(leaf), has_nulls_(file_.metadata()->schema()->Column(leaf)->max_definition_level() > 0) {}

  void read(column& into) override {
    if (has_nulls_) present_.resize(into.rows);
    for (std::size_t row = 0; row < into.rows;) {
      if (left_ == 0) open_group(into);
      const auto wanted = std::min(static_cast<std::int64_t>(into.rows - row), left_);
      auto* const values = into.data<value_type>() + row;
      std::int64_t values_read = 0;
      const std::int64_t rows_read =
          reader_->ReadBatch(wanted, has_nulls_ ? present_.data() : nullptr, nullptr, values, &values_read);
      if (rows_read <= 0 || rows_read > wanted) throw too_short(into);
      if (values_read < rows_read) place(into, row, values_read, rows_read);
      row += static_cast<std::size_t>(rows_read);
      left_ -= rows_read;
    }
  }

 private:
  static misfit too_short(const column& of) {
    return {"column `" + std::string(of.field->data_name) + "` has fewer values than the file has rows"};
  }

  void open_group(const column& into) {
    do {
      if (group_ == file_.metadata()->num_row_groups()) throw too_short(into);
      left_ = file_.metadata()->RowGroup(group_)->num_rows();
      reader_ = std::static_pointer_cast<::parquet::TypedColumnReader<Stored>>(file_.RowGroup(group_++)->Column(leaf_));
    } while (left_ == 0);
  }

  /// Moves values, which have been read without gaps, to their rows.
  void place(column& into, std::size_t first, std::int64_t values, std::int64_t rows) const {
    check_nullable(*into.field);
    auto* const to = into.data<value_type>() + first;
    for (auto row = static_cast<std::size_t>(rows); row-- > 0;) {
      if (present_[row] != 0) {
        to[row] = to[--values];
        continue;
      }
      to[row] = 0;
      into.set_null(first + row);
    }
  }

  ::parquet::ParquetFileReader& file_;
  int leaf_;
  bool has_nulls_;
  int group_ = 0;          // the next one
  std::int64_t left_ = 0;  // rows of the one that is open
  std::shared_ptr<::parquet::TypedColumnReader<Stored>> reader_;
  std::vector<std::int16_t> present_;
};

/// Whether a field of a file holds just the values of ours.
inline bool has_same_values(const arrow::DataType& in_file, ::parquet::Type::type stored,
                            const field_description& wanted) {
  switch (wanted.type) {
    case logical_type::int32: return in_file.id() == arrow::Type::INT32;
    case logical_type::int64: return in_file.id() == arrow::Type::INT64;
    case logical_type::float32: return in_file.id() == arrow::Type::FLOAT;
    case logical_type::float64: return in_file.id() == arrow::Type::DOUBLE;
    case logical_type::date: return in_file.id() == arrow::Type::DATE32;
    case logical_type::timestamp:
      return in_file.id() == arrow::Type::TIMESTAMP && stored == ::parquet::Type::INT64 &&
             static_cast<const arrow::TimestampType&>(in_file).unit() == arrow::TimeUnit::MICRO;
    case logical_type::decimal: {
      if (in_file.id() != arrow::Type::DECIMAL128 || stored != ::parquet::Type::INT64) return false;
      const auto& type = static_cast<const arrow::Decimal128Type&>(in_file);
      return value_width(wanted) == 8 && type.scale() == wanted.scale && type.precision() <= wanted.precision;
    }
    default: return false;
  }
}

/// Nothing if the values of the field are others than ours.
inline std::unique_ptr<stored_values> stored_values_for(::parquet::ParquetFileReader& file,
                                                        const ::parquet::arrow::SchemaField& in_file,
                                                        const field_description& wanted) {
  if (!in_file.is_leaf()) return nullptr;
  const auto* const stored = file.metadata()->schema()->Column(in_file.column_index);
  if (stored->max_repetition_level() > 0 || stored->max_definition_level() > 1 ||
      !has_same_values(*in_file.field->type(), stored->physical_type(), wanted))
    return nullptr;
  switch (stored->physical_type()) {
    case ::parquet::Type::INT32:
      return std::make_unique<stored_values_of<::parquet::Int32Type>>(file, in_file.column_index);
    case ::parquet::Type::INT64:
      return std::make_unique<stored_values_of<::parquet::Int64Type>>(file, in_file.column_index);
    case ::parquet::Type::FLOAT:
      return std::make_unique<stored_values_of<::parquet::FloatType>>(file, in_file.column_index);
    case ::parquet::Type::DOUBLE:
      return std::make_unique<stored_values_of<::parquet::DoubleType>>(file, in_file.column_index);
    default: return nullptr;
  }
}

}  // namespace etlantic::parquet::detail
