#pragma once
#include <etlantic/core/json_writer.hpp>
#include <etlantic/runtime/checkpoint_lock.hpp>
#include <etlantic/runtime/durable_file.hpp>
#include <etlantic/runtime/group_folder.hpp>
#include <etlantic/runtime/run_journal.hpp>
#include <etlantic/tool/quantity.hpp>
#include <etlantic/tool/run_document.hpp>
#include <etlantic/tool/status_command.hpp>

#include <cstdio>
#include <optional>
#include <utility>
#include <vector>

namespace etlantic {

namespace detail {

/// `name        text`, as all commands align what they say about a run.
inline std::string line_about(std::string_view name, const std::string& text) {
  std::string line(name);
  line.resize(std::max<std::size_t>(line.size() + 1, 14), ' ');
  return "  " + line + text + "\n";
}

inline std::string seconds_text(double seconds) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3f s", seconds);
  return text;
}

/// `2026-03-01T12:00:00.000000Z` without a fraction of zeros; the beginning of time is a watermark that nothing moved.
inline std::string time_text(std::string text) {
  if (text.ends_with(".000000Z")) text.replace(text.size() - 8, 8, "Z");
  return text == "1970-01-01T00:00:00Z" ? "not set yet" : text;
}

inline std::string row_sums_text(const run_document& of) {
  const auto count = [&](const char* name) { return grouped(of.integer(name)); };
  std::string text = count("rows.read") + " read = " + count("rows.valid") + " valid + " + count("rows.invalid") +
                     " invalid; " + count("rows.late") + " late, " + count("rows.published") + " published";
  if (of.integer("rows.rejected_results") != 0) text += ", " + count("rows.rejected_results") + " RESULTS REJECTED";
  return text;
}

inline std::string failure_text(const run_document& why) {
  std::string text = why.text("code") + ": " + why.text("message");
  if (why.text("tried_again") == "true")
    text += " (attempt " + why.text("attempt") + (why.has("attempts") ? " of " + why.text("attempts") : "") +
            " after " + seconds_text(why.number("wait_seconds")) + ")";
  return time_text(why.text("at")) + " " + text;
}

/// What one input still holds; empty if it is not known.
inline std::string waiting_text(const run_document& input) {
  std::string text = input.has("waiting_rows") ? grouped(input.integer("waiting_rows")) + " rows" : "";
  if (!input.has("waiting_bytes")) return text;
  const std::string size = short_size(input.integer("waiting_bytes"));
  return text.empty() ? size : text + ", " + size;
}

/// Which parts of an input and which servers hold it up; empty if its client tells nothing.
inline std::string client_text(const run_document& input) {
  if (!input.has("client")) return {};
  std::string text = grouped(input.integer("client.queued_rows")) + " rows (" +
                     short_size(input.integer("client.queued_bytes")) + ") fetched ahead of " + input.text("node");
  if (const auto behind = input.items("client.furthest_behind"); !behind.empty())
    text +=
        "; furthest behind " + behind[0].text("split") + ", " + grouped(behind[0].integer("waiting_rows")) + " rows";
  if (const auto slowest = input.items("client.slowest_brokers"); !slowest.empty())
    text +=
        "; slowest broker " + slowest[0].text("broker") + ", " + seconds_text(slowest[0].number("round_trip_seconds"));
  return text;
}

/// How a run began, for people.
inline std::string start_text(const run_document& run) {
  if (run.text("start") == "refused") return "refused";
  return run.text("start") == "recovery" ? "from the checkpoint" : "from nothing";
}

/// The first line: how it is, by what was written and by who holds the lock.
inline std::string state_sentence(const run_document& status, const checkpoint_holder& holder) {
  const std::string wrote = status.text("status");
  const std::string since = " since " + time_text(status.text("since"));
  const bool over = wrote == "stopped" || wrote == "failed";
  if (holder.held && holder.pid == status.text("pid") && !over) return wrote + since + ", process " + holder.pid;
  if (holder.held) return "starting, or ending, in process " + holder.pid + "; the last run was " + wrote + since;
  if (over) return "not running, nobody holds the lock; " + status.text("outcome") + since;
  return "NOT RUNNING, nobody holds the lock; process " + status.text("pid") + " was " + wrote +
         " when it was killed, after " + time_text(status.text("written"));
}

inline std::string status_text(const run_document& status, const checkpoint_holder& holder,
                               const std::string& checkpoint) {
  std::string text = status.text("pipeline") + ": " + state_sentence(status, holder) + "\n";
  text += line_about("checkpoint", checkpoint);
  text += line_about("query", status.text("query"));
  text += line_about("started", time_text(status.text("started")) + ", " + start_text(status));
  text += line_about("batches", grouped(status.integer("batches")) + " in this run");
  if (status.has("last_batch"))
    text += line_about("last batch", status.text("last_batch.batch") + " at " +
                                         time_text(status.text("last_batch.started")) + ", " +
                                         grouped(status.integer("last_batch.rows_read")) + " rows in " +
                                         seconds_text(status.number("last_batch.seconds")));
  text += line_about("rows", row_sums_text(status));
  for (const run_document& each : status.items("inputs"))
    if (const std::string waiting = waiting_text(each); !waiting.empty())
      text += line_about("waiting", waiting + " of " + each.text("node") + " behind the last batch");
  for (const run_document& each : status.items("inputs"))
    if (const std::string client = client_text(each); !client.empty()) text += line_about("client", client);
  if (status.has("watermark")) text += line_about("watermark", time_text(status.text("watermark")));
  if (status.integer("retries") != 0) text += line_about("retries", grouped(status.integer("retries")));
  if (status.has("failure")) text += line_about("failure", failure_text(status.inside("failure")));
  return text;
}

inline std::string status_json(const run_document& status, const checkpoint_holder& holder) {
  // What was written, and in front of it what is known now.
  json_writer now;
  now.begin_object().member("running", holder.held).member("lock_pid", holder.held ? holder.pid : "").end_object();
  std::string head = now.text();
  head.pop_back();
  return head + ",\n\"status\":" + status.bytes() + "}\n";
}

}  // namespace detail

namespace detail {

/// A process or a split of a group: its folder, who holds it, and what was written there, if anything was.
struct group_part {
  std::string name;
  std::string folder;
  checkpoint_holder holder;
  std::optional<run_document> status;
};

inline result<std::vector<group_part>> parts_of_group(const std::vector<std::string>& names,
                                                      const std::string& directory) {
  std::vector<group_part> parts;
  for (const std::string& name : names) {
    const std::string folder = directory + "/" + name;
    const result<checkpoint_holder> holder = holder_of_checkpoint(folder);
    if (!holder) return holder.error();
    group_part& part = parts.emplace_back(group_part{name, folder, *holder, {}});
    result<run_document> status = run_document::read(journal_layout{folder, {}}.status(), run_status_format);
    if (status) part.status = std::move(*status);
  }
  return parts;
}

inline std::string split_line(const group_part& split) {
  std::string text = split.holder.held ? "process " + split.holder.pid : "nobody";
  if (!split.status) return text;
  if (split.status->has("last_batch")) text += ", batch " + split.status->text("last_batch.batch");
  for (const run_document& each : split.status->items("inputs"))
    if (const std::string waiting = waiting_text(each); !waiting.empty()) text += ", " + waiting + " waiting";
  if (split.status->has("watermark")) text += ", watermark " + time_text(split.status->text("watermark"));
  return text;
}

inline void write_parts(std::string& json, const char* what, const char* name, const std::vector<group_part>& parts) {
  json += ",\n\"" + std::string(what) + "\":[";
  for (const group_part& each : parts) {
    json_writer about;
    about.begin_object().member(name, each.name).member("running", each.holder.held);
    about.member("lock_pid", each.holder.held ? each.holder.pid : "").end_object();
    std::string head = about.text();
    head.pop_back();
    json += (&each == &parts.front() ? "\n" : ",\n") + head +
            ",\"status\":" + (each.status ? each.status->bytes() : std::string("null")) + "}";
  }
  json += "]";
}

inline result<std::string> status_of_group(const std::string& checkpoint, bool as_json) {
  const group_layout layout{checkpoint};
  const result<std::string> bytes = read_file(layout.record());
  if (!bytes) return bytes.error();
  const result<group_record> group = read_group_record(*bytes, layout.record());
  if (!group) return group.error();
  const auto processes = parts_of_group(processes_in(layout), layout.processes());
  if (!processes) return processes.error();
  const auto splits = parts_of_group(splits_in(layout), layout.splits());
  if (!splits) return splits.error();
  if (as_json) {
    std::string json = json_writer().begin_object().member("group", group->group).text();
    write_parts(json, "processes", "place", *processes);
    write_parts(json, "splits", "split", *splits);
    return json + "}\n";
  }
  std::string text = group->pipeline + ": group " + group->group + "\n" + line_about("checkpoint", checkpoint);
  for (const group_part& each : *splits) text += line_about(each.name, split_line(each));
  for (const group_part& each : *processes)
    if (each.status && each.holder.held) text += status_text(*each.status, each.holder, each.folder);
  return text;
}

}  // namespace detail

[[gnu::used]] inline result<std::string> status_of(const std::string& checkpoint, bool as_json) {
  if (is_group_folder(checkpoint)) return detail::status_of_group(checkpoint, as_json);
  const result<checkpoint_holder> holder = holder_of_checkpoint(checkpoint);
  if (!holder) return holder.error();
  const result<run_document> status = run_document::read(journal_layout{checkpoint, {}}.status(), run_status_format);
  if (!status && status.error().code == "PMSTREAM462")
    return failure{failure_class::checkpoint, "PMSTREAM493",
                   holder->held ? "process " + holder->pid + " starts here and has not told its status yet"
                                : "no query has told its status here: there is no status.json",
                   checkpoint, "Name the profile or the checkpoint that `run` uses, by --profile or --checkpoint."};
  if (!status) return status.error();
  return as_json ? detail::status_json(*status, *holder) : detail::status_text(*status, *holder, checkpoint);
}

}  // namespace etlantic
