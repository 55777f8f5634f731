#pragma once
#include <etlantic/runtime/query.hpp>

#include <functional>
#include <memory>

namespace etlantic {

/// A query as the command line sees it, so that the command line can be tested without one.
class running {
 public:
  virtual ~running() = default;
  /// True when it has ended by itself.
  virtual bool await(duration at_most) = 0;
  /// Asks it to end, without waiting; a second request may be more urgent.
  virtual void request_stop(stop_policy how) = 0;
  /// It was told to stop, here or from outside.
  virtual bool stop_requested() const = 0;
  virtual result<void> outcome() const = 0;
  virtual progress last_progress() const = 0;
  virtual progress totals() const = 0;
};

/// The second listener is told everything, the first batches only.
using query_starter =
    std::function<result<std::unique_ptr<running>>(program, profile, query::listener, std::shared_ptr<query_listener>)>;

}  // namespace etlantic
