#pragma once
#include <etlantic/tool/correct_command.hpp>
#include <etlantic/tool/json_writer.hpp>

namespace etlantic {

[[gnu::used]] inline std::string correction_text(const correction& made) {
  if (made.windows == 0) return "nothing to correct: late rows have missed no window since the last correction\n";
  std::string text = std::to_string(made.windows) + (made.windows == 1 ? " window" : " windows") +
                     " computed again from " + std::to_string(made.done.rows_read()) + " rows\n";
  for (const load_progress& each : made.done.loads)
    text += "  " + each.asset + ": " + std::to_string(each.rows) + (each.rows == 1 ? " row" : " rows") + " replaced\n";
  return text;
}

[[gnu::used]] inline std::string correction_json(const correction& made) {
  json_writer json;
  json.begin_object().member("windows", made.windows).member("rows_read", made.done.rows_read()).key("loads");
  json.begin_array();
  for (const load_progress& each : made.done.loads)
    json.begin_object().member("node", each.node).member("asset", each.asset).member("rows", each.rows).end_object();
  json.end_array().end_object();
  return std::move(json).text() + "\n";
}

}  // namespace etlantic
