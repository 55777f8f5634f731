#pragma once
#include <etlantic/runtime/durable_file_fault.hpp>

#include <cerrno>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace etlantic::test {

/// Writes down what is done with durable files, in order, and fails one kind of operation if asked to.
class watched_files final : public file_fault_injector {
 public:
  explicit watched_files(std::optional<file_operation> which = {}) : failing(which) { injected_file_faults = this; }
  watched_files(const watched_files&) = delete;
  watched_files& operator=(const watched_files&) = delete;
  ~watched_files() override { injected_file_faults = nullptr; }

  file_fault before(file_operation operation, const std::string& path) override {
    seen.push_back(std::string(name_of(operation)) + " " + std::filesystem::path(path).filename().string());
    return operation == failing ? file_fault{EIO, true} : file_fault{};
  }

  std::vector<std::string> seen;
  std::optional<file_operation> failing;
};

}  // namespace etlantic::test
