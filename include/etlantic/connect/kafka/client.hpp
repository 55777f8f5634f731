#pragma once
#include <etlantic/connect/kafka/statistics.hpp>
#include <etlantic/core/result.hpp>

#include <chrono>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace etlantic::kafka {

/// How to reach a cluster. `properties` are settings of librdkafka by their names there.
struct client_settings {
  std::string bootstrap_servers;
  bool undecided_too = false;  ///< reads what no transaction has decided yet
  std::string group;           ///< whose committed offsets show how far a query is; empty: none
  std::map<std::string, std::string> properties;
  int timeout_ms = 30'000;  ///< how long the cluster may be silent
};

struct partition {
  std::string topic;
  std::int32_t number = 0;

  friend auto operator<=>(const partition&, const partition&) = default;
};

/// A record as it lies in the memory of the client.
struct record_view {
  const char* value = nullptr;  ///< null: a tombstone
  std::size_t size = 0;
  std::int64_t offset = 0;
  const char* key = nullptr;  ///< null: none
  std::size_t key_size = 0;
  std::int64_t milliseconds = -1;  ///< since 1970; -1: it has no time
  const void* origin = nullptr;    ///< what the reader knows it by
};

enum class log_end : std::uint8_t {
  earliest,  ///< the first offset that is still there
  stable,    ///< behind the last record before which no transaction is open
};

enum class read_state : std::uint8_t {
  fine,
  out_of_range,  ///< the broker does not have the offset (any more)
};

/// What came of a partition, beside records.
struct fetched {
  read_state state = read_state::fine;
  std::int64_t reached = 0;  ///< all before this offset has been given, is a marker or does not exist
};

/// Gets the records that a reader fetches, one by one in their order.
class record_taker {
 public:
  virtual ~record_taker() = default;

  /// What the record views is there during the call only. False: this one was the last for now.
  virtual bool take(const record_view& record) = 0;
};

/// Reads one partition from an offset on, in one thread at a time.
class partition_reader {
 public:
  virtual ~partition_reader() = default;

  /// Gives the next records, or none if none comes in time. What lies behind the last one that `to` wanted stays for
  /// the next call.
  virtual result<fetched> fetch(int timeout_ms, record_taker& to) = 0;

  /// The last header of this name of a record that is being taken; none if it has none, or none with a value.
  virtual std::optional<std::string_view> header(const record_view&, const std::string&) { return std::nullopt; }

  /// All headers of such a record, in their order.
  virtual std::vector<std::pair<std::string_view, std::optional<std::string_view>>> headers(const record_view&) {
    return {};
  }
};

/// A connection to a cluster for reading. May be used by several threads.
class client {
 public:
  virtual ~client() = default;

  /// The partitions of a topic by number. A broker that has just come back says for a while that it knows no topic, so
  /// that one which `was_there` is asked for as long as the cluster may be silent.
  virtual result<std::vector<std::int32_t>> partitions_of(const std::string& topic, bool was_there) = 0;

  /// All topics that the cluster shows this user.
  virtual result<std::vector<std::string>> topics() { return std::vector<std::string>{}; }

  /// In the order of `of`.
  virtual result<std::vector<std::int64_t>> offsets(std::span<const partition> of, log_end which) = 0;

  /// The first offset at or behind a time (milliseconds since 1970), or the end if there is none.
  virtual result<std::vector<std::int64_t>> offsets_at(std::span<const partition> of, std::int64_t milliseconds) = 0;

  virtual result<std::unique_ptr<partition_reader>> read_from(const partition& which, std::int64_t offset) = 0;

  /// Waits until records may have come for one of its readers, or so long; whether they may have. Nothing: this client
  /// does not know. Called in one thread.
  virtual std::optional<bool> await_records(std::chrono::microseconds) { return std::nullopt; }

  /// The newest that the client has told; none before the first time. Asked often: what is not fetched piles up.
  virtual std::optional<client_statistics> statistics() { return std::nullopt; }

  /// Tells the group how far the query is. Nobody waits for it and nothing depends on it.
  virtual void show_progress(const std::map<partition, std::int64_t>& next_offsets) = 0;
};

/// Checks the settings; connects in the background.
result<std::shared_ptr<client>> make_client(const client_settings& settings);

}  // namespace etlantic::kafka
