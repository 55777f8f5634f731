#pragma once
#include <etlantic/core/time.hpp>
#include <etlantic/runtime/program.hpp>
#include <etlantic/runtime/stop_policy.hpp>
#include <etlantic/tool/quarantine_request.hpp>
#include <etlantic/tool/report_command.hpp>
#include <etlantic/tool/table_request.hpp>

#include <optional>
#include <string>

namespace etlantic {

enum class command : std::uint8_t {
  none,
  run,
  validate,
  plan,
  correct,
  status,
  stop,
  report,
  checkpoint,
  quarantine,
  table
};

constexpr std::string_view name_of(command which) {
  constexpr std::string_view names[] = {"",     "run",    "validate",   "plan",       "correct", "status",
                                        "stop", "report", "checkpoint", "quarantine", "table"};
  return names[static_cast<int>(which)];
}

/// Who sees the progress: `automatic` a live line for a terminal and JSON records for a file or a pipe.
enum class progress_display : std::uint8_t { automatic, json, live, none };

/// What the user asked for.
struct command_line {
  command which = command::none;
  bool help = false;
  bool version = false;
  bool json = false;
  bool once = false;
  std::optional<duration> at_most;
  bool profile_stages = false;
  std::size_t workers = 0;           ///< 0: as the profile says
  std::string embedded_kafka;        ///< folder of the records that topics of the broker in the process begin with
  std::int64_t accepted_batch = -1;  ///< published although a quality gate pauses at it
  std::string profile_file;
  std::string data_folder = ".";
  std::string checkpoint;               ///< of `status`, `stop`, `report` and `checkpoint`, instead of a profile
  std::optional<stop_policy> stop_how;  ///< of `stop`; none: as the profile of the query says
  duration stop_wait{std::chrono::minutes{1}};
  report_request reports;
  std::string action;                    ///< of `checkpoint`: inspect, verify, rewind or export
  std::optional<std::int64_t> to_batch;  ///< of a rewind
  bool confirmed = false;
  progress_display progress = progress_display::automatic;
  quarantine_request quarantine;
  table_request table;
  std::string mistake;  ///< what is wrong with it; empty: nothing
  std::string mistake_help;
};

command_line parse_command_line(int argc, const char* const* argv);

/// For a newcomer: what the binary is, what it reads and writes, how to use it, what its exit codes mean.
std::string help_text(const program& what, const std::string& binary);
/// Of one subcommand.
std::string help_text(const program& what, const std::string& binary, command which);
std::string version_text(const program& what);

}  // namespace etlantic
