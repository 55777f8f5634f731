#pragma once
#include <etlantic/tool/diagnostic_code.hpp>
#include <etlantic/tool/embedded_kafka.hpp>

#include <algorithm>
#include <string>

namespace etlantic {

[[gnu::used]] inline void use_embedded_kafka(profile_reading& reading, const program& what, const std::string& folder) {
  bool found = false;
  for (auto& [asset, binding] : reading.settings.assets) {
    if (binding.connector != "kafka") continue;
    found = true;
    std::erase_if(binding.options, [](const auto& option) { return option.first.starts_with("librdkafka."); });
    binding.options["bootstrap_servers"] = "embedded";
    const bool is_read = std::any_of(what.nodes.begin(), what.nodes.end(), [&](const program_node& node) {
      return node.kind == node_kind::extract && node.asset == asset;
    });
    if (is_read) binding.options["embedded_folder"] = folder;
  }
  if (found) return;
  diagnostic nothing;
  nothing.code = code::nothing_in_kafka;
  nothing.message = "--embedded-kafka is given, and no asset of the profile is bound to Kafka";
  nothing.help = "leave it out, or bind an asset to the connector kafka";
  reading.found.add(std::move(nothing));
}

}  // namespace etlantic
