#include "support/catch.hpp"
#include "support/data.hpp"
#include "support/sample_run.hpp"
#include "support/watched_query.hpp"

#include <etlantic/runtime/run_journal.hpp>

#include <fstream>
#include <iterator>

using namespace etlantic;
using namespace etlantic::test;
namespace fs = std::filesystem;

namespace {

std::string contents(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

watched_query two_rows(const std::string& checkpoint) {
  hand_made_pipeline pipeline{.checkpoint = checkpoint};
  pipeline.input->add({1, 50});
  return watched_query(std::move(pipeline));
}

}  // namespace

TEST_CASE("reports and statuses of format 1 have the bytes of the golden files") {
  CHECK(report_document(sample_run()) == contents(test::golden_folder() / "runs" / "report-1.json"));
  run_record waiting = sample_run();
  waiting.status = query_status::waiting_to_retry;
  waiting.stopped = false;
  CHECK(status_document(waiting) == contents(test::golden_folder() / "runs" / "status-1.json"));
}

TEST_CASE("a run leaves its status and a report in the checkpoint") {
  const temporary_directory kept;
  watched_query query = two_rows(kept / "checkpoint");
  query.curated->fails_to_prepare = 1;
  std::string waiting;
  query.environment.sleep = [&](duration) { waiting = contents(kept / "checkpoint" + "/status.json"); };
  REQUIRE(query.run().ok());
  CHECK_THAT(waiting, Catch::Contains("\"status\": \"waiting to retry\""));
  CHECK_THAT(waiting, Catch::Contains("\"code\": \"TEST\""));

  const std::string status = contents(kept / "checkpoint" + "/status.json");
  CHECK_THAT(status, Catch::Contains("\"status\": \"stopped\""));
  CHECK_THAT(status, Catch::Contains("\"since\": \"2023-11-14T22:13:20.000000Z\""));
  CHECK_THAT(status, Catch::Contains("\"outcome\": \"finished\""));
  CHECK_THAT(status, !Catch::Contains("\"failure\""));

  const std::string report = contents(journal_of(query.settings).report(1));
  for (const char* each :
       {"\"outcome\": \"finished\"", "\"start\": \"fresh\"", "\"batches\": 2", "\"no_data_batches\": 1", "\"read\": 2",
        "\"published\": 1", "\"retries\": 1", "\"failure_count\": 1", "\"replayed_batches\": [\n    0\n  ]",
        "\"watermark\": \"1970-01-01T00:00:50.000000Z\""})
    CHECK_THAT(report, Catch::Contains(each));
}

TEST_CASE("a run that goes on from a checkpoint says so, and one that fails says why") {
  const temporary_directory kept;
  watched_query query = two_rows(kept / "checkpoint");
  REQUIRE(query.run().ok());
  query.pipeline.input->add({60});
  query.curated->fails_to_prepare = 1;
  query.curated->why.kind = failure_class::sink_rejected;
  REQUIRE_FALSE(query.run().ok());
  const std::string report = contents(journal_of(query.settings).report(2));
  for (const char* each : {"\"outcome\": \"failed\"", "\"start\": \"recovery\"", "\"first_batch\": 2", "\"batches\": 0",
                           "\"watermark_before\": \"1970-01-01T00:00:50.000000Z\"", "\"tried_again\": false"})
    CHECK_THAT(report, Catch::Contains(each));
  CHECK_THAT(contents(kept / "checkpoint" + "/status.json"), Catch::Contains("\"message\": \"the database is away\""));
}

TEST_CASE("only so many reports stay, and they lie where the profile says") {
  const temporary_directory kept;
  watched_query query = two_rows(kept / "checkpoint");
  query.settings.reports = {kept / "elsewhere/reports", 3};
  for (int i = 0; i < 5; ++i) REQUIRE(query.run().ok());
  CHECK(journal_of(query.settings).numbers() == std::vector<std::int64_t>{3, 4, 5});
  CHECK_FALSE(fs::exists(kept / "checkpoint" + "/reports"));
}

TEST_CASE("a journal that cannot be written does not end the query") {
  const temporary_directory kept;
  watched_query query = two_rows(kept / "checkpoint");
  fs::create_directories(kept / "checkpoint");
  query.settings.reports.path = kept / "checkpoint/lock";  // a file
  query.environment.sleep = {};
  REQUIRE(query.run().ok());
}

TEST_CASE("without a checkpoint and a place for reports nothing is written") {
  hand_made_pipeline pipeline;
  pipeline.input->add({1});
  const fs::path before = fs::current_path() / "status.json";
  REQUIRE(pipeline.run().ok());
  CHECK_FALSE(fs::exists(before));
  CHECK(run_journal::make(pipeline.lowered(), pipeline.settings(), [] { return timestamp{}; }) == nullptr);
}
