#pragma once
#include <etlantic/core/result.hpp>
#include <etlantic/runtime/batch_log.hpp>
#include <etlantic/runtime/batch_record.hpp>
#include <etlantic/runtime/checkpoint_identity.hpp>
#include <etlantic/runtime/checkpoint_layout.hpp>
#include <etlantic/runtime/checkpoint_listing.hpp>
#include <etlantic/runtime/checkpoint_lock.hpp>
#include <etlantic/runtime/checkpoint_snapshot.hpp>
#include <etlantic/runtime/missed_windows_file.hpp>

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace etlantic {

/// A batch that is done.
struct committed_batch {
  plan_record plan;
  commit_record commit;
};

/// Where a query stopped: everything empty for a fresh one.
struct recovered_batches {
  std::optional<commit_record> newest;    ///< the last batch that is done
  std::optional<commit_record> restored;  ///< the batch after which the newest snapshot was taken
  std::optional<loaded_snapshot> state;   ///< as it was after that batch
  std::vector<committed_batch> behind;    ///< what was done after it: to be computed again, and not published
  /// Batches that were planned and are not done, to be replayed exactly: one, or several after a rewind.
  std::vector<plan_record> pending;
  std::vector<reference_version> references;  ///< that the last planned batch uses
};

/// How much is kept behind the newest batch.
struct checkpoint_retention {
  std::int64_t batches = 0;
  std::int64_t snapshots = 0;  ///< at most; 0: all that the batches have
};

/// The checkpoint directory of one query, under its lock. For each batch the order is: plan, (process, publish),
/// commit; each of them durable before the next begins, but for a commit record that is held until the next plan: then
/// both become durable together, in this order, before that batch publishes anything. A crash anywhere leaves either no
/// trace of a batch or its plan, and with the plan the replay of exactly that batch. Snapshots of the state come at
/// times of their own, between publishing and commit or behind the commit; records are kept back to the newest one that
/// lets all retained batches be computed again.
class checkpoint {
 public:
  /// Takes the lock, verifies every record and compares the identity; makes the directory and the identity if there
  /// is nothing yet. Writes nothing into a checkpoint that it refuses.
  /// `held` is the lock, if the caller has it already.
  static result<checkpoint> open(const std::string& directory, const checkpoint_identity& wanted,
                                 std::optional<checkpoint_lock> held = std::nullopt);

  /// So that nobody else takes the checkpoint while its query waits to open it again.
  result<checkpoint_lock> share_lock() const { return lock_.share(); }

  /// Of the pipeline that wrote the newest commit, or of this one if there is none.
  const checkpoint_identity& identity() const { return identity_; }
  /// What changed in the pipeline since the last run and was accepted, as sentences.
  const std::vector<std::string>& accepted_changes() const { return accepted_changes_; }
  /// What to restore. Gives it away: a second call finds nothing.
  recovered_batches take_recovered() { return std::exchange(recovered_, {}); }

  /// Writes a commit record that is held in front of it.
  result<void> write_plan(const plan_record& plan);
  /// Keeps the rows of a version of a reference until no plan record names it any more. Before the plan that does.
  result<void> write_reference(const reference_version& version, std::string_view rows);
  /// The rows of a version, verified.
  result<std::string> read_reference(const reference_version& version) const;
  std::string place_of(const reference_version& version) const { return layout_.reference(version); }
  /// Writes the snapshot of a batch in front of its commit record.
  result<snapshot_receipt> write_snapshot(const snapshot& state);
  /// Keeps windows that late rows missed in a batch until a correction run takes them.
  result<void> keep_missed(std::int64_t batch, const missed_windows& missed) {
    return missed_.keep(layout_, batch, identity_.query, missed);
  }
  /// Takes note of a snapshot that was written behind the commit record of its batch.
  void add_snapshot(std::int64_t batch, snapshot_receipt written);
  /// Records accepted changes of the pipeline, fills in `oldest_kept` and the newest snapshot, writes the record, then
  /// removes what is not retained any more. Every sink has published the batch by now.
  result<void> write_commit(commit_record commit, const checkpoint_retention& retained);
  /// From here on records stand in logs instead of files of their own, and commit records are held until the next plan
  /// is written, or until `settle`: together they take one sync. What a crash loses of them is one batch that is done
  /// again, which its sinks have published already.
  void write_to_logs() { is_logged_ = true; }
  /// Writes the commit record that is held.
  result<void> settle();
  /// Of the newest commit record.
  std::uint32_t commit_checksum() const { return commit_checksum_; }
  const checkpoint_layout& layout() const { return layout_; }

 private:
  struct held_commit {
    std::int64_t batch;
    std::string record;
  };

  checkpoint(checkpoint_layout layout, checkpoint_lock lock)
      : layout_(std::move(layout)), lock_(std::move(lock)), log_(layout_) {}

  result<void> create(const checkpoint_identity& wanted);
  result<void> load(const checkpoint_identity& wanted);
  result<std::int64_t> load_rewind();
  result<void> load_state(const checkpoint_listing& listing, std::vector<committed_batch> done);
  result<void> adopt_changes(std::int64_t batch);
  void keep_from(std::int64_t newest, const checkpoint_retention& retained);
  result<void> finish_commit(std::int64_t batch);
  void remove_before(std::int64_t oldest);
  void remove_references();

  checkpoint_layout layout_;
  checkpoint_lock lock_;
  checkpoint_identity identity_;
  checkpoint_identity wanted_;
  bool has_new_names_ = false;  // of fields: what is on disk has others
  std::vector<std::string> accepted_changes_;
  recovered_batches recovered_;
  kept_missed_windows missed_;
  std::map<std::int64_t, std::vector<reference_version>> references_;  // by the batch whose plan names them
  std::set<std::string> kept_references_;                              // their files, as far as others were removed
  std::set<std::int64_t> snapshots_;                                   // of committed batches
  snapshot_receipt newest_snapshot_;
  std::uint32_t commit_checksum_ = 0;
  bool is_logged_ = false;
  batch_log log_;
  std::optional<held_commit> held_;
  std::int64_t oldest_kept_ = 0;
  std::set<std::int64_t> with_files_;  // batches that have, or may have, files of their own
  std::int64_t rewound_from_ = -1;     // the last batch that runs again after a rewind
};

}  // namespace etlantic
