#pragma once
#include <etlantic/connect/delta/file_rows.hpp>
#include <etlantic/connect/delta/row_handover.hpp>
#include <etlantic/connect/delta/source.hpp>
#include <etlantic/connect/delta/source_files.hpp>
#include <etlantic/runtime/source.hpp>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace etlantic::delta {

class table_source final : public source {
 public:
  explicit table_source(source_settings settings) : found_(std::move(settings)) {}

  result<void> open(const schema& contract) override {
    const std::lock_guard guard(lock_);
    contract_ = &contract;
    return found_.open(contract);
  }

  void narrow(std::span<const row_condition> conditions) override {
    const std::lock_guard guard(lock_);
    found_.narrow(conditions);
  }

  left_out_input take_left_out() override {
    const std::lock_guard guard(lock_);
    return found_.take_left_out();
  }

  result<std::vector<split_range>> plan(const intake_limits& limits) override {
    const std::lock_guard guard(lock_);
    if (auto done = find_files(); !done) return done.error();
    std::vector<split_range> ranges;
    intake_limits left = limits;
    while (!waiting_.empty() && left.max_rows > 0 && left.max_bytes > 0 && left.max_files > 0) {
      waiting_file& next = waiting_.front();
      const std::int64_t rest = next.rows - next.planned;
      const std::int64_t count = std::min({rest, left.max_rows, rows_within(next, left.max_bytes)});
      if (count > 0) {
        ranges.push_back({next.name, next.planned, next.planned + count});
        next.planned += count;
        if (left.max_rows != no_limit) left.max_rows -= count;
        left.max_bytes -= next.bytes * count / std::max<std::int64_t>(next.rows, 1);
        --left.max_files;
      }
      if (count < rest) break;
      waiting_.pop_front();
      if (waiting_.empty())
        if (auto done = find_files(); !done) return done.error();
    }
    return ranges;
  }

  result<void> restore(const std::vector<split_range>& read) override {
    const std::lock_guard guard(lock_);
    waiting_.clear();
    files_.clear();
    return found_.restore(read);
  }

  std::optional<std::vector<split_range>> needed_positions(const std::vector<split_range>& read) override {
    if (read.size() < 2) return {};
    return read_mark::needed(read);
  }

  result<void> read(const split_range& range, intake& into) override {
    auto file = file_of(range.split);
    if (!file) return file.error();
    std::shared_ptr<const source_layouts> layouts;
    {
      const std::lock_guard guard(lock_);
      layouts = found_.layouts();
    }
    auto blocks = rows_of_file(found_.store(), *layouts, *file);
    if (!blocks) return blocks.error();
    std::int64_t at = 0;
    for (const block& each : *blocks) {
      const std::int64_t begin = std::max(range.begin - at, std::int64_t{0});
      const std::int64_t end = std::min(range.end - at, static_cast<std::int64_t>(each.rows));
      if (begin < end)
        if (auto done = row_handover(*contract_).hand_over(each, range.split, at, begin, end, into); !done) return done;
      at += static_cast<std::int64_t>(each.rows);
    }
    if (at < range.end || at != told_rows_of(*file).value_or(at))
      return failure{failure_class::source_data, "PMSTREAM405",
                     "the file has " + std::to_string(at) + " rows, which are not those that the log says",
                     found_.store().describe() + '/' + file->file.path, "restore the file from a copy"};
    if (at == range.end) {
      const std::lock_guard guard(lock_);
      files_.erase(range.split);  // a stream would remember all there ever were; a replay asks the log
    }
    return {};
  }

  result<whole_content> whole() override {
    const std::lock_guard guard(lock_);
    whole_content content;
    auto files = found_.whole(content.version);
    if (!files) return files.error();
    for (source_file& each : *files) {
      auto rows = count_rows(found_.store(), *found_.layouts(), each);
      if (!rows) return rows.error();
      const std::string name = each.split.name();
      if (*rows > 0) content.ranges.push_back({name, 0, *rows});
      files_[name] = std::move(each);
    }
    return content;
  }

  result<void> freeze() override {
    const std::lock_guard guard(lock_);
    return found_.freeze();
  }

  /// Files do not grow: what has been read to its end gets no more rows.
  std::vector<std::string> finished(const std::vector<std::string>& splits) override {
    const std::lock_guard guard(lock_);
    std::vector<std::string> found;
    for (const std::string& each : splits)
      if (std::none_of(waiting_.begin(), waiting_.end(), [&](const waiting_file& file) { return file.name == each; }))
        found.push_back(each);
    return found;
  }

  std::string describe() const override { return found_.describe(); }

 private:
  struct waiting_file {
    std::string name;
    std::int64_t bytes = 0;
    std::int64_t rows = 0;
    std::int64_t planned = 0;
  };

  /// Fills the list of files that wait, if there are more than those that are planned.
  result<void> find_files() {
    while (waiting_.empty()) {
      auto files = found_.next();
      if (!files) return files.error();
      if (files->empty()) return {};
      for (source_file& each : *files) {
        auto rows = count_rows(found_.store(), *found_.layouts(), each);
        if (!rows) return rows.error();
        const std::int64_t planned = found_.rows_read_of(each.split);
        if (*rows <= planned) continue;
        const std::string name = each.split.name();
        waiting_.push_back({name, each.file.size, *rows, planned});
        files_[name] = std::move(each);
      }
    }
    return {};
  }

  static std::int64_t rows_within(const waiting_file& file, std::int64_t bytes) {
    if (file.bytes <= bytes || file.bytes <= 0) return file.rows;
    return std::max<std::int64_t>(
        static_cast<std::int64_t>(static_cast<double>(file.rows) * static_cast<double>(bytes) /
                                  static_cast<double>(file.bytes)),
        1);
  }

  /// A file by its split; after a restart the log is asked.
  result<source_file> file_of(const std::string& name) {
    const std::lock_guard guard(lock_);
    if (const auto found = files_.find(name); found != files_.end()) return found->second;
    return found_.named(name);
  }

  std::mutex lock_;
  const schema* contract_ = nullptr;
  source_files found_;
  std::deque<waiting_file> waiting_;
  std::map<std::string, source_file> files_;  // that wait, or are about to be read
};

}  // namespace etlantic::delta

namespace etlantic {

[[gnu::used]] inline result<std::shared_ptr<source>> make_delta_source(const asset_binding& binding) {
  auto settings = delta::source_settings_of(binding);
  if (!settings) return settings.error();
  return std::shared_ptr<source>(std::make_shared<delta::table_source>(std::move(*settings)));
}

}  // namespace etlantic
