#pragma once
#include <etlantic/connect/memory/added_batches.hpp>
#include <etlantic/runtime/source.hpp>

#include <algorithm>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace etlantic {

/// Lines of JSON that the program hands over: what `memory_source` is for rows. The split is `memory`, a position is
/// the byte offset of the line in everything that was added.
class memory_lines_source final : public source {
 public:
  /// Adds lines, each with or without its line feed, as one batch.
  void add(const std::vector<std::string>& lines) {
    const std::lock_guard guard(lock_);
    add_lines(lines);
  }

  /// Puts lines in the place of all that were added: a new version of a reference.
  void replace(const std::vector<std::string>& lines) {
    const std::lock_guard guard(lock_);
    bytes_.clear();
    line_ends_.clear();
    batches_.clear();
    add_lines(lines);
  }

  result<std::vector<split_range>> plan(const intake_limits& limits) override {
    const std::lock_guard guard(lock_);
    return batches_.next([&](std::int64_t begin) {
      const auto first_end = std::upper_bound(line_ends_.begin(), line_ends_.end(), begin);
      const std::int64_t lines_left = line_ends_.end() - first_end;
      return limits.max_rows < lines_left ? *(first_end + limits.max_rows - 1) : line_ends_.back();
    });
  }

  result<void> restore(const std::vector<split_range>& read) override {
    const std::lock_guard guard(lock_);
    batches_.restore(read);
    return {};
  }

  result<void> read(const split_range& range, intake& into) override {
    std::string given;
    {
      const std::lock_guard guard(lock_);
      if (range.end > static_cast<std::int64_t>(bytes_.size()))
        return failure{failure_class::source_data, "PMSTREAM405", "the planned lines are not in memory any more",
                       "memory source", "add the same lines again before a restart"};
      given = bytes_.substr(static_cast<std::size_t>(range.begin), static_cast<std::size_t>(range.end - range.begin));
    }
    const std::size_t size = given.size();
    given.append(64, '\0');  // what a reader of wide words may touch
    return into.lines(range.split, range.begin, std::string_view(given).substr(0, size));
  }

  std::optional<bool> await_rows(duration at_most) override {
    std::unique_lock held(lock_);
    return added_.wait_for(held, at_most, [&] { return batches_.has_more(); });
  }

  waiting_input waiting() override {
    const std::lock_guard guard(lock_);
    const auto lines_before = [&](std::int64_t end) {
      return std::upper_bound(line_ends_.begin(), line_ends_.end(), end) - line_ends_.begin();
    };
    return {.rows = lines_before(batches_.end()) - lines_before(batches_.planned()),
            .bytes = batches_.end() - batches_.planned()};
  }

  result<whole_content> whole() override {
    const std::lock_guard guard(lock_);
    return whole_content{std::to_string(changes_), true, {{"memory", 0, static_cast<std::int64_t>(bytes_.size())}}};
  }

  result<void> freeze() override {
    const std::lock_guard guard(lock_);
    batches_.freeze();
    return {};
  }

  std::string describe() const override { return "memory"; }

 private:
  void add_lines(const std::vector<std::string>& lines) {
    for (const std::string& line : lines) {
      bytes_ += line;
      if (line.empty() || line.back() != '\n') bytes_ += '\n';
      line_ends_.push_back(static_cast<std::int64_t>(bytes_.size()));
    }
    batches_.end_at(static_cast<std::int64_t>(bytes_.size()));
    ++changes_;
    added_.notify_all();
  }

  std::mutex lock_;
  std::condition_variable added_;
  std::string bytes_;
  std::vector<std::int64_t> line_ends_;
  detail::added_batches batches_;
  std::int64_t changes_ = 0;
};

}  // namespace etlantic
