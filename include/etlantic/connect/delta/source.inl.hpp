#pragma once
#include <etlantic/connect/delta/failure.hpp>
#include <etlantic/connect/delta/features.hpp>
#include <etlantic/connect/delta/file_reader.hpp>
#include <etlantic/connect/delta/json_values.hpp>
#include <etlantic/connect/delta/row_handover.hpp>
#include <etlantic/connect/delta/schema_match.hpp>
#include <etlantic/connect/delta/snapshot.hpp>
#include <etlantic/connect/delta/source.hpp>
#include <etlantic/connect/delta/source_settings.hpp>
#include <etlantic/connect/delta/source_split.hpp>
#include <etlantic/runtime/source.hpp>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace etlantic::delta {

class table_source final : public source {
 public:
  explicit table_source(source_settings settings) : settings_(std::move(settings)), store_(settings_.path) {}

  result<void> open(const schema& contract) override {
    const std::lock_guard guard(lock_);
    contract_ = &contract;
    return look_at(settings_.version);
  }

  result<std::vector<split_range>> plan(const intake_limits& limits) override {
    const std::lock_guard guard(lock_);
    if (auto done = find_files(); !done) return done.error();
    std::vector<split_range> ranges;
    intake_limits left = limits;
    while (!waiting_.empty() && left.max_rows > 0 && left.max_bytes > 0 && left.max_files > 0) {
      const waiting_file& next = waiting_.front();
      const std::int64_t begin = planned_[next.split];
      const std::int64_t rest = next.rows - begin;
      const std::int64_t count = std::min({rest, left.max_rows, rows_within(next, left.max_bytes)});
      if (count > 0) {
        ranges.push_back({next.split, begin, begin + count});
        planned_[next.split] = begin + count;
        if (left.max_rows != no_limit) left.max_rows -= count;
        left.max_bytes -= next.file.size * count / std::max<std::int64_t>(next.rows, 1);
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
    planned_.clear();
    next_.reset();
    frozen_.reset();
    std::optional<source_split> last;
    for (const split_range& range : read) {
      auto split = source_split::parse(range.split);
      if (!split)
        return failure{failure_class::state, "PMSTREAM405",
                       "the checkpoint has read `" + range.split + "`, which is no part of a Delta table", describe(),
                       "bind the asset to the source that the checkpoint was begun with"};
      planned_[range.split] = range.end;
      if (!last || last->version <= split->version) last = std::move(split);
    }
    // Versions are planned one after the other: only of the newest one something may be left.
    if (last) return last->of_snapshot ? wait_for_snapshot(last->version) : wait_for_commits(last->version);
    return {};
  }

  result<void> read(const split_range& range, intake& into) override {
    auto file = file_of(range.split);
    if (!file) return file.error();
    std::shared_ptr<const table_layout> layout;
    {
      const std::lock_guard guard(lock_);
      layout = layout_;
    }
    auto blocks = read_file_rows(store_, *layout, *file);
    if (!blocks) return blocks.error();
    std::int64_t at = 0;
    for (const block& each : *blocks) {
      const std::int64_t begin = std::max(range.begin - at, std::int64_t{0});
      const std::int64_t end = std::min(range.end - at, static_cast<std::int64_t>(each.rows));
      if (begin < end)
        if (auto done = row_handover(*contract_).hand_over(each, range.split, at, begin, end, into); !done) return done;
      at += static_cast<std::int64_t>(each.rows);
    }
    if (at == range.end) {
      const std::lock_guard guard(lock_);
      files_.erase(range.split);  // a stream would remember all there ever were; a replay asks the log
    }
    if (at >= range.end) return {};
    return failure{failure_class::source_data, "PMSTREAM405", "the file has fewer rows than were planned",
                   store_.describe() + '/' + file->path, "restore the file from a copy"};
  }

  result<whole_content> whole() override {
    const std::lock_guard guard(lock_);
    if (auto done = look_at(settings_.version); !done) return done.error();
    whole_content content;
    content.version = table_.metadata->id + ' ' + std::to_string(table_.version);
    for (const auto& [key, file] : table_.files) {
      auto rows = rows_of(file);
      if (!rows) return rows.error();
      const std::string split = source_split{true, table_.version, file.path}.name();
      if (*rows > 0) content.ranges.push_back({split, 0, *rows});
      files_[split] = file;
    }
    return content;
  }

  result<void> freeze() override {
    const std::lock_guard guard(lock_);
    auto names = store_.list("_delta_log");
    if (!names) return names.error();
    frozen_ = log_listing(*names).newest();
    return {};
  }

  /// Files do not grow: what has been read to its end gets no more rows.
  std::vector<std::string> finished(const std::vector<std::string>& splits) override {
    const std::lock_guard guard(lock_);
    std::vector<std::string> found;
    for (const std::string& each : splits)
      if (std::none_of(waiting_.begin(), waiting_.end(), [&](const waiting_file& file) { return file.split == each; }))
        found.push_back(each);
    return found;
  }

  std::string describe() const override { return "delta " + settings_.path; }

 private:
  struct waiting_file {
    std::string split;
    add_file file;
    std::int64_t rows = 0;
  };

  /// Replays the log to a version, or to the newest one, and looks whether the contract fits what is there.
  result<void> look_at(std::optional<std::int64_t> version) {
    auto table = load_table(store_, version);
    if (!table) return table.error();
    if (!table->exists())
      return failure{failure_class::configuration, "PMSTREAM444", "there is no Delta table", settings_.path,
                     "name the folder of a table, the one that holds _delta_log"};
    table_ = std::move(*table);
    return take_layout();
  }

  result<void> take_layout() {
    if (auto readable = check_readable(table_, describe()); !readable) return readable;
    auto layout = layout_of(*table_.metadata, describe());
    if (!layout) return layout.error();
    std::string all;
    if (contract_ != nullptr)
      for (const std::string& each : differences_for_reading(*contract_, layout->whole->described))
        all += (all.empty() ? "" : "; ") + each;
    if (!all.empty()) return misfit(all);
    layout_ = std::make_shared<const table_layout>(std::move(*layout));
    return {};
  }

  failure misfit(const std::string& why) const {
    return {failure_class::source_data, "PMSTREAM431", "the table does not fit the contract: " + why, describe(),
            "change the contract, or bind the asset to another table"};
  }

  /// Fills the list of files that wait, if there are more than those that are planned.
  result<void> find_files() {
    if (!waiting_.empty()) return {};
    if (!next_) {
      if (settings_.from_version) {
        if (auto done = wait_for_commits(*settings_.from_version); !done) return done;
      } else {
        if (auto done = look_at(settings_.version ? settings_.version : frozen_); !done) return done;
        if (auto done = wait_for_snapshot(table_.version); !done) return done;
      }
    }
    while (waiting_.empty() && !settings_.version) {
      auto names = store_.list("_delta_log");
      if (!names) return names.error();
      const log_listing log(*names);
      if (*next_ > frozen_.value_or(log.newest())) return {};
      if (!log.commits().contains(*next_))
        return damaged_log("version " + std::to_string(*next_) + " is missing in the log, and has not been read yet",
                           store_.describe() + "/_delta_log");
      if (auto done = wait_for_commit(*next_); !done) return done;
      ++*next_;
    }
    return {};
  }

  result<void> wait_for_snapshot(std::int64_t version) {
    if (!table_.exists() || table_.version != version)
      if (auto done = look_at(version); !done) return done;
    for (const auto& [key, file] : table_.files)
      if (auto done = wait_for({true, version, file.path}, file); !done) return done;
    next_ = version + 1;
    return {};
  }

  result<void> wait_for_commits(std::int64_t version) {
    // The state before it: what a version adds is read by the table's own schema and features.
    if (!table_.exists() || table_.version >= version || version == 0)
      if (auto done = look_at(version == 0 ? std::optional<std::int64_t>(0) : version - 1); !done) return done;
    if (version == 0) table_.version = -1;
    next_ = version;
    return {};
  }

  result<void> wait_for_commit(std::int64_t version) {
    auto commit = load_commit(store_, version);
    if (!commit) return commit.error();
    const bool changes = std::any_of(commit->removed.begin(), commit->removed.end(),
                                     [](const remove_file& each) { return each.changes_data; });
    const std::vector<add_file> added = commit->added;
    const bool new_schema = commit->metadata || commit->protocol;
    const std::string id = table_.metadata->id;
    table_.apply(version, std::move(*commit));
    if (table_.metadata->id != id) return misfit("another table has taken its place");
    if (new_schema)
      if (auto done = take_layout(); !done) return done;
    if (changes && settings_.skip_changes) return {};
    if (changes)
      return failure{failure_class::source_data, "PMSTREAM452",
                     "version " + std::to_string(version) +
                         " replaces or removes rows, and a stream takes rows that are added only",
                     describe(),
                     "set skip_changes: true to pass over such versions, or read a table that is only appended to"};
    for (const add_file& each : added)
      if (each.changes_data)
        if (auto done = wait_for({false, version, each.path}, each); !done) return done;
    return {};
  }

  result<void> wait_for(const source_split& split, const add_file& file) {
    auto rows = rows_of(file);
    if (!rows) return rows.error();
    const std::string name = split.name();
    files_[name] = file;
    const auto planned = planned_.find(name);
    if (*rows > (planned == planned_.end() ? 0 : planned->second)) waiting_.push_back({name, file, *rows});
    return {};
  }

  result<std::int64_t> rows_of(const add_file& file) const {
    const json_document statistics(file.statistics);
    if (const auto& value = statistics.value())
      if (const auto rows = integer_of(member_of(*value, "numRecords")))
        return *rows - (file.deleted ? file.deleted->rows : 0);
    auto blocks = read_file_rows(store_, *layout_, file);
    if (!blocks) return blocks.error();
    std::int64_t rows = 0;
    for (const block& each : *blocks) rows += static_cast<std::int64_t>(each.rows);
    return rows;
  }

  static std::int64_t rows_within(const waiting_file& file, std::int64_t bytes) {
    if (file.file.size <= bytes || file.file.size <= 0) return file.rows;
    return std::max<std::int64_t>(
        static_cast<std::int64_t>(static_cast<double>(file.rows) * static_cast<double>(bytes) /
                                  static_cast<double>(file.file.size)),
        1);
  }

  /// A file by its split; after a restart the log is asked.
  result<add_file> file_of(const std::string& name) {
    const std::lock_guard guard(lock_);
    if (const auto found = files_.find(name); found != files_.end()) return found->second;
    const auto gone = [&](const std::string& why) {
      return failure{failure_class::source_data, "PMSTREAM405",
                     "the log does not have `" + name + "` any more, which was planned: " + why, describe(),
                     "restore the table from a copy"};
    };
    const auto split = source_split::parse(name);
    if (!split) return gone("it is no part of a Delta table");
    if (!split->of_snapshot) {
      auto commit = load_commit(store_, split->version);
      if (!commit) return gone(commit.error().message);
      for (const add_file& each : commit->added) files_[source_split{false, split->version, each.path}.name()] = each;
    } else {
      auto table = load_table(store_, split->version);
      if (!table) return gone(table.error().message);
      for (const auto& [key, each] : table->files) files_[source_split{true, split->version, each.path}.name()] = each;
    }
    const auto found = files_.find(name);
    if (found == files_.end()) return gone("the version does not name it");
    return found->second;
  }

  source_settings settings_;
  folder_store store_;
  std::mutex lock_;
  const schema* contract_ = nullptr;
  table_state table_;
  std::shared_ptr<const table_layout> layout_;
  std::deque<waiting_file> waiting_;
  std::map<std::string, std::int64_t> planned_;  // split -> end of what was planned of it
  std::map<std::string, add_file> files_;        // that wait, or are about to be read
  std::optional<std::int64_t> next_;             // the version whose files come behind those that wait
  std::optional<std::int64_t> frozen_;
};

}  // namespace etlantic::delta

namespace etlantic {

[[gnu::used]] inline result<std::shared_ptr<source>> make_delta_source(const asset_binding& binding) {
  auto settings = delta::source_settings_of(binding);
  if (!settings) return settings.error();
  return std::shared_ptr<source>(std::make_shared<delta::table_source>(std::move(*settings)));
}

}  // namespace etlantic
