#pragma once
#include <etlantic/connect/delta/action_reader.hpp>
#include <etlantic/connect/delta/checkpoint.hpp>
#include <etlantic/connect/delta/failure.hpp>
#include <etlantic/connect/delta/log_names.hpp>
#include <etlantic/connect/delta/log_store.hpp>
#include <etlantic/connect/delta/partition.hpp>
#include <etlantic/connect/delta/table_state.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace etlantic::delta {

template <log_store Store>
result<commit_content> load_commit(const Store& store, std::int64_t version) {
  const std::string name = commit_name(version);
  auto text = store.read(name);
  if (!text) return text.error();
  return read_commit(*text, store.describe() + '/' + name);
}

namespace detail {

template <log_store Store>
failure hole(const Store& store, std::int64_t version, std::int64_t newest) {
  return damaged_log("version " + std::to_string(version) + " is missing in the log, which goes on to version " +
                         std::to_string(newest),
                     store.describe() + "/_delta_log");
}

template <log_store Store>
result<void> replay(const Store& store, const log_listing& log, std::int64_t last, table_state& into) {
  while (into.version < last) {
    const std::int64_t next = into.version + 1;
    if (!log.commits().contains(next)) return hole(store, next, log.newest());
    auto commit = load_commit(store, next);
    if (!commit) return commit.error();
    into.apply(next, std::move(*commit));
  }
  return {};
}

/// A file of a checkpoint: Parquet, or for a V2 checkpoint JSON, too.
template <log_store Store>
result<commit_content> load_checkpoint_file(const Store& store, const std::string& name) {
  auto bytes = store.read(name);
  if (!bytes) return bytes.error();
  const std::string where = store.describe() + '/' + name;
  return name.ends_with(".json") ? read_commit(*bytes, where) : decode_checkpoint(*bytes, where);
}

/// Files beside a checkpoint lie in one folder whatever their path is.
inline std::string sidecar_name(const std::string& path) {
  const std::string decoded = decoded_path(path);
  return "_delta_log/_sidecars/" + decoded.substr(decoded.rfind('/') + 1);
}

template <log_store Store>
result<void> load_checkpoint(const Store& store, const log_listing::checkpoint& which, table_state& into) {
  for (const std::string& file : which.files) {
    auto part = load_checkpoint_file(store, "_delta_log/" + file);
    if (!part) return part.error();
    const std::vector<std::string> sidecars = std::move(part->sidecars);
    into.apply(which.version, std::move(*part));
    for (const std::string& each : sidecars) {
      auto rest = load_checkpoint_file(store, sidecar_name(each));
      if (!rest) return rest.error();
      into.apply(which.version, std::move(*rest));
    }
  }
  return {};
}

}  // namespace detail

/// A table at its newest version or at an older one, from its newest checkpoint and the commits behind it; a state of
/// version -1 if there is no table. `_last_checkpoint` is not looked at: it may be stale or damaged, and the names
/// tell.
template <log_store Store>
result<table_state> load_table(const Store& store, std::optional<std::int64_t> version = {}) {
  auto names = store.list("_delta_log");
  if (!names) return names.error();
  const log_listing log(*names);
  table_state state;
  if (log.empty()) return state;
  const std::int64_t last = version.value_or(log.newest());
  if (last > log.newest())
    return failure{
        failure_class::configuration, "PMSTREAM444",
        "the table has no version " + std::to_string(last) + "; its newest is " + std::to_string(log.newest()),
        store.describe(), "name a version that is there"};
  if (const auto checkpoint = log.newest_checkpoint(last))
    if (auto done = detail::load_checkpoint(store, *checkpoint, state); !done) return done.error();
  if (auto done = detail::replay(store, log, last, state); !done) return done.error();
  return state;
}

/// Brings a state to the newest version, by the new commits only if they are all there.
template <log_store Store>
result<void> refresh(const Store& store, table_state& state) {
  auto names = store.list("_delta_log");
  if (!names) return names.error();
  const log_listing log(*names);
  const bool goes_on = state.exists() && log.newest() >= state.version && log.commits().contains(log.newest()) &&
                       (log.newest() == state.version || log.commits().contains(state.version + 1));
  if (goes_on) return detail::replay(store, log, log.newest(), state);
  auto loaded = load_table(store);
  if (!loaded) return loaded.error();
  state = std::move(*loaded);
  return {};
}

}  // namespace etlantic::delta
