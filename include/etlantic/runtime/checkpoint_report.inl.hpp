#pragma once
#include <etlantic/runtime/batch_log_content.hpp>
#include <etlantic/runtime/batch_record_text.hpp>
#include <etlantic/runtime/checkpoint_listing.inl.hpp>
#include <etlantic/runtime/checkpoint_lock.hpp>
#include <etlantic/runtime/checkpoint_report.hpp>
#include <etlantic/runtime/checkpoint_snapshot.inl.hpp>
#include <etlantic/runtime/durable_file.hpp>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <set>
#include <utility>

namespace etlantic {

namespace detail {

inline checkpoint_fault fault_of(const failure& what) {
  if (what.code == "PMSTREAM462") return checkpoint_fault::missing;
  if (what.code == "PMSTREAM463") return checkpoint_fault::foreign;
  if (what.code == "PMSTREAM464") return checkpoint_fault::newer_version;
  if (what.code != "PMSTREAM461") return checkpoint_fault::unreadable;
  const bool is_short =
      what.message.find("it is cut") != std::string::npos || what.message.find("it is empty") != std::string::npos;
  return is_short ? checkpoint_fault::truncated : checkpoint_fault::corrupt;
}

/// Walks over a checkpoint and takes down what it finds.
class checkpoint_reader {
 public:
  checkpoint_reader(const std::string& directory, checkpoint_reading how) : layout_{directory}, how_(how) {
    found_.directory = directory;
  }

  result<checkpoint_report> read() {
    const result<std::vector<std::string>> names = list_directory(layout_.directory);
    if (!names) return names.error();
    read_root(*names);
    read_batches();
    read_states();
    read_references();
    compare_records();
    if (how_ == checkpoint_reading::whole) read_snapshots();
    judge_whole();
    return std::move(found_);
  }

 private:
  void note(failure what) {
    const checkpoint_fault fault = fault_of(what);
    found_.findings.push_back({fault, std::move(what)});
  }
  template <class Value>
  bool took(result<Value>& read) {
    if (read) return true;
    note(std::move(read.error()));
    return false;
  }

  void read_root(const std::vector<std::string>& names) {
    const std::set<std::string> known{"identity.json", "lock",        "batches", "state",       "references",
                                      "rewind.json",   "status.json", "stop",    "corrections", "reports"};
    for (const std::string& each : names)
      if (checkpoint_layout::is_temporary(each))
        ++found_.leftovers;
      else if (!known.contains(each))
        note(foreign_file(layout_.directory + "/" + each, "no file of a checkpoint has such a name"));
    has_folders_ = std::find(names.begin(), names.end(), "batches") != names.end() &&
                   std::find(names.begin(), names.end(), "state") != names.end();
    if (std::find(names.begin(), names.end(), "identity.json") == names.end()) {
      note(missing_file(layout_.identity(), "it says whose checkpoint this is"));
    } else if (result<std::string> bytes = read_file(layout_.identity()); took(bytes)) {
      result<checkpoint_identity> identity = read_identity_record(*bytes, layout_.identity());
      if (took(identity)) found_.identity = std::move(*identity);
    }
    if (std::find(names.begin(), names.end(), "rewind.json") == names.end()) return;
    if (result<std::string> bytes = read_file(layout_.rewind()); took(bytes)) {
      result<rewind_record> rewind = read_rewind_record(*bytes, layout_.rewind());
      if (took(rewind)) found_.rewind = *rewind;
    }
  }

  std::vector<std::string> names_in(const std::string& folder) {
    result<std::vector<std::string>> names = list_directory(folder);
    if (!names) {
      if (struct stat there; ::stat(folder.c_str(), &there) == 0) note(std::move(names.error()));
      return {};
    }
    std::erase_if(*names, [&](const std::string& each) {
      const bool is_left = checkpoint_layout::is_temporary(each);
      found_.leftovers += is_left;
      return is_left;
    });
    return std::move(*names);
  }

  /// Without an identity nobody can say which query the records belong to; then they are only read.
  std::string query_or(const std::string& own) const { return found_.identity ? found_.identity->query : own; }

  template <class Record>
  void take_record(std::string_view bytes, const std::string& path, std::int64_t batch,
                   std::map<std::int64_t, Record>& into,
                   result<Record> (*parse)(std::string_view bytes, const std::string& path)) {
    result<Record> record = parse(bytes, path);
    if (!took(record)) return;
    if (result<void> placed = verify_place(*record, path, batch, query_or(record->query)); !placed)
      return note(std::move(placed.error()));
    if constexpr (std::is_same_v<Record, commit_record>) checksums_[batch] = record_checksum(bytes);
    into.emplace(batch, std::move(*record));
  }

  template <class Record>
  void read_record(const std::string& path, std::int64_t batch, std::map<std::int64_t, Record>& into,
                   result<Record> (*parse)(std::string_view bytes, const std::string& path)) {
    result<std::string> bytes = read_listed(path);
    if (took(bytes)) take_record(*bytes, path, batch, into, parse);
  }

  void read_batches() {
    std::set<std::int64_t> logs;
    for (const std::string& name : names_in(layout_.batches())) {
      const std::string path = layout_.batches() + "/" + name;
      if (const std::int64_t plan = checkpoint_layout::batch_of(name, ".plan"); plan >= 0) {
        listed_plans_.insert(plan);
        read_record(path, plan, found_.plans, read_plan_record);
      } else if (const std::int64_t commit = checkpoint_layout::batch_of(name, ".commit"); commit >= 0) {
        listed_commits_.insert(commit);
        read_record(path, commit, found_.commits, read_commit_record);
      } else if (const std::int64_t log = checkpoint_layout::batch_of(name, ".log"); log >= 0)
        logs.insert(log);
      else
        note(foreign_file(path, "no batch record has such a name"));
    }
    read_logs(logs);
  }

  void read_logs(const std::set<std::int64_t>& logs) {
    if (result<void> consecutive = verify_consecutive(logs, layout_); !consecutive) note_log(consecutive.error());
    for (const std::int64_t number : logs) {
      batch_log_content content = read_batch_log(layout_, number, number == *logs.rbegin());
      found_.leftovers += content.unfinished > 0;
      for (const logged_record& each : content.records) read_logged(each, layout_.log(number));
      if (content.damage) note_log(std::move(*content.damage));
    }
  }

  void note_log(failure what) {
    has_bad_log_ = true;
    note(std::move(what));
  }

  void read_logged(const logged_record& record, const std::string& path) {
    const bool is_plan = record.kind == batch_record_kind::plan;
    if (!(is_plan ? listed_plans_ : listed_commits_).insert(record.batch).second) return;  // there is a file of it
    if (is_plan)
      take_record(record.bytes, path, record.batch, found_.plans, read_plan_record);
    else
      take_record(record.bytes, path, record.batch, found_.commits, read_commit_record);
  }

  /// The head of a file that may be large: as much of it as the record in front needs.
  void read_head(const std::string& path, std::int64_t batch) {
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    struct stat about{};
    if (file < 0 || ::fstat(file, &about) != 0) {
      if (file >= 0) ::close(file);
      return note(file_failure(file_operation::read, path, errno));
    }
    std::string bytes;
    for (std::size_t size = 1 << 16;; size *= 8) {
      bytes.resize(std::min(size, static_cast<std::size_t>(about.st_size)));
      const ssize_t count = ::pread(file, bytes.data(), bytes.size(), 0);
      bytes.resize(count > 0 ? static_cast<std::size_t>(count) : 0);
      const std::size_t closing = bytes.find("\n{\"length\":");
      const bool has_head = closing != std::string::npos && bytes.find('\n', closing + 1) != std::string::npos;
      if (has_head || bytes.size() == static_cast<std::size_t>(about.st_size) || count <= 0) break;
    }
    ::close(file);
    result<snapshot_head_read> head = read_snapshot_head(bytes, path);
    if (!took(head)) return;
    if (result<void> placed = verify_place(head->what, path, batch, query_or(head->what.query)); !placed)
      return note(std::move(placed.error()));
    snapshot_summary made{batch, about.st_size, {about.st_mtim.tv_sec * 1'000'000 + about.st_mtim.tv_nsec / 1000}, {}};
    std::int64_t length = static_cast<std::int64_t>(head->size);
    for (const section_head& each : head->sections) {
      made.states.emplace_back(each.step, each.bytes);
      length += each.bytes;
    }
    if (length > about.st_size)
      return note(damaged_file(path, static_cast<std::size_t>(about.st_size),
                               "it is cut: " + std::to_string(length) + " bytes were written"));
    if (length < about.st_size)
      return note(damaged_file(path, static_cast<std::size_t>(length), "more follows than belongs there"));
    if (head->what.commit && checksums_.contains(batch) && checksums_[batch] != *head->what.commit)
      return note(damaged_file(path, 0, "it is not a snapshot behind the commit record of its batch"));
    heads_[batch] = head->checksum;
    found_.snapshots.push_back(std::move(made));
  }

  void read_states() {
    for (const std::string& name : names_in(layout_.states())) {
      const std::string path = layout_.states() + "/" + name;
      const std::int64_t batch = checkpoint_layout::batch_of(name, ".snapshot");
      last_snapshot_ = std::max(last_snapshot_, batch);
      if (batch < 0)
        note(foreign_file(path, "no snapshot has such a name"));
      else if (listed_commits_.empty() || batch <= *listed_commits_.rbegin()) {
        listed_snapshots_.insert(batch);
        read_head(path, batch);
      } else
        ++found_.leftovers;  // of a batch that was not committed: its next run replaces it
    }
  }

  void read_references() {
    std::set<std::string> needed;
    for (const auto& [batch, plan] : found_.plans)
      for (const reference_version& each : plan.references) {
        const std::string path = layout_.reference(each);
        if (!needed.insert(path).second) continue;
        result<std::string> bytes = read_file(path);
        if (!bytes && bytes.error().code == "PMSTREAM462")
          note(missing_file(path, "batch " + std::to_string(batch) + " looks rows up in it"));
        else if (took(bytes))
          verify_reference(each, *bytes, path);
      }
    for (const std::string& name : names_in(layout_.references())) {
      if (needed.contains(layout_.references() + "/" + name))
        ++found_.references;
      else
        ++found_.leftovers;  // no plan names it any more: it is removed after a later batch
    }
  }

  void verify_reference(const reference_version& version, const std::string& bytes, const std::string& path) {
    const std::size_t end = bytes.find("\n{\"length\":");
    const std::size_t rows = end == std::string::npos ? end : bytes.find('\n', end + 1);
    if (rows == std::string::npos) return note(damaged_file(path, bytes.size(), "it is cut in its head"));
    const std::string_view content = std::string_view(bytes).substr(rows + 1);
    if (static_cast<std::int64_t>(content.size()) < version.bytes)
      return note(damaged_file(path, bytes.size(), "it is cut in its rows"));
    if (static_cast<std::int64_t>(content.size()) != version.bytes || crc32c(content) != version.checksum)
      note(damaged_file(path, rows + 1, "its rows are not those that the plan of a batch names"));
  }

  void compare_records() {
    const std::int64_t newest = listed_commits_.empty() ? -1 : *listed_commits_.rbegin();
    if (found_.commits.contains(newest)) found_.oldest_kept = found_.commits.at(newest).oldest_kept;
    if (found_.rewind) found_.oldest_kept = std::max(found_.oldest_kept, found_.rewind->oldest_kept);
    if (found_.rewind && !found_.rewind->is_done) note(interrupted_rewind(layout_.directory, found_.rewind->to));
    if (has_bad_log_) return;  // which batches are there nobody can say
    const std::int64_t oldest = found_.oldest_kept;
    const std::string needed = "batch " + std::to_string(newest) + " is committed and needs it";
    for (std::int64_t batch = oldest; batch <= newest; ++batch) {
      if (!listed_commits_.contains(batch)) note(missing_file(layout_.commit(batch), needed));
      if (!listed_plans_.contains(batch)) note(missing_file(layout_.plan(batch), needed));
    }
    if (oldest > 0 && !listed_snapshots_.contains(oldest))
      note(missing_file(layout_.snapshot(oldest), "what led to the state after that batch is not kept any more"));
    const std::int64_t last_plan = std::max(newest, found_.rewind ? found_.rewind->from : newest) + 1;
    if (!listed_plans_.empty() && *listed_plans_.rbegin() > last_plan)
      note(missing_file(layout_.commit(newest + 1), "batch " + std::to_string(*listed_plans_.rbegin()) +
                                                        " is planned, so that it must have been committed"));
    // Not beside a query that runs, which may have taken it since.
    if (last_snapshot_ > last_plan && how_ == checkpoint_reading::whole)
      note(missing_file(layout_.commit(newest + 1), "a snapshot of a later batch is there"));
    for (std::int64_t batch = newest + 1; batch < last_plan && found_.rewind; ++batch)
      if (!listed_plans_.contains(batch))
        note(missing_file(layout_.plan(batch), "the checkpoint was rewound, and the batch must run again"));
    std::set<std::int64_t> told;
    for (const auto& [batch, commit] : found_.commits) {
      const std::int64_t of = checkpoint_layout::batch_of(commit.snapshot.file, ".snapshot");
      if (batch < oldest || of < oldest) continue;
      const std::string names = "the commit record of batch " + std::to_string(batch) + " names it";
      if (!listed_snapshots_.contains(of)) {
        if ((of != oldest || oldest == 0) && told.insert(of).second) note(missing_file(layout_.snapshot(of), names));
      } else if (heads_.contains(of) && heads_.at(of) != commit.snapshot.checksum && told.insert(of).second)
        note(damaged_file(layout_.snapshot(of), 0, "it is not the snapshot that a commit record names"));
    }
  }

  /// Compares the checksums of what the heads only name.
  void read_snapshots() {
    for (const snapshot_summary& each : found_.snapshots) {
      const std::string path = layout_.snapshot(each.batch);
      result<std::string> bytes = read_listed(path);
      if (!took(bytes)) continue;
      if (result<loaded_snapshot> whole = loaded_snapshot::read(std::move(*bytes), path); !whole)
        note(std::move(whole.error()));
    }
  }

  /// A copy that was made by hand while the query ran, or that broke off, lacks several things at once.
  void judge_whole() {
    std::int64_t missing = 0;
    for (const checkpoint_finding& each : found_.findings)
      missing += each.fault == checkpoint_fault::missing || each.fault == checkpoint_fault::truncated;
    if (!found_.identity && listed_plans_.empty() && listed_snapshots_.empty()) return;
    if (has_folders_ && missing < 2) return;
    found_.findings.push_back(
        {checkpoint_fault::half_copied,
         {failure_class::checkpoint, "PMSTREAM462",
          "checkpoint '" + layout_.directory + "' looks like half a copy: " +
              (has_folders_ ? std::to_string(missing) + " files are missing or cut" : "a folder of it is missing"),
          layout_.directory,
          "Copy the whole directory again, while no query works on it; `checkpoint verify` tells when it is "
          "complete."}});
  }

  checkpoint_layout layout_;
  checkpoint_reading how_;
  checkpoint_report found_;
  bool has_folders_ = false;
  bool has_bad_log_ = false;
  std::int64_t last_snapshot_ = -1;
  std::set<std::int64_t> listed_plans_, listed_commits_, listed_snapshots_;
  std::map<std::int64_t, std::uint32_t> checksums_;  // of commit records
  std::map<std::int64_t, std::uint32_t> heads_;      // of snapshots
};

}  // namespace detail

[[gnu::used]] inline result<checkpoint_report> read_checkpoint(const std::string& directory, checkpoint_reading how) {
  return detail::checkpoint_reader(directory, how).read();
}

}  // namespace etlantic
