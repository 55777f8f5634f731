// Writes order events as lines of JSON, and the right answer to "paid orders per customer and hour" beside them. It
// shares no code with the engine, so that the two can only agree by both being right.
#include "order_answer.hpp"
#include "order_line.hpp"
#include "order_options.hpp"
#include "order_source.hpp"
#include "output_file.hpp"

#include <CLI/CLI.hpp>

#include <cstdint>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

namespace {

using namespace orders;

constexpr int machine_refused = 1;
constexpr int wrong_options = 2;

void say(std::string_view sentence) {
  std::fprintf(stderr, "generate_orders: %.*s\n", static_cast<int>(sentence.size()), sentence.data());
}

void add_options(CLI::App& app, order_options& options) {
  static const std::map<std::string, key_skew> skews = {
      {"uniform", key_skew::uniform}, {"zipf", key_skew::zipf}, {"half", key_skew::half}};
  app.option_defaults()->always_capture_default();
  app.add_option("--output", options.output, "File for the events, one JSON object a line")->required();
  app.add_option("--answer", options.answer,
                 "Folder for the answer: windows.csv, late.csv, invalid.csv, counts.json; none is written without it")
      ->always_capture_default(false);
  app.add_option("--rows", options.rows, "Number of lines");
  app.add_option("--seed", options.seed, "The same seed gives the same bytes, on every machine");
  app.add_option("--customers", options.customers, "Number of customers");
  app.add_option("--hours", options.hours, "Hours from the first event to the last, from 2026-01-01T00:00:00Z");
  // by name, since for an enumeration CLI11 prints and accepts its numbers as well
  app.add_option_function<std::string>(
         "--skew", [&options](const std::string& name) { options.skew = skews.at(name); },
         "Rows per customer: much the same, falling with 1/rank, or half of all for one of them")
      ->check(CLI::IsMember(skews))
      ->default_str("uniform");
  app.add_option("--invalid", options.invalid, "Share of rows that break the contract, each with one mistake");
  app.add_option("--unpaid", options.unpaid, "Share of rows that are valid but cancelled or refunded");
  app.add_option("--late", options.late,
                 "Share of rows whose window has closed, however the input is cut into batches");
  app.add_option("--out-of-order", options.out_of_order,
                 "Share of rows that are older than rows before them, but never late");
  app.add_option("--out-of-order-max", options.out_of_order_max,
                 "Minutes that such a row is set back at most, up to 14");
  app.add_option("--escapes", options.escapes, "Share of rows whose event_id is written with a JSON escape");
  app.add_flag("--shuffled-keys", options.shuffled_keys, "Members in random order, another one in each row");
  app.add_flag("--extra-fields", options.extra_fields, "Members that the contract does not know, some of them nested");
  app.add_flag("--decoy-times", options.decoy_times,
               "Some invalid and unpaid rows lie hours ahead or behind, which must not move the watermark");
  app.add_option("--batch-rows", options.batch_rows,
                 "Most rows in a batch of the engine; no row is late before line 3 * this + 2");
}

void warn_of_missing_late_rows(const order_options& options, const order_counts& counts) {
  if (counts.late_that_found_no_place == 0) return;
  say("warning: " + std::to_string(counts.late_that_found_no_place) + " of " +
      std::to_string(counts.late_that_found_no_place + counts.late) +
      " late rows are left out, since no row is sure to be late before line " +
      std::to_string(first_late_position(options) + 1) + " of " + std::to_string(counts.rows) +
      "; a smaller --batch-rows makes room for them.");
}

void create_folder(const std::filesystem::path& folder) {
  std::error_code problem;
  std::filesystem::create_directories(folder, problem);
  if (problem) throw output_failure("cannot create the folder " + folder.string() + ": " + problem.message());
}

void generate(const order_options& options, const order_counts& counts) {
  std::optional<order_answer> answer;
  if (!options.answer.empty()) {
    create_folder(options.answer);
    answer.emplace(options.answer, options.customers);
  }
  output_file output(options.output);
  order_source source(options, counts);
  order_line line(options);

  std::uint64_t offset = 0;
  for (std::uint64_t position = 0; position < counts.rows; ++position) {
    const order_row row = source.next();
    const std::string_view text = line.write(row);
    output.write(text);
    output.write("\n");
    if (answer) answer->add(row, offset, line.wrong_field());
    offset += text.size() + 1;
  }

  output.close();
  if (answer) answer->finish(source.greatest_time());
  // the events come last: who sees them finds their answer there as well
  if (answer) answer->publish();
  output.publish();
}

}  // namespace

int main(int argc, char** argv) {
  try {
    order_options options;
    CLI::App app(
        "Writes order events as lines of JSON, with the answer that a right engine gives for them: count, sum and\n"
        "latest time of paid orders per customer and hour, with a watermark 15 minutes behind.",
        "generate_orders");
    add_options(app, options);
    try {
      app.parse(argc, argv);
    } catch (const CLI::Success& help) {
      return app.exit(help);
    } catch (const CLI::ParseError& mistake) {
      say(std::string(mistake.what()) + ". See generate_orders --help.");
      return wrong_options;
    }
    if (const std::string problem = problem_with(options); !problem.empty()) {
      say(problem);
      return wrong_options;
    }
    const order_counts counts = count_rows(options);
    warn_of_missing_late_rows(options, counts);
    generate(options, counts);
  } catch (const output_failure& failure) {
    say(std::string(failure.what()) + ".");
    return machine_refused;
  } catch (const std::exception& failure) {
    say(std::string("stopped: ") + failure.what() + ".");
    return machine_refused;
  }
}
