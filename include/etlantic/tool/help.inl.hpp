#pragma once
#include <etlantic/tool/command_line.hpp>
#include <etlantic/tool/default_profile.hpp>
#include <etlantic/tool/exit_code.hpp>
#include <etlantic/tool/field_text.hpp>
#include <etlantic/tool/version.hpp>

#include <iterator>

namespace etlantic {
namespace detail {

// The words of a list, wrapped at the width of a page, every line indented alike.
inline std::string wrapped(const std::vector<std::string>& words, std::size_t indent) {
  constexpr std::size_t page = 100;
  std::string text;
  std::size_t column = page;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string word = words[i] + (i + 1 < words.size() ? "," : "");
    if (column + word.size() + 1 > page) {
      text += (text.empty() ? "" : "\n") + std::string(indent, ' ') + word;
      column = indent + word.size();
    } else {
      text += " " + word;
      column += word.size() + 1;
    }
  }
  return text + "\n";
}

inline std::string help_of_ends(const program& what, node_kind kind) {
  std::string text;
  for (const program_node& node : what.nodes) {
    if (node.kind != kind) continue;
    text += "  " + node.asset + ": " + contract_text(node.contract) + "\n";
    if (node.contract == nullptr) continue;
    std::vector<std::string> fields;
    for (const field_description& each : node.contract->fields)
      fields.push_back(std::string(each.data_name.empty() ? each.name : each.data_name) + " " + type_text(each));
    text += wrapped(fields, 6);
  }
  return text;
}

inline constexpr std::string_view options_of_all =
    "  --profile FILE   where the pipeline runs: a YAML file that binds its assets (docs/profile.md)\n"
    "  --data DIR       the folder of the built-in profile, which is used when none is named; default: this folder\n";

}  // namespace detail

[[gnu::used]] inline std::string version_text(const program& what) {
  return what.id + (what.version.empty() ? "" : " " + what.version) + " (etlantic " + std::string(library_version) +
         ")\n";
}

[[gnu::used]] inline std::string help_text(const program& what, const std::string& binary) {
  const std::string base = snake_case(what.id);
  std::string first = "ASSET";
  for (const program_node& each : what.nodes)
    if (each.kind == node_kind::extract) {
      first = each.asset;
      break;
    }
  std::string text = what.id +
                     ": a streaming pipeline. It reads events, checks each against its contract, computes its\n"
                     "results and publishes them; what it read is never read twice, even after a crash.\n";
  text +=
      "\nusage: " + binary + " run|validate|plan|correct|status|stop|report|checkpoint|quarantine|table [options]\n";
  text += "\nreads\n" + detail::help_of_ends(what, node_kind::extract);
  text += "\nwrites\n" + detail::help_of_ends(what, node_kind::load);
  text +=
      "\ncommands\n"
      "  run        runs the pipeline until it is told to stop (Ctrl-C), or --once, or --for a time\n"
      "  validate   says what is wrong with the pipeline and its profile; runs nothing\n"
      "  plan       shows what `run` with the same options would do\n"
      "  correct    computes windows again that late rows have missed, and replaces their results\n"
      "  status     says how the query is doing that runs on the same options, in whatever process\n"
      "  stop       tells it to stop and waits for that\n"
      "  report     shows what the last runs did, and compares two of them\n"
      "  checkpoint looks into a checkpoint, verifies it, or sets it back\n"
      "  quarantine lists, shows, counts and redrives the rows that were rejected\n"
      "  table      shows, verifies, optimizes and vacuums a Delta table, any one\n"
      "  COMMAND --help shows the options of a command\n"
      "\noptions\n"
      "  -h, --help   this text\n"
      "  --version    the versions of the pipeline and of the library\n";
  text += "\nexamples\n";
  text += "  " + binary + " run --once\n      reads " + first + ".ndjson here, writes " + base +
          ".db, and stops when all is read\n";
  text += "  " + binary + " run --once --data /var/orders\n      the same in another folder\n";
  text +=
      "  " + binary + " run --profile local.yaml --for 30s\n      runs for half a minute on what the profile names\n";
  text += "  " + binary + " plan --json | jq .sinks\n";
  text += "\nexit codes\n";
  for (std::size_t i = 0; i < std::size(exit_code_meanings); ++i)
    text += "  " + std::to_string(i) + "  " + std::string(exit_code_meanings[i]) + "\n";
  return text;
}

[[gnu::used]] inline std::string help_text(const program& what, const std::string& binary, command which) {
  const std::string usage = "usage: " + binary + " " + std::string(name_of(which));
  const std::string common(detail::options_of_all);
  const std::string options_of_a_checkpoint =
      "  --checkpoint DIR the folder of the checkpoint, instead of a profile that names it\n";
  switch (which) {
    case command::none: return help_text(what, binary);
    case command::run:
      return usage +
             " [--once | --for TIME] [--profile FILE | --data DIR] [--workers N] [--progress KIND]\n"
             "       [--embedded-kafka DIR] [--accept-batch N] [--profile-stages]\n\n"
             "Runs the pipeline. Ctrl-C ends it after the batch that is running, or as on_stop of the profile says; a\n"
             "second one leaves that batch, and a third ends the process. All are safe: the next run goes on from the\n"
             "last batch that was committed.\n\n"
             "  --once           reads what is there now and stops\n"
             "  --for TIME       stops after a time: 500ms, 30s, 5min, 1h\n" +
             common +
             "  --workers N      cores that read and decode; default: as the profile says, or all of them\n"
             "  --progress KIND  auto: a live line for a terminal, one JSON record per batch for a file or a pipe;\n"
             "                   json, live, none\n"
             "  --embedded-kafka DIR\n"
             "                   instead of the Kafka of the profile a broker within the process, for a try without a\n"
             "                   server: its topics begin with the lines of DIR/TOPIC.ndjson and end with the process\n"
             "  --accept-batch N publishes the batch with this id although a quality gate of the profile pauses at it\n"
             "  --profile-stages shows at the end where the time went: seconds and nanoseconds per row of each stage\n";
    case command::validate:
      return usage +
             " [--json] [--profile FILE | --data DIR]\n\n"
             "Says what is wrong with the pipeline and its profile, all mistakes at once. Runs nothing.\n\n"
             "  --json           the report as one JSON document\n" +
             common;
    case command::quarantine:
      return usage +
             " list|show|count|redrive [ID...] [--asset ASSET] [--reason REASON] [--field FIELD]\n"
             "       [--json] [--limit N] [--all] [--repaired FILE] [--dry-run] [--profile FILE | --data DIR]\n\n"
             "Looks at the rejected rows that the loads of the pipeline have published to sqlite, to file,\n"
             "or to kafka as dead letters.\n\n"
             "  list             one line per row: id, time, asset, place, what is wrong, payload\n"
             "  show ID...       everything about a row\n"
             "  count            rows per asset, reason and field, and how many of them were redriven\n"
             "  redrive          gives rows of an extract to it once more: those that are named by ids, --reason or\n"
             "                   --field, or --all. The next run reads them; a row that was redriven is not again\n\n"
             "  --asset ASSET    of one load only\n"
             "  --reason REASON  rows with this reason only: missing, constraint, malformed, ...\n"
             "  --field FIELD    rows whose first wrong field is this one\n"
             "  --json           one JSON document a line\n"
             "  --limit N        how many rows list shows; default: 20\n"
             "  --repaired FILE  redrives other payloads: lines {\"id\":\"...\",\"payload\":\"...\"}, as list --json "
             "writes\n"
             "  --dry-run        says what redrive would do\n" +
             common;
    case command::table:
      return usage +
             " show|files|history|verify|optimize|vacuum FOLDER [--at VERSION] [--limit N] [--target-size SIZE]\n"
             "       [--rows N] [--retention TIME] [--force] [--dry-run] [--json]\n\n"
             "Works on the Delta table in FOLDER, whoever writes it. Only optimize and vacuum change something.\n\n"
             "  show             version, size, columns, properties, and the batches that queries have published\n"
             "  files            the data files, one a line\n"
             "  history          what the newest versions did, one a line\n"
             "  verify           reads every byte, and compares log, checkpoints, files and statistics; 5 if "
             "something\n"
             "                   is wrong\n"
             "  optimize         writes small files of one partition together; changes no row\n"
             "  vacuum           removes data files that no version within the retention has\n\n"
             "  --at VERSION     shows the table, or its files, as of a version\n"
             "  --limit N        how many versions history shows; default: 20\n"
             "  --target-size SIZE  of a file, for optimize: 64MiB, 1GB; default: 128MiB\n"
             "  --rows N         of a file at most, for optimize: 500k, 1M; default: 10M\n"
             "  --retention TIME how long files of older versions are kept: 30d, 240h; default: as the table says, or "
             "7d\n"
             "  --force          vacuum takes a retention that is shorter than the table says, or than 7 days\n"
             "  --dry-run        says what vacuum would remove\n"
             "  --json           the answer as one JSON document, of files and history one a line\n";
    case command::plan:
      return usage +
             " [--json] [--profile FILE | --data DIR]\n\n"
             "Shows what `run` with the same options would do: sources, steps, sinks, what is bound where, what is\n"
             "promised about delivery, and the fingerprint of the definition.\n\n"
             "  --json           the plan as one JSON document\n" +
             common;
    case command::correct:
      return usage +
             " [--json] [--profile FILE | --data DIR]\n\n"
             "Computes the windows again that late rows have missed since the last correction, from the whole input as "
             "it\n"
             "is now, and replaces their results in the targets. For pipelines with correct_late(); `run` may go on\n"
             "meanwhile.\n\n"
             "  --json           what was done as one JSON document\n" +
             common;
    case command::status:
      return usage +
             " [--json] [--profile FILE | --data DIR | --checkpoint DIR]\n\n"
             "Says how the query of a checkpoint is doing: its state, its last batch, its watermark, its process, and\n"
             "whether it runs at all.\n\n"
             "  --json           as one JSON document\n" +
             common + options_of_a_checkpoint;
    case command::stop:
      return usage +
             " [--how WAY] [--wait TIME] [--profile FILE | --data DIR | --checkpoint DIR]\n\n"
             "Tells the query of a checkpoint to stop, and waits until it has.\n\n"
             "  --how WAY        drain: when all that is there is read; finish_batch: after the batch that is "
             "running;\n"
             "                   at_once: leaves that batch, which the next run replays; default: on_stop of its "
             "profile\n"
             "  --wait TIME      how long to wait for its end; default 1min, 0s: not at all\n" +
             common + options_of_a_checkpoint;
    case command::report:
      return usage +
             " [--last N | --number N] [--compare N] [--json] [--profile FILE | --data DIR | --checkpoint DIR]\n\n"
             "Shows what runs did: rows by what became of them, times, failures and how they ended.\n\n"
             "  --last N         the last N runs; default: 1\n"
             "  --number N       this run\n"
             "  --compare N      beside run N; previous: beside the one before it\n"
             "  --json           the reports in a JSON list, newest first\n" +
             common + options_of_a_checkpoint;
    case command::checkpoint:
      return usage +
             " inspect|verify|export [--json] [--checkpoint DIR | --profile FILE | --data DIR]\n"
             "       " +
             binary +
             " checkpoint rewind --to BATCH [--confirm] [--checkpoint DIR | --profile FILE | --data DIR]\n\n"
             "Works on the checkpoint of the profile, or on any folder. Only a confirmed rewind changes it.\n\n"
             "  inspect          whose it is, who uses it, batches, watermark, sizes and ages of snapshots\n"
             "  verify           compares every checksum, length, version and reference; 6 if something is wrong\n"
             "  rewind           sets it back to the end of a batch; what came later runs again with the same input\n"
             "  export           all records as JSON, one a line\n"
             "  --to BATCH       the batch after which a rewind goes on\n"
             "  --confirm        rewinds; without it the command only says what would happen\n"
             "  --json           the answer of inspect or verify as one JSON document\n"
             "  --checkpoint DIR the folder, instead of the profile's\n" +
             common;
  }
  return usage;
}

}  // namespace etlantic
