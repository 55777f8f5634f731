#include "support/catch.hpp"
#include "support/data.hpp"
#include "support/sample_run.hpp"
#include "support/watched_query.hpp"

#include <etlantic/runtime/checkpoint_lock.hpp>
#include <etlantic/runtime/run_journal.hpp>

#include <sys/stat.h>

#include <chrono>
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
  CHECK_THAT(waiting, Catch::Contains("\"attempt\": 1,\n    \"attempts\": 3,\n    \"wait_seconds\": 0.5"));

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

TEST_CASE("a start that is refused leaves a report with the reason") {
  const temporary_directory kept;
  const std::string checkpoint = kept / "checkpoint";
  watched_query query = two_rows(checkpoint);
  const auto report = [&](std::int64_t number) { return contents(journal_of(query.settings).report(number)); };

  SECTION("not where there is no checkpoint yet: the folder would not be taken for a new one") {
    query.settings.assets.erase("curated");
    REQUIRE_FALSE(query.start().ok());
    CHECK_FALSE(fs::exists(checkpoint));
    query.settings.reports.path = kept / "reports";
    REQUIRE_FALSE(query.start().ok());
    CHECK_THAT(report(1), Catch::Contains("\"start\": \"refused\""));
  }
  SECTION("of a target that cannot be opened, in the status too") {
    query.curated->fails_to_open = 1;
    query.curated->why.kind = failure_class::authentication;
    REQUIRE_FALSE(query.start().ok());
    for (const char* each : {"\"start\": \"refused\"", "\"outcome\": \"failed\"", "\"batches\": 0",
                             "\"class\": \"authentication\"", "\"message\": \"the database is away\"",
                             "\"tried_again\": false", "\"started\": \"2023-11-14T22:13:20.000000Z\""})
      CHECK_THAT(report(1), Catch::Contains(each));
    const std::string status = contents(checkpoint + "/status.json");
    for (const char* each : {"\"status\": \"failed\"", "\"start\": \"refused\"", "\"code\": \"TEST\"", "\"report\": 1"})
      CHECK_THAT(status, Catch::Contains(each));
    REQUIRE(query.run().ok());
    CHECK_THAT(report(2), Catch::Contains("\"outcome\": \"finished\""));
  }
  SECTION("of a pipeline that is another one; of several in a row the last stays, and runs keep theirs") {
    REQUIRE(query.run().ok());
    query.pipeline.id = "Other";
    for (int i = 0; i < 3; ++i) CHECK(query.start().error().code == "PMSTREAM465");
    query.settings.retry.attempts = 0;
    query.settings.assets.erase("curated");
    REQUIRE_FALSE(query.start().ok());
    CHECK(journal_of(query.settings).numbers() == std::vector<std::int64_t>{1, 2});
    CHECK_THAT(report(1), Catch::Contains("\"outcome\": \"finished\""));
    CHECK_THAT(report(2), Catch::Contains("'curated'"));
    CHECK_THAT(contents(checkpoint + "/status.json"), Catch::Contains("\"outcome\": \"finished\""));
  }
  SECTION("while another process runs, whose report and status stay as they are") {
    REQUIRE(query.run().ok());
    const std::string status = contents(checkpoint + "/status.json");
    const result<checkpoint_lock> held = checkpoint_lock::take(checkpoint);
    CHECK(query.start().error().code == "PMSTREAM460");
    CHECK_THAT(report(2), Catch::Contains("\"code\": \"PMSTREAM460\""));
    CHECK(contents(checkpoint + "/status.json") == status);
  }
  for (const fs::directory_entry& each : fs::recursive_directory_iterator(kept.path()))
    CHECK(each.path().extension() != ".tmp");
}

TEST_CASE("who hears of a batch or of the end finds it in the status") {
  class reader : public query_listener {
   public:
    explicit reader(std::string path) : path_(std::move(path)) {}
    void batch_completed(const progress& batch) override { check("\"batch\": " + std::to_string(batch.batch)); }
    void terminated(const query_end&) override { check("\"outcome\": \"finished\""); }
    int checked = 0;

   private:
    void check(const std::string& told) {
      CHECK_THAT(contents(path_), Catch::Contains(told));
      ++checked;
    }
    std::string path_;
  };
  const temporary_directory kept;
  watched_query query = two_rows(kept / "checkpoint");
  const auto reads = std::make_shared<reader>(kept / "checkpoint" + "/status.json");
  query.environment.listeners.push_back(reads);
  REQUIRE(query.run().ok());
  CHECK(reads->checked == 3);
}

TEST_CASE("only so many reports stay, and they lie where the profile says") {
  const temporary_directory kept;
  watched_query query = two_rows(kept / "checkpoint");
  query.settings.reports = {kept / "elsewhere/reports", 3};
  for (int i = 0; i < 5; ++i) REQUIRE(query.run().ok());
  CHECK(journal_of(query.settings).numbers() == std::vector<std::int64_t>{3, 4, 5});
  CHECK_FALSE(fs::exists(kept / "checkpoint" + "/reports"));
}

TEST_CASE(
    "with low latency the status follows ten times a second, and not each batch; the last one is told when idle") {
  using std::chrono::steady_clock;
  const temporary_directory kept;
  hand_made_pipeline pipeline{.trigger = trigger_kind::low_latency, .checkpoint = kept.path()};
  const auto journal = run_journal::make(pipeline.lowered(), pipeline.settings(), [] { return timestamp{}; });
  const std::string status = kept / "status.json";
  const auto written = [&] {  // a new file each time
    struct stat found{};
    REQUIRE(::stat(status.c_str(), &found) == 0);
    return found.st_ctim.tv_sec * 1'000'000'000 + found.st_ctim.tv_nsec;
  };
  const auto begin = steady_clock::now();
  journal->started({});
  auto newest = written();
  int times = 0;
  progress batch;
  for (batch.batch = 0; batch.batch < 1000; ++batch.batch) {
    journal->batch_completed(batch);
    times += written() != newest;
    newest = written();
  }
  CHECK(times <= (steady_clock::now() - begin) / std::chrono::milliseconds(100));
  journal->idle({});
  CHECK_THAT(contents(status), Catch::Contains("\"batch\": 999"));
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
