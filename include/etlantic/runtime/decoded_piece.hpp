#pragma once
#include <etlantic/column/block.hpp>
#include <etlantic/column/buffer.hpp>
#include <etlantic/core/result.hpp>
#include <etlantic/runtime/row_decoder.hpp>
#include <etlantic/runtime/source.hpp>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <utility>

namespace etlantic {

/// A part of a split, read and decoded, that waits for its turn: the bytes, and the rows whose texts point into them.
/// Memory is kept for the next part.
class decoded_piece final : public intake, private row_receiver {
 public:
  /// Reads and decodes the range. Runs in any thread; nothing else may look at the piece meanwhile.
  void read(source& from, row_decoder& decoder, const split_range& range);

  /// What ended the reading, if anything did.
  const std::optional<failure>& error() const { return error_; }

  std::int64_t bytes() const { return bytes_; }
  std::int64_t rows_read() const { return rows_read_; }
  std::int64_t fast_rows() const { return fast_rows_; }
  std::int64_t skipped_records() const { return skipped_; }
  double read_seconds() const { return read_seconds_; }
  double decode_seconds() const { return decode_seconds_; }

  /// Gives the rows on, in their order.
  result<void> give(row_receiver& next) const;

 private:
  struct kept_block {
    block rows;
    bool is_valid = true;
  };

  buffer& storage() override { return storage_; }
  result<void> lines(std::string_view split, std::int64_t begin, std::string_view bytes) override;
  result<void> documents(std::string_view split, std::string_view bytes, std::span<const document> each) override;
  result<void> messages(std::string_view split, const message_batch& batch) override;
  void skipped(std::int64_t records) override { skipped_ += records; }
  result<void> rows(const block& typed) override;
  result<void> valid(const block& rows) override;
  result<void> take_valid(block& rows) override;
  result<void> invalid(const block& rows) override;
  block& next_block(const block& like, bool is_valid);
  bool stays(std::string_view bytes) const;
  void keep_texts();
  result<void> count(const result<std::int64_t>& read);

  row_decoder* decoder_ = nullptr;        // while it reads
  const message_batch* batch_ = nullptr;  // while it is decoded
  std::int64_t end_ = 0;
  buffer storage_;
  std::deque<kept_block> blocks_;
  std::size_t used_ = 0;        // of the blocks
  std::size_t kept_texts_ = 0;  // of these, the ones that own their texts
  std::int64_t bytes_ = 0;
  std::int64_t rows_read_ = 0;
  std::int64_t fast_rows_ = 0;
  std::int64_t skipped_ = 0;
  double read_seconds_ = 0;
  double decode_seconds_ = 0;
  std::optional<failure> error_;
};

}  // namespace etlantic
