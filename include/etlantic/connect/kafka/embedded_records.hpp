#pragma once
#include <etlantic/connect/kafka/topic_pattern.hpp>
#include <etlantic/core/result.hpp>

#include <string>
#include <vector>

namespace etlantic::kafka {

/// Fills a topic of the process's broker with the lines of `FOLDER/TOPIC.ndjson`, each a record; once in a process.
/// Line n goes into partition n modulo 4, so that the next process finds every record at the offset that it had.
result<void> fill_embedded_topic(const std::string& topic, const std::string& folder);

/// Topics that fit and that the folder has records of.
std::vector<std::string> embedded_topics_of(const std::string& folder, const topic_pattern& pattern);

}  // namespace etlantic::kafka
