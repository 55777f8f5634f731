#include <etlantic/runtime/checkpoint_lock.hpp>
#include <etlantic/runtime/durable_file.hpp>
#include <etlantic/runtime/run_journal.hpp>
#include <etlantic/tool/report_command.hpp>
#include <etlantic/tool/status_command.hpp>
#include <etlantic/tool/stop_command.hpp>

#include <filesystem>
#include <fstream>
#include <optional>

#include "recovery/hand_made_pipeline.hpp"
#include "support/catch.hpp"
#include "support/data.hpp"
#include "support/sample_run.hpp"

using namespace etlantic;
using namespace etlantic::test;
using namespace std::chrono_literals;

namespace {

const std::filesystem::path runs = golden_folder() / "runs";

/// A checkpoint with the golden status in it and, if wanted, the golden report and a later one.
struct sample_checkpoint : temporary_directory {
  sample_checkpoint() { std::filesystem::copy(runs / "status-1.json", path() + "/status.json"); }

  void add_reports() const {
    std::filesystem::create_directories(path() + "/reports");
    std::filesystem::copy(runs / "report-1.json", journal().report(12));
    run_record later = sample_run();
    later.number = 13;
    later.totals.extracts[0].read = 1100;
    later.totals.extracts[0].valid = 1090;
    later.totals.process_seconds = 0.5;
    later.totals.loads[0].rows = 117;
    write(journal().report(13), report_document(later));
  }
  journal_layout journal() const { return {path(), path() + "/reports"}; }
  profile where() const {
    profile made;
    made.checkpoint = path();
    return made;
  }
  static void write(const std::string& file, const std::string& text) { std::ofstream(file) << text; }
};

std::string replaced(std::string text, std::string_view what, std::string_view with) {
  const std::size_t at = text.find(what);
  REQUIRE(at != std::string::npos);
  return text.replace(at, what.size(), with);
}

}  // namespace

TEST_CASE("a status of format 1 is read back, and that nobody holds the lock is said loudly") {
  const sample_checkpoint kept;
  const result<std::string> text = status_of(kept.path(), false);
  REQUIRE(text.ok());
  CHECK(*text ==
        "CustomerOrders: NOT RUNNING, nobody holds the lock; process 4711 was waiting to retry when it was killed, "
        "after 2026-03-01T12:01:30Z\n"
        "  checkpoint    " +
            kept.path() +
            "\n"
            "  query         00112233445566778899aabbccddeeff\n"
            "  started       2026-03-01T12:00:00Z, from the checkpoint\n"
            "  batches       3 in this run\n"
            "  last batch    42 at 2026-03-01T12:01:20Z, 1,000 rows in 1.500 s\n"
            "  rows          1,000 read = 990 valid + 10 invalid; 7 late, 127 published, 3 RESULTS REJECTED\n"
            "  watermark     2026-03-01T11:58:20Z\n"
            "  retries       1\n"
            "  failure       2026-03-01T12:00:10Z PMSTREAM434: the database is locked by another program (attempt 1 "
            "after "
            "0.750 s)\n");
}

TEST_CASE("the status of a query that runs names its state and its process") {
  const sample_checkpoint kept;
  const result<checkpoint_lock> lock = checkpoint_lock::take(kept.path());
  const std::string pid = std::to_string(::getpid());
  CHECK_THAT(*status_of(kept.path(), false), Catch::StartsWith("CustomerOrders: starting, or ending, in process " +
                                                               pid + "; the last run was waiting"));
  kept.write(kept.path() + "/status.json",
             replaced(*read_file(kept.path() + "/status.json"), "\"pid\": 4711", "\"pid\": " + pid));
  CHECK_THAT(*status_of(kept.path(), false),
             Catch::StartsWith("CustomerOrders: waiting to retry since 2026-03-01T12:01:30Z, process " + pid + "\n"));
  CHECK_THAT(*status_of(kept.path(), true), Catch::StartsWith("{\"running\":true,\"lock_pid\":\"" + pid +
                                                              "\",\n"
                                                              "\"status\":{\n  \"format\": \"etlantic status 1\""));
}

TEST_CASE("a refused start and the attempts that are left are told") {
  const sample_checkpoint kept;
  run_record refused = sample_run();
  refused.refused = true;
  refused.status = query_status::failed;
  refused.failures[0].attempts = 5;
  kept.write(kept.path() + "/status.json", status_document(refused));
  const std::string text = *status_of(kept.path(), false);
  CHECK_THAT(text, Catch::Contains("  started       2026-03-01T12:00:00Z, refused\n"));
  CHECK_THAT(text, Catch::Contains("(attempt 1 of 5 after 0.750 s)"));
  std::filesystem::create_directories(kept.path() + "/reports");
  kept.write(kept.journal().report(12), report_document(refused));
  CHECK_THAT(*reports_of(kept.where(), {}), Catch::Contains("  start         refused\n"));
}

TEST_CASE("the status tells what waits in each input that knows it") {
  const sample_checkpoint kept;
  run_record run = sample_run();
  run.last.extracts.resize(3);
  run.last.extracts[1].node = "refunds";
  run.last.extracts[2].node = "prices";
  run.last.extracts[0].waiting.bytes = 1536;
  run.last.extracts[1].waiting = {.rows = 1'200, .bytes = 0};
  kept.write(kept.path() + "/status.json", status_document(run));
  CHECK_THAT(*status_of(kept.path(), false), Catch::Contains("  waiting       1.5 KiB of orders behind the last batch\n"
                                                             "  waiting       1,200 rows, 0 bytes of refunds behind "
                                                             "the last batch\n  watermark"));
  CHECK_THAT(status_document(run),
             Catch::Contains("\"waiting_bytes\": 1536\n    },\n    {\n      \"node\": \"refunds\",\n"
                             "      \"waiting_rows\": 1200"));
}

TEST_CASE("the status tells what the client of an input tells") {
  const sample_checkpoint kept;
  run_record run = sample_run();
  client_metrics& told = run.last.extracts[0].client.emplace();
  told.queued_rows = 1200;
  told.queued_bytes = 1536;
  kept.write(kept.path() + "/status.json", status_document(run));
  CHECK_THAT(*status_of(kept.path(), false),
             Catch::Contains("  client        1,200 rows (1.5 KiB) fetched ahead of orders\n"));
  told.furthest_behind = {{"orders/3", 5000}, {"orders/1", 7}};
  told.slowest_brokers = {{"one:9092/1", 0.25, 0}};
  kept.write(kept.path() + "/status.json", status_document(run));
  CHECK_THAT(
      *status_of(kept.path(), false),
      Catch::Contains("fetched ahead of orders; furthest behind orders/3, 5,000 rows; slowest broker one:9092/1, "
                      "0.250 s\n"));
}

TEST_CASE("a query that ended by itself is not said to be killed") {
  const sample_checkpoint kept;
  run_record ended = sample_run();
  kept.write(kept.path() + "/status.json", status_document(ended));
  CHECK_THAT(
      *status_of(kept.path(), false),
      Catch::StartsWith("CustomerOrders: not running, nobody holds the lock; stopped since 2026-03-01T12:01:30Z"));
}

TEST_CASE("a status that is not there, damaged or of another format is a failure with a cure") {
  const temporary_directory empty;
  CHECK(status_of(empty.path(), false).error().code == "PMSTREAM493");
  CHECK(status_of(empty / "nowhere", false).error().code == "PMSTREAM493");
  const sample_checkpoint kept;
  const std::string file = kept.path() + "/status.json";
  const std::string whole = *read_file(file);
  kept.write(file, replaced(whole, "etlantic status 1", "etlantic status 2"));
  CHECK(status_of(kept.path(), false).error().message ==
        "the file has the format 'etlantic status 2', and this program reads 'etlantic status 1'");
  for (std::size_t size = 0; size + 3 < whole.size(); size += 7) {
    kept.write(file, whole.substr(0, size));
    CHECK(status_of(kept.path(), false).error().code == "PMSTREAM492");
  }
}

TEST_CASE("a report of format 1 is read back with all that it says") {
  const sample_checkpoint kept;
  kept.add_reports();
  const result<std::string> text = reports_of(kept.where(), {.number = 12});
  REQUIRE(text.ok());
  CHECK(*text ==
        "run 12 of CustomerOrders: stopped\n"
        "  query         00112233445566778899aabbccddeeff, profile local, trigger continuous, process 4711\n"
        "  from          2026-03-01T12:00:00Z to 2026-03-01T12:01:30Z, 90.000 s\n"
        "  start         from the checkpoint, at batch 40\n"
        "  replayed      batch 40\n"
        "  batches       3, 1 without data\n"
        "  rows          1,000 read = 990 valid + 10 invalid; 7 late, 127 published, 3 RESULTS REJECTED\n"
        "  watermark     2026-03-01T11:56:40Z to 2026-03-01T11:58:20Z\n"
        "  orders        1,000 read = 990 valid + 10 invalid\n"
        "  aggregates    990 received = 80 filtered + 7 late + 1 invalid + 2 duplicate + 900 kept; 0.125 s\n"
        "  curated       117 published; 0.062 s\n"
        "  quarantine    10 published; 0.001 s\n"
        "  seconds       plan 0.250 s, process 0.750 s, publish 0.375 s, checkpoint 0.125 s\n"
        "  failures      1, 1 tried again\n"
        "    failure     2026-03-01T12:00:10Z PMSTREAM434: the database is locked by another program (attempt 1 after "
        "0.750 s)\n"
        "    warning     the file 'a.ndjson' grew behind a row without a line feed\n");
  CHECK_THAT(*reports_of(kept.where(), {}), Catch::StartsWith("run 13 of"));
  const std::string both = *reports_of(kept.where(), {.last = 9});
  CHECK(both.find("run 13 of") < both.find("run 12 of"));
  CHECK_THAT(*reports_of(kept.where(), {.last = 2, .json = true}),
             Catch::StartsWith("[{\n  \"format\": \"etlantic report 1\",\n  \"number\": 13,"));
}

TEST_CASE("two reports are compared line by line") {
  const sample_checkpoint kept;
  kept.add_reports();
  const std::string text = *reports_of(kept.where(), {.compare = -1});
  for (const char* line : {"                                      run 12          run 13          change\n",
                           "outcome                              stopped         stopped\n",
                           "rows.read                              1,000           1,100         +10.0 %\n",
                           "rows.invalid                              10              10            same\n",
                           "seconds.process                      0.750 s         0.500 s         -33.3 %\n",
                           "rows/s while processing                1,333           2,200         +65.0 %\n",
                           "curated rows                             117             117            same\n"})
    CHECK_THAT(text, Catch::Contains(line));
  CHECK(text == *reports_of(kept.where(), {.number = 13, .compare = 12}));
}

TEST_CASE("a report that is not there is a failure") {
  const sample_checkpoint kept;
  CHECK(reports_of(kept.where(), {}).error().message == "there is no report of any run");
  CHECK(reports_of({}, {}).error().code == "PMSTREAM495");
  kept.add_reports();
  CHECK(reports_of(kept.where(), {.number = 4}).error().message == "there is no report of run 4");
  CHECK(reports_of(kept.where(), {.compare = 4}).error().message == "there is no report of run 4");
  CHECK(reports_of(kept.where(), {.number = 12, .compare = -1}).error().message ==
        "there is no report of a run before it");
}

TEST_CASE("stop leaves a request only if somebody can take it, and tells when nobody does") {
  const sample_checkpoint kept;
  CHECK_THAT(*stop_query(kept.path(), {}, 0s), Catch::StartsWith("nothing to stop: nobody holds the lock"));
  CHECK_FALSE(std::filesystem::exists(kept.path() + "/stop"));
  const result<checkpoint_lock> lock = checkpoint_lock::take(kept.path());
  CHECK(*stop_query(kept.path(), stop_policy::drain, 0s) ==
        "process " + std::to_string(::getpid()) + " is told to stop\n");
  CHECK(*read_file(kept.path() + "/stop") == "drain\n");
  const result<std::string> stuck = stop_query(kept.path(), {}, 1ms);
  REQUIRE_FALSE(stuck.ok());
  CHECK(stuck.error().code == "PMSTREAM494");
  CHECK(*read_file(kept.path() + "/stop") == "default\n");
}
