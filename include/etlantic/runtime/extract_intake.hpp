#pragma once
#include <etlantic/runtime/decoded_piece.hpp>
#include <etlantic/runtime/progress.hpp>
#include <etlantic/runtime/row_decoder.hpp>
#include <etlantic/runtime/source.hpp>

#include <string_view>

namespace etlantic {

/// Stands between a source and the nodes that read an extract: has the input decoded, counts every row, and passes
/// valid and invalid rows on.
class extract_intake : public intake, private row_receiver {
 public:
  /// `next` takes the rows; `storage` is memory for bytes. All of them outlive the intake.
  extract_intake(row_decoder& decoder, row_receiver& next, extract_progress& counted, buffer& storage)
      : decoder_(decoder), next_(next), counted_(counted), storage_(storage) {}

  result<void> lines(std::string_view split, std::int64_t begin, std::string_view bytes) override;
  result<void> documents(std::string_view split, std::string_view bytes, std::span<const document> each) override;
  result<void> messages(std::string_view split, const message_batch& batch) override;
  void skipped(std::int64_t records) override { counted_.skipped += records; }
  result<void> rows(const block& typed) override;
  buffer& storage() override { return storage_; }

  /// Counts and passes on what was read and decoded elsewhere.
  result<void> take(const decoded_piece& piece, std::string_view split);

  /// Reads a range here and now.
  result<void> read(source& from, const split_range& range);

 private:
  result<void> valid(const block& rows) override;
  result<void> invalid(const block& rows) override;
  template <class Decode>
  result<void> decode(std::string_view split, std::size_t bytes, Decode decode);
  result<void> count(const result<std::int64_t>& read, std::string_view split);
  void count_reasons(const block& rejected);

  row_decoder& decoder_;
  row_receiver& next_;
  extract_progress& counted_;
  buffer& storage_;
  const message_batch* batch_ = nullptr;  // while it is decoded
  double seconds_behind_ = 0;             // of those that take the rows
};

}  // namespace etlantic
