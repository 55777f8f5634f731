#pragma once
#include <etlantic/core/result.hpp>
#include <etlantic/runtime/checkpoint_lock.hpp>

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace etlantic {

/// A rejected row that goes through its pipeline once more.
struct redriven_row {
  std::string id;
  bool repaired = false;
  std::string payload;

  friend bool operator==(const redriven_row&, const redriven_row&) = default;
};

/// Where rows that are redriven lie, beside the checkpoint, and which ones were. For a checkpoint `orders.checkpoint`:
///
///   orders.checkpoint.redrive/lock                    one redrive at a time
///   orders.checkpoint.redrive/orders.000001.ledger    what the first redrive of extract `orders` took
///   orders.checkpoint.redrive/orders/000001.ndjson    its payloads, which the extract's source reads as another file
///
/// The ledger is written first and holds the payloads, too: what a crash leaves undone, the next redrive finishes, so
/// that a row is never taken twice and none that is in the ledger is missing. A ledger is text: the line
/// `etlantic redrive 1`, whose number is the version, then for each row its id, `repaired` or `unchanged`, and its
/// payload as base64, with blanks between them.
class redrive_ledger {
 public:
  static constexpr std::string_view head = "etlantic redrive ";
  static constexpr int version = 1;

  /// The folder that a source reads.
  static std::string folder_of(const std::string& checkpoint, const std::string& extract) {
    return checkpoint + ".redrive/" + extract;
  }

  /// Which rows of an extract were redriven; none if there never was a redrive. Changes nothing.
  static result<std::set<std::string>> ids_of(const std::string& checkpoint, const std::string& extract);

  /// Takes the lock and finishes what a crash has left.
  static result<redrive_ledger> open(const std::string& checkpoint, const std::string& extract);

  bool has(const std::string& id) const { return ids_.count(id) > 0; }
  /// Writes down the rows and gives them to the source; the file that it will read.
  result<std::string> add(const std::vector<redriven_row>& rows);

 private:
  explicit redrive_ledger(checkpoint_lock held) : lock_(std::move(held)) {}

  checkpoint_lock lock_;
  std::string place_;  // of the checkpoint's redrives
  std::string extract_;
  std::set<std::string> ids_;
  std::int64_t last_ = 0;
};

std::string to_ledger(const std::vector<redriven_row>& rows);
result<std::vector<redriven_row>> read_ledger(std::string_view text, const std::string& path);

}  // namespace etlantic
