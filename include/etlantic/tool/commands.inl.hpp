#pragma once
#include <etlantic/runtime/group_folder.hpp>
#include <etlantic/tool/checkpoint_command.hpp>
#include <etlantic/tool/command_line.hpp>
#include <etlantic/tool/commands.hpp>
#include <etlantic/tool/correct_command.hpp>
#include <etlantic/tool/default_profile.hpp>
#include <etlantic/tool/diagnostic.hpp>
#include <etlantic/tool/embedded_kafka.hpp>
#include <etlantic/tool/plan.hpp>
#include <etlantic/tool/profile_check.hpp>
#include <etlantic/tool/progress_printer.hpp>
#include <etlantic/tool/quarantine.hpp>
#include <etlantic/tool/reference.hpp>
#include <etlantic/tool/report_command.hpp>
#include <etlantic/tool/run_command.hpp>
#include <etlantic/tool/status_command.hpp>
#include <etlantic/tool/stop_command.hpp>
#include <etlantic/tool/table_command.hpp>

#include <cerrno>
#include <cstring>

namespace etlantic {
namespace detail {

class tool {
 public:
  tool(const program& what, const command_line& asked, std::string binary, const tool_environment& environment)
      : program_(what), asked_(asked), binary_(std::move(binary)), environment_(environment) {}

  exit_code run() {
    if (!asked_.mistake.empty()) return refuse_usage();
    if (asked_.help) return answer(help_text(program_, binary_, asked_.which));
    if (asked_.version) return answer(version_text(program_));
    switch (asked_.which) {
      case command::run: return run_query();
      case command::validate: return validate();
      case command::plan: return plan();
      case command::correct: return correct();
      case command::status: return look([&](const profile& where) { return status_of(where.checkpoint, asked_.json); });
      case command::stop:
        return look(
            [&](const profile& where) { return stop_query(where.checkpoint, asked_.stop_how, asked_.stop_wait); });
      case command::report: return look([&](const profile& where) { return reports_of(where, asked_.reports); });
      case command::checkpoint: return checkpoint();
      case command::quarantine: return quarantine();
      case command::table: return run_table_command(asked_.table, asked_.json, environment_.to);
      case command::none: break;
    }
    answer(help_text(program_, binary_));
    return exit_code::usage;
  }

 private:
  const program& program_;
  const command_line& asked_;
  std::string binary_;
  const tool_environment& environment_;

  exit_code refuse_usage() const {
    const std::string word = asked_.which == command::none ? "" : " " + std::string(name_of(asked_.which));
    const std::string help = asked_.mistake_help + "\n        " + binary_ + word + " --help shows how to use it";
    print(environment_.to.error, to_text(failure{failure_class::configuration, "", asked_.mistake, "", help}));
    return exit_code::usage;
  }

  exit_code answer(std::string_view text) const {
    errno = 0;
    if (print(environment_.to.out, text) || errno == EPIPE) return exit_code::ok;
    print(environment_.to.error,
          to_text(failure{failure_class::resource_exhausted, "PMSTREAM498",
                          std::string("the answer could not be written: ") + std::strerror(errno), "standard output",
                          "make room where it goes to"}));
    return exit_code::exhausted;
  }

  // The profile that is named, or the one that is built in; with all that is wrong with it.
  profile_reading find_profile() const {
    profile_reading reading =
        asked_.profile_file.empty() ? default_profile(program_, asked_.data_folder) : read_profile(asked_.profile_file);
    if (reading.usable) {
      if (!asked_.embedded_kafka.empty()) use_embedded_kafka(reading, program_, asked_.embedded_kafka);
      complete_bindings(reading, program_, environment_.connectors);
      reading.found.add(check_profile(program_, reading, environment_.connectors));
      reading.found.sort();
    }
    return reading;
  }

  report missing_inputs(const profile_reading& reading) const {
    return asked_.profile_file.empty() ? check_default_inputs(program_, reading) : report{};
  }

  exit_code validate() const {
    profile_reading reading = find_profile();
    report all = check_definition(program_);
    all.add(reading.found);
    all.add(missing_inputs(reading));
    resolve_references(reading, all);
    const exit_code written = answer(asked_.json ? to_json(all) : to_text(all));
    return all.valid() ? written : exit_code::definition;
  }

  exit_code plan() const {
    const profile_reading reading = find_profile();
    if (!reading.found.found.empty()) print(environment_.to.error, to_text(reading.found));
    if (!reading.found.valid()) return exit_code::definition;
    return answer(asked_.json ? plan_json(program_, &reading.settings) : plan_text(program_, &reading.settings));
  }

  exit_code correct() const {
    const profile_reading reading = find_profile();
    if (!reading.found.found.empty()) print(environment_.to.error, to_text(reading.found));
    if (!reading.found.valid()) return exit_code::definition;
    report unresolved;
    profile where = resolve_references(reading, unresolved);
    if (!unresolved.valid()) {
      print(environment_.to.error, to_text(unresolved));
      return exit_code::definition;
    }
    const result<correction> made = environment_.correct(program_, std::move(where));
    if (!made) {
      print(environment_.to.error, to_text(made.error()));
      return exit_code_of(made.error().kind);
    }
    return answer(asked_.json ? correction_json(*made) : correction_text(*made));
  }

  // Asks about a query that may run elsewhere: only the places in its profile matter, not whether it could run here.
  template <class Question>
  exit_code look(Question question) const {
    profile where;
    where.checkpoint = asked_.checkpoint;
    if (asked_.checkpoint.empty()) {
      const profile_reading reading = find_profile();
      if (!reading.usable) {
        print(environment_.to.error, to_text(reading.found));
        return exit_code::definition;
      }
      where = reading.settings;
      if (where.checkpoint.empty() && asked_.which != command::report)
        return refuse({failure_class::configuration, "PMSTREAM493", "this profile has no checkpoint",
                       reading.file.empty() ? "profile" : reading.file,
                       "Only a query with a checkpoint can be asked and stopped from outside."});
    }
    if (asked_.which == command::report && is_group_folder(where.checkpoint))
      return refuse(part_wanted(where.checkpoint));
    const result<std::string> said = question(where);
    return said ? answer(*said) : refuse(said.error());
  }

  // What is asked of one checkpoint cannot be asked of a folder of them.
  static failure part_wanted(const std::string& checkpoint) {
    const group_layout layout{checkpoint};
    std::string splits;
    for (const std::string& each : splits_in(layout)) splits += (splits.empty() ? "" : ", ") + layout.split(each);
    return {failure_class::configuration, "PMSTREAM493",
            "the checkpoint is shared by several processes: each partition has one of its own", checkpoint,
            "Name one by --checkpoint: " + (splits.empty() ? "there is none yet" : splits) +
                "; reports of processes are in " + layout.processes() + "."};
  }

  exit_code refuse(const failure& why) const {
    print(environment_.to.error, to_text(why));
    return exit_code_of(why.kind);
  }

  exit_code checkpoint() const {
    if (!asked_.checkpoint.empty() && is_group_folder(asked_.checkpoint)) return refuse(part_wanted(asked_.checkpoint));
    if (!asked_.checkpoint.empty()) return run_checkpoint_command(asked_.checkpoint, asked_, environment_.to);
    const profile_reading reading = find_profile();
    if (!reading.found.valid()) {
      print(environment_.to.error, to_text(reading.found));
      return exit_code::definition;
    }
    if (is_group_folder(reading.settings.checkpoint)) return refuse(part_wanted(reading.settings.checkpoint));
    if (!reading.settings.checkpoint.empty())
      return run_checkpoint_command(reading.settings.checkpoint, asked_, environment_.to);
    print(environment_.to.error,
          to_text(failure{failure_class::configuration, "", "the profile has no checkpoint", asked_.profile_file,
                          "name its folder by --checkpoint DIR, or the profile that it belongs to by --profile FILE"}));
    return exit_code::definition;
  }

  exit_code quarantine() const {
    const profile_reading reading = find_profile();
    report unresolved = reading.found;
    const profile where = resolve_references(reading, unresolved);
    if (!unresolved.valid()) {
      print(environment_.to.error, to_text(unresolved));
      return exit_code::definition;
    }
    return run_quarantine(program_, where, asked_.quarantine, asked_.json, environment_.connectors, environment_.to);
  }

  exit_code run_query() const {
    const profile_reading reading = find_profile();
    const report missing = missing_inputs(reading);
    progress_printer mistakes(program_, reading.settings, asked_.progress, environment_.to);
    for (const diagnostic& each : reading.found.found) mistakes.show_diagnostic(each);
    if (!reading.found.valid()) return exit_code::definition;
    for (const diagnostic& each : missing.found) mistakes.show_diagnostic(each);
    if (!missing.valid()) return exit_code::source;
    return run_pipeline(program_, reading, asked_, environment_.to, environment_.start);
  }
};

}  // namespace detail

[[gnu::used]] inline exit_code run_tool(const program& what, int argc, const char* const* argv,
                                        const tool_environment& environment) {
  const command_line asked = parse_command_line(argc, argv);
  std::string binary = argc > 0 && argv[0] != nullptr ? argv[0] : snake_case(what.id);
  if (const std::size_t slash = binary.rfind('/'); slash != std::string::npos) binary.erase(0, slash + 1);
  return detail::tool(what, asked, binary, environment).run();
}

}  // namespace etlantic
