#pragma once
#include <etlantic/connect/kafka/embedded_broker.hpp>
#include <etlantic/connect/kafka/failure.hpp>
#include <etlantic/connect/kafka/settings.hpp>
#include <etlantic/connect/kafka/start_option.inl.hpp>
#include <etlantic/connect/kafka/topic_pattern.inl.hpp>
#include <etlantic/core/edit_distance.hpp>

#include <librdkafka/rdkafka.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <utility>

namespace etlantic::kafka {

namespace detail {

/// Settings that the connector decides, and why nobody else may.
struct own_property {
  std::string_view name;
  std::string_view instead;
};

inline constexpr std::string_view by_bootstrap = "the option bootstrap_servers names the brokers";
inline constexpr std::string_view by_checkpoint =
    "the checkpoint says how far the query has read; offsets of the group only show it";
inline constexpr std::string_view by_start =
    "the option start says where a new query begins, and on_data_loss what becomes of lost records";
inline constexpr std::string_view by_batch = "the option delivery says how batches are published";
inline constexpr std::string_view by_program = "it would run code or show data that the connector does not look after";

inline constexpr own_property own_properties[] = {
    {"bootstrap.servers", by_bootstrap},
    {"metadata.broker.list", by_bootstrap},
    {"group.id", "the option group_id names the group"},
    {"group.instance.id", by_checkpoint},
    {"partition.assignment.strategy", by_checkpoint},
    {"enable.auto.commit", by_checkpoint},
    {"auto.commit.enable", by_checkpoint},
    {"auto.commit.interval.ms", by_checkpoint},
    {"enable.auto.offset.store", by_checkpoint},
    {"offset.store.method", by_checkpoint},
    {"auto.offset.reset", by_start},
    {"isolation.level", "only what transactions have committed is read, so that a replay reads the same"},
    {"enable.partition.eof", "the source needs it to see where a partition ends"},
    {"enable.idempotence", by_batch},
    {"enable.gapless.guarantee", by_batch},
    {"transactional.id", by_batch},
    {"acks", by_batch},
    {"request.required.acks", by_batch},
    {"delivery.report.only.error", by_batch},
    {"test.mock.num.brokers", "bootstrap_servers: embedded runs on a broker within the process"},
    {"plugin.library.paths", by_program},
    {"debug", by_program},
};

/// All names that librdkafka has, from the table that it prints of itself.
inline const std::vector<std::string>& property_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> found;
    char* text = nullptr;
    std::size_t size = 0;
    std::FILE* const table = ::open_memstream(&text, &size);
    if (table == nullptr) return found;
    rd_kafka_conf_properties_show(table);
    std::fclose(table);
    const std::string_view all(text, size);
    for (std::size_t at = 0; at < all.size();) {
      const std::size_t end = std::min(all.find('\n', at), all.size());
      const std::string_view line = all.substr(at, end - at);
      const std::size_t column = line.find('|');
      const std::string_view name = line.substr(0, std::min(line.find(' '), line.size()));
      const bool is_name = column != std::string_view::npos && !name.empty() && name != "Property" &&
                           name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789._") == std::string_view::npos;
      if (is_name && !name.ends_with("_cb") && name != "opaque") found.emplace_back(name);
      at = end + 1;
    }
    std::free(text);
    return found;
  }();
  return names;
}

inline std::string nearest_property(std::string_view name) {
  std::string found;
  std::size_t best = std::max<std::size_t>(2, name.size() / 3) + 1;
  for (const std::string& each : property_names())
    if (const std::size_t distance = edit_distance(name, each); distance < best) best = distance, found = each;
  return found;
}

inline bool is_reference_text(std::string_view value) {
  return value.starts_with("env:") || value.starts_with("file:");
}

struct configuration_deleter {
  void operator()(rd_kafka_conf_t* configuration) const { rd_kafka_conf_destroy(configuration); }
};

/// Whole number of milliseconds in a range, as an option.
inline result<int> milliseconds_option(const asset_binding& binding, const std::string& name, int otherwise) {
  const auto found = binding.options.find(name);
  if (found == binding.options.end()) return otherwise;
  const std::string& text = found->second;
  int number = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  if (read.ec != std::errc() || read.ptr != text.data() + text.size() || number < 0 || number > 86'400'000)
    return wrong_option("the option " + name + " is `" + text + "`", "write a whole number of milliseconds");
  return number;
}

inline void add_problem(std::vector<option_problem>& to, const std::string& option, const failure& why) {
  to.push_back({option, why.message, why.help, false});
}

/// A choice between words; the first one is the default.
inline void check_choice(std::vector<option_problem>& to, const asset_binding& binding, const std::string& name,
                         std::initializer_list<std::string_view> words) {
  const std::string value = option_of(binding, name);
  if (value.empty() || is_reference_text(value) || std::find(words.begin(), words.end(), value) != words.end()) return;
  std::string all;
  for (const std::string_view each : words) all += (all.empty() ? "" : " or ") + std::string(each);
  to.push_back({name, "the option " + name + " is `" + value + "`", "write " + all, false});
}

inline bool is_topic_name(std::string_view name) {
  return !name.empty() && name.size() <= 249 && name != "." && name != ".." &&
         name.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-") ==
             std::string_view::npos;
}

inline std::vector<std::string> parts_of(const std::string& text) {
  std::vector<std::string> parts;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    std::string part = text.substr(at, end - at);
    part.erase(0, part.find_first_not_of(' '));
    part.erase(part.find_last_not_of(' ') + 1);
    parts.push_back(std::move(part));
    at = end + 1;
  }
  return parts;
}

inline void check_topics(std::vector<option_problem>& to, const asset_binding& binding, const std::string& option) {
  const std::string value = option_of(binding, option);
  if (value.empty() || is_reference_text(value)) return;
  std::vector<std::string> seen;
  for (const std::string& each : option == "topics" ? parts_of(value) : std::vector{value}) {
    if (!is_topic_name(each))
      to.push_back({option, "`" + each + "` cannot be the name of a topic",
                    "names have letters, digits, dots, underscores and hyphens, at most 249", false});
    else if (std::find(seen.begin(), seen.end(), each) != seen.end())
      to.push_back({option, "the topic `" + each + "` is there twice", "name it once", false});
    seen.push_back(each);
  }
}

inline std::vector<option_problem> problems_of_both(const asset_binding& binding, client_role role) {
  std::vector<option_problem> found;
  for (const auto& [name, value] : binding.options)
    if (name.starts_with(property_prefix))
      if (auto wrong = problem_of_property(name.substr(property_prefix.size()), value, role)) {
        wrong->option = name;
        found.push_back(std::move(*wrong));
      }
  for (const char* name : {"timeout_ms", "discover_interval_ms"}) {
    if (is_reference_text(option_of(binding, name))) continue;
    if (const auto read = milliseconds_option(binding, name, 0); !read) add_problem(found, name, read.error());
  }
  return found;
}

}  // namespace detail

[[gnu::used]] inline bool is_secret_property(std::string_view name) {
  for (const std::string_view part : {"password", "secret", "key.pem", "oauthbearer.config", "token"})
    if (name.find(part) != std::string_view::npos) return true;
  return false;
}

[[gnu::used]] inline std::optional<option_problem> problem_of_property(const std::string& name,
                                                                       const std::string& value, client_role) {
  for (const detail::own_property& each : detail::own_properties)
    if (each.name == name)
      return option_problem{name, "the setting " + name + " is not for profiles", std::string(each.instead), false};
  const std::vector<std::string>& known = detail::property_names();
  if (std::find(known.begin(), known.end(), name) == known.end()) {
    const std::string meant = detail::nearest_property(name);
    return option_problem{name, "librdkafka " + std::string(rd_kafka_version_str()) + " has no setting " + name,
                          meant.empty() ? "see CONFIGURATION.md of librdkafka" : "did you mean \"" + meant + "\"?",
                          true};
  }
  if (detail::is_reference_text(value)) return std::nullopt;
  const std::unique_ptr<rd_kafka_conf_t, detail::configuration_deleter> scratch(rd_kafka_conf_new());
  char reason[512];
  if (rd_kafka_conf_set(scratch.get(), name.c_str(), value.c_str(), reason, sizeof reason) == RD_KAFKA_CONF_OK)
    return std::nullopt;
  return option_problem{name, "the setting " + name + " cannot be that",
                        is_secret_property(name) ? "librdkafka refuses its value" : std::string(reason), false};
}

[[gnu::used]] inline std::vector<option_problem> problems_of_source(const asset_binding& binding) {
  std::vector<option_problem> found = detail::problems_of_both(binding, client_role::consumer);
  detail::check_topics(found, binding, "topics");
  const std::string pattern = option_of(binding, "topic_pattern");
  if (pattern.empty() == option_of(binding, "topics").empty())
    found.push_back({"topics",
                     pattern.empty() ? "the option topics is missing" : "topics and topic_pattern exclude each other",
                     "name a topic, or a list of them, or all that fit a regular expression by topic_pattern", false});
  else if (!pattern.empty() && !detail::is_reference_text(pattern))
    if (const auto compiled = topic_pattern::compile(pattern); !compiled)
      detail::add_problem(found, "topic_pattern", compiled.error());
  if (binding.intake == intake_mode::group && option_of(binding, "group_id").empty())
    found.push_back({"group_id", "processes that share topics are a consumer group, and group_id does not name it",
                     "add group_id: and the name of the group", false});
  detail::check_choice(found, binding, "on_data_loss", {"fail", "continue"});
  if (!option_of(binding, "embedded_folder").empty() && option_of(binding, "bootstrap_servers") != embedded_servers)
    found.push_back({"embedded_folder", "the option embedded_folder is for bootstrap_servers: embedded only",
                     "records of a real cluster are there already: leave it out", false});
  if (const std::string start = option_of(binding, "start"); !detail::is_reference_text(start))
    if (const auto read = parse_start(start); !read) detail::add_problem(found, "start", read.error());
  return found;
}

[[gnu::used]] inline std::vector<option_problem> problems_of_sink(const asset_binding& binding) {
  std::vector<option_problem> found = detail::problems_of_both(binding, client_role::producer);
  detail::check_topics(found, binding, "topic");
  detail::check_topics(found, binding, "ledger_topic");
  detail::check_choice(found, binding, "delivery", {"exactly_once", "at_least_once"});
  detail::check_choice(found, binding, "format", {"json", "dead_letter"});
  return found;
}

[[gnu::used]] inline result<client_settings> client_settings_of(const asset_binding& binding, client_role role) {
  client_settings made;
  made.bootstrap_servers = option_of(binding, "bootstrap_servers");
  if (made.bootstrap_servers.empty())
    return wrong_option("the option bootstrap_servers is missing", "name brokers: host:9092,other:9092");
  const auto problems = role == client_role::consumer ? problems_of_source(binding) : problems_of_sink(binding);
  if (!problems.empty()) return wrong_option(problems.front().message, problems.front().help);
  made.group = option_of(binding, "group_id");
  const auto timeout = detail::milliseconds_option(binding, "timeout_ms", made.timeout_ms);
  if (!timeout) return timeout.error();
  made.timeout_ms = *timeout;
  for (const auto& [name, value] : binding.options)
    if (name.starts_with(property_prefix)) made.properties[name.substr(property_prefix.size())] = value;
  return made;
}

}  // namespace etlantic::kafka
