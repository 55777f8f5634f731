#pragma once
#include <etlantic/core/result.hpp>
#include <etlantic/core/time.hpp>
#include <etlantic/runtime/source.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace etlantic {

/// Splits that the group gives to this process, or takes from it.
struct split_change {
  bool taken_away = false;
  std::vector<std::string> splits;
};

/// The membership of this process in a group of processes that share an input. The group says who runs which split; it
/// keeps nothing that a result depends on. Used by one thread, but for `source_of`.
class split_group {
 public:
  virtual ~split_group() = default;

  /// All splits that the input has now.
  virtual result<std::vector<std::string>> splits() = 0;

  /// Serves the membership, at most so long, and gives the next change. After a change nothing more is given until
  /// `settle` was called for it; the membership is served all the same, so that waiting does not end it.
  virtual result<std::optional<split_change>> look(duration at_most) = 0;

  /// This process has done what the change asks for: what was taken away may go to another one.
  virtual result<void> settle(const split_change& change) = 0;

  /// Tells the group how far a split is done. Nothing depends on it; it may be told late, but not before it is done.
  virtual void show(const std::string& split, std::int64_t done) = 0;

  /// How far the group was told that a split is; nothing if it was not, or has forgotten.
  virtual result<std::optional<std::int64_t>> shown(const std::string& split) = 0;

  /// A source of exactly this split. One that was added later is read from its first row. May be called by several
  /// threads.
  virtual result<std::shared_ptr<source>> source_of(const std::string& split, bool was_added) = 0;

  /// Leaves the group, so that the others need not find out. Waits a short time only.
  virtual void leave() = 0;

  virtual std::string name() const = 0;
};

}  // namespace etlantic
