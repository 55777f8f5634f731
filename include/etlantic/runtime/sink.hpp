#pragma once
#include <etlantic/column/block.hpp>
#include <etlantic/core/output_mode.hpp>
#include <etlantic/core/result.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace etlantic {

/// What one load node gets from one batch.
struct publication {
  std::int64_t batch = 0;
  output_mode mode = output_mode::append;
  std::vector<block> blocks;  // in order; together the rows of the batch

  std::size_t rows() const {
    std::size_t sum = 0;
    for (const block& each : blocks) sum += each.rows;
    return sum;
  }
};

/// Who publishes: a query and one of its load nodes. Together with the batch id it makes publishing idempotent.
struct publisher {
  std::string query;
  std::string node;
};

/// Answer of a ledger that has no batch of a publisher; batches count from 0.
inline constexpr std::int64_t nothing_published = -1;

/// An end to which rows go. For every batch `prepare` and then `commit` are called on every sink of the query; all
/// prepare before the first commits. A batch that the sink has published already (same publisher, same or greater id
/// in its ledger) is skipped by both, so that a replay changes nothing.
class sink {
 public:
  virtual ~sink() = default;

  /// Ends what an earlier process of this publisher has left undecided. Called at each start from a checkpoint for all
  /// sinks, before the first is asked for what it has published: what one has left open may hide what another has
  /// published.
  virtual result<void> take_over(const publisher&) { return {}; }

  /// The newest batch of a publisher according to the ledger that lies with the target; `nothing_published` if there is
  /// none, also because the target is gone; no value if the sink keeps no such ledger. Asked before `open`, so that a
  /// query whose target has lost batches is refused. Must not create or change anything.
  virtual result<std::optional<std::int64_t>> published(const publisher&) { return std::optional<std::int64_t>(); }

  /// Makes sure that the target exists and fits the contract; creates it if it is not there. A target that differs is
  /// refused with the difference. Must not change an existing target. Called at each start: a sink that the program has
  /// bound is opened again, after `abort`, when its query starts again after a failure.
  virtual result<void> open(const schema& contract, output_mode mode, const publisher& who) = 0;

  virtual result<void> prepare(const publication& what) = 0;
  virtual result<void> commit(std::int64_t batch) = 0;
  /// Forgets what was prepared and not committed.
  virtual void abort() = 0;

  /// Whether rejected rows are to come with what their messages had beside the value (`block::origins`).
  virtual bool wants_origins() const { return false; }

  /// For people: where the rows go, without secrets.
  virtual std::string describe() const = 0;
};

}  // namespace etlantic
