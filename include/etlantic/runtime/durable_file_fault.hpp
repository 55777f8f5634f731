#pragma once
#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>

namespace etlantic {

/// The system calls by which durable files change: the points at which a crash or a full disk can strike.
enum class file_operation : std::uint8_t {
  make_directory,
  create,
  write,
  sync,
  rename,
  sync_directory,
  remove,
  truncate,
  read
};

constexpr std::string_view name_of(file_operation operation) {
  constexpr std::string_view names[] = {"make directory", "create", "write",    "sync", "rename",
                                        "sync directory", "remove", "truncate", "read"};
  return names[static_cast<int>(operation)];
}

/// What a test wants an operation to do instead of its work: fail with `error` (an errno), after half of the bytes if
/// `partly`. Zero: do the work.
struct file_fault {
  int error = 0;
  bool partly = false;
};

/// Asked before every operation on a durable file; may count, fail it, or end the process.
class file_fault_injector {
 public:
  virtual ~file_fault_injector() = default;
  virtual file_fault before(file_operation operation, const std::string& path) = 0;
};

/// The injector in force; null outside tests. Whoever sets it keeps it alive and sets it back.
inline std::atomic<file_fault_injector*> injected_file_faults{nullptr};

}  // namespace etlantic
