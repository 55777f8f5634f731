#pragma once
#include <etlantic/tool/command_line.hpp>
#include <etlantic/tool/nearest.hpp>
#include <etlantic/tool/quantity.hpp>
#include <etlantic/tool/table_words.inl.hpp>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include <algorithm>
#include <map>
#include <string_view>

namespace etlantic {
namespace detail {

// CLI11 splits the arguments; the sentences about mistakes are ours.
class command_line_parser {
 public:
  command_line_parser() {
    app_.set_help_flag();
    app_.allow_extras();
    app_.require_subcommand(0, 1);
    app_.add_flag("-h,--help", made_.help);
    app_.add_flag("--version", made_.version);
    add(command::run);
    add(command::validate);
    add(command::plan);
    add(command::correct);
    for (const command each : {command::status, command::stop, command::report}) {
      add(each);
      checkpoint_[static_cast<int>(each)] = commands_[each]->add_option("--checkpoint", made_.checkpoint);
    }
    commands_[command::status]->add_flag("--json", made_.json);
    commands_[command::stop]->add_option("--how", stop_how_);
    commands_[command::stop]->add_option("--wait", stop_wait_);
    commands_[command::report]->add_flag("--json", made_.reports.json);
    commands_[command::report]->add_option("--last", last_);
    commands_[command::report]->add_option("--number", number_);
    commands_[command::report]->add_option("--compare", compare_);
    add(command::checkpoint);
    CLI::App* checkpoint = commands_[command::checkpoint];
    checkpoint->add_flag("--json", made_.json);
    checkpoint_[static_cast<int>(command::checkpoint)] = checkpoint->add_option("--checkpoint", made_.checkpoint);
    checkpoint->add_option("--to", to_batch_);
    checkpoint->add_flag("--confirm", made_.confirmed);
    add(command::quarantine);
    CLI::App* run = commands_[command::run];
    run->add_flag("--once", made_.once);
    run->add_option("--for", at_most_);
    run->add_option("--progress", progress_);
    run->add_option("--workers", workers_);
    run->add_option("--embedded-kafka", made_.embedded_kafka);
    run->add_option("--accept-batch", accepted_batch_);
    run->add_flag("--profile-stages", made_.profile_stages);
    commands_[command::validate]->add_flag("--json", made_.json);
    commands_[command::plan]->add_flag("--json", made_.json);
    commands_[command::correct]->add_flag("--json", made_.json);
    add_quarantine(*commands_[command::quarantine]);
    add_table();
  }

  command_line parse(int argc, const char* const* argv) {
    try {
      app_.parse(argc, argv);
    } catch (const CLI::ArgumentMismatch& wrong) {
      const std::string_view told = wrong.what();
      mistake(std::string(told.substr(0, told.find(':'))) + " needs a value behind it", "--help shows how to use it");
    } catch (const CLI::Error& wrong) {
      mistake(wrong.what(), "--help shows how to use it");
    }
    for (const auto& [which, parsed] : commands_)
      if (parsed->parsed()) made_.which = which;
    // Help never fails over what else is on the line.
    if (made_.help || made_.version) made_.mistake.clear();
    if (made_.mistake.empty() && !made_.help && !made_.version) check();
    return made_;
  }

 private:
  CLI::App app_;
  std::map<command, CLI::App*> commands_;
  command_line made_;
  std::string at_most_;
  std::string progress_ = "auto";
  std::string workers_;
  std::string stop_how_;
  std::string stop_wait_;
  std::string last_;
  std::string number_;
  std::string compare_;
  std::string accepted_batch_;
  std::string to_batch_;
  CLI::Option* data_[11] = {};
  CLI::Option* checkpoint_[11] = {};
  std::vector<std::string> words_;
  std::string limit_;
  table_words table_;

  CLI::App* add_plain(command which) {
    CLI::App* made = app_.add_subcommand(std::string(name_of(which)));
    made->set_help_flag();
    made->allow_extras();
    made->add_flag("-h,--help", made_.help);
    commands_[which] = made;
    return made;
  }

  void add(command which) {
    CLI::App* made = add_plain(which);
    made->add_option("--profile", made_.profile_file);
    data_[static_cast<int>(which)] = made->add_option("--data", made_.data_folder);
  }

  // A table is named by its folder: no profile is asked.
  void add_table() {
    CLI::App* table = add_plain(command::table);
    table->add_flag("--json", made_.json);
    table->add_option("--at", table_.at);
    table->add_option("--limit", table_.limit);
    table->add_option("--retention", table_.retention);
    table->add_flag("--force", made_.table.forced);
    table->add_flag("--dry-run", made_.table.dry_run);
    table->add_option("--target-size", table_.target_size);
    table->add_option("--rows", table_.rows);
  }

  void add_quarantine(CLI::App& quarantine) {
    quarantine_request& asked = made_.quarantine;
    quarantine.add_flag("--json", made_.json);
    quarantine.add_option("--asset", asked.asset);
    quarantine.add_option("--reason", asked.reason);
    quarantine.add_option("--field", asked.field);
    quarantine.add_option("--limit", limit_);
    quarantine.add_flag("--all", asked.all);
    quarantine.add_flag("--dry-run", asked.dry_run);
    quarantine.add_option("--repaired", asked.repaired);
  }

  void mistake(std::string message, std::string help) {
    if (!made_.mistake.empty()) return;
    made_.mistake = std::move(message);
    made_.mistake_help = std::move(help);
  }

  void check() {
    if (made_.which == command::none) return check_no_command();
    CLI::App* parsed = commands_[made_.which];
    auto extras_of_command = parsed->remaining();
    if (made_.which == command::checkpoint) take_action(extras_of_command);
    if (made_.which == command::quarantine) return check_quarantine(*parsed);
    if (made_.which == command::table) return check_table(*parsed);
    if (!extras_of_command.empty()) check_extra(*parsed, extras_of_command.front());
    if (const auto extras = app_.remaining(); !extras.empty()) check_extra(*parsed, extras.front());
    if (!made_.profile_file.empty() && data_[static_cast<int>(made_.which)]->count() > 0)
      mistake("--profile and --data exclude each other", "--data names the folder of the profile that is built in");
    if (made_.which == command::run) check_run();
    if (const CLI::Option* named = checkpoint_[static_cast<int>(made_.which)]; named != nullptr && named->count() > 0)
      check_checkpoint();
    if (made_.which == command::stop) check_stop();
    if (made_.which == command::report) check_report();
    if (made_.which == command::checkpoint) check_checkpoint_command();
  }

  void check_checkpoint() {
    if (made_.checkpoint.empty()) mistake("--checkpoint needs a folder", "that of the query's profile");
    if (!made_.profile_file.empty() || data_[static_cast<int>(made_.which)]->count() > 0)
      mistake("--checkpoint excludes --profile and --data", "they name the profile that says where the checkpoint is");
  }

  void check_stop() {
    if (!stop_how_.empty()) {
      const std::vector<std::string> ways{"drain", "finish_batch", "at_once"};
      const auto way = std::find(ways.begin(), ways.end(), stop_how_);
      if (way == ways.end())
        mistake("--how cannot be \"" + stop_how_ + "\"", suggestion(stop_how_, ways));
      else
        made_.stop_how = static_cast<stop_policy>(way - ways.begin());
    }
    if (stop_wait_.empty()) return;
    const auto wait = parse_duration(stop_wait_);
    if (wait)
      made_.stop_wait = *wait;
    else
      mistake("--wait needs a length of time, not \"" + stop_wait_ + "\"", std::string(duration_help));
  }

  void check_report() {
    check_number("--last", last_, made_.reports.last);
    check_number("--number", number_, made_.reports.number);
    if (compare_ == "previous")
      made_.reports.compare = -1;
    else
      check_number("--compare", compare_, made_.reports.compare, ", or previous");
    if (made_.reports.compare != 0 && !last_.empty())
      mistake("--compare and --last exclude each other", "--compare shows two runs side by side");
  }

  void check_number(const char* option, const std::string& text, std::int64_t& into, const char* or_else = "") {
    if (text.empty()) return;
    const auto number = parse_count(text);
    if (number && *number > 0)
      into = *number;
    else
      mistake(std::string(option) + " needs a number from 1 on" + or_else + ", not \"" + text + "\"",
              "`report --last 10` shows which there are");
  }

  void check_no_command() {
    const auto extras = app_.remaining();
    if (extras.empty()) return;
    mistake("there is no command \"" + extras.front() + "\"",
            suggestion(extras.front(), {"run", "validate", "plan", "correct", "status", "stop", "report", "checkpoint",
                                        "quarantine", "table"}));
  }

  void check_extra(CLI::App& parsed, const std::string& extra) {
    std::vector<std::string> known;
    for (const CLI::Option* each : parsed.get_options()) known.push_back("--" + each->get_lnames().front());
    const std::string name = extra.substr(0, extra.find('='));
    if (name.starts_with("-"))
      mistake("\"" + std::string(name_of(made_.which)) + "\" has no option " + name, suggestion(name, known));
    else
      mistake("\"" + extra + "\" is one argument too many", "a profile is named by --profile FILE");
  }

  /// The word behind `checkpoint`.
  void take_action(std::vector<std::string>& extras) {
    const auto word =
        std::find_if(extras.begin(), extras.end(), [](const std::string& each) { return each[0] != '-'; });
    if (word == extras.end()) return;
    made_.action = *word;
    extras.erase(word);
  }

  void check_checkpoint_command() {
    const std::vector<std::string> actions{"inspect", "verify", "rewind", "export"};
    if (made_.action.empty())
      return mistake("\"checkpoint\" needs to be told what to do", "inspect, verify, rewind or export");
    if (std::find(actions.begin(), actions.end(), made_.action) == actions.end())
      return mistake("\"checkpoint\" cannot \"" + made_.action + "\"", suggestion(made_.action, actions));
    if (made_.action != "rewind") {
      if (!to_batch_.empty() || made_.confirmed) mistake("--to and --confirm belong to \"checkpoint rewind\"", "");
      return;
    }
    const auto number = to_batch_.empty() ? std::nullopt : parse_count(to_batch_);
    if (!number || *number < 0)
      return mistake("\"checkpoint rewind\" needs --to and the number of a batch",
                     "\"checkpoint inspect\" lists the batches that are kept");
    made_.to_batch = *number;
  }

  /// All words that are no option's.
  std::vector<std::string> words_of(const CLI::App& parsed) const {
    std::vector<std::string> words = parsed.remaining();
    const auto more = app_.remaining();
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }

  void check_table(CLI::App& parsed) {
    const std::vector<std::string> words = words_of(parsed);
    for (const std::string& each : words)
      if (each.starts_with("-")) return check_extra(parsed, each);
    if (auto wrong = take_table(words, table_, made_.table)) mistake(std::move(wrong->message), std::move(wrong->help));
  }

  void check_quarantine(CLI::App& parsed) {
    const std::vector<std::string> actions{"list", "show", "count", "redrive"};
    quarantine_request& asked = made_.quarantine;
    const std::vector<std::string> words = words_of(parsed);
    for (const std::string& each : words)
      if (each.starts_with("-")) return check_extra(parsed, each);
    if (words.empty()) return mistake("quarantine needs to know what to do", "it can be " + enumerate(actions));
    asked.action = words[0];
    asked.ids.assign(words.begin() + 1, words.end());
    if (std::find(actions.begin(), actions.end(), asked.action) == actions.end())
      return mistake("quarantine cannot \"" + asked.action + "\"", suggestion(asked.action, actions));
    if (!made_.profile_file.empty() && data_[static_cast<int>(made_.which)]->count() > 0)
      mistake("--profile and --data exclude each other", "--data names the folder of the profile that is built in");
    const bool redrives = asked.action == "redrive";
    if (asked.action == "show" && asked.ids.empty())
      mistake("show needs the id of a row", "quarantine list shows them");
    if (redrives && !asked.all && !asked.selects() && asked.repaired.empty())
      mistake("redrive needs to know which rows", "name ids, --reason, --field, --repaired FILE or --all");
    if (!redrives && (asked.all || asked.dry_run || !asked.repaired.empty()))
      mistake("--all, --dry-run and --repaired are for redrive", "leave them out");
    if (limit_.empty()) return;
    const auto limit = parse_count(limit_);
    if (!limit || *limit < 1)
      mistake("--limit needs a number of rows, not \"" + limit_ + "\"", std::string(count_help));
    else
      asked.limit = *limit;
  }

  void check_run() {
    const std::vector<std::string> displays{"auto", "json", "live", "none"};
    const auto display = std::find(displays.begin(), displays.end(), progress_);
    if (display == displays.end())
      mistake("--progress cannot be \"" + progress_ + "\"", suggestion(progress_, displays));
    else
      made_.progress = static_cast<progress_display>(display - displays.begin());
    if (!workers_.empty()) {
      const auto number = parse_count(workers_);
      if (!number || *number < 1 || *number > 1024)
        mistake("--workers needs a number from 1 to 1024, not \"" + workers_ + "\"", "without it every core is used");
      else
        made_.workers = static_cast<std::size_t>(*number);
    }
    if (!accepted_batch_.empty()) {
      const auto batch = parse_count(accepted_batch_);
      if (!batch)
        mistake("--accept-batch needs the id of a batch, not \"" + accepted_batch_ + "\"",
                "a query that a quality gate paused says which");
      else
        made_.accepted_batch = *batch;
    }
    if (at_most_.empty()) return;
    made_.at_most = parse_duration(at_most_);
    if (!made_.at_most || made_.at_most->count() == 0)
      mistake("--for needs a length of time, not \"" + at_most_ + "\"", std::string(duration_help));
    if (made_.once) mistake("--once and --for exclude each other", "--once ends by itself");
  }
};

}  // namespace detail

[[gnu::used]] inline command_line parse_command_line(int argc, const char* const* argv) {
  return detail::command_line_parser().parse(argc, argv);
}

}  // namespace etlantic
