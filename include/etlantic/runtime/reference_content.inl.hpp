#pragma once
#include <etlantic/column/block_io.inl.hpp>
#include <etlantic/runtime/field_list.hpp>
#include <etlantic/runtime/reference_content.hpp>
#include <etlantic/runtime/unusable_reference.inl.hpp>

#include <algorithm>
#include <utility>

namespace etlantic {

namespace detail {

inline std::string described_rows(const schema& contract) {
  std::string text(contract.id);
  text += ": ";
  describe_fields(contract.fields, text);
  return text;
}

inline void save_blocks_end(state_writer& into) { into.put(std::uint8_t{0}); }

inline void save_next_block(const block& rows, state_writer& into) {
  into.put(std::uint8_t{1});
  save_block(rows, into);
}

}  // namespace detail

[[gnu::used]] inline result<void> reference_content::read(source& from, const whole_content& what) {
  bytes_ = {};
  invalid_ = {};
  read_rows_ = valid_rows_ = invalid_rows_ = 0;
  split_.clear();
  bytes_.put_text(detail::described_rows(*extract_.contract));
  decoder_.begin({});
  for (const split_range& range : what.ranges)
    if (result<void> done = from.read(range, *this); !done) return done;
  detail::save_blocks_end(bytes_);
  detail::save_blocks_end(invalid_);
  bytes_.put_text(invalid_.bytes());
  invalid_ = {};
  bytes_.put(valid_rows_);
  bytes_.put(invalid_rows_);
  return has_room();
}

[[gnu::used]] inline result<void> reference_content::lines(std::string_view split, std::int64_t begin,
                                                           std::string_view bytes) {
  if (split != split_) {
    split_ = split;
    lines_before_ = 0;
  }
  lines_ = bytes;
  begin_ = begin;
  result<void> done = count(decoder_.decode(split, begin, bytes, *this));
  lines_before_ += std::count(bytes.begin(), bytes.end(), '\n');
  return done;
}

[[gnu::used]] inline result<void> reference_content::rows(const block& typed) {
  lines_ = {};
  return count(decoder_.check(typed, *this));
}

[[gnu::used]] inline result<void> reference_content::valid(const block& rows) {
  if (rows.rows == 0) return {};
  valid_rows_ += rows.rows;
  detail::save_next_block(rows, bytes_);
  return has_room();
}

[[gnu::used]] inline result<void> reference_content::invalid(const block& rows) {
  if (rows.rows == 0) return {};
  if (!keeps_invalid_) return unusable_reference(extract_.name, rows, line_of(rows.columns[1].value<std::int64_t>(0)));
  invalid_rows_ += rows.rows;
  detail::save_next_block(rows, invalid_);
  return has_room();
}

[[gnu::used]] inline result<void> reference_content::count(const result<std::int64_t>& read) {
  if (!read) return read.error();
  read_rows_ += static_cast<std::uint64_t>(*read);
  if (read_rows_ == valid_rows_ + invalid_rows_) return {};
  return failure{failure_class::internal, "PMSTREAM472",
                 "reference '" + extract_.name + "' read " + std::to_string(read_rows_) +
                     " rows, but other numbers of valid and invalid ones came out of its decoder",
                 extract_.name, "This is a mistake in the decoder; please report it with the input."};
}

[[gnu::used]] inline result<void> reference_content::has_room() const {
  if (static_cast<std::int64_t>(bytes_.bytes().size() + invalid_.bytes().size()) <= most_bytes_) return {};
  return failure{failure_class::resource_exhausted, "PMSTREAM477",
                 "reference '" + extract_.name + "' has more than the " + std::to_string(most_bytes_) +
                     " bytes that a reference may have",
                 extract_.name,
                 "Raise limits.max_reference_bytes in the profile if there is memory for it, leave out fields of the "
                 "contract, or join two streams."};
}

/// Lines are counted from 1; rows that were no lines have none.
[[gnu::used]] inline std::string reference_content::line_of(std::int64_t position) const {
  if (lines_.data() == nullptr || position < begin_) return {};
  const std::string_view before = lines_.substr(0, static_cast<std::size_t>(position - begin_));
  return std::to_string(lines_before_ + std::count(before.begin(), before.end(), '\n') + 1);
}

[[gnu::used]] inline failure reference_reader::damaged() const {
  return {failure_class::checkpoint, "PMSTREAM461",
          "the rows that are kept of reference '" + extract_.name + "' are damaged", where_,
          "Restore the checkpoint directory from a copy, or start a new checkpoint."};
}

[[gnu::used]] inline result<void> reference_reader::give(row_receiver& into) {
  state_reader from(bytes_);
  const std::string wanted = detail::described_rows(*extract_.contract);
  const std::string_view kept = from.get_text();
  if (!from.ok()) return damaged();
  if (kept != wanted)
    return failure{failure_class::checkpoint, "PMSTREAM465",
                   "the contract of reference '" + extract_.name + "' changed from '" + std::string(kept) + "' to '" +
                       wanted + "', and a batch needs the rows as they were",
                   where_,
                   "Run the pipeline as it was before the change until the planned batch is done; a reference that is "
                   "read once needs a new checkpoint directory."};
  std::uint64_t valid = 0, invalid = 0;
  const auto give_blocks = [&](state_reader& of, const schema& contract, std::uint64_t& count, bool are_valid) {
    block rows(contract);
    while (of.get<std::uint8_t>() == 1) {
      if (!restore_block(of, rows)) return result<void>(damaged());
      count += rows.rows;
      if (result<void> taken = are_valid ? into.valid(rows) : into.invalid(rows); !taken) return taken;
    }
    return of.ok() ? result<void>() : result<void>(damaged());
  };
  if (result<void> done = give_blocks(from, *extract_.contract, valid, true); !done) return done;
  state_reader rest(from.get_text());
  if (result<void> done = give_blocks(rest, *extract_.outputs[1].contract, invalid, false); !done) return done;
  valid_rows_ = from.get<std::uint64_t>();
  invalid_rows_ = from.get<std::uint64_t>();
  if (!from.ok() || !from.at_end() || !rest.at_end() || valid_rows_ != valid || invalid_rows_ != invalid)
    return damaged();
  return {};
}

}  // namespace etlantic
