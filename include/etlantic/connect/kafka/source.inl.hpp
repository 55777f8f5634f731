#pragma once
#include <etlantic/connect/kafka/client.inl.hpp>
#include <etlantic/connect/kafka/embedded_records.inl.hpp>
#include <etlantic/connect/kafka/failure.hpp>
#include <etlantic/connect/kafka/settings.inl.hpp>
#include <etlantic/connect/kafka/source.hpp>
#include <etlantic/connect/kafka/start_option.inl.hpp>
#include <etlantic/connect/kafka/topic_await.inl.hpp>
#include <etlantic/connect/kafka/topic_discovery.inl.hpp>
#include <etlantic/connect/kafka/topic_pattern.inl.hpp>
#include <etlantic/connect/kafka/topic_plan.inl.hpp>
#include <etlantic/connect/kafka/topic_read.inl.hpp>
#include <etlantic/connect/kafka/topic_source.hpp>

#include <utility>

namespace etlantic::kafka {

[[gnu::used]] inline std::shared_ptr<source> make_source(source_settings settings, client_factory clients) {
  return std::make_shared<detail::topic_source>(std::move(settings), std::move(clients));
}

}  // namespace etlantic::kafka

namespace etlantic {

[[gnu::used]] inline result<kafka::source_settings> kafka::source_settings_of(const asset_binding& binding) {
  auto reaching = kafka::client_settings_of(binding, kafka::client_role::consumer);
  if (!reaching) return reaching.error();
  kafka::source_settings settings;
  settings.reaching = std::move(*reaching);
  if (const std::string topics = option_of(binding, "topics"); !topics.empty())
    settings.topics = kafka::detail::parts_of(topics);
  if (const std::string expression = option_of(binding, "topic_pattern"); !expression.empty()) {
    auto pattern = kafka::topic_pattern::compile(expression);
    if (!pattern) return pattern.error();
    settings.pattern = std::move(*pattern);
  }
  if (const std::string folder = option_of(binding, "embedded_folder"); !folder.empty()) {
    for (const std::string& each :
         settings.pattern.is_given() ? kafka::embedded_topics_of(folder, settings.pattern) : settings.topics)
      if (auto filled = kafka::fill_embedded_topic(each, folder); !filled) return filled.error();
  }
  auto start = kafka::parse_start(option_of(binding, "start"));
  if (!start) return start.error();
  settings.start = std::move(*start);
  settings.continues_after_loss = option_of(binding, "on_data_loss") == "continue";
  const auto interval =
      kafka::detail::milliseconds_option(binding, "discover_interval_ms", settings.discover_interval_ms);
  if (!interval) return interval.error();
  settings.discover_interval_ms = *interval;
  return settings;
}

[[gnu::used]] inline result<std::shared_ptr<source>> make_kafka_source(const asset_binding& binding) {
  auto settings = kafka::source_settings_of(binding);
  if (!settings) return settings.error();
  return kafka::make_source(std::move(*settings));
}

}  // namespace etlantic
