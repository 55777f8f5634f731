#pragma once
#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <system_error>

namespace etlantic::test_kit {

/// A folder that is there as long as the object.
class test_folder {
 public:
  test_folder() {
    // Memory, if there is such a place: what tests are about does not need a real disk, and fsync there is slow.
    const std::filesystem::path memory = "/dev/shm";
    std::error_code none;
    const bool has_memory = std::filesystem::is_directory(memory, none);
    std::string name =
        ((has_memory ? memory : std::filesystem::temp_directory_path()) / "etlantic-test-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder can be made: " + name);
    path_ = name;
  }
  test_folder(const test_folder&) = delete;
  test_folder& operator=(const test_folder&) = delete;
  ~test_folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  const std::string& path() const { return path_; }
  std::string operator/(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

}  // namespace etlantic::test_kit
