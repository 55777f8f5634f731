#pragma once
#include <etlantic/runtime/decoded_piece.hpp>
#include <etlantic/runtime/stopwatch.hpp>

#include <functional>
#include <new>

namespace etlantic {

namespace detail {

// Texts that point elsewhere are copied into the column.
inline void own_texts(column& values) {
  for (column& child : values.children) own_texts(child);
  if (values.field->type != logical_type::text && values.field->type != logical_type::binary) return;
  for (std::size_t row = 0; row < values.rows; ++row) {
    const text_view& view = values.data<text_view>()[row];
    if (!view.is_inline() && view.place.buffer == 0) values.set_text(row, values.text_at(row));
  }
}

}  // namespace detail

[[gnu::used]] inline void decoded_piece::read(source& from, row_decoder& decoder, const split_range& range) {
  decoder_ = &decoder;
  end_ = range.end;
  used_ = 0;
  bytes_ = 0;
  rows_read_ = 0;
  skipped_ = 0;
  kept_texts_ = 0;
  error_.reset();
  decode_seconds_ = 0;
  const stopwatch time;
  const std::int64_t fast_before = decoder.fast_rows();
  if (result<void> done = from.read(range, *this); !done) error_ = done.error();
  fast_rows_ = decoder.fast_rows() - fast_before;
  read_seconds_ = time.seconds() - decode_seconds_;
}

[[gnu::used]] inline result<void> decoded_piece::give(row_receiver& next) const {
  for (std::size_t i = 0; i < used_; ++i) {
    const kept_block& each = blocks_[i];
    if (result<void> taken = each.is_valid ? next.valid(each.rows) : next.invalid(each.rows); !taken) return taken;
  }
  return {};
}

[[gnu::used]] inline result<void> decoded_piece::lines(std::string_view split, std::int64_t begin,
                                                       std::string_view bytes) {
  bytes_ += static_cast<std::int64_t>(bytes.size());
  const stopwatch time;
  result<void> done = count(decoder_->decode(split, begin, bytes, *this));
  if (begin + static_cast<std::int64_t>(bytes.size()) < end_ || !stays(bytes)) keep_texts();
  decode_seconds_ += time.seconds();
  return done;
}

[[gnu::used]] inline result<void> decoded_piece::documents(std::string_view split, std::string_view bytes,
                                                           std::span<const document> each) {
  bytes_ += static_cast<std::int64_t>(bytes.size() - each.size());
  const stopwatch time;
  result<void> done = count(decoder_->decode_documents(split, bytes, each, *this));
  if ((!each.empty() && each.back().position + 1 < end_) || !stays(bytes)) keep_texts();
  decode_seconds_ += time.seconds();
  return done;
}

[[gnu::used]] inline result<void> decoded_piece::messages(std::string_view split, const message_batch& batch) {
  bytes_ += static_cast<std::int64_t>(batch.bytes.size() - batch.documents.size());
  const stopwatch time;
  batch_ = &batch;
  result<void> done = count(decoder_->decode_messages(split, batch, *this));
  batch_ = nullptr;
  if ((!batch.details.empty() && batch.details.back().position + 1 < end_) || !stays(batch.bytes)) keep_texts();
  decode_seconds_ += time.seconds();
  return done;
}

/// Bytes that a source does not put into the storage are its own, and it may write over them at once.
[[gnu::used]] inline bool decoded_piece::stays(std::string_view bytes) const {
  const auto* const begin = reinterpret_cast<const char*>(storage_.data());
  const std::less_equal<const char*> precedes;
  return precedes(begin, bytes.data()) && precedes(bytes.data() + bytes.size(), begin + storage_.size());
}

/// The source goes on reading over the bytes that texts point into.
[[gnu::used]] inline void decoded_piece::keep_texts() {
  for (; kept_texts_ < used_; ++kept_texts_)
    for (column& each : blocks_[kept_texts_].rows.columns) detail::own_texts(each);
}

[[gnu::used]] inline result<void> decoded_piece::rows(const block& typed) {
  return count(decoder_->check(typed, *this));
}

[[gnu::used]] inline result<void> decoded_piece::valid(const block& rows) {
  next_block(rows, true) = rows;
  return {};
}

[[gnu::used]] inline result<void> decoded_piece::take_valid(block& rows) {
  std::swap(next_block(rows, true), rows);
  return {};
}

[[gnu::used]] inline result<void> decoded_piece::invalid(const block& rows) {
  block& kept = next_block(rows, false);
  kept = rows;
  if (batch_ != nullptr) add_origins(kept, *batch_);
  return {};
}

[[gnu::used]] inline block& decoded_piece::next_block(const block& like, bool is_valid) {
  // A block that is swapped for another one must be of the same contract.
  if (used_ == blocks_.size()) blocks_.push_back({block(*like.contract), is_valid});
  kept_block& next = blocks_[used_++];
  if (next.rows.contract != like.contract) next.rows = block(*like.contract);
  next.is_valid = is_valid;
  return next.rows;
}

[[gnu::used]] inline result<void> decoded_piece::count(const result<std::int64_t>& read) {
  if (!read) return read.error();
  rows_read_ += *read;
  return {};
}

}  // namespace etlantic
