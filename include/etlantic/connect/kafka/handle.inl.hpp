#pragma once
#include <etlantic/connect/kafka/embedded_broker.inl.hpp>
#include <etlantic/connect/kafka/handle.hpp>

#include <algorithm>

namespace etlantic::kafka {

namespace detail {

/// A call waits no longer than this before it is looked whether the login was refused meanwhile.
inline constexpr int slice_ms = 500;
inline constexpr int longest_slice_ms = 60'000;

inline void note_error(rd_kafka_t* handle, int error, const char* reason, void* opaque) {
  connection_notes& notes = static_cast<connection*>(opaque)->notes();
  auto code = static_cast<rd_kafka_resp_err_t>(error);
  std::string text = reason == nullptr ? "" : reason;
  if (code == RD_KAFKA_RESP_ERR__FATAL) {
    char fatal[512];
    code = rd_kafka_fatal_error(handle, fatal, sizeof fatal);
    text = fatal;
  }
  notes.add(code, std::move(text));
}

inline int note_statistics(rd_kafka_t*, char* json, std::size_t size, void* opaque) {
  static_cast<connection*>(opaque)->note_statistics(std::string(json, size));
  return 0;
}

// Its lines would stand between those of the program. What matters in them comes as an error too.
inline void drop_log(const rd_kafka_t*, int, const char*, const char*) {}

/// Before 2.6.1 the client answers with a text that brokers from 3.8.1 on refuse, whatever the password.
inline std::string hint_about_scram(const client_settings& settings) {
  if (rd_kafka_version() >= 0x020601ff) return {};
  for (const char* name : {"sasl.mechanism", "sasl.mechanisms"})
    if (const auto found = settings.properties.find(name); found != settings.properties.end())
      if (found->second.starts_with("SCRAM"))
        return std::string(" With brokers from 3.8.1 on, SCRAM needs librdkafka 2.6.1; this is ") +
               rd_kafka_version_str() + ".";
  return {};
}

inline bool is_unknown_topic(rd_kafka_resp_err_t error) {
  return error == RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART || error == RD_KAFKA_RESP_ERR__UNKNOWN_TOPIC ||
         error == RD_KAFKA_RESP_ERR__UNKNOWN_PARTITION || error == RD_KAFKA_RESP_ERR_TOPIC_EXCEPTION;
}

inline bool may_pass(rd_kafka_resp_err_t error) {
  switch (error) {
    case RD_KAFKA_RESP_ERR__TRANSPORT:
    case RD_KAFKA_RESP_ERR__RESOLVE:
    case RD_KAFKA_RESP_ERR__ALL_BROKERS_DOWN:
    case RD_KAFKA_RESP_ERR__TIMED_OUT:
    case RD_KAFKA_RESP_ERR__TIMED_OUT_QUEUE:
    case RD_KAFKA_RESP_ERR__MSG_TIMED_OUT:
    case RD_KAFKA_RESP_ERR__WAIT_COORD:
    case RD_KAFKA_RESP_ERR__DESTROY:
    case RD_KAFKA_RESP_ERR__PURGE_QUEUE:
    case RD_KAFKA_RESP_ERR__PURGE_INFLIGHT:
    case RD_KAFKA_RESP_ERR_LEADER_NOT_AVAILABLE:
    case RD_KAFKA_RESP_ERR_NOT_LEADER_FOR_PARTITION:
    case RD_KAFKA_RESP_ERR_REQUEST_TIMED_OUT:
    case RD_KAFKA_RESP_ERR_BROKER_NOT_AVAILABLE:
    case RD_KAFKA_RESP_ERR_REPLICA_NOT_AVAILABLE:
    case RD_KAFKA_RESP_ERR_NETWORK_EXCEPTION:
    case RD_KAFKA_RESP_ERR_COORDINATOR_LOAD_IN_PROGRESS:
    case RD_KAFKA_RESP_ERR_COORDINATOR_NOT_AVAILABLE:
    case RD_KAFKA_RESP_ERR_NOT_COORDINATOR:
    case RD_KAFKA_RESP_ERR_NOT_ENOUGH_REPLICAS:
    case RD_KAFKA_RESP_ERR_NOT_ENOUGH_REPLICAS_AFTER_APPEND:
    case RD_KAFKA_RESP_ERR_CONCURRENT_TRANSACTIONS:
    case RD_KAFKA_RESP_ERR_KAFKA_STORAGE_ERROR:
    case RD_KAFKA_RESP_ERR_OFFSET_NOT_AVAILABLE:
    case RD_KAFKA_RESP_ERR_FENCED_LEADER_EPOCH:
    case RD_KAFKA_RESP_ERR_UNKNOWN_LEADER_EPOCH: return true;
    default: return false;
  }
}

}  // namespace detail

[[gnu::used]] inline result<void> connection::open(rd_kafka_type_t type,
                                                   const std::vector<std::pair<std::string, std::string>>& own,
                                                   void (*delivered)(rd_kafka_t*, const rd_kafka_message_t*, void*),
                                                   void (*rebalanced)(rd_kafka_t*, rd_kafka_resp_err_t,
                                                                      rd_kafka_topic_partition_list_t*, void*)) {
  owned_configuration configuration(rd_kafka_conf_new());
  char reason[512];
  const auto set = [&](const std::string& name, const std::string& value) -> result<void> {
    if (rd_kafka_conf_set(configuration.get(), name.c_str(), value.c_str(), reason, sizeof reason) == RD_KAFKA_CONF_OK)
      return {};
    return wrong_option(without_secrets("librdkafka refuses the setting " + name + ": " + reason),
                        "docs/kafka.md says which settings there are");
  };
  std::string servers = settings_.bootstrap_servers;
  if (servers == embedded_servers) {
    const auto embedded = embedded_broker::of_process();
    if (!embedded) return embedded.error();
    servers = (*embedded)->bootstrap_servers();
  }
  if (auto done = set("bootstrap.servers", servers); !done) return done;
  if (!settings_.properties.contains("client.id"))
    if (auto done = set("client.id", "etlantic"); !done) return done;
  // A broker that comes back is found within a second or two and not within ten.
  if (!settings_.properties.contains("reconnect.backoff.max.ms"))
    if (auto done = set("reconnect.backoff.max.ms", "1000"); !done) return done;
  for (const auto& [name, value] : settings_.properties)
    if (auto done = set(name, value); !done) return done;
  for (const auto& [name, value] : own)
    if (!settings_.properties.contains(name))
      if (auto done = set(name, value); !done) return done;
  rd_kafka_conf_set_error_cb(configuration.get(), detail::note_error);
  rd_kafka_conf_set_log_cb(configuration.get(), detail::drop_log);
  rd_kafka_conf_set_stats_cb(configuration.get(), detail::note_statistics);
  if (delivered != nullptr) rd_kafka_conf_set_dr_msg_cb(configuration.get(), delivered);
  if (rebalanced != nullptr) rd_kafka_conf_set_rebalance_cb(configuration.get(), rebalanced);
  rd_kafka_conf_set_opaque(configuration.get(), this);
  rd_kafka_t* made = rd_kafka_new(type, configuration.get(), reason, sizeof reason);
  if (made == nullptr)
    return wrong_option(without_secrets(std::string("librdkafka refuses the settings: ") + reason),
                        "correct the settings under librdkafka in the profile");
  (void)configuration.release();  // now the handle's
  handle_.reset(made);
  return {};
}

[[gnu::used]] inline rd_kafka_topic_t* connection::topic(const std::string& name) {
  const std::lock_guard guard(lock_);
  owned_topic& known = topics_[name];
  if (known == nullptr) known.reset(rd_kafka_topic_new(handle_.get(), name.c_str(), nullptr));
  return known.get();
}

[[gnu::used]] inline result<std::vector<std::int32_t>> connection::partitions_of(const std::string& name,
                                                                                 bool was_there) {
  rd_kafka_topic_t* const asked = topic(name);
  if (asked == nullptr) return failure_of(rd_kafka_last_error(), "look for the topic", name);
  const auto end = deadline();
  // A topic that has just been created is not known everywhere at once.
  const auto surely_unknown = was_there ? end : std::min(end, clock::now() + std::chrono::seconds(2));
  rd_kafka_resp_err_t error = RD_KAFKA_RESP_ERR__TIMED_OUT;
  int most = detail::slice_ms;
  while (const int slice = milliseconds_until(end, most)) {
    most = std::min(2 * most, detail::longest_slice_ms);
    const struct rd_kafka_metadata* found = nullptr;
    error = rd_kafka_metadata(handle_.get(), 0, asked, &found, slice);
    if (error == RD_KAFKA_RESP_ERR_NO_ERROR) {
      std::vector<std::int32_t> numbers;
      error = found->topic_cnt == 1 ? found->topics[0].err : RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART;
      if (error == RD_KAFKA_RESP_ERR_NO_ERROR)
        for (int i = 0; i < found->topics[0].partition_cnt; ++i) numbers.push_back(found->topics[0].partitions[i].id);
      rd_kafka_metadata_destroy(found);
      if (!numbers.empty()) {
        std::sort(numbers.begin(), numbers.end());
        notes_.forget();
        return numbers;
      }
      if (detail::is_unknown_topic(error) && clock::now() >= surely_unknown) break;
      if (connection_notes::is_refusal(error)) break;
      poll(std::min(100, slice));
    } else {
      poll(0);
    }
    if (notes_.is_refused()) break;
  }
  if (was_there && detail::is_unknown_topic(error)) return vanished_topic(name, where_);
  return failure_of(error, "look for the topic", name);
}

[[gnu::used]] inline result<std::vector<std::string>> connection::topics() {
  const auto end = deadline();
  rd_kafka_resp_err_t error = RD_KAFKA_RESP_ERR__TIMED_OUT;
  int most = detail::slice_ms;
  while (const int slice = milliseconds_until(end, most)) {
    most = std::min(2 * most, detail::longest_slice_ms);
    const struct rd_kafka_metadata* found = nullptr;
    error = rd_kafka_metadata(handle_.get(), 1, nullptr, &found, slice);
    poll(0);
    if (error == RD_KAFKA_RESP_ERR_NO_ERROR) {
      std::vector<std::string> names;
      for (int i = 0; i < found->topic_cnt; ++i)
        if (found->topics[i].err == RD_KAFKA_RESP_ERR_NO_ERROR) names.emplace_back(found->topics[i].topic);
      rd_kafka_metadata_destroy(found);
      notes_.forget();
      return names;
    }
    if (notes_.is_refused() || connection_notes::is_refusal(error)) break;
  }
  return failure_of(error, "list the topics");
}

[[gnu::used]] inline failure connection::failure_of(rd_kafka_resp_err_t error, const std::string& doing,
                                                    const std::string& name) {
  const auto [noted, said] = notes_.last();
  if (detail::may_pass(error) && notes_.is_refused() && connection_notes::is_refusal(noted)) error = noted;
  std::string text = "cannot " + doing + (name.empty() ? "" : " `" + name + "`") + ": " + rd_kafka_err2str(error);
  if (!said.empty() && (detail::may_pass(error) || noted == error)) text += " (" + said + ")";
  text = without_secrets(std::move(text));
  if (connection_notes::is_refusal(error) || error == RD_KAFKA_RESP_ERR_GROUP_AUTHORIZATION_FAILED)
    return {failure_class::authentication, "PMSTREAM426", std::move(text), where_,
            "Look at the settings for security under librdkafka in the profile (security.protocol, sasl.*, ssl.*), and "
            "at what the cluster allows this user." +
                detail::hint_about_scram(settings_)};
  if (detail::is_unknown_topic(error)) return missing_topic(name, where_);
  if (error == RD_KAFKA_RESP_ERR__FENCED || error == RD_KAFKA_RESP_ERR_PRODUCER_FENCED ||
      error == RD_KAFKA_RESP_ERR_INVALID_PRODUCER_EPOCH)
    return {failure_class::sink_conflict, "PMSTREAM411", std::move(text), where_,
            "Another process publishes as this query and load. Only one of them may run."};
  if (error == RD_KAFKA_RESP_ERR_MSG_SIZE_TOO_LARGE || error == RD_KAFKA_RESP_ERR_INVALID_MSG_SIZE ||
      error == RD_KAFKA_RESP_ERR_INVALID_MSG || error == RD_KAFKA_RESP_ERR_RECORD_LIST_TOO_LARGE)
    return {failure_class::sink_rejected, "PMSTREAM410", std::move(text), where_,
            "Raise message.max.bytes of the topic and under librdkafka, or make the rows smaller."};
  if (detail::may_pass(error)) return unreachable(std::move(text), where_);
  return {failure_class::connectivity, "PMSTREAM413", std::move(text), where_,
          "This is what the cluster or its client said; see the brokers' logs."};
}

[[gnu::used]] inline std::string connection::without_secrets(std::string text) const {
  for (const auto& [name, value] : settings_.properties) {
    if (!is_secret_property(name) || value.empty()) continue;
    for (std::size_t at = text.find(value); at != std::string::npos; at = text.find(value, at + 3))
      text.replace(at, value.size(), "***");
  }
  return text;
}

}  // namespace etlantic::kafka
