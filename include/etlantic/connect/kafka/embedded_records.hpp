#pragma once
#include <etlantic/core/result.hpp>

#include <string>

namespace etlantic::kafka {

/// Fills a topic of the process's broker with the lines of `FOLDER/TOPIC.ndjson`, each a record; once in a process.
/// Line n goes into partition n modulo 4, so that the next process finds every record at the offset that it had.
result<void> fill_embedded_topic(const std::string& topic, const std::string& folder);

}  // namespace etlantic::kafka
