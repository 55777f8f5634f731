#pragma once
#include <etlantic/runtime/durable_file.hpp>
#include <etlantic/runtime/passing_file.hpp>
#include <etlantic/runtime/stop_request.hpp>

#include <unistd.h>

#include <algorithm>

namespace etlantic {

[[gnu::used]] inline void stop_request::forget_old() {
  if (!path_.empty()) (void)::unlink(path_.c_str());
}

[[gnu::used]] inline void stop_request::look(query_report& report) {
  if (path_.empty() || clock::now() < next_look_) return;
  next_look_ = clock::now() + look_interval;
  if (::access(path_.c_str(), F_OK) != 0) return;
  const result<std::string> word = read_file(path_);
  (void)::unlink(path_.c_str());
  if (!word) return;
  stop_policy wanted = by_default_;
  for (const stop_policy each : {stop_policy::drain, stop_policy::finish_batch, stop_policy::at_once})
    if (word->starts_with(name_of(each))) wanted = each;
  report.request_stop(wanted);
}

[[gnu::used]] inline void stop_request::pause(query_report& report, duration length,
                                              const std::function<void(duration)>& sleep) {
  if (sleep) {
    sleep(length);
    return look(report);
  }
  const clock::time_point until = clock::now() + std::min(length, longest_pause);
  // At least once, so that a stop ends even a pause without length in the same way.
  do {
    report.pause(path_.empty() ? until : std::min(until, clock::now() + look_interval));
    look(report);
  } while (!report.requested_stop() && clock::now() < until);
}

[[gnu::used]] inline result<void> stop_request::leave(const std::string& checkpoint, std::optional<stop_policy> how) {
  const std::string word = std::string(how ? name_of(*how) : "default") + "\n";
  const std::string path = checkpoint + "/stop";
  if (const int error = write_passing(path, word); error != 0) return file_failure(file_operation::write, path, error);
  return {};
}

}  // namespace etlantic
