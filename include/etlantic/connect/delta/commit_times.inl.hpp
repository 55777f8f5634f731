#pragma once
#include <etlantic/connect/delta/commit_times.hpp>
#include <etlantic/connect/delta/failure.hpp>
#include <etlantic/core/rfc3339.hpp>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <optional>

namespace etlantic::delta {

namespace detail {

/// The first version whose commit notes its time, or none.
inline std::optional<std::int64_t> first_with_time(const table_state& newest) {
  const auto property = [&](const char* name) {
    const auto found = newest.metadata->configuration.find(name);
    return found == newest.metadata->configuration.end() ? std::string() : found->second;
  };
  if (property("delta.enableInCommitTimestamps") != "true") return {};
  const std::string text = property("delta.inCommitTimestampEnablementVersion");
  std::int64_t version = 0;
  std::from_chars(text.data(), text.data() + text.size(), version);
  return version;
}

inline failure outside(const std::vector<commit_time>& times, std::int64_t milliseconds, const std::string& which,
                       const std::string& where) {
  const auto text = [](const commit_time& of) {
    return "version " + std::to_string(of.version) + " of " + format_rfc3339({of.milliseconds * 1000});
  };
  return {failure_class::configuration, "PMSTREAM444",
          "the table has no version " + which + ' ' + format_rfc3339({milliseconds * 1000}), where,
          "name a time from that of the earliest version to that of the latest: " + text(times.front()) + ", " +
              text(times.back())};
}

}  // namespace detail

[[gnu::used]] inline result<std::vector<commit_time>> commit_times(const folder_store& store,
                                                                   const table_state& newest) {
  auto names = store.list("_delta_log");
  if (!names) return names.error();
  const log_listing log(*names);
  const auto noted = detail::first_with_time(newest);
  std::vector<commit_time> found;
  for (const std::int64_t version : log.commits()) {
    if (version > newest.version) break;
    if (!found.empty() && found.back().version + 1 != version)
      found.clear();  // what lies before a hole is out of reach
    if (noted && version >= *noted) {
      auto commit = load_commit(store, version);
      if (!commit) return commit.error();
      if (!commit->information || !commit->information->in_commit_timestamp)
        return damaged_log("the commit lacks the time that commits of this table have (inCommitTimestamp)",
                           store.describe() + '/' + commit_name(version));
      found.push_back({version, *commit->information->in_commit_timestamp});
      continue;
    }
    auto time = store.modified(commit_name(version));
    if (!time) return time.error();
    if (!found.empty()) *time = std::max(*time, found.back().milliseconds + 1);
    found.push_back({version, *time});
  }
  // Where commits began to note their time, those before lie before it, whatever their files say.
  for (std::size_t i = found.size(); i > 1; --i)
    found[i - 2].milliseconds = std::min(found[i - 2].milliseconds, found[i - 1].milliseconds - 1);
  // What is older than the oldest checkpoint cannot be built up any more.
  if (!found.empty() && found.front().version != 0) {
    const auto reached = std::find_if(found.begin(), found.end(), [&](const commit_time& each) {
      const auto checkpoint = log.newest_checkpoint(each.version);
      return checkpoint && checkpoint->version >= found.front().version - 1;
    });
    found.erase(found.begin(), reached);
  }
  if (found.empty()) return damaged_log("no commit has a time: the log has a checkpoint only", store.describe());
  return found;
}

[[gnu::used]] inline result<std::int64_t> version_as_of(const std::vector<commit_time>& times,
                                                        std::int64_t milliseconds, const std::string& where) {
  if (milliseconds < times.front().milliseconds || milliseconds > times.back().milliseconds)
    return detail::outside(times, milliseconds, "as of", where);
  const auto behind = std::upper_bound(times.begin(), times.end(), milliseconds,
                                       [](std::int64_t time, const auto& each) { return time < each.milliseconds; });
  return std::prev(behind)->version;
}

[[gnu::used]] inline result<std::int64_t> version_from(const std::vector<commit_time>& times, std::int64_t milliseconds,
                                                       const std::string& where) {
  if (milliseconds > times.back().milliseconds ||
      (milliseconds < times.front().milliseconds && times.front().version != 0))
    return detail::outside(times, milliseconds, "from", where);
  return std::lower_bound(times.begin(), times.end(), milliseconds,
                          [](const auto& each, std::int64_t time) { return each.milliseconds < time; })
      ->version;
}

}  // namespace etlantic::delta
