#pragma once
#include <etlantic/connect/parquet/parquet_file.hpp>

#include <arrow/api.h>
#include <arrow/io/interfaces.h>
#include <arrow/io/memory.h>
#include <parquet/column_writer.h>
#include <parquet/exception.h>
#include <parquet/file_reader.h>
#include <parquet/file_writer.h>
#include <parquet/metadata.h>
#include <parquet/properties.h>
#include <parquet/schema.h>
#include <parquet/statistics.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

// Files of one row group whose columns are encoded one by one, or are the bytes of another file.

namespace etlantic::parquet::detail {

inline std::shared_ptr<arrow::io::BufferReader> reader_of(std::string_view bytes) {
  return std::make_shared<arrow::io::BufferReader>(std::make_shared<arrow::Buffer>(
      reinterpret_cast<const std::uint8_t*>(bytes.data()), static_cast<std::int64_t>(bytes.size())));
}

/// The encoded columns of a file that has all of its rows in one group.
class encoded_columns {
 public:
  explicit encoded_columns(std::string_view file) : file_(file) {
    reader_ = ::parquet::ParquetFileReader::Open(reader_of(file));
    const ::parquet::FileMetaData& about = *reader_->metadata();
    // Older writers left the head of the dictionary out of a column's size.
    if (about.num_row_groups() == 1 && !about.is_encryption_algorithm_set() &&
        !about.writer_version().VersionLt(::parquet::ApplicationVersion::PARQUET_816_FIXED_VERSION()))
      group_ = about.RowGroup(0);
  }

  bool has_rows(std::int64_t count) const { return group_ && group_->num_rows() == count; }

  /// Where a column lies whose bytes may stand in another file of such a column. Nothing if that cannot be told.
  std::unique_ptr<::parquet::ColumnChunkMetaData> find(const ::parquet::ColumnDescriptor& wanted) const {
    const ::parquet::SchemaDescriptor& in_file = *reader_->metadata()->schema();
    for (int i = 0; i < in_file.num_columns(); ++i)
      if (in_file.Column(i)->path()->ToDotVector() == wanted.path()->ToDotVector()) {
        auto found = group_->ColumnChunk(i);
        return in_file.Column(i)->Equals(wanted) && is_plain(*found) ? std::move(found) : nullptr;
      }
    return nullptr;
  }

  /// Where the bytes of a column begin: a dictionary comes first.
  static std::int64_t begin_of(const ::parquet::ColumnChunkMetaData& chunk) {
    return chunk.has_dictionary_page() ? chunk.dictionary_page_offset() : chunk.data_page_offset();
  }

  std::string_view bytes_of(const ::parquet::ColumnChunkMetaData& chunk) const {
    return file_.substr(static_cast<std::size_t>(begin_of(chunk)),
                        static_cast<std::size_t>(chunk.total_compressed_size()));
  }

 private:
  /// Whether all that is said of a column's bytes can be said again, and they lie in the file.
  bool is_plain(const ::parquet::ColumnChunkMetaData& chunk) const {
    bool has_dictionary = false;
    for (const ::parquet::PageEncodingStats& each : chunk.encoding_stats()) {
      has_dictionary = has_dictionary || each.page_type == ::parquet::PageType::DICTIONARY_PAGE;
      if (each.page_type != ::parquet::PageType::DICTIONARY_PAGE && each.page_type != ::parquet::PageType::DATA_PAGE)
        return false;
    }
    const auto size = static_cast<std::int64_t>(file_.size());
    return !chunk.encoding_stats().empty() && has_dictionary == chunk.has_dictionary_page() &&
           chunk.file_path().empty() && chunk.crypto_metadata() == nullptr && begin_of(chunk) > 0 &&
           begin_of(chunk) <= chunk.data_page_offset() && chunk.total_compressed_size() > 0 &&
           chunk.total_compressed_size() <= size && begin_of(chunk) <= size - chunk.total_compressed_size() &&
           chunk.data_page_offset() < begin_of(chunk) + chunk.total_compressed_size();
  }

  std::string_view file_;
  std::unique_ptr<::parquet::ParquetFileReader> reader_;
  std::unique_ptr<::parquet::RowGroupMetaData> group_;
};

/// Writes a column as it is encoded already.
inline void copy_chunk(const encoded_columns& file, const ::parquet::ColumnChunkMetaData& from,
                       ::parquet::ColumnChunkMetaDataBuilder& to, arrow::io::OutputStream& sink) {
  PARQUET_ASSIGN_OR_THROW(const std::int64_t begin, sink.Tell());
  const std::int64_t moved = begin - encoded_columns::begin_of(from);
  const std::string_view bytes = file.bytes_of(from);
  PARQUET_THROW_NOT_OK(sink.Write(bytes.data(), static_cast<std::int64_t>(bytes.size())));
  std::map<::parquet::Encoding::type, std::int32_t> dictionary, data;
  for (const ::parquet::PageEncodingStats& each : from.encoding_stats())
    (each.page_type == ::parquet::PageType::DICTIONARY_PAGE ? dictionary : data)[each.encoding] += each.count;
  if (from.is_stats_set()) {
    ::parquet::EncodedStatistics bounds = *from.encoded_statistics();
    bounds.set_is_signed(to.descr()->sort_order() == ::parquet::SortOrder::SIGNED);
    to.SetStatistics(bounds);
  }
  const bool has_dictionary = from.has_dictionary_page();
  to.Finish(from.num_values(), has_dictionary ? from.dictionary_page_offset() + moved : 0, -1,
            from.data_page_offset() + moved, from.total_compressed_size(), from.total_uncompressed_size(),
            has_dictionary, has_dictionary && data.size() > 1, dictionary, data);
}

/// Calls `write(writer)` for a column of a file.
template <class Write>
std::int64_t write_chunk(::parquet::ColumnChunkMetaDataBuilder& to, int index,
                         const std::shared_ptr<arrow::io::OutputStream>& sink,
                         const ::parquet::WriterProperties& properties, Write write) {
  auto pages = ::parquet::PageWriter::Open(sink, properties.compression(to.descr()->path()), &to, 0,
                                           static_cast<std::int16_t>(index), properties.memory_pool());
  const auto writer = ::parquet::ColumnWriter::Make(&to, std::move(pages), &properties);
  write(*writer);
  return writer->Close();
}

}  // namespace etlantic::parquet::detail
