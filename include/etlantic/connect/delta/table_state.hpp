#pragma once
#include <etlantic/connect/delta/action.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>

namespace etlantic::delta {

/// What a table is at one version: its log, replayed.
struct table_state {
  std::int64_t version = -1;  ///< -1: there is no table
  std::optional<table_protocol> protocol;
  std::optional<table_metadata> metadata;
  std::map<std::string, transaction> transactions;  ///< by application
  std::map<std::string, add_file> files;            ///< by `identity_of`
  std::map<std::string, remove_file> removed;       ///< tombstones

  bool exists() const { return version >= 0; }

  /// The newest batch of an application, or -1.
  std::int64_t newest_of(const std::string& application) const {
    const auto found = transactions.find(application);
    return found == transactions.end() ? -1 : found->second.version;
  }

  /// Replays the next commit, or what a checkpoint holds. Order within a commit does not matter, but for removes before
  /// adds: a file that is removed and added again with new statistics is there.
  void apply(std::int64_t to, commit_content&& commit) {
    version = to;
    if (commit.protocol) protocol = std::move(commit.protocol);
    if (commit.metadata) metadata = std::move(commit.metadata);
    for (transaction& each : commit.transactions) transactions[each.application] = std::move(each);
    for (remove_file& each : commit.removed) {
      std::string key = identity_of(each.path, each.deleted);
      files.erase(key);
      removed.insert_or_assign(std::move(key), std::move(each));
    }
    for (add_file& each : commit.added) {
      std::string key = identity_of(each.path, each.deleted);
      removed.erase(key);
      files.insert_or_assign(std::move(key), std::move(each));
    }
  }
};

}  // namespace etlantic::delta
