#pragma once
#include <etlantic/core/result.hpp>
#include <etlantic/runtime/durable_file_fault.hpp>

#include <cerrno>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace etlantic::test_kit {

/// Where in a batch the process can be made to die, in the order in which a batch passes them.
enum class boundary : std::uint8_t {
  before_plan,           ///< nothing is known of the batch
  after_plan,            ///< the plan is durable, nothing is read
  after_prepare,         ///< of a load: its sink has the rows, no sink has committed
  after_commit,          ///< of a load: its sink has committed, those of the loads behind it have not
  before_commit_record,  ///< all sinks have committed, the checkpoint does not know
  after_commit_record,   ///< the batch is done
};

inline constexpr boundary all_boundaries[] = {boundary::before_plan,          boundary::after_plan,
                                              boundary::after_prepare,        boundary::after_commit,
                                              boundary::before_commit_record, boundary::after_commit_record};

constexpr std::string_view name_of(boundary where) {
  constexpr std::string_view names[] = {"before plan",  "after plan",           "after prepare",
                                        "after commit", "before commit record", "after commit record"};
  return names[static_cast<int>(where)];
}

/// Lets everything fail from a chosen point on, as the death of a process does: nothing behind that point happens.
class fault_points final : private file_fault_injector {
 public:
  fault_points() = default;
  fault_points(const fault_points&) = delete;
  fault_points& operator=(const fault_points&) = delete;
  ~fault_points() override { forget(); }

  void arm(boundary where, std::string load) {
    forget();
    armed_ = {where, std::move(load)};
  }
  /// At the operation on a file of the checkpoint that comes behind so many others.
  void arm_file_operation(int after) {
    forget();
    operations_left_ = after;
    injected_file_faults = this;
  }
  void forget() {
    armed_.reset();
    dead_ = false;
    operations_left_ = -1;
    file_faults_end();
  }

  bool struck() const { return dead_; }
  bool armed() const { return armed_.has_value() || operations_left_ >= 0; }

  result<void> reach(boundary where, std::string_view load = {}) {
    if (!dead_ && armed_ && armed_->first == where && (armed_->second.empty() || armed_->second == load)) {
      dead_ = true;
      injected_file_faults = this;  // nothing is written behind it either
    }
    if (!dead_) return {};
    return failure{failure_class::internal, "TEST", "the process died here, as the test told it",
                   std::string(name_of(where)), "restart() goes on from the checkpoint"};
  }

 private:
  file_fault before(file_operation operation, const std::string&) override {
    if (!dead_ && operation != file_operation::read && operations_left_-- == 0) dead_ = true;
    return dead_ ? file_fault{EIO, true} : file_fault{};
  }
  void file_faults_end() {
    file_fault_injector* mine = this;
    injected_file_faults.compare_exchange_strong(mine, nullptr);
  }

  std::optional<std::pair<boundary, std::string>> armed_;
  int operations_left_ = -1;
  bool dead_ = false;
};

}  // namespace etlantic::test_kit
