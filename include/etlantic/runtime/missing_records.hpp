#pragma once
#include <etlantic/runtime/program.hpp>

#include <string>
#include <string_view>

namespace etlantic {

/// An extract wants to know of records what its connector does not have.
inline constexpr std::string_view records_missing_code = "PMPLAN213";

struct records_missing {
  std::string message;
  std::string help;
};

/// What is wrong with an extract of a contract `record<...>` that is bound to a connector without records.
inline records_missing missing_records(const program_node& extract, const std::string& connector) {
  const schema& contract = *extract.contract;
  std::string parts;
  for (const record_field& each : contract.record->details) {
    parts.append(parts.empty() ? "" : ", ").append(name_of(each.part));
    if (each.part == record_part::header) parts.append(" ").append(each.header);
  }
  return {"the extract \"" + extract.name + "\" has the contract " + std::string(contract.id) + ", which asks for " +
              parts + " of records, and the connector " + connector + " has no records",
          "bind \"" + extract.asset + "\" to kafka, or give the extract the contract " +
              std::string(contract.record->value->id)};
}

}  // namespace etlantic
