#pragma once
#include <etlantic/core/result.hpp>
#include <etlantic/runtime/file_calls.hpp>

#include <string>
#include <system_error>

// PMSTREAM444 log damaged, 446 feature that we do not have, 447 another writer was in the way, 451 Parquet, 452 a row
// or a value that the table cannot hold; as for SQLite: 430 option, 431 table differs, 432 contract cannot be a table,
// 433 file cannot be used, 435 no room, 438 batch not prepared.

namespace etlantic::delta {

inline failure damaged_log(const std::string& message, const std::string& where) {
  return {failure_class::sink_rejected, "PMSTREAM444", message, where,
          "restore the log of the table (_delta_log) from a copy; nothing was written"};
}

inline failure no_table(const std::string& where) {
  return {failure_class::configuration, "PMSTREAM444", "there is no Delta table", where,
          "name the folder of a table, the one that holds _delta_log"};
}

inline failure unsupported(const std::string& message, const std::string& where, const std::string& help) {
  return {failure_class::configuration, "PMSTREAM446", message, where, help};
}

inline failure table_differs(const std::string& message, const std::string& where,
                             const std::string& help = "change the table, or bind the asset to another one") {
  return {failure_class::sink_conflict, "PMSTREAM431", "the table does not fit the contract: " + message, where, help};
}

inline failure unusable_contract(const std::string& message, const std::string& where, const std::string& help) {
  return {failure_class::contract, "PMSTREAM432", message, where, help};
}

inline failure file_trouble(const etlantic::detail::failed_call& what) {
  const std::string message = "cannot " + std::string(name_of(what.operation)) + " '" + what.path +
                              "': " + std::generic_category().message(what.error);
  if (etlantic::detail::is_used_up(what.error) || what.error == EFBIG || what.error == EIO)
    return {failure_class::resource_exhausted, "PMSTREAM435", message, what.path,
            "make room on the disk, check it, and start again; the batch will be replayed"};
  return {failure_class::configuration, "PMSTREAM433", message, what.path,
          "check that the path is right and that this user may write to the folder"};
}

}  // namespace etlantic::delta
