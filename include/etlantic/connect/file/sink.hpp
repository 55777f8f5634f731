#pragma once
#include <etlantic/runtime/connector.hpp>

#include <memory>

namespace etlantic {

/// Options of the file sink.
inline constexpr connector_option file_sink_options[] = {
    {"path", true, "directory that gets the files; it is created if it is not there"},
    {"format", false, "ndjson (default): one JSON object per line; csv: a header line, then RFC 4180 with line feeds"},
};

/// A directory of files, one for each batch that has rows: `part-<node>-<query>-<batch, 20 digits>.ndjson`. A file
/// appears whole or not at all, and a replay of its batch replaces it by the same rows under the same name. Names that
/// begin with a dot are unfinished. In append mode the files together hold every final row once; in update mode every
/// change of a row, oldest first (a file cannot be updated). In complete mode there is one file, `<node>.ndjson`, that
/// each batch replaces.
///
/// Fields have the names of the data. Numbers, decimals too, are written with their exact digits, time stamps in UTC
/// as the contract's data has them, binary as base64, durations in microseconds. NDJSON nests structs and lists; NaN
/// and the infinities are strings. CSV has `parent_child` columns for structs and JSON text for lists; null is empty
/// and an empty text is `""`.
result<std::shared_ptr<sink>> make_file_sink(const asset_binding& binding);

}  // namespace etlantic
