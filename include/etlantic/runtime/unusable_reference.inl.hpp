#pragma once
#include <etlantic/runtime/unusable_reference.hpp>

#include <string>

namespace etlantic {

[[gnu::used]] inline failure unusable_reference(std::string_view who, const block& rejected, std::string_view line) {
  enum : std::size_t { split, position, code, field, reason, all, payload };
  const auto text = [&](std::size_t column) { return std::string(rejected.columns[column].text_at(0)); };
  std::string what = text(all);
  if (what.empty()) what = text(reason);
  std::string shown = text(payload).substr(0, 200);
  std::string place = text(split);
  if (!line.empty()) place += ", line " + std::string(line);
  return {
      failure_class::source_data, "PMSTREAM407",
      "a row of the reference '" + std::string(who) + "' breaks its contract: " + what + " in " + place + ": " + shown,
      place,
      "Correct the row and start the query again, or load the extract's `invalid` output: then such rows go there "
      "and the others are looked up."};
}

}  // namespace etlantic
