#pragma once
#include <etlantic/core/result.hpp>
#include <etlantic/core/time.hpp>
#include <etlantic/runtime/query_report.hpp>
#include <etlantic/runtime/stop_policy.hpp>

#include <chrono>
#include <functional>
#include <optional>
#include <string>

namespace etlantic {

/// Requests to stop that another process leaves in the checkpoint's folder, in the file `stop`: one word, the policy,
/// or `default` for that of the profile. Whoever holds the lock takes them; without a checkpoint there are none.
class stop_request {
 public:
  stop_request(const std::string& checkpoint, stop_policy by_default)
      : path_(checkpoint.empty() ? "" : checkpoint + "/stop"), by_default_(by_default) {}

  /// One that was left for an earlier run means nothing to this one.
  void forget_old();

  /// Takes a request, if it is time to look again, and hands it on. Cheap: may be called for every piece of a batch.
  void look(query_report& report);

  /// Waits like `report.pause`, and looks meanwhile. `sleep`, if there is one, waits instead.
  void pause(query_report& report, duration length, const std::function<void(duration)>& sleep);

  /// Leaves a request for whoever holds the lock of the checkpoint; without a policy for what its profile says.
  static result<void> leave(const std::string& checkpoint, std::optional<stop_policy> how);

 private:
  using clock = std::chrono::steady_clock;
  static constexpr duration look_interval = std::chrono::milliseconds{100};
  static constexpr duration longest_pause = std::chrono::hours{24};  // added to the present time it cannot wrap

  std::string path_;  // empty: nobody can leave one
  stop_policy by_default_;
  clock::time_point next_look_{};
};

}  // namespace etlantic
