#pragma once
#include <etlantic/runtime/extract_intake.hpp>
#include <etlantic/runtime/stopwatch.hpp>

#include <algorithm>
#include <string>

namespace etlantic {

[[gnu::used]] inline result<void> extract_intake::lines(std::string_view split, std::int64_t begin,
                                                        std::string_view bytes) {
  return decode(split, bytes.size(), [&] { return decoder_.decode(split, begin, bytes, *this); });
}

[[gnu::used]] inline result<void> extract_intake::documents(std::string_view split, std::string_view bytes,
                                                            std::span<const document> each) {
  return decode(split, bytes.size() - each.size(),
                [&] { return decoder_.decode_documents(split, bytes, each, *this); });
}

[[gnu::used]] inline result<void> extract_intake::messages(std::string_view split, const message_batch& batch) {
  batch_ = &batch;
  result<void> done = decode(split, batch.bytes.size() - batch.documents.size(),
                             [&] { return decoder_.decode_messages(split, batch, *this); });
  batch_ = nullptr;
  return done;
}

template <class Decode>
result<void> extract_intake::decode(std::string_view split, std::size_t bytes, Decode decode) {
  counted_.bytes += static_cast<std::int64_t>(bytes);
  const stopwatch time;
  const double behind_before = seconds_behind_;
  const std::int64_t fast_before = decoder_.fast_rows();
  const result<std::int64_t> read = decode();
  counted_.fast += decoder_.fast_rows() - fast_before;
  counted_.decode_seconds += time.seconds() - (seconds_behind_ - behind_before);
  return count(read, split);
}

[[gnu::used]] inline result<void> extract_intake::rows(const block& typed) {
  return count(decoder_.check(typed, *this), typed.split);
}

[[gnu::used]] inline result<void> extract_intake::read(source& from, const split_range& range) {
  const stopwatch time;
  const double before = counted_.decode_seconds + seconds_behind_;
  result<void> done = from.read(range, *this);
  counted_.read_seconds += time.seconds() - (counted_.decode_seconds + seconds_behind_ - before);
  return done;
}

[[gnu::used]] inline result<void> extract_intake::take(const decoded_piece& piece, std::string_view split) {
  counted_.read_seconds += piece.read_seconds();
  counted_.decode_seconds += piece.decode_seconds();
  counted_.bytes += piece.bytes();
  counted_.fast += piece.fast_rows();
  counted_.skipped += piece.skipped_records();
  if (result<void> given = piece.give(*this); !given) return given;
  return count(piece.rows_read(), split);
}

[[gnu::used]] inline result<void> extract_intake::valid(const block& rows) {
  counted_.valid += static_cast<std::int64_t>(rows.rows);
  if (rows.rows == 0) return {};
  const stopwatch time;
  result<void> taken = next_.valid(rows);
  seconds_behind_ += time.seconds();
  return taken;
}

[[gnu::used]] inline result<void> extract_intake::invalid(const block& rows) {
  counted_.invalid += static_cast<std::int64_t>(rows.rows);
  count_reasons(rows);
  if (rows.rows == 0) return {};
  const stopwatch time;
  result<void> taken;
  if (batch_ == nullptr || batch_->origins == nullptr) {
    taken = next_.invalid(rows);
  } else {
    block with_origins = rows;
    add_origins(with_origins, *batch_);
    taken = next_.invalid(with_origins);
  }
  seconds_behind_ += time.seconds();
  return taken;
}

/// Every row read must have been handed over: a row that gets lost here would be missing without a trace.
[[gnu::used]] inline result<void> extract_intake::count(const result<std::int64_t>& read, std::string_view split) {
  if (!read) return read.error();
  counted_.read += *read;
  if (counted_.read == counted_.valid + counted_.invalid) return {};
  return failure{failure_class::internal, "PMSTREAM472",
                 "extract '" + counted_.node + "' read " + std::to_string(counted_.read) + " rows, but " +
                     std::to_string(counted_.valid) + " valid and " + std::to_string(counted_.invalid) +
                     " invalid ones came out of its decoder",
                 std::string(split), "This is a mistake in the decoder; please report it with the input."};
}

[[gnu::used]] inline void extract_intake::count_reasons(const block& rejected) {
  const auto named_reason = [](const column& each) { return each.field->name == "reason"; };
  const auto reason = std::find_if(rejected.columns.begin(), rejected.columns.end(), named_reason);
  for (std::size_t row = 0; row < rejected.rows; ++row) {
    const std::string_view text = reason == rejected.columns.end() ? std::string_view() : reason->text_at(row);
    ++counted_.reasons[text.empty() ? "malformed" : std::string(text)];
  }
}

}  // namespace etlantic
