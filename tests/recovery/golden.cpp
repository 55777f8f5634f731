#include "recovery/hand_made_pipeline.hpp"
#include "support/catch.hpp"
#include "support/data.hpp"

#include <etlantic/runtime/batch_log.hpp>
#include <etlantic/runtime/batch_record.hpp>
#include <etlantic/runtime/checkpoint_identity.hpp>
#include <etlantic/runtime/checkpoint_layout.hpp>

#include <cerrno>
#include <fstream>
#include <iterator>

using namespace etlantic;
using namespace etlantic::test;
namespace fs = std::filesystem;

namespace {

const fs::path golden = test::golden_folder() / "checkpoint" / "version-1";

// The same records as those of version 1, with a head whose checksum comes from elsewhere.
const fs::path golden_log = test::golden_folder() / "checkpoint" / "log-version-1";

/// The pipeline that wrote the golden checkpoint: 5 rows in batch 0, nothing in batch 1, batch 2 planned and no more.
hand_made_pipeline make_pipeline(const std::string& checkpoint) {
  hand_made_pipeline pipeline{.window = 10 * second, .delay = 2 * second, .checkpoint = checkpoint};
  pipeline.input->add({1, 2, 15, 16, 3});
  pipeline.input->add({17, 30});
  return pipeline;
}

std::string contents(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

TEST_CASE(
    "RC-16: a checkpoint written by format version 1 is read back to the last detail, also with records in a log") {
  const bool is_logged = GENERATE(false, true);
  const temporary_directory kept;
  const std::string checkpoint = kept / "checkpoint";
  fs::copy(golden, checkpoint, fs::copy_options::recursive);
  if (is_logged) {
    fs::remove_all(checkpoint + "/batches");
    fs::copy(golden_log, checkpoint + "/batches");
  }
  const hand_made_pipeline pipeline = make_pipeline(checkpoint);
  pipeline.curated->ledger = {{"00112233445566778899aabbccddeeff/curated", 1}};
  pipeline.late_rows->ledger = {{"00112233445566778899aabbccddeeff/late_rows", 1}};
  pipeline.quarantine->ledger = {{"00112233445566778899aabbccddeeff/quarantine", 1}};
  std::vector<progress> seen;
  const result<void> ran = pipeline.run(nullptr, [&](const progress& batch) { seen.push_back(batch); });
  INFO((ran ? std::string() : ran.error().message));
  REQUIRE(ran.ok());

  REQUIRE(seen.size() == 2);
  CHECK(seen[0].query == "00112233445566778899aabbccddeeff");
  CHECK(seen[0].batch == 2);
  CHECK(seen[0].replayed);
  CHECK(seen[0].warnings.empty());
  CHECK(pipeline.input->reads == std::vector<split_range>{{"memory", 5, 7}});
  REQUIRE(pipeline.contexts->size() == 2);
  CHECK(pipeline.contexts->front().planned_at == timestamp{1'700'000'000 * second});
  CHECK(pipeline.contexts->front().watermark == timestamp{14 * second});
  // [0,10) left in batch 1; 15 and 16 came from the snapshot.
  CHECK(pipeline.curated->rows == table_rows{{10, 20, 3}});
}

TEST_CASE("this version writes the bytes that the golden log has") {
  const temporary_directory kept;
  const checkpoint_layout layout{kept.path()};
  fs::create_directories(layout.batches());
  batch_log log(layout);
  for (const char* name : {"0.plan", "0.commit", "1.plan", "1.commit", "2.plan"})
    REQUIRE(log.append(contents(golden / "batches" / (std::string(19, '0') + name)), name[0] - '0').ok());
  CHECK(contents(layout.log(0)) == contents(golden_log / "00000000000000000000.log"));
}

TEST_CASE("this version writes the bytes that the golden checkpoint has") {
  const std::string plan = (golden / "batches" / "00000000000000000002.plan").string();
  const result<plan_record> read_plan = read_plan_record(contents(plan), plan);
  REQUIRE(read_plan.ok());
  CHECK(to_record(*read_plan) == contents(plan));

  const std::string commit = (golden / "batches" / "00000000000000000001.commit").string();
  const result<commit_record> read_commit = read_commit_record(contents(commit), commit);
  REQUIRE(read_commit.ok());
  CHECK(to_record(*read_commit) == contents(commit));

  // Records that tell of splits have a version of their own.
  const fs::path split_records = test::golden_folder() / "checkpoint" / "split-watermarks";
  const std::string split_plan = (split_records / "00000000000000000007.plan").string();
  const result<plan_record> read_split_plan = read_plan_record(contents(split_plan), split_plan);
  REQUIRE(read_split_plan.ok());
  CHECK(to_record(*read_split_plan) == contents(split_plan));
  CHECK(read_split_plan->idle_splits == std::vector<split_name>{{"orders", "a"}, {"refunds", ""}});
  CHECK(read_split_plan->finished_splits == std::vector<split_name>{{"orders", "in/b \"1\".ndjson"}});
  CHECK(read_split_plan->extracts.size() == 1);

  const std::string split_commit = (split_records / "00000000000000000007.commit").string();
  const result<commit_record> read_split_commit = read_commit_record(contents(split_commit), split_commit);
  REQUIRE(read_split_commit.ok());
  CHECK(to_record(*read_split_commit) == contents(split_commit));
  REQUIRE(read_split_commit->steps.size() == 2);
  CHECK(read_split_commit->steps[0].reached == timestamp{20'000'000});
  CHECK(read_split_commit->steps[0].splits ==
        std::vector<split_watermark>{{{"orders", "a"}, {14'000'000}}, {{"orders", "c"}, {15'000'000}}});
  CHECK_FALSE(read_split_commit->steps[1].reached);
  CHECK(read_split_commit->split_activity == std::vector<split_last_rows>{{{"orders", "c"}, {1'700'000'000'000'000}}});

  const std::string identity = (golden / "identity.json").string();
  const result<checkpoint_identity> read_identity = read_identity_record(contents(identity), identity);
  REQUIRE(read_identity.ok());
  CHECK(to_record(*read_identity) == contents(identity));
  CHECK(identify(make_pipeline("").lowered(), read_identity->query, read_identity->created) == *read_identity);
}

namespace {

const fs::path golden_2 = test::golden_folder() / "checkpoint" / "version-2";

/// The pipeline that wrote it: a clean stop behind batch 1 (its snapshot), then batch 2 was committed, batch 3 planned
/// and no more, when it was killed.
hand_made_pipeline make_pipeline_2(const std::string& checkpoint) {
  hand_made_pipeline pipeline{.window = 10 * second,
                              .delay = 2 * second,
                              .checkpoint = checkpoint,
                              .no_data_batches = false,
                              .snapshot_interval = std::chrono::hours{24}};
  pipeline.input->pause_after_batch = false;
  pipeline.input->add({1, 2, 15});
  pipeline.input->add({16, 3});
  return pipeline;
}

/// The kill: from the commit record of a batch on nothing is written.
class kill_before_commit : public file_fault_injector {
 public:
  explicit kill_before_commit(std::int64_t batch) : name_(checkpoint_layout::file_name(batch, ".commit")) {
    injected_file_faults = this;
  }
  kill_before_commit(const kill_before_commit&) = delete;
  kill_before_commit& operator=(const kill_before_commit&) = delete;
  ~kill_before_commit() override { injected_file_faults = nullptr; }
  file_fault before(file_operation, const std::string& path) override {
    dead_ = dead_ || path.find(name_) != std::string::npos;
    return dead_ ? file_fault{EIO} : file_fault{};
  }

 private:
  std::string name_;
  bool dead_ = false;
};

}  // namespace

// Run by name to write the golden checkpoint into ./version-2, when the format gets another version.
TEST_CASE("write the golden checkpoint of version 2", "[.]") {
  const hand_made_pipeline pipeline = make_pipeline_2("version-2");
  fs::create_directories("version-2/batches");
  fs::create_directories("version-2/state");
  fs::copy_file(golden / "identity.json", "version-2/identity.json");
  REQUIRE(pipeline.run().ok());
  pipeline.input->add({17, 21});
  pipeline.input->add({30});
  const kill_before_commit kill(3);
  REQUIRE_FALSE(pipeline.run().ok());
}

TEST_CASE(
    "a checkpoint written by format version 2, with a batch behind its snapshot, is read back to the last detail") {
  const temporary_directory kept;
  const std::string checkpoint = kept / "checkpoint";
  fs::copy(golden_2, checkpoint, fs::copy_options::recursive);
  const hand_made_pipeline pipeline = make_pipeline_2(checkpoint);
  pipeline.input->add({17, 21});
  pipeline.input->add({30});
  for (const auto& [name, table] : {std::pair("curated", pipeline.curated), std::pair("late_rows", pipeline.late_rows),
                                    std::pair("quarantine", pipeline.quarantine)})
    table->ledger = {{std::string("00112233445566778899aabbccddeeff/") + name, 2}};
  std::vector<progress> seen;
  const result<void> ran = pipeline.run(nullptr, [&](const progress& batch) { seen.push_back(batch); });
  INFO((ran ? std::string() : ran.error().message));
  REQUIRE(ran.ok());
  CHECK(pipeline.input->reads == std::vector<split_range>{{"memory", 5, 7}, {"memory", 7, 8}});
  REQUIRE(seen.size() == 1);
  CHECK(seen[0].batch == 3);
  CHECK(seen[0].replayed);
  REQUIRE(seen[0].warnings.size() == 1);
  CHECK(seen[0].warnings[0].find("batch 2 was computed again behind the snapshot of batch 1") != std::string::npos);
  // Batch 3 runs under 19 s, as batch 2 left it; [0,10) left in batch 1 or 2, so that nothing leaves here.
  CHECK(pipeline.contexts->back().watermark == timestamp{19 * second});
  CHECK(pipeline.curated->rows.empty());
}

TEST_CASE("this version writes the bytes that the golden checkpoint of version 2 has") {
  const std::string path = (golden_2 / "batches" / "00000000000000000002.commit").string();
  const result<commit_record> read = read_commit_record(contents(path), path);
  REQUIRE(read.ok());
  CHECK(read->snapshot.file == "00000000000000000001.snapshot");
  CHECK(to_record(*read) == contents(path));
  CHECK(contents(path).starts_with("{\"etlantic\":\"commit\",\"version\":2}"));
  CHECK(contents(golden_2 / "state" / "00000000000000000001.snapshot")
            .starts_with("{\"etlantic\":\"snapshot\",\"version\":2}"));
}
