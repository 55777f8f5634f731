#pragma once
#include <etlantic/runtime/checkpoint_lock.hpp>
#include <etlantic/runtime/group_folder.hpp>
#include <etlantic/runtime/stop_request.hpp>
#include <etlantic/tool/quantity.hpp>
#include <etlantic/tool/stop_command.hpp>

#include <algorithm>
#include <chrono>
#include <thread>

namespace etlantic {

namespace detail {

/// Every process of a group that runs.
inline result<std::string> stop_group(const std::string& checkpoint, std::optional<stop_policy> how, duration at_most) {
  const group_layout layout{checkpoint};
  std::vector<std::string> running;
  for (const std::string& place : processes_in(layout)) {
    const std::string folder = layout.processes() + "/" + place;
    const result<checkpoint_holder> holder = holder_of_checkpoint(folder);
    if (!holder) return holder.error();
    if (!holder->held) continue;
    // All of them are told before one is waited for: what one lets go of another should not begin with.
    if (result<void> left = stop_request::leave(folder, how); !left) return left.error();
    running.push_back(folder);
  }
  if (running.empty()) return "nothing to stop: no process of the group " + checkpoint + " runs\n";
  std::string text;
  for (const std::string& folder : running) {
    const result<std::string> said = stop_query(folder, how, at_most);
    if (!said) return said.error();
    text += said->starts_with("nothing") ? "" : *said;
  }
  return text;
}

}  // namespace detail

[[gnu::used]] inline result<std::string> stop_query(const std::string& checkpoint, std::optional<stop_policy> how,
                                                    duration at_most) {
  if (is_group_folder(checkpoint)) return detail::stop_group(checkpoint, how, at_most);
  const result<checkpoint_holder> before = holder_of_checkpoint(checkpoint);
  if (!before) return before.error();
  if (!before->held) return "nothing to stop: nobody holds the lock of " + checkpoint + "\n";
  if (result<void> left = stop_request::leave(checkpoint, how); !left) return left.error();
  if (at_most == duration::zero()) return "process " + before->pid + " is told to stop\n";
  const auto begun = std::chrono::steady_clock::now();
  for (;;) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    const result<checkpoint_holder> now = holder_of_checkpoint(checkpoint);
    if (!now) return now.error();
    if (!now->held || now->pid != before->pid) return "process " + before->pid + " has stopped\n";
    if (std::chrono::steady_clock::now() - begun < at_most) continue;
    return failure{failure_class::checkpoint, "PMSTREAM494",
                   "process " + before->pid + " was told to stop and still works after " + to_text(at_most), checkpoint,
                   "Wait longer (--wait), or stop it --how at_once."};
  }
}

}  // namespace etlantic
