#pragma once
#include <etlantic/runtime/reference_version.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace etlantic {

/// Where the files of a checkpoint lie.
struct checkpoint_layout {
  std::string directory;

  std::string identity() const { return directory + "/identity.json"; }
  std::string rewind() const { return directory + "/rewind.json"; }
  std::string batches() const { return directory + "/batches"; }
  std::string states() const { return directory + "/state"; }
  std::string plan(std::int64_t batch) const { return batches() + "/" + file_name(batch, ".plan"); }
  std::string commit(std::int64_t batch) const { return batches() + "/" + file_name(batch, ".commit"); }
  std::string log(std::int64_t number) const { return batches() + "/" + file_name(number, ".log"); }
  std::string snapshot(std::int64_t batch) const { return states() + "/" + file_name(batch, ".snapshot"); }

  std::string references() const { return directory + "/references"; }
  std::string reference(const reference_version& of) const {
    return references() + "/" + file_name(of.batch, "." + of.node);
  }

  /// Windows that late rows have missed, until a correction run has taken them.
  std::string corrections() const { return directory + "/corrections"; }
  std::string missed(std::int64_t batch) const { return corrections() + "/" + file_name(batch, ".windows"); }
  std::string taken(std::int64_t batch) const { return corrections() + "/" + file_name(batch, ".taken"); }

  /// A batch id, or the number of a log, with 20 digits, so that names sort as numbers do.
  static std::string file_name(std::int64_t number, std::string_view ending) {
    const std::string digits = std::to_string(number);
    return std::string(20 - digits.size(), '0') + digits + std::string(ending);
  }

  /// The batch, or the number, of a file name with this ending; -1 if it is none.
  static std::int64_t batch_of(std::string_view name, std::string_view ending) {
    if (name.size() != 20 + ending.size() || name.substr(20) != ending) return -1;
    std::int64_t batch = 0;
    for (char digit : name.substr(0, 20)) {
      if (digit < '0' || digit > '9' || batch > (INT64_MAX - 9) / 10) return -1;
      batch = batch * 10 + (digit - '0');
    }
    return batch;
  }

  static bool is_temporary(std::string_view name) { return name.size() > 4 && name.substr(name.size() - 4) == ".tmp"; }
};

}  // namespace etlantic
