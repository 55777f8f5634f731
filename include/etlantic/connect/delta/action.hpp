#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

// The actions of a Delta log that we know, as values. Names and meaning are those of the protocol (PROTOCOL.md of
// delta-io/delta, "Actions").

namespace etlantic::delta {

/// Values of partition columns as the log has them: texts, or null.
using partition_values = std::map<std::string, std::optional<std::string>>;

struct deletion_vector {
  std::string storage;  ///< `u` a file named by a UUID, `p` a path, `i` inline
  std::string place;
  std::optional<std::int64_t> offset;
  std::int64_t bytes = 0;
  std::int64_t rows = 0;

  friend bool operator==(const deletion_vector&, const deletion_vector&) = default;
};

struct add_file {
  std::string path;  ///< as the log has it: URI-encoded, relative to the table
  partition_values partition{};
  std::int64_t size = 0;
  std::int64_t modified = 0;  ///< milliseconds since 1970
  bool changes_data = true;
  std::string statistics{};  ///< JSON, or nothing
  std::optional<deletion_vector> deleted{};
};

struct remove_file {
  std::string path;
  std::optional<std::int64_t> removed_at{};
  bool changes_data = true;
  partition_values partition{};
  std::int64_t size = 0;
  std::optional<deletion_vector> deleted{};
  std::string statistics{};  ///< JSON, or nothing
};

struct table_metadata {
  std::string id;
  std::string name{};
  std::string description{};
  std::string format = "parquet";
  std::string schema{};  ///< JSON
  std::vector<std::string> partition_columns{};
  std::map<std::string, std::string> configuration{};
  std::optional<std::int64_t> created{};
};

struct table_protocol {
  std::int64_t reader = 1;
  std::int64_t writer = 2;
  std::vector<std::string> reader_features{};
  std::vector<std::string> writer_features{};
};

/// The newest batch of an application, in the same commit as the batch's data.
struct transaction {
  std::string application;
  std::int64_t version = 0;
  std::optional<std::int64_t> updated{};
};

struct commit_information {
  std::int64_t timestamp = 0;
  std::string operation{};
  std::string id{};  ///< `txnId`: by it a writer knows its own commit again
  std::optional<bool> blind_append{};
  std::string engine{};
  std::optional<std::int64_t> in_commit_timestamp{};  ///< milliseconds since 1970
};

/// Everything that one commit says.
struct commit_content {
  std::optional<commit_information> information;
  std::optional<table_protocol> protocol;
  std::optional<table_metadata> metadata;
  std::vector<transaction> transactions;
  std::vector<add_file> added;
  std::vector<remove_file> removed;
  std::vector<add_file> changes;      ///< files of changes (`cdc`), which are no part of the table
  std::vector<std::string> domains;   ///< of domainMetadata
  std::vector<std::string> sidecars;  ///< of a checkpoint: names of the files that have the rest of it
};

/// What tells files of one log apart: a file with another deletion vector is another one.
inline std::string identity_of(const std::string& path, const std::optional<deletion_vector>& deleted) {
  if (!deleted) return path;
  return path + '\n' + deleted->storage + deleted->place + '@' + std::to_string(deleted->offset.value_or(0));
}

}  // namespace etlantic::delta
