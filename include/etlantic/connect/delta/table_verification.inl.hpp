#pragma once
#include <etlantic/connect/delta/checkpoint.hpp>
#include <etlantic/connect/delta/failure.hpp>
#include <etlantic/connect/delta/features.hpp>
#include <etlantic/connect/delta/file_writer.hpp>
#include <etlantic/connect/delta/log_names.hpp>
#include <etlantic/connect/delta/partition.hpp>
#include <etlantic/connect/delta/snapshot.hpp>
#include <etlantic/connect/delta/state_comparison.hpp>
#include <etlantic/connect/delta/statistics_check.hpp>
#include <etlantic/connect/delta/table_verification.hpp>

#include <optional>
#include <string>
#include <utility>

namespace etlantic::delta {

namespace detail {

class table_verifier {
 public:
  explicit table_verifier(const folder_store& store) : store_(store) {}

  result<table_verification> run() {
    auto names = store_.list("_delta_log");
    if (!names) return names.error();
    const log_listing log(*names);
    if (log.empty()) return no_table(store_.describe());
    replay_all(log);
    if (!is_replayed_) return found_;
    if (auto readable = check_readable(state_, store_.describe()); !readable) return readable.error();
    auto layout = layout_of(*state_.metadata, store_.describe());
    if (!layout) return layout.error();
    for (const auto& [key, file] : state_.files)
      if (auto done = check_file(*layout, file); !done) return done.error();
    return found_;
  }

 private:
  void find(failure what) { found_.findings.push_back(std::move(what)); }
  void find(const std::string& code, const std::string& message, const std::string& where, const std::string& help) {
    find({failure_class::sink_rejected, code, message, where, help});
  }

  /// From the first version, or from the oldest checkpoint if older commits have been cleaned away.
  void replay_all(const log_listing& log) {
    found_.version = log.newest();
    const bool from_start = log.commits().contains(0);
    std::int64_t next = 0;
    if (!from_start) {
      const auto oldest = oldest_checkpoint(log);
      if (!oldest) return find(damaged_log("version 0 is missing in the log, and there is no checkpoint", log_place()));
      auto state = read(*oldest);
      if (!state) return;
      state_ = std::move(*state);
      ++found_.checkpoints;
      check_commit_beside(log, oldest->version);
      next = oldest->version + 1;
    }
    for (std::int64_t version = next; version <= log.newest(); ++version) {
      if (!log.commits().contains(version))
        return find(damaged_log("version " + std::to_string(version) + " is missing in the log", log_place()));
      auto commit = load_commit(store_, version);
      if (!commit) return find(commit.error());
      state_.apply(version, std::move(*commit));
      ++found_.commits;
      check_checkpoint(log, version);
    }
    is_replayed_ = true;
  }

  static std::optional<log_listing::checkpoint> oldest_checkpoint(const log_listing& log) {
    std::optional<log_listing::checkpoint> oldest;
    for (auto older = log.newest_checkpoint(INT64_MAX); older; older = log.newest_checkpoint(older->version - 1))
      oldest = older;
    return oldest;
  }

  std::optional<table_state> read(const log_listing::checkpoint& checkpoint) {
    table_state state;
    for (const std::string& name : checkpoint.files) {
      const std::string place = log_place() + '/' + name;
      auto bytes = store_.read("_delta_log/" + name);
      auto part = bytes ? decode_checkpoint(*bytes, place) : result<commit_content>(bytes.error());
      if (!part) {
        find(part.error());
        return {};
      }
      state.apply(checkpoint.version, std::move(*part));
    }
    return state;
  }

  void check_checkpoint(const log_listing& log, std::int64_t version) {
    const auto checkpoint = log.newest_checkpoint(version);
    if (!checkpoint || checkpoint->version != version) return;
    ++found_.checkpoints;
    const auto state = read(*checkpoint);
    if (!state) return;
    for (const std::string& each : state_differences(*state, state_))
      find("PMSTREAM444", "the checkpoint and the commits differ in " + each,
           log_place() + '/' + checkpoint->files.front(),
           "remove the checkpoint, and `_last_checkpoint` if it names it, while all commits are there");
  }

  void check_commit_beside(const log_listing& log, std::int64_t version) {
    if (log.commits().contains(version)) return;
    find("PMSTREAM444",
         "the commit of version " + std::to_string(version) +
             " is missing beside its checkpoint, without which Spark and Delta Kernel do not read the table",
         log_place(), "restore it from a copy");
  }

  /// A failure if the file has something that we cannot read.
  result<void> check_file(const table_layout& layout, const add_file& file) {
    ++found_.files;
    const std::string path = decoded_path(file.path), place = store_.describe() + '/' + path;
    const std::string help = "restore the file from a copy, or the table at an older version";
    auto size = store_.size(path);
    if (!size) return size.error();
    if (!*size)
      find("PMSTREAM433", "a data file is missing", place, help);
    else if (**size != file.size)
      find("PMSTREAM451",
           "a data file has " + std::to_string(**size) + " bytes, and the log says " + std::to_string(file.size), place,
           help);
    else if (auto rows = read_file_rows(store_, layout, file))
      check_rows(layout, file, *rows, place);
    else if (rows.error().code == "PMSTREAM446")
      return rows.error();
    else
      find(rows.error());
    return {};
  }

  void check_rows(const table_layout& layout, const add_file& file, const std::vector<block>& rows,
                  const std::string& place) {
    for (const block& each : rows) found_.rows += static_cast<std::int64_t>(each.rows);
    for (const std::string& each : wrong_statistics(file, layout, rows))
      find("PMSTREAM451", "a data file and the log differ: " + each, place,
           "readers leave out files by such statistics: write its rows again");
  }

  std::string log_place() const { return store_.describe() + "/_delta_log"; }

  const folder_store& store_;
  table_state state_;
  table_verification found_;
  bool is_replayed_ = false;
};

}  // namespace detail

[[gnu::used]] inline result<table_verification> verify_table(const folder_store& store) {
  return detail::table_verifier(store).run();
}

}  // namespace etlantic::delta
