#pragma once
#include <etlantic/runtime/run_journal.hpp>
#include <etlantic/tool/quantity.hpp>
#include <etlantic/tool/report_command.hpp>
#include <etlantic/tool/run_document.hpp>
#include <etlantic/tool/status_command.inl.hpp>

#include <algorithm>
#include <cstdio>
#include <vector>

namespace etlantic {

namespace detail {

inline std::string replays_text(const run_document& run) {
  std::string text;
  for (const std::string& each : run.texts("replayed_batches")) text += (text.empty() ? "" : ", ") + each;
  return text;
}

inline std::string report_text(const run_document& run) {
  std::string text = "run " + run.text("number") + " of " + run.text("pipeline") + ": " + run.text("outcome") + "\n";
  if (run.text("outcome") == "running")
    text += line_about("", "(it still runs, or it was killed: this is what it had written)");
  text += line_about("query", run.text("query") + ", profile " + run.text("profile") + ", trigger " +
                                  run.text("trigger") + ", process " + run.text("pid"));
  text += line_about("from", time_text(run.text("started")) + " to " + time_text(run.text("written")) + ", " +
                                 seconds_text(run.number("run_seconds")));
  text += line_about(
      "start", start_text(run) + (run.text("start") == "recovery" ? ", at batch " + run.text("first_batch") : ""));
  if (const std::string replays = replays_text(run); !replays.empty())
    text += line_about("replayed", "batch " + replays);
  text += line_about(
      "batches", grouped(run.integer("batches")) + ", " + grouped(run.integer("no_data_batches")) + " without data");
  text += line_about("rows", row_sums_text(run));
  if (run.has("watermark"))
    text +=
        line_about("watermark", (run.has("watermark_before") ? time_text(run.text("watermark_before")) + " to " : "") +
                                    time_text(run.text("watermark")));
  for (const run_document& each : run.items("extracts"))
    text += line_about(each.text("node"), grouped(each.integer("read")) + " read = " + grouped(each.integer("valid")) +
                                              " valid + " + grouped(each.integer("invalid")) + " invalid");
  for (const run_document& each : run.items("steps"))
    text +=
        line_about(each.text("node"),
                   grouped(each.integer("received")) + " received = " + grouped(each.integer("filtered")) +
                       " filtered + " + grouped(each.integer("late")) + " late + " + grouped(each.integer("invalid")) +
                       " invalid + " + grouped(each.integer("duplicate")) + " duplicate + " +
                       grouped(each.integer("kept")) + " kept; " + seconds_text(each.number("seconds")));
  for (const run_document& each : run.items("loads"))
    text += line_about(each.text("node"),
                       grouped(each.integer("rows")) + " published; " + seconds_text(each.number("seconds")));
  text += line_about("seconds", "plan " + seconds_text(run.number("seconds.plan")) + ", process " +
                                    seconds_text(run.number("seconds.process")) + ", publish " +
                                    seconds_text(run.number("seconds.publish")) + ", checkpoint " +
                                    seconds_text(run.number("seconds.checkpoint")));
  if (run.integer("failure_count") != 0)
    text += line_about("failures",
                       grouped(run.integer("failure_count")) + ", " + grouped(run.integer("retries")) + " tried again");
  for (const run_document& each : run.items("failures")) text += line_about("  failure", failure_text(each));
  for (const std::string& each : run.texts("warnings")) text += line_about("  warning", each);
  return text;
}

/// What two runs have in numbers, side by side.
class report_comparison {
 public:
  report_comparison(const run_document& older, const run_document& newer) : older_(older), newer_(newer) {}

  std::string text() {
    row("", "run " + older_.text("number"), "run " + newer_.text("number"), "change");
    words("outcome");
    words("start");
    for (const char* each : {"batches", "rows.read", "rows.valid", "rows.invalid", "rows.late", "rows.rejected_results",
                             "rows.published", "retries", "failure_count"})
      whole(each, older_.integer(each), newer_.integer(each));
    for (const char* each : {"run_seconds", "seconds.plan", "seconds.process", "seconds.publish", "seconds.checkpoint"})
      time(each, older_.number(each), newer_.number(each));
    rate();
    nodes("steps", "seconds");
    nodes("loads", "seconds");
    loads();
    return std::move(text_);
  }

 private:
  const run_document& older_;
  const run_document& newer_;
  std::string text_;

  void row(std::string name, const std::string& one, const std::string& other, const std::string& change) {
    name.resize(std::max<std::size_t>(name.size() + 1, 28), ' ');
    const auto right = [](const std::string& text) {
      return std::string(text.size() < 16 ? 16 - text.size() : 1, ' ') + text;
    };
    std::string line = name + right(one) + right(other) + right(change);
    while (line.ends_with(' ')) line.pop_back();
    text_ += line + "\n";
  }

  static std::string percent(double one, double other) {
    if (one == other) return "same";
    if (one == 0) return "new";
    char text[32];
    std::snprintf(text, sizeof text, "%+.1f %%", (other - one) / one * 100);
    return text;
  }

  void words(const char* name) { row(name, older_.text(name), newer_.text(name), ""); }
  void whole(const std::string& name, std::int64_t one, std::int64_t other) {
    row(name, grouped(one), grouped(other), percent(static_cast<double>(one), static_cast<double>(other)));
  }
  void time(const std::string& name, double one, double other) {
    row(name, seconds_text(one), seconds_text(other), percent(one, other));
  }
  void rate() {
    const auto of = [](const run_document& run) {
      const double seconds = run.number("seconds.process");
      return seconds > 0 ? run.number("rows.read") / seconds : 0;
    };
    whole("rows/s while processing", static_cast<std::int64_t>(of(older_)), static_cast<std::int64_t>(of(newer_)));
  }

  static const run_document* same(const std::vector<run_document>& among, const std::string& node) {
    for (const run_document& each : among)
      if (each.text("node") == node) return &each;
    return nullptr;
  }
  void nodes(const char* list, const char* member) {
    const std::vector<run_document> before = older_.items(list);
    for (const run_document& each : newer_.items(list)) {
      const run_document* twin = same(before, each.text("node"));
      time(each.text("node") + " " + member, twin == nullptr ? 0 : twin->number(member), each.number(member));
    }
  }
  void loads() {
    const std::vector<run_document> before = older_.items("loads");
    for (const run_document& each : newer_.items("loads")) {
      const run_document* twin = same(before, each.text("node"));
      whole(each.text("node") + " rows", twin == nullptr ? 0 : twin->integer("rows"), each.integer("rows"));
    }
  }
};

inline failure no_report(const journal_layout& layout, const std::string& which) {
  return {failure_class::configuration, "PMSTREAM495", "there is no report of " + which,
          layout.reports.empty() ? "reports" : layout.reports,
          layout.reports.empty() ? "Reports lie in the checkpoint, or where reports.path of the profile says."
                                 : "Every run leaves one; the oldest are removed (reports.retained of the profile)."};
}

}  // namespace detail

[[gnu::used]] inline result<std::string> reports_of(const profile& where, const report_request& asked) {
  const journal_layout layout = journal_of(where);
  const std::vector<std::int64_t> numbers = layout.reports.empty() ? std::vector<std::int64_t>() : layout.numbers();
  if (numbers.empty()) return detail::no_report(layout, "any run");
  const std::int64_t newest = asked.number == 0 ? numbers.back() : asked.number;
  const auto found = std::find(numbers.begin(), numbers.end(), newest);
  if (found == numbers.end()) return detail::no_report(layout, "run " + std::to_string(newest));

  std::vector<std::int64_t> wanted;
  if (asked.compare == 0) {
    for (auto each = found + 1; each != numbers.begin() && wanted.size() < static_cast<std::size_t>(asked.last);)
      wanted.push_back(*--each);
  } else {
    if (asked.compare < 0 && found == numbers.begin()) return detail::no_report(layout, "a run before it");
    wanted = {newest, asked.compare < 0 ? *(found - 1) : asked.compare};
  }
  std::vector<run_document> runs;
  for (const std::int64_t each : wanted) {
    result<run_document> run = run_document::read(layout.report(each), run_report_format);
    if (!run && run.error().code == "PMSTREAM462") return detail::no_report(layout, "run " + std::to_string(each));
    if (!run) return run.error();
    runs.push_back(std::move(*run));
  }
  std::string text;
  if (asked.json) {
    for (const run_document& each : runs) text += (text.empty() ? "[" : ",\n") + each.bytes();
    return text + "]\n";
  }
  if (asked.compare != 0) return detail::report_comparison(runs[1], runs[0]).text();
  for (const run_document& each : runs) text += (text.empty() ? "" : "\n") + detail::report_text(each);
  return text;
}

}  // namespace etlantic
