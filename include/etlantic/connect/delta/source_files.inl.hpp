#pragma once
#include <etlantic/connect/delta/change_feed.hpp>
#include <etlantic/connect/delta/commit_times.hpp>
#include <etlantic/connect/delta/failure.hpp>
#include <etlantic/connect/delta/features.hpp>
#include <etlantic/connect/delta/file_rows.hpp>
#include <etlantic/connect/delta/schema_match.hpp>
#include <etlantic/connect/delta/source_files.hpp>
#include <etlantic/connect/delta/source_split.hpp>

#include <algorithm>
#include <utility>

namespace etlantic::delta {

[[gnu::used]] inline failure source_files::no_table() const {
  return {failure_class::configuration, "PMSTREAM444", "there is no Delta table", settings_.path,
          "name the folder of a table, the one that holds _delta_log"};
}

[[gnu::used]] inline failure source_files::misfit(const std::string& why) const {
  return {failure_class::source_data, "PMSTREAM431", "the table does not fit the contract: " + why, describe(),
          "change the contract, or bind the asset to another table"};
}

[[gnu::used]] inline result<void> source_files::open(const schema& contract) {
  contract_ = &contract;
  fixed_ = settings_.version_as_of;
  if (settings_.timestamp_as_of) {
    auto version = version_at(*settings_.timestamp_as_of, version_as_of);
    if (!version) return version.error();
    fixed_ = *version;
  }
  return look_at(fixed_);
}

[[gnu::used]] inline void source_files::narrow(std::span<const row_condition> conditions) {
  if (settings_.prune_files && contract_ != nullptr) pruning_ = file_pruning(*contract_, conditions);
}

[[gnu::used]] inline result<void> source_files::restore(const std::vector<split_range>& read) {
  next_.reset();
  frozen_.reset();
  if (const auto stranger = mark_.restore(read))
    return failure{failure_class::state, "PMSTREAM405",
                   "the checkpoint has read `" + *stranger + "`, which is no part of a Delta table", describe(),
                   "bind the asset to the source that the checkpoint was begun with"};
  if (!mark_.last() || mark_.last()->kind == split_kind::table) return {};
  if ((mark_.last()->kind == split_kind::changes) != settings_.read_change_feed)
    return failure{
        failure_class::state, "PMSTREAM405",
        std::string("the checkpoint was begun with") + (settings_.read_change_feed ? "out" : "") + " read_change_feed",
        describe(), "set the option as it was, or begin with another checkpoint"};
  return begin_behind(mark_.last()->version - 1);
}

[[gnu::used]] inline result<void> source_files::freeze() {
  auto names = store_.list("_delta_log");
  if (!names) return names.error();
  frozen_ = log_listing(*names).newest();
  return {};
}

/// Replays the log to a version, or to the newest one, and looks whether the contract fits what is there.
[[gnu::used]] inline result<void> source_files::look_at(std::optional<std::int64_t> version) {
  auto table = load_table(store_, version);
  if (!table) return table.error();
  if (!table->exists()) return no_table();
  table_ = std::move(*table);
  return take_layouts();
}

[[gnu::used]] inline result<void> source_files::take_layouts() {
  if (auto readable = check_readable(table_, describe()); !readable) return readable;
  auto layout = layout_of(*table_.metadata, describe());
  if (!layout) return layout.error();
  source_layouts made{std::move(*layout)};
  if (settings_.read_change_feed) {
    made.changes = with_change_columns(made.table, true);
    made.table = with_change_columns(made.table, false);
  }
  std::string all;
  if (contract_ != nullptr)
    for (const std::string& each : differences_for_reading(*contract_, made.table.whole->described))
      all += (all.empty() ? "" : "; ") + each;
  if (!all.empty()) return misfit(all);
  layouts_ = std::make_shared<const source_layouts>(std::move(made));
  return {};
}

/// The first version that is read for what it added; nothing where the table is read first.
[[gnu::used]] inline result<std::optional<std::int64_t>> source_files::starting_version() const {
  if (!settings_.starting_timestamp) return settings_.starting_version;
  auto version = version_at(*settings_.starting_timestamp, version_from);
  if (!version) return version.error();
  return std::optional(*version);
}

template <class Choose>
result<std::int64_t> source_files::version_at(std::int64_t milliseconds, Choose choose) const {
  auto newest = load_table(store_);
  if (!newest) return newest.error();
  if (!newest->exists()) return no_table();
  if (auto readable = check_readable(*newest, describe()); !readable) return readable.error();
  auto times = commit_times(store_, *newest);
  if (!times) return times.error();
  return choose(*times, milliseconds, describe());
}

/// The state before it: what a version adds is read by the table's own schema and features. Where that is gone, the
/// state behind it serves.
[[gnu::used]] inline result<void> source_files::begin_behind(std::int64_t version) {
  const std::int64_t first = version + 1;
  if (!table_.exists() || table_.version != version || first == 0) {
    auto before = look_at(first == 0 ? std::int64_t{0} : version);
    if (!before && !look_at(first)) return before;
    table_.version = version;
  }
  next_ = first;
  return {};
}

[[gnu::used]] inline result<std::vector<source_file>> source_files::next() {
  if (!next_) {
    const bool in_table = mark_.last() && mark_.last()->kind == split_kind::table;
    auto start = in_table ? result<std::optional<std::int64_t>>(std::optional<std::int64_t>()) : starting_version();
    if (!start) return start.error();
    if (*start) {
      if (auto done = begin_behind(**start - 1); !done) return done.error();
    } else {
      if (auto done = look_at(in_table ? mark_.last()->version : fixed_ ? fixed_ : frozen_); !done) return done.error();
      next_ = table_.version + 1;
      auto files = of_table();
      if (!files || !files->empty()) return files;
    }
  }
  while (!fixed_) {
    auto names = store_.list("_delta_log");
    if (!names) return names.error();
    const log_listing log(*names);
    if (*next_ > frozen_.value_or(log.newest())) break;
    if (!log.commits().contains(*next_))
      return damaged_log("version " + std::to_string(*next_) + " is missing in the log, and has not been read yet",
                         store_.describe() + "/_delta_log");
    auto files = of_version(*next_);
    if (!files) return files;
    ++*next_;
    if (!files->empty()) return files;
  }
  return std::vector<source_file>();
}

[[gnu::used]] inline result<std::vector<source_file>> source_files::of_table() {
  if (!settings_.read_change_feed) return to_read(files_of_table(table_));
  if (auto kept = check_feed(table_, describe()); !kept) return kept.error();
  auto time = time_of(table_);
  if (!time) return time.error();
  return to_read(table_as_inserts(table_, *time));
}

[[gnu::used]] inline result<std::vector<source_file>> source_files::of_version(std::int64_t version) {
  auto commit = load_commit(store_, version);
  if (!commit) return commit.error();
  const bool changes = std::any_of(commit->removed.begin(), commit->removed.end(),
                                   [](const remove_file& each) { return each.changes_data; });
  const bool new_schema = commit->metadata || commit->protocol;
  const std::string id = table_.metadata->id;
  commit_content applied = *commit;
  table_.apply(version, std::move(applied));
  if (table_.metadata->id != id) return misfit("another table has taken its place");
  if (new_schema)
    if (auto done = take_layouts(); !done) return done.error();
  if (settings_.read_change_feed) {
    auto files = changes_of(version, *commit);
    if (!files) return files;
    return to_read(std::move(*files));
  }
  if (changes && settings_.skip_changes) return std::vector<source_file>();
  if (changes)
    return failure{
        failure_class::source_data, "PMSTREAM452",
        "version " + std::to_string(version) + " replaces or removes rows, and a stream takes rows that are added only",
        describe(),
        "set skip_changes: true to pass over such versions, read_change_feed: true if the table has one, or "
        "read a table that is only appended to"};
  return to_read(files_added_by(version, *commit));
}

/// When the version of a state came into being.
[[gnu::used]] inline result<std::int64_t> source_files::time_of(const table_state& table) {
  const std::int64_t version = table.version;
  if (times_.empty() || times_.back().version < version) {
    auto times = commit_times(store_, table);
    if (!times) return times.error();
    times_ = std::move(*times);
  }
  for (const commit_time& each : times_)
    if (each.version == version) return each.milliseconds;
  return damaged_log("version " + std::to_string(version) + " has no commit, and so no time", store_.describe());
}

[[gnu::used]] inline result<std::vector<source_file>> source_files::changes_of(std::int64_t version,
                                                                               const commit_content& commit) {
  if (auto kept = check_feed(table_, describe()); !kept) return kept.error();
  auto time = time_of(table_);
  if (!time) return time.error();
  return files_changed_by(version, commit, *time);
}

/// Without those that have been read, and those that nobody needs to read.
[[gnu::used]] inline std::vector<source_file> source_files::to_read(std::vector<source_file> files) {
  std::erase_if(files, [&](const source_file& each) {
    const std::int64_t read = mark_.rows_read_of(each.split);
    if (read == read_mark::all_rows) return true;
    const bool has_statistics_of_its_rows = each.part != file_part::deleted_rows;
    if (read != 0 || !has_statistics_of_its_rows || !pruning_.leaves_out(each.file, layout_for(*layouts_, each)))
      return false;
    ++left_out_.files;
    left_out_.rows += told_rows_of(each).value_or(0);
    return true;
  });
  return files;
}

[[gnu::used]] inline result<std::vector<source_file>> source_files::whole(std::string& version) {
  if (settings_.read_change_feed)
    return failure{failure_class::configuration, "PMSTREAM408", "a change feed cannot be read as a reference",
                   describe(), "leave out read_change_feed: a reference is the table as it is"};
  if (auto done = look_at(fixed_); !done) return done.error();
  version = table_.metadata->id + ' ' + std::to_string(table_.version);
  return files_of_table(table_);
}

[[gnu::used]] inline result<source_file> source_files::named(const std::string& name) {
  const auto gone = [&](const std::string& why) {
    return failure{failure_class::source_data, "PMSTREAM405",
                   "the log does not have `" + name + "` any more, which was planned: " + why, describe(),
                   "restore the table from a copy"};
  };
  const auto split = source_split::parse(name);
  if (!split) return gone("it is no part of a Delta table");
  const auto find = [&]() -> std::optional<source_file> {
    for (const source_file& each : recalled_)
      if (each.split.kind == split->kind && each.split.version == split->version && each.split.path == split->path &&
          (split->index < 0 || each.split.index == split->index))
        return each;
    return {};
  };
  if (auto found = find()) return *found;
  auto table =
      split->kind == split_kind::version ? result<table_state>(table_state()) : load_table(store_, split->version);
  if (!table) return gone(table.error().message);
  auto commit =
      split->kind == split_kind::table ? result<commit_content>(commit_content()) : load_commit(store_, split->version);
  if (!commit) return gone(commit.error().message);
  auto time = settings_.read_change_feed ? time_of(*table) : result<std::int64_t>(0);
  if (!time) return gone(time.error().message);
  switch (split->kind) {
    case split_kind::table:
      recalled_ = settings_.read_change_feed ? table_as_inserts(*table, *time) : files_of_table(*table);
      break;
    case split_kind::version: recalled_ = files_added_by(split->version, *commit); break;
    case split_kind::changes: recalled_ = files_changed_by(split->version, *commit, *time); break;
  }
  if (auto found = find()) return *found;
  return gone("the version does not name it");
}

}  // namespace etlantic::delta
