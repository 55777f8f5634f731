#pragma once
#include <etlantic/connect/kafka/embedded_broker.inl.hpp>
#include <etlantic/connect/kafka/embedded_records.hpp>
#include <etlantic/connect/kafka/failure.hpp>
#include <etlantic/connect/kafka/topic_pattern.inl.hpp>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <set>
#include <string>

namespace etlantic::kafka {

namespace detail {

/// A partition of the broker in the process holds 5 MiB and drops its oldest records beyond, without a word.
inline constexpr std::size_t embedded_partition_bytes = std::size_t{4} << 20;
inline constexpr int embedded_partitions = 4;

}  // namespace detail

[[gnu::used]] inline result<void> fill_embedded_topic(const std::string& topic, const std::string& folder) {
  static std::mutex lock;
  static std::set<std::string> filled;
  const std::lock_guard guard(lock);
  if (filled.contains(topic)) return {};
  const std::string path = folder + "/" + topic + ".ndjson";
  std::ifstream lines(path, std::ios::binary);
  if (!lines)
    return wrong_option("the topic `" + topic + "` of the broker in the process is to begin with the lines of " + path +
                            ", which cannot be read",
                        "put its records there, one a line");
  const auto broker = embedded_broker::of_process();
  if (!broker) return broker.error();
  if (auto made = (*broker)->create_topic(topic, detail::embedded_partitions); !made) return made;
  std::array<std::size_t, detail::embedded_partitions> bytes{};
  std::string line;
  for (std::size_t number = 0; std::getline(lines, line);) {
    if (line.empty()) continue;
    const std::size_t at = number++ % bytes.size();
    bytes[at] += line.size() + 16;
    if (bytes[at] > detail::embedded_partition_bytes)
      return wrong_option(path + " is too large for the broker in the process, which holds about 16 MiB of a topic",
                          "make the file smaller, or try a real broker: tests/integration/kafka/broker.py run");
    if (auto added = (*broker)->add(topic, line, static_cast<std::int32_t>(at)); !added) return added;
  }
  if (auto there = (*broker)->flush(); !there) return there;
  filled.insert(topic);
  return {};
}

[[gnu::used]] inline std::vector<std::string> embedded_topics_of(const std::string& folder,
                                                                 const topic_pattern& pattern) {
  std::vector<std::string> found;
  std::error_code ignored;
  for (const auto& each : std::filesystem::directory_iterator(folder, ignored))
    if (each.path().extension() == ".ndjson")
      if (std::string topic = each.path().stem().string(); pattern.fits(topic)) found.push_back(std::move(topic));
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace etlantic::kafka
