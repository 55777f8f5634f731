#pragma once
#include <etlantic/runtime/checkpoint_lock.hpp>
#include <etlantic/runtime/checkpoint_report.hpp>
#include <etlantic/runtime/checkpoint_rewind.hpp>
#include <etlantic/runtime/durable_file.hpp>
#include <etlantic/tool/checkpoint_command.hpp>
#include <etlantic/tool/diagnostic.hpp>
#include <etlantic/tool/json_writer.hpp>
#include <etlantic/tool/quantity.hpp>

#include <algorithm>
#include <chrono>
#include <optional>

namespace etlantic {
namespace detail {

class checkpoint_command {
 public:
  checkpoint_command(const std::string& directory, const command_line& asked, const console& to)
      : directory_(directory), asked_(asked), to_(to) {}

  exit_code run() {
    if (asked_.action == "rewind" && asked_.confirmed) return rewind();
    // What a query writes meanwhile would look like damage.
    std::optional<checkpoint_lock> lock;
    if (asked_.action == "verify") {
      if (const auto found = holder_of_checkpoint(directory_); !found) return refuse(found.error());
      if (result<std::vector<std::string>> there = list_directory(directory_); !there) return refuse(there.error());
      result<checkpoint_lock> taken = checkpoint_lock::take(directory_);
      if (!taken) return refuse(taken.error());
      lock.emplace(std::move(*taken));
    }
    const result<checkpoint_report> found =
        read_checkpoint(directory_, asked_.action == "verify" ? checkpoint_reading::whole : checkpoint_reading::heads);
    if (!found) return refuse(found.error());
    if (asked_.action == "inspect") return inspect(*found);
    if (asked_.action == "verify") return verify(*found);
    if (asked_.action == "export") return give_records(*found);
    return explain_rewind(*found);
  }

 private:
  const std::string& directory_;
  const command_line& asked_;
  const console& to_;

  exit_code refuse(const failure& why) const {
    print(to_.error, to_text(why));
    return exit_code_of(why.kind);
  }

  exit_code answer(const std::string& text) const {
    return print(to_.out, text) ? exit_code::ok : exit_code::exhausted;
  }

  static std::string batch_range(std::int64_t first, std::int64_t last) {
    if (first == last) return "batch " + std::to_string(first);
    return "batches " + std::to_string(first) + " to " + std::to_string(last);
  }

  static std::string age_of(timestamp when) {
    const auto now = std::chrono::duration_cast<duration>(std::chrono::system_clock::now().time_since_epoch()).count();
    const std::int64_t seconds = std::max<std::int64_t>(0, (now - when.microseconds) / 1'000'000);
    if (seconds < 120) return std::to_string(seconds) + " s ago";
    if (seconds < 7200) return std::to_string(seconds / 60) + " min ago";
    return std::to_string(seconds / 3600) + " h ago";
  }

  exit_code inspect(const checkpoint_report& found) const {
    const result<checkpoint_holder> lock = holder_of_checkpoint(directory_);
    if (!lock) return refuse(lock.error());
    std::optional<std::string> holder;
    if (lock->held) holder = lock->pid.empty() ? "another process" : "process " + lock->pid;
    return answer(asked_.json ? inspect_json(found, holder) : inspect_text(found, holder));
  }

  static void line(std::string& text, std::string_view name, const std::string& value) {
    text += "  " + std::string(name) + std::string(name.size() < 14 ? 14 - name.size() : 1, ' ') + value + "\n";
  }

  std::string inspect_text(const checkpoint_report& found, const std::optional<std::string>& holder) const {
    std::string text = "checkpoint " + directory_ + "\n";
    if (found.identity) {
      line(text, "pipeline",
           found.identity->pipeline +
               (found.identity->pipeline_version.empty() ? "" : " " + found.identity->pipeline_version));
      line(text, "query", found.identity->query);
      line(text, "created", to_text(found.identity->created));
      line(text, "plan", found.identity->plan_fingerprint);
      line(text, "state", found.identity->state_fingerprint);
    }
    line(text, "in use", holder ? "by " + *holder : "no");
    const std::int64_t newest = found.newest_commit();
    if (newest >= 0) {
      const commit_record& last = found.commits.at(newest);
      line(text, "batches",
           std::to_string(found.commits.begin()->first) + " to " + std::to_string(newest) +
               " are kept; the newest was committed " + age_of(last.committed_at));
      line(text, "watermark", to_text(last.watermark));
      for (const step_watermark& each : last.steps) line(text, "", "of " + each.node + ": " + to_text(each.watermark));
    } else
      line(text, "batches", "none is committed");
    for (const auto& [batch, plan] : found.plans)
      if (batch > newest) line(text, "planned", "batch " + std::to_string(batch) + ": runs again at the next start");
    for (const snapshot_summary& each : found.snapshots) {
      line(text, "snapshot",
           "of batch " + std::to_string(each.batch) + ": " + size_text(each.bytes) + ", written " +
               age_of(each.written_at));
      for (const auto& [step, bytes] : each.states) line(text, "", "state of " + step + ": " + size_text(bytes));
    }
    const std::int64_t from = found.snapshot_for(newest);
    if (from < newest)
      line(text, "restart", "computes " + batch_range(from + 1, newest) + " again, without publishing");
    if (found.rewind) line(text, "rewound", "to batch " + std::to_string(found.rewind->to));
    if (!found.findings.empty())
      line(text, "mistakes", std::to_string(found.findings.size()) + ": `checkpoint verify` lists them");
    return text;
  }

  std::string inspect_json(const checkpoint_report& found, const std::optional<std::string>& holder) const {
    json_writer json(json_writer::layout::indented);
    json.begin_object().member("checkpoint", directory_);
    json.key("identity");
    if (found.identity)
      json.begin_object()
          .member("pipeline", found.identity->pipeline)
          .member("pipeline_version", found.identity->pipeline_version)
          .member("query", found.identity->query)
          .member("created", to_text(found.identity->created))
          .member("plan_fingerprint", found.identity->plan_fingerprint)
          .member("state_fingerprint", found.identity->state_fingerprint)
          .end_object();
    else
      json.null();
    json.key("in_use_by");
    holder ? json.value(*holder) : json.null();
    const std::int64_t newest = found.newest_commit();
    json.key("newest_batch");
    newest >= 0 ? json.value(newest) : json.null();
    json.member("oldest_kept", found.oldest_kept);
    json.key("watermark");
    newest >= 0 ? json.value(to_text(found.commits.at(newest).watermark)) : json.null();
    json.key("planned").begin_array();
    for (const auto& [batch, plan] : found.plans)
      if (batch > newest) json.value(batch);
    json.end_array().key("snapshots").begin_array();
    for (const snapshot_summary& each : found.snapshots) {
      json.begin_object()
          .member("batch", each.batch)
          .member("bytes", each.bytes)
          .member("written_at", to_text(each.written_at))
          .key("states")
          .begin_object();
      for (const auto& [step, bytes] : each.states) json.member(step, bytes);
      json.end_object().end_object();
    }
    json.end_array().member("computed_again_at_restart", newest - found.snapshot_for(newest));
    json.member("leftovers", found.leftovers).member("mistakes", found.findings.size()).end_object();
    return json.text() + "\n";
  }

  exit_code verify(const checkpoint_report& found) const {
    std::string text;
    if (asked_.json) {
      json_writer json(json_writer::layout::indented);
      json.begin_object().member("checkpoint", directory_).member("usable", found.findings.empty());
      json.key("findings").begin_array();
      for (const checkpoint_finding& each : found.findings)
        json.begin_object()
            .member("fault", name_of(each.fault))
            .member("code", each.what.code)
            .member("message", each.what.message)
            .member("where", each.what.where)
            .member("help", each.what.help)
            .end_object();
      text = json.end_array().end_object().text() + "\n";
    } else {
      for (const checkpoint_finding& each : found.findings)
        text += std::string(name_of(each.fault)) + " " + each.what.code + ": " + each.what.message +
                "\n  help: " + each.what.help + "\n";
      const std::string what = std::to_string(found.commits.size()) + " committed batches, " +
                               std::to_string(found.snapshots.size()) + " snapshots and " +
                               std::to_string(found.references) + " reference files";
      text += found.findings.empty()
                  ? "checkpoint '" + directory_ + "' is whole: " + what + "\n"
                  : "checkpoint '" + directory_ + "' cannot be used: " + std::to_string(found.findings.size()) +
                        (found.findings.size() == 1 ? " mistake\n" : " mistakes\n");
    }
    const exit_code written = answer(text);
    return found.findings.empty() ? written : exit_code::checkpoint;
  }

  static std::string consequences(std::int64_t snapshot, std::int64_t to, std::int64_t from) {
    std::string text = "The next start restores " +
                       (snapshot < 0 ? std::string("nothing") : "the snapshot of batch " + std::to_string(snapshot));
    if (snapshot < to) text += ", computes " + batch_range(snapshot + 1, to) + " again without publishing";
    text +=
        ", and runs " + batch_range(to + 1, from) +
        " again with the same input. Loads that keep a ledger with their target skip the batches that the target has; "
        "others, such as console, publish them a second time.\n";
    return text;
  }

  /// What a rewind would do; changes nothing.
  exit_code explain_rewind(const checkpoint_report& found) const {
    const result<rewind_record> planned = plan_rewind(found, *asked_.to_batch);
    if (!planned) return refuse(planned.error());
    print(to_.out, consequences(found.snapshot_for(planned->to), planned->to, planned->from));
    print(to_.error,
          to_text(failure{failure_class::configuration, "PMSTREAM486", "nothing was changed: a rewind needs --confirm",
                          directory_, "Repeat the command with --confirm if this is what you want."}));
    return exit_code::usage;
  }

  exit_code rewind() const {
    if (result<std::vector<std::string>> there = list_directory(directory_); !there) return refuse(there.error());
    const result<rewind_record> done = rewind_checkpoint(directory_, *asked_.to_batch);
    if (!done) return refuse(done.error());
    const result<checkpoint_report> found = read_checkpoint(directory_, checkpoint_reading::heads);
    if (!found) return refuse(found.error());
    return answer("checkpoint '" + directory_ + "' was rewound to batch " + std::to_string(done->to) + ". " +
                  consequences(found->snapshot_for(done->to), done->to, done->from));
  }

  static void put_ranges(json_writer& json, const std::vector<extract_ranges>& extracts) {
    json.key("extracts").begin_object();
    for (const extract_ranges& each : extracts) {
      json.key(each.node).begin_array();
      for (const split_range& range : each.ranges)
        json.begin_object()
            .member("split", range.split)
            .member("begin", range.begin)
            .member("end", range.end)
            .end_object();
      json.end_array();
    }
    json.end_object();
  }

  /// All records, one a line.
  exit_code give_records(const checkpoint_report& found) const {
    std::string text;
    const auto add = [&](json_writer& json) { text += json.end_object().text() + "\n"; };
    if (found.identity) {
      json_writer json;
      json.begin_object()
          .member("record", "identity")
          .member("query", found.identity->query)
          .member("pipeline", found.identity->pipeline)
          .member("pipeline_version", found.identity->pipeline_version)
          .member("created", to_text(found.identity->created))
          .key("nodes")
          .begin_array();
      for (const identity_node& each : found.identity->nodes)
        json.begin_object()
            .member("name", each.name)
            .member("kind", name_of(each.kind))
            .member("meaning", each.meaning)
            .member("settings", each.settings)
            .member("state_schema", each.state_schema)
            .end_object();
      json.end_array();
      add(json);
    }
    for (const auto& [batch, plan] : found.plans) {
      json_writer json;
      json.begin_object()
          .member("record", "plan")
          .member("batch", batch)
          .member("planned_at", to_text(plan.planned_at))
          .member("no_data", plan.no_data)
          .member("watermark", to_text(plan.watermark))
          .member("late_watermark", to_text(plan.late_watermark));
      put_ranges(json, plan.extracts);
      add(json);
      if (const auto commit = found.commits.find(batch); commit != found.commits.end())
        put_commit(commit->second, text);
    }
    for (const snapshot_summary& each : found.snapshots) {
      json_writer json;
      json.begin_object().member("record", "snapshot").member("batch", each.batch).member("bytes", each.bytes);
      json.key("states").begin_object();
      for (const auto& [step, bytes] : each.states) json.member(step, bytes);
      json.end_object();
      add(json);
    }
    const exit_code written = answer(text);
    for (const checkpoint_finding& each : found.findings) print(to_.error, to_text(each.what));
    return found.findings.empty() ? written : exit_code::checkpoint;
  }

  static void put_commit(const commit_record& commit, std::string& text) {
    json_writer json;
    json.begin_object()
        .member("record", "commit")
        .member("batch", commit.batch)
        .member("committed_at", to_text(commit.committed_at))
        .member("watermark", to_text(commit.watermark))
        .member("snapshot", commit.snapshot.file)
        .key("counts")
        .begin_object();
    for (const node_counts& each : commit.counts)
      json.key(each.node)
          .begin_object()
          .member("read", each.read)
          .member("rejected", each.rejected)
          .member("filtered", each.filtered)
          .member("emitted", each.emitted)
          .end_object();
    text += json.end_object().end_object().text() + "\n";
  }
};

}  // namespace detail

[[gnu::used]] inline exit_code run_checkpoint_command(const std::string& directory, const command_line& asked,
                                                      const console& to) {
  return detail::checkpoint_command(directory, asked, to).run();
}

}  // namespace etlantic
