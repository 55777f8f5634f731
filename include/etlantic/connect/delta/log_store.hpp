#pragma once
#include <etlantic/core/result.hpp>

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace etlantic::delta {

/// Where the files of a table lie. Everything that a log needs of its storage: whoever can put a name only if it is
/// absent can hold tables.
template <class Store>
concept log_store = requires(const Store& store, const std::string& name, std::string_view bytes) {
  { store.read(name) } -> std::same_as<result<std::string>>;
  {
    store.list(name)
  } -> std::same_as<result<std::vector<std::string>>>;                 // sorted; a folder that is not there is empty
  { store.put_if_absent(name, bytes) } -> std::same_as<result<bool>>;  // durable; false: the name is taken
  { store.replace(name, bytes) } -> std::same_as<result<void>>;        // durable, whole or not at all
  { store.sync(name) } -> std::same_as<result<void>>;                  // the names in a folder are durable
  { store.remove(name) } -> std::same_as<result<void>>;
  { store.describe() } -> std::same_as<std::string>;
};

/// What lies in a folder: a regular file or another folder, nothing else.
struct stored_entry {
  std::string name;
  bool is_folder = false;
  std::int64_t bytes = 0;
  std::int64_t modified = 0;  ///< milliseconds since 1970
};

/// A folder of a POSIX file system. Names are relative to it.
class folder_store {
 public:
  explicit folder_store(std::string folder) : folder_(std::move(folder)) {}

  result<std::string> read(const std::string& name) const;
  /// So many bytes from a place on; fewer where the file ends before.
  result<std::string> read_part(const std::string& name, std::int64_t begin, std::int64_t size) const;
  /// When a file was written last, in milliseconds since 1970.
  result<std::int64_t> modified(const std::string& name) const;
  result<std::vector<std::string>> list(const std::string& folder) const;
  /// As `list`, with what the file system knows of each; links are left out.
  result<std::vector<stored_entry>> entries(const std::string& folder) const;
  /// Bytes of a file; nothing if it is not there.
  result<std::optional<std::int64_t>> size(const std::string& name) const;
  /// By a temporary file, fsync and link, which never replaces, then fsync of the folder: after a crash the name has
  /// all of its bytes or is not there. A failure leaves open whether the name was given; the bytes of the name tell.
  result<bool> put_if_absent(const std::string& name, std::string_view bytes) const;
  result<void> replace(const std::string& name, std::string_view bytes) const;
  /// A file whose name nobody else can have, synced; its name is durable after `sync`.
  result<void> create(const std::string& name, std::string_view bytes) const;
  result<void> sync(const std::string& folder) const;
  result<void> remove(const std::string& name) const;
  result<void> make_folders() const;
  std::string describe() const { return folder_; }

 private:
  std::string at(const std::string& name) const;

  std::string folder_;
};

static_assert(log_store<folder_store>);

}  // namespace etlantic::delta
