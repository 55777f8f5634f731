#pragma once
#include <etlantic/core/result.hpp>
#include <etlantic/runtime/profile.hpp>
#include <etlantic/runtime/program.hpp>
#include <etlantic/runtime/progress.hpp>
#include <etlantic/runtime/query_environment.hpp>
#include <etlantic/runtime/stop_policy.hpp>

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace etlantic {

/// A running pipeline. Runs on a thread of its own from `start` on; the destructor stops it after the present batch.
///
/// ```cpp
/// auto query = start<CustomerOrders>(profile);
/// if (!query) return report(query.error());
/// query->await(30s);
/// query->stop();
/// ```
class query {
 public:
  const std::string& id() const;  ///< stays the same over restarts from one checkpoint
  query_status status() const;

  /// Waits until the query has ended by itself (trigger done, failure) or the time is over; true if it has ended.
  bool await(duration at_most = duration::max());

  /// Ends it, by default after the batch that is running, and waits for that. Safe to call twice.
  result<void> stop(stop_policy how = stop_policy::finish_batch);
  /// Asks it to end without waiting. A second request may be more urgent than the first, never less.
  void request_stop(stop_policy how = stop_policy::finish_batch);
  /// Whether it was told to stop, by its program or from outside.
  bool stop_requested() const;

  /// The failure that ended it, if one did.
  result<void> outcome() const;

  progress last_progress() const;                 ///< of the last committed batch
  std::vector<progress> recent_progress() const;  ///< of up to 100 batches, oldest first
  progress totals() const;                        ///< since this start

  /// Called on the query's thread after every committed batch. An exception from it is ignored. It may ask its query to
  /// stop, but not drop the handle. More than batches is told to the listeners of the `query_environment`.
  using listener = std::function<void(const progress&)>;

 private:
  struct implementation;
  // Stops the query. A function and not a destructor here, which clang does not emit for other files from a body.
  struct drop {
    void operator()(implementation* running) const;
  };
  explicit query(std::unique_ptr<implementation, drop> made) : self_(std::move(made)) {}
  std::unique_ptr<implementation, drop> self_;
  friend result<query> start_program(program, profile, listener, query_environment);
};

/// Starts a lowered pipeline: binds the assets, takes the checkpoint's lock, verifies and restores it, opens the
/// sinks, replays a batch that was planned and not committed, and goes on from there.
result<query> start_program(program what, profile where, query::listener on_batch = {});

/// The same with listeners, a clock or a decoder of the caller's.
result<query> start_program(program what, profile where, query::listener on_batch, query_environment environment);

}  // namespace etlantic
