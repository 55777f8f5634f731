#pragma once
#include <etlantic/connect/kafka/client.inl.hpp>
#include <etlantic/connect/kafka/read_partition.hpp>
#include <etlantic/connect/kafka/rejected_reader.hpp>
#include <etlantic/connect/kafka/settings.inl.hpp>

#include <cstdlib>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace etlantic::kafka::detail {

/// The headers of a dead letter by name; of several of one name the last.
class letter_headers {
 public:
  letter_headers(partition_reader& reader, const record_view& record) {
    for (const auto& [name, value] : reader.headers(record))
      if (value) texts_[std::string(name)] = *value;
  }

  std::string text(const char* name) const {
    const auto found = texts_.find(name);
    return found == texts_.end() ? std::string() : found->second;
  }

 private:
  std::map<std::string, std::string> texts_;
};

inline quarantined_row row_of(const record_view& record, const letter_headers& told) {
  return {told.text("etlantic-split"),
          std::strtoll(told.text("etlantic-position").c_str(), nullptr, 10),
          told.text("etlantic-code"),
          told.text("etlantic-field"),
          told.text("etlantic-reason"),
          told.text("etlantic-violations"),
          record.value == nullptr ? std::string() : std::string(record.value, record.size),
          told.text("etlantic-observed-time"),
          told.text("etlantic-pipeline"),
          told.text("etlantic-contract")};
}

}  // namespace etlantic::kafka::detail

namespace etlantic {

[[gnu::used]] inline result<void> read_rejected_topic(const asset_binding& binding, const program_node& load,
                                                      const quarantine_visitor& visit) {
  const std::string topic = option_of(binding, "topic");
  if (option_of(binding, "format") != "dead_letter")
    return failure{failure_class::configuration, "PMSTREAM419",
                   "the topic `" + topic + "` has rows as JSON, and only dead letters can be read back", load.name,
                   "give the asset the option format: dead_letter, or bind it to sqlite or file"};
  const auto reaching = kafka::client_settings_of(binding, kafka::client_role::producer);
  if (!reaching) return reaching.error();
  const auto made = kafka::make_client(*reaching);
  if (!made) return made.error();
  kafka::client& from = **made;
  const auto numbers = from.partitions_of(topic, false);
  if (!numbers && numbers.error().code == "PMSTREAM427") return {};  // nothing has been published yet
  if (!numbers) return numbers.error();
  std::vector<kafka::partition> parts;
  for (const std::int32_t number : *numbers) parts.push_back({topic, number});
  const auto begins = from.offsets(parts, kafka::log_end::earliest);
  if (!begins) return begins.error();
  const auto ends = from.offsets(parts, kafka::log_end::stable);
  if (!ends) return ends.error();
  std::set<std::string> seen;  // stays empty where there are no copies
  const bool may_have_copies = option_of(binding, "delivery") == "at_least_once";
  bool goes_on = true;
  const auto take = [&](const kafka::record_view& record, kafka::partition_reader& reader) {
    const kafka::detail::letter_headers told(reader, record);
    if (told.text("etlantic-code").empty() || told.text("etlantic-load") != load.name) return true;
    if (may_have_copies && !seen.insert(told.text("etlantic-query") + "/" + told.text("etlantic-batch") + "/" +
                                        told.text("etlantic-index"))
                                .second)
      return true;
    return goes_on = visit(kafka::detail::row_of(record, told));
  };
  for (std::size_t i = 0; i < parts.size() && goes_on; ++i)
    if (auto done = kafka::detail::read_partition(from, parts[i], (*begins)[i], (*ends)[i], reaching->timeout_ms,
                                                  load.name, take);
        !done)
      return done;
  return {};
}

}  // namespace etlantic
