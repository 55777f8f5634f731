#pragma once
#include <etlantic/connect/delta/commit_times.hpp>
#include <etlantic/connect/delta/file_pruning.hpp>
#include <etlantic/connect/delta/file_writer.hpp>
#include <etlantic/connect/delta/log_store.hpp>
#include <etlantic/connect/delta/read_mark.hpp>
#include <etlantic/connect/delta/snapshot.hpp>
#include <etlantic/connect/delta/source_file.hpp>
#include <etlantic/connect/delta/source_settings.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace etlantic::delta {

/// How the files of a source are read: those of the table, and those of its change feed.
struct source_layouts {
  table_layout table;
  std::optional<table_layout> changes{};  ///< of files that say of each row what happened to it
};

/// Finds the files that a source reads: those of the table first, then those of version after version.
class source_files {
 public:
  explicit source_files(source_settings settings) : settings_(std::move(settings)), store_(settings_.path) {}

  result<void> open(const schema& contract);
  void narrow(std::span<const row_condition> conditions);
  left_out_input take_left_out() { return std::exchange(left_out_, {}); }

  /// Starts again behind what has been read.
  result<void> restore(const std::vector<split_range>& read);
  result<void> freeze();

  /// The files of the next version that has some to read; none if there is none.
  result<std::vector<source_file>> next();
  /// Rows of a file that an earlier run has read.
  std::int64_t rows_read_of(const source_split& split) const { return mark_.rows_read_of(split); }

  /// The newest table, as a whole, and its identity.
  result<std::vector<source_file>> whole(std::string& version);

  /// A file by the name that a plan has for it.
  result<source_file> named(const std::string& split);

  const folder_store& store() const { return store_; }
  std::shared_ptr<const source_layouts> layouts() const { return layouts_; }
  std::string describe() const { return "delta " + settings_.path; }

 private:
  result<void> look_at(std::optional<std::int64_t> version);
  result<void> take_layouts();
  result<std::optional<std::int64_t>> starting_version() const;
  template <class Choose>
  result<std::int64_t> version_at(std::int64_t milliseconds, Choose choose) const;
  result<void> begin_behind(std::int64_t version);
  result<std::vector<source_file>> of_table();
  result<std::vector<source_file>> of_version(std::int64_t version);
  result<std::int64_t> time_of(const table_state& table);
  result<std::vector<source_file>> changes_of(std::int64_t version, const commit_content& commit);
  std::vector<source_file> to_read(std::vector<source_file> files);
  failure no_table() const;
  failure misfit(const std::string& why) const;

  source_settings settings_;
  folder_store store_;
  const schema* contract_ = nullptr;
  table_state table_;
  std::shared_ptr<const source_layouts> layouts_;
  read_mark mark_;
  file_pruning pruning_;
  left_out_input left_out_;
  std::optional<std::int64_t> next_;    // the version whose files come next
  std::optional<std::int64_t> frozen_;  // the newest one that is read
  std::optional<std::int64_t> fixed_;   // the only one that is read
  std::vector<commit_time> times_;      // as far as they have been asked for
  std::vector<source_file> recalled_;   // of the last version that a plan was read of again
};

}  // namespace etlantic::delta
