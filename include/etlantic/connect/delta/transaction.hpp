#pragma once
#include <etlantic/connect/delta/action_writer.hpp>
#include <etlantic/connect/delta/conflict.hpp>
#include <etlantic/connect/delta/snapshot.hpp>

#include <cstdint>
#include <string>
#include <utility>

namespace etlantic::delta {

/// How an attempt to commit ended: `version` is that of our commit, or `in_the_way` says what keeps it from following
/// the commits of others, which `table` has replayed then.
struct commit_outcome {
  std::int64_t version = -1;
  conflict in_the_way = conflict::none;
  std::string winner;  ///< the operation of the other commit
};

/// Commits at the next version, or at a later one if others were faster and nothing of theirs matters; `table` has that
/// version then. An unknown outcome (the store failed) is resolved by our id in the commit that is there.
template <log_store Store>
result<commit_outcome> commit(const Store& store, table_state& table, const commit_description& description,
                              const commit_content& content, const pending_write& ours, int attempts) {
  const std::string text = write_commit(description, content);
  const auto is_ours = [&](const commit_content& there) {
    return there.information && there.information->id == description.id;
  };
  for (int attempt = 0; attempt < attempts; ++attempt) {
    const std::int64_t version = table.version + 1;
    auto put = store.put_if_absent(commit_name(version), text);
    if (put && *put) {
      table.apply(version, commit_content(content));
      return commit_outcome{version, conflict::none, {}};
    }
    auto winner = load_commit(store, version);
    if (!winner) return put ? winner.error() : put.error();
    if (is_ours(*winner)) {
      // The name is there, but the call that was to make it durable has failed: without it a crash could take it back.
      if (!put)
        if (auto synced = store.sync("_delta_log"); !synced) return synced.error();
      table.apply(version, std::move(*winner));
      return commit_outcome{version, conflict::none, {}};
    }
    if (!put) return put.error();
    commit_outcome outcome{-1, conflict_with(ours, *winner), winner->information ? winner->information->operation : ""};
    table.apply(version, std::move(*winner));
    if (outcome.in_the_way != conflict::none) return outcome;
  }
  return failure{failure_class::connectivity, "PMSTREAM447",
                 "other writers were faster " + std::to_string(attempts) + " times, up to version " +
                     std::to_string(table.version),
                 store.describe(), "start again; the batch will be replayed"};
}

}  // namespace etlantic::delta
