#pragma once
#include <etlantic/connect/delta/conflict.hpp>
#include <etlantic/connect/delta/failure.hpp>
#include <etlantic/connect/delta/features.hpp>
#include <etlantic/connect/delta/file_packing.hpp>
#include <etlantic/connect/delta/log_upkeep.hpp>
#include <etlantic/connect/delta/optimize.hpp>
#include <etlantic/connect/delta/snapshot.hpp>
#include <etlantic/connect/delta/transaction.hpp>
#include <etlantic/connect/delta/unique_id.hpp>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace etlantic::delta {

namespace detail {

class compaction {
 public:
  compaction(const folder_store& store, const optimize_request& request) : store_(store), request_(request) {}

  result<optimize_outcome> run() {
    auto table = load_table(store_);
    if (!table) return table.error();
    table_ = std::move(*table);
    if (!table_.exists()) return no_table(store_.describe());
    if (auto writable = check_writable(table_, write_intent::move_rows, store_.describe()); !writable)
      return writable.error();
    auto layout = layout_of(*table_.metadata, store_.describe());
    if (!layout) return layout.error();
    result<optimize_outcome> outcome = optimize_outcome{};
    for (std::vector<add_file>& files :
         packed_files(table_, request_.target_bytes, static_cast<std::int64_t>(request_.files.rows_per_file))) {
      rewritten& made = rewritten_.emplace_back();
      made.old = std::move(files);
      if (auto done = rewrite(*layout, made); !done) {
        outcome = done.error();
        break;
      }
    }
    if (outcome) outcome = commit_all();
    if (!outcome) forget_unless_committed();
    return outcome;
  }

 private:
  struct rewritten {
    std::vector<add_file> old;
    std::vector<add_file> fresh;
  };

  result<void> rewrite(const table_layout& layout, rewritten& group) const {
    file_writer writer(store_, layout, request_.files);
    result<void> done;
    for (const add_file& file : group.old) {
      if (!done) break;
      auto blocks = read_file_rows(store_, layout, file);
      if (!blocks) {
        done = blocks.error();
        break;
      }
      for (const block& each : *blocks) {  // row by row: appended whole, each file would stay one
        std::vector<row_place> places;
        for (std::size_t row = 0; row < each.rows; ++row) places.push_back({&each, static_cast<std::uint32_t>(row)});
        if (done) done = writer.append(places);
      }
    }
    if (done) done = writer.finish();
    group.fresh = std::move(writer.files());
    for (add_file& each : group.fresh) {
      each.changes_data = false;
      each.partition = group.old.front().partition;  // others may write the same value in another way
    }
    return done;
  }

  result<optimize_outcome> commit_all() {
    optimize_outcome outcome;
    while (!rewritten_.empty()) {
      auto ended = try_commit();
      if (!ended) return ended.error();
      if (ended->in_the_way == conflict::none) {
        for (const rewritten& each : rewritten_) count(each, outcome);
        outcome.version = ended->version;
        log_upkeep upkeep;
        if (upkeep.open(store_)) upkeep.after_commit(store_, table_);
        return outcome;
      }
      if (ended->in_the_way != conflict::removed_file)
        return failure{failure_class::sink_conflict, "PMSTREAM447",
                       "another writer has changed the table: " + std::string(name_of(ended->in_the_way)) + " (" +
                           ended->winner + ", version " + std::to_string(table_.version) + ')',
                       store_.describe(), "optimize it again; nothing was changed"};
      outcome.left_alone += leave_changed_alone();
    }
    return outcome;
  }

  result<commit_outcome> try_commit() {
    auto id = make_uuid();
    if (!id) return id.error();
    const std::int64_t now = milliseconds_now();
    commit_content content;
    pending_write depends{write_kind::compaction, {}, {}};
    optimize_outcome sums;
    for (const rewritten& group : rewritten_) {
      count(group, sums);
      for (const add_file& each : group.old) {
        content.removed.push_back({each.path, now, false, each.partition, each.size, each.deleted});
        depends.files_read.insert(identity_of(each.path, each.deleted));
      }
      content.added.insert(content.added.end(), group.fresh.begin(), group.fresh.end());
    }
    const commit_description description{"OPTIMIZE",
                                         {{"predicate", "\"[]\""}, {"zOrderBy", "\"[]\""}, {"auto", "false"}},
                                         table_.version,
                                         false,
                                         *id,
                                         now,
                                         {{"numRemovedFiles", std::to_string(sums.removed)},
                                          {"numAddedFiles", std::to_string(sums.added)},
                                          {"numRemovedBytes", std::to_string(sums.removed_bytes)},
                                          {"numAddedBytes", std::to_string(sums.added_bytes)}}};
    return commit(store_, table_, description, content, depends, most_attempts);
  }

  static void count(const rewritten& group, optimize_outcome& into) {
    into.removed += group.old.size();
    into.added += group.fresh.size();
    for (const add_file& each : group.old) into.removed_bytes += each.size;
    for (const add_file& each : group.fresh) into.added_bytes += each.size;
  }

  /// Groups are rewritten independently of each other: one that has lost a file costs none of the others.
  std::size_t leave_changed_alone() {
    std::size_t files = 0;
    std::erase_if(rewritten_, [&](const rewritten& group) {
      const bool is_whole = std::all_of(group.old.begin(), group.old.end(), [&](const add_file& each) {
        return table_.files.contains(identity_of(each.path, each.deleted));
      });
      if (is_whole) return false;
      files += group.old.size();
      forget(group);
      return true;
    });
    return files;
  }

  void forget(const rewritten& group) const {
    for (const add_file& each : group.fresh) (void)store_.remove(each.path);
  }

  /// Where the outcome of the commit is not known the files may be those of the table.
  void forget_unless_committed() {
    if (rewritten_.empty() || !refresh(store_, table_)) return;
    for (const rewritten& group : rewritten_)
      if (!group.fresh.empty() && !table_.files.contains(group.fresh.front().path)) forget(group);
  }

  static constexpr int most_attempts = 100;

  const folder_store& store_;
  const optimize_request& request_;
  table_state table_;
  std::vector<rewritten> rewritten_;
};

}  // namespace detail

[[gnu::used]] inline result<optimize_outcome> optimize(const folder_store& store, const optimize_request& request) {
  return detail::compaction(store, request).run();
}

}  // namespace etlantic::delta
