#pragma once
#include <etlantic/connect/delta/action.hpp>

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>

namespace etlantic::delta {

/// How a commit came to be, which says what others may have done meanwhile: `blind_append` looked at nothing of the
/// table, `merge` and `overwrite` at its rows, `compaction` only writes the same rows into other files.
enum class write_kind : std::uint8_t { blind_append, merge, overwrite, compaction };

/// Why a commit cannot follow one that came in between; `none`: it can.
enum class conflict : std::uint8_t { none, protocol, metadata, transaction, added_rows, removed_file };

constexpr std::string_view name_of(conflict kind) {
  constexpr std::string_view names[] = {"none",
                                        "another protocol",
                                        "other metadata",
                                        "a batch of the same publisher",
                                        "rows that were added",
                                        "files that were removed"};
  return names[static_cast<int>(kind)];
}

/// What a commit depends on.
struct pending_write {
  write_kind kind = write_kind::blind_append;
  std::string application{};           ///< whose transaction it carries
  std::set<std::string> files_read{};  ///< `identity_of` those that it read or removes
};

/// Whether a commit can be tried again at a later version although `winner` took the one it was made for. A merge
/// counts as having read the whole table: any added row may have one of its keys. Compactions of others (no data
/// change) add no rows, but they remove files.
inline conflict conflict_with(const pending_write& ours, const commit_content& winner) {
  if (winner.protocol) return conflict::protocol;
  if (winner.metadata) return conflict::metadata;
  for (const transaction& each : winner.transactions)
    if (each.application == ours.application) return conflict::transaction;
  if (ours.kind == write_kind::blind_append) return conflict::none;
  const auto is_read = [&](const remove_file& each) {
    return ours.files_read.contains(identity_of(each.path, each.deleted));
  };
  if (std::any_of(winner.removed.begin(), winner.removed.end(), is_read)) return conflict::removed_file;
  if (ours.kind == write_kind::compaction) return conflict::none;
  const auto has_new_rows = [](const add_file& each) { return each.changes_data; };
  if (std::any_of(winner.added.begin(), winner.added.end(), has_new_rows)) return conflict::added_rows;
  return conflict::none;
}

}  // namespace etlantic::delta
