#pragma once
#include <etlantic/connect/kafka/source.hpp>
#include <etlantic/runtime/connector.hpp>
#include <etlantic/runtime/split_group.hpp>

#include <memory>

namespace etlantic {

namespace kafka {

/// This process as a member of the consumer group that the settings name. The group says who reads which partition;
/// offsets that are committed to it show how far they are.
result<std::shared_ptr<split_group>> join_group(source_settings settings);

}  // namespace kafka

/// The same from the options of a profile.
result<std::shared_ptr<split_group>> join_kafka_group(const asset_binding& binding);

}  // namespace etlantic
