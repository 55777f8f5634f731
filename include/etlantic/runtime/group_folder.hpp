#pragma once
#include <etlantic/core/result.hpp>
#include <etlantic/core/time.hpp>
#include <etlantic/runtime/checkpoint_lock.hpp>

#include <set>
#include <string>
#include <utility>
#include <vector>

namespace etlantic {

/// Where the files of a checkpoint lie that several processes share: a checkpoint of each split, and a place of each
/// process that runs, where it tells how it is doing and can be told to stop.
struct group_layout {
  std::string directory;

  std::string record() const { return directory + "/group.json"; }
  std::string splits() const { return directory + "/splits"; }
  std::string split(const std::string& name) const { return splits() + "/" + name; }
  std::string processes() const { return directory + "/processes"; }
  std::string process(std::size_t place) const { return processes() + "/" + std::to_string(place); }
};

/// Whose folder it is.
struct group_record {
  std::string query;  ///< 128 random bits in hexadecimal; each split adds its name
  std::string pipeline;
  std::string group;
  timestamp created;
  std::set<std::string> splits;  ///< that were there when the group began; others were added later

  friend bool operator==(const group_record&, const group_record&) = default;
};

/// Whether a directory is the checkpoint of a group.
bool is_group_folder(const std::string& directory);

std::string to_record(const group_record& group);
result<group_record> read_group_record(std::string_view bytes, const std::string& path);

/// The names of the splits that have a checkpoint, in order, and the places of processes, those that have ended too.
std::vector<std::string> splits_in(const group_layout& layout);
std::vector<std::string> processes_in(const group_layout& layout);

/// The folder of a group, and this process's place in it, which is its own until the object is gone.
class group_folder {
 public:
  /// Makes the folder if it is not there. `wanted` says whose it must be; its query, time and splits are those of a new
  /// one. A checkpoint of a query that reads all splits itself is refused, as is that of another pipeline or group.
  static result<group_folder> open(const std::string& directory, group_record wanted);

  const group_record& record() const { return record_; }
  const group_layout& layout() const { return layout_; }
  /// The folder of this process.
  const std::string& place() const { return place_; }

 private:
  group_folder(group_layout layout, group_record record, std::string place, checkpoint_lock lock)
      : layout_(std::move(layout)), record_(std::move(record)), place_(std::move(place)), lock_(std::move(lock)) {}

  group_layout layout_;
  group_record record_;
  std::string place_;
  checkpoint_lock lock_;
};

}  // namespace etlantic
