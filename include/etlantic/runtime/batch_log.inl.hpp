#pragma once
#include <etlantic/runtime/batch_log.hpp>
#include <etlantic/runtime/batch_log_content.hpp>
#include <etlantic/runtime/durable_file.inl.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace etlantic {

[[gnu::used]] inline void batch_log::add(std::int64_t number, std::int64_t newest_batch, std::size_t size) {
  newest_batches_[number] = newest_batch;
  next_ = number + 1;
  earlier_ = size;
}

[[gnu::used]] inline result<void> batch_log::append(std::string_view records, std::int64_t newest) {
  if (!file_) {
    if (result<void> begun = begin(records, newest); !begun) return begun;
  } else if (const auto failed = file_->append(records)) {
    earlier_ = file_->size();
    file_.reset();
    return detail::judge(failed);
  }
  std::int64_t& known = newest_batches_.rbegin()->second;
  known = std::max(known, newest);
  if (file_->size() >= most_bytes) file_.reset();
  return {};
}

/// A next log comes to be with its first records.
[[gnu::used]] inline result<void> batch_log::begin(std::string_view records, std::int64_t newest) {
  if (result<void> ended = end_earlier(); !ended) return ended;
  const std::string head = batch_log_head(next_);
  const std::string path = layout_.log(next_);
  if (result<void> made = write_durably(path, std::vector<std::string_view>{head, records}); !made) return made;
  newest_batches_[next_++] = newest;
  detail::growing_file file(path, head.size() + records.size());
  if (const auto failed = file.open()) return detail::judge(failed);
  file_.emplace(std::move(file));
  return {};
}

/// What a crash or a failed write left behind the whole records of the last log goes, because only the newest log may
/// end so. Also without any: a record that was cut off again in memory may be on the disk still.
[[gnu::used]] inline result<void> batch_log::end_earlier() {
  if (!earlier_) return {};
  detail::growing_file last(layout_.log(newest_batches_.rbegin()->first), *earlier_);
  auto failed = last.open();
  if (!failed) failed = last.cut_durably();
  if (failed) return detail::judge(failed);
  earlier_.reset();
  return {};
}

[[gnu::used]] inline void batch_log::remove_before(std::int64_t oldest) {
  while (!newest_batches_.empty() && newest_batches_.begin()->second < oldest) {
    const std::int64_t number = newest_batches_.begin()->first;
    const bool is_last = newest_batches_.size() == 1;
    if (is_last && file_) return;  // it grows
    if (!remove_file(layout_.log(number))) return;
    newest_batches_.erase(newest_batches_.begin());
    if (is_last) earlier_.reset();
  }
}

}  // namespace etlantic
