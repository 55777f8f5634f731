#pragma once
#include <etlantic/core/result.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace etlantic::kafka {

/// A record to add, with all that it can have.
struct embedded_record {
  std::optional<std::string_view> value{};
  std::optional<std::string_view> key{};
  std::vector<std::pair<std::string, std::optional<std::string>>> headers{};
  std::optional<std::int32_t> partition{};     ///< unless given the key chooses it
  std::optional<std::int64_t> milliseconds{};  ///< its time, since 1970; the present one unless given
};

/// A Kafka broker within the process, for tries and tests: the mock cluster of librdkafka. It ends with its object, and
/// all topics with it. A partition holds at most 5 MiB and loses its oldest records beyond; there is no security, no
/// look-up by time, and records of transactions that were aborted are seen.
class embedded_broker {
 public:
  static result<std::unique_ptr<embedded_broker>> start();
  /// The one that `bootstrap_servers: embedded` means; it is started when it is first asked for.
  static result<embedded_broker*> of_process();

  virtual ~embedded_broker() = default;

  virtual std::string bootstrap_servers() const = 0;
  virtual result<void> create_topic(const std::string& topic, int partitions) = 0;

  /// Adds a record; none as value is a tombstone. Without a partition the key chooses it.
  virtual result<void> add(const std::string& topic, std::optional<std::string_view> value,
                           std::optional<std::int32_t> partition = std::nullopt, std::string_view key = {}) = 0;
  virtual result<void> add_record(const std::string& topic, const embedded_record& record) = 0;
  /// Waits until all that was added is there.
  virtual result<void> flush() = 0;

  // Faults, for tests.
  virtual void set_round_trip(int milliseconds) = 0;
  virtual void set_down(bool is_down) = 0;
  /// The next requests of a kind (by its number in Kafka's protocol) are answered with these errors.
  virtual void fail_requests(std::int16_t kind, const std::vector<int>& errors) = 0;
};

/// What `bootstrap_servers` says for the broker of the process.
inline constexpr std::string_view embedded_servers = "embedded";

}  // namespace etlantic::kafka
