#pragma once
#include <etlantic/connect/delta/log_names.hpp>
#include <etlantic/connect/delta/snapshot.hpp>

#include <cstdint>
#include <utility>
#include <vector>

namespace etlantic::delta {

/// One version of a table, by its commit.
struct table_version {
  std::int64_t version = 0;
  commit_content content;
};

/// The newest versions whose commits are still in the log, the newest first.
template <log_store Store>
result<std::vector<table_version>> newest_versions(const Store& store, std::int64_t most) {
  auto names = store.list("_delta_log");
  if (!names) return names.error();
  const log_listing log(*names);
  if (log.empty()) return no_table(store.describe());
  std::vector<table_version> found;
  const auto& commits = log.commits();
  for (auto each = commits.rbegin(); each != commits.rend() && std::cmp_less(found.size(), most); ++each) {
    auto commit = load_commit(store, *each);
    if (!commit) return commit.error();
    found.push_back({*each, std::move(*commit)});
  }
  return found;
}

}  // namespace etlantic::delta
