#pragma once
#include <etlantic/runtime/program.hpp>
#include <etlantic/tool/profile_file.hpp>

#include <string>

namespace etlantic {

/// What `run --embedded-kafka FOLDER` makes of a profile: all that is bound to Kafka goes to the broker within the
/// process, and each topic that is read begins with the lines of `FOLDER/TOPIC.ndjson`. Settings of librdkafka, among
/// them logins, are left out. A mistake if nothing is bound to Kafka.
void use_embedded_kafka(profile_reading& reading, const program& what, const std::string& folder);

}  // namespace etlantic
