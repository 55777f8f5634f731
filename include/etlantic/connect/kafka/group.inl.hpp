#pragma once
#include <etlantic/connect/kafka/group.hpp>
#include <etlantic/connect/kafka/membership.inl.hpp>
#include <etlantic/connect/kafka/source.inl.hpp>

#include <algorithm>
#include <chrono>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace etlantic::kafka {

namespace detail {

class topic_group final : public split_group {
 public:
  explicit topic_group(source_settings settings)
      : settings_(std::move(settings)), member_(settings_.reaching), reading_(settings_.reaching) {
    reading_.group.clear();
  }

  result<void> open() { return member_.open(settings_.reaching.group, settings_.discover_interval_ms); }

  result<std::vector<std::string>> splits() override {
    const auto from = shared_client();
    if (!from) return from.error();
    auto topics = settings_.pattern.is_given() ? (*from)->topics() : result<std::vector<std::string>>(settings_.topics);
    if (!topics) return topics.error();
    std::vector<std::string> found;
    for (const std::string& topic : *topics) {
      if (!is_ours(topic)) continue;
      const auto numbers = (*from)->partitions_of(topic, false);
      if (!numbers) return numbers.error();
      for (const std::int32_t number : *numbers) found.push_back(split_of({topic, number}));
    }
    return found;
  }

  result<std::optional<split_change>> look(duration at_most) override {
    if (!subscribed_) {
      if (auto done = member_.subscribe(topics_to_ask_for()); !done) return done.error();
      subscribed_ = true;
    }
    const auto milliseconds = std::chrono::duration_cast<std::chrono::milliseconds>(at_most).count();
    auto change = member_.look(static_cast<int>(milliseconds));
    if (!change) return change.error();
    if (!*change) return std::optional<split_change>();
    split_change found{(*change)->taken_away, {}};
    for (const partition& each : (*change)->partitions)
      if (is_ours(each.topic)) found.splits.push_back(split_of(each));
    return std::optional(std::move(found));
  }

  result<void> settle(const split_change&) override { return member_.settle(); }
  void show(const std::string& split, std::int64_t done) override { member_.show(partition_of(split), done); }
  result<std::optional<std::int64_t>> shown(const std::string& split) override {
    return member_.shown(partition_of(split));
  }

  result<std::shared_ptr<source>> source_of(const std::string& split, bool was_added) override {
    source_settings settings = settings_;
    settings.only = partition_of(split);
    settings.reaching = reading_;
    if (was_added) settings.start = {};
    return make_source(std::move(settings), [this](const client_settings&) { return shared_client(); });
  }

  void leave() override { member_.leave(); }
  std::string name() const override { return settings_.reaching.group; }

 private:
  bool is_ours(const std::string& topic) const {
    return settings_.pattern.is_given()
               ? settings_.pattern.fits(topic)
               : std::find(settings_.topics.begin(), settings_.topics.end(), topic) != settings_.topics.end();
  }

  std::vector<std::string> topics_to_ask_for() const {
    if (settings_.pattern.is_given()) return {"^(" + settings_.pattern.expression() + ")$"};
    return settings_.topics;
  }

  /// One for all partitions: each takes threads and connections. It is closed when nobody reads any more.
  result<std::shared_ptr<client>> shared_client() {
    const std::lock_guard guard(lock_);
    if (client_ == nullptr) {
      auto made = make_client(reading_);
      if (!made) return made.error();
      client_ = std::move(*made);
    }
    return client_;
  }

  source_settings settings_;
  membership member_;
  client_settings reading_;
  bool subscribed_ = false;
  std::mutex lock_;
  std::shared_ptr<client> client_;
};

}  // namespace detail

[[gnu::used]] inline result<std::shared_ptr<split_group>> join_group(source_settings settings) {
  auto made = std::make_shared<detail::topic_group>(std::move(settings));
  if (auto opened = made->open(); !opened) return opened.error();
  return std::shared_ptr<split_group>(std::move(made));
}

}  // namespace etlantic::kafka

namespace etlantic {

[[gnu::used]] inline result<std::shared_ptr<split_group>> join_kafka_group(const asset_binding& binding) {
  auto settings = kafka::source_settings_of(binding);
  if (!settings) return settings.error();
  return kafka::join_group(std::move(*settings));
}

}  // namespace etlantic
