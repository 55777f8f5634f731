#include "recovery/hand_made_pipeline.hpp"
#include "support/catch.hpp"

#include <etlantic/runtime/batch_record.hpp>
#include <etlantic/runtime/checkpoint_layout.hpp>

#include <cerrno>
#include <fstream>
#include <iterator>

using namespace etlantic;
using namespace etlantic::test;
namespace fs = std::filesystem;

namespace {

/// Longer than any test: the only snapshot is that of a clean end.
constexpr duration never = std::chrono::hours{24};
/// After every batch, if the one before has been written.
constexpr duration always{1};

hand_made_pipeline make_pipeline(const std::string& checkpoint, duration interval) {
  hand_made_pipeline pipeline{.window = 10 * second,
                              .delay = 5 * second,
                              .checkpoint = checkpoint,
                              .retained_batches = 1,
                              .snapshot_interval = interval};
  pipeline.input->pause_after_batch = false;
  pipeline.input->add({1, 2, 12, 3});
  pipeline.input->add({25, 11});
  pipeline.input->add({4, 26, 31});
  pipeline.input->add({12, 5, 44});
  pipeline.input->add({70});
  return pipeline;
}

// As counted by hand in crash_points.cpp.
const table_rows all_curated{{0, 10, 4}, {10, 20, 2}, {20, 30, 2}, {30, 40, 1}, {40, 50, 1}};
const table_rows all_late{{12}, {5}};

std::vector<std::string> names_in(const std::string& folder) {
  std::vector<std::string> names;
  for (const auto& each : fs::directory_iterator(folder)) names.push_back(each.path().filename().string());
  return names;
}

/// What a kill leaves that strikes before the snapshot of a clean end.
void lose_snapshots(const hand_made_pipeline& pipeline) {
  for (const std::string& each : names_in(checkpoint_layout{pipeline.checkpoint}.states()))
    fs::remove(checkpoint_layout{pipeline.checkpoint}.states() + "/" + each);
}

commit_record commit_in(const hand_made_pipeline& pipeline, std::int64_t batch) {
  const std::string path = checkpoint_layout{pipeline.checkpoint}.commit(batch);
  std::ifstream file(path, std::ios::binary);
  const result<commit_record> read = read_commit_record(std::string(std::istreambuf_iterator<char>(file), {}), path);
  REQUIRE(read.ok());
  return *read;
}

/// Fails every write of a snapshot's file.
class snapshots_that_fail : public file_fault_injector {
 public:
  explicit snapshots_that_fail(int error) : error_(error) { injected_file_faults = this; }
  snapshots_that_fail(const snapshots_that_fail&) = delete;
  snapshots_that_fail& operator=(const snapshots_that_fail&) = delete;
  ~snapshots_that_fail() override { injected_file_faults = nullptr; }
  file_fault before(file_operation operation, const std::string& path) override {
    const bool strikes = operation == file_operation::write && path.find(".snapshot") != std::string::npos;
    return strikes ? file_fault{error_, true} : file_fault{};
  }

 private:
  int error_;
};

}  // namespace

TEST_CASE("batches do not wait for a snapshot, and a clean end writes the last one") {
  const temporary_directory kept;
  const hand_made_pipeline pipeline = make_pipeline(kept / "checkpoint", never);
  REQUIRE(pipeline.run().ok());
  CHECK(pipeline.curated->rows == all_curated);
  CHECK(commit_in(pipeline, 5).snapshot == snapshot_receipt{});
  CHECK(names_in(checkpoint_layout{pipeline.checkpoint}.states()) ==
        std::vector<std::string>{checkpoint_layout::file_name(5, ".snapshot")});

  pipeline.contexts->clear();
  pipeline.input->reads.clear();
  pipeline.input->add({100});
  REQUIRE(pipeline.run().ok());
  CHECK(pipeline.input->reads.size() == 1);  // the new row, and nothing again
  CHECK(pipeline.contexts->front().id == 6);
  CHECK(commit_in(pipeline, 6).snapshot.file == checkpoint_layout::file_name(5, ".snapshot"));
}

TEST_CASE("batches behind the newest snapshot are computed again exactly and not published again") {
  const temporary_directory kept;
  const hand_made_pipeline pipeline = make_pipeline(kept / "checkpoint", never);
  REQUIRE(pipeline.run().ok());
  const std::vector<split_range> reads = pipeline.input->reads;
  const context_log contexts = *pipeline.contexts;
  const int commits = pipeline.curated->commits;
  lose_snapshots(pipeline);
  pipeline.input->reads.clear();
  pipeline.contexts->clear();
  pipeline.input->add({100});
  hand_made_pipeline later = pipeline;
  later.clock = {1'800'000'000 * second};

  std::vector<progress> told;
  REQUIRE(later.run(nullptr, [&](const progress& batch) { told.push_back(batch); }).ok());
  REQUIRE(told.size() >= 1);
  CHECK(told.front().batch == 6);  // nobody is told again of what is done
  REQUIRE(told.front().warnings.size() == 1);
  CHECK(told.front().warnings.front().find("batches 0 to 5 were computed again from the beginning") !=
        std::string::npos);
  REQUIRE(pipeline.contexts->size() >= contexts.size());
  for (std::size_t i = 0; i < contexts.size(); ++i) {
    CHECK((*pipeline.contexts)[i].id == contexts[i].id);
    CHECK((*pipeline.contexts)[i].planned_at == contexts[i].planned_at);
    CHECK((*pipeline.contexts)[i].watermark == contexts[i].watermark);
    CHECK((*pipeline.contexts)[i].late_watermark == contexts[i].late_watermark);
  }
  CHECK(std::vector(pipeline.input->reads.begin(), pipeline.input->reads.begin() + 5) ==
        std::vector(reads.begin(), reads.begin() + 5));
  // 70 waited in the state that was lost: [70,80) leaves when 100 has moved the watermark to 95.
  table_rows expected = all_curated;
  expected.push_back({70, 80, 1});
  CHECK(pipeline.curated->rows == expected);
  CHECK(pipeline.late_rows->rows == all_late);
  CHECK(pipeline.curated->commits > commits);
}

TEST_CASE("RC: a crash at any point gives what an uninterrupted run gives, whenever snapshots are written") {
  for (const duration interval : {never, always}) {
    int points = 0;
    {
      const temporary_directory kept;
      crash_point counting;
      REQUIRE(make_pipeline(kept / "checkpoint", interval).run(&counting).ok());
      points = counting.count();
    }
    REQUIRE(points > 60);
    for (int point = 0; point < points; ++point) {
      const temporary_directory kept;
      const hand_made_pipeline pipeline = make_pipeline(kept / "checkpoint", interval);
      {
        crash_point crash(point, point % 2 == 0 ? EIO : ENOSPC);
        (void)pipeline.run(&crash);
      }
      {
        crash_point crash(point / 2);  // and in the restart, while batches are computed again
        (void)pipeline.run(&crash);
      }
      const result<void> restarted = pipeline.run();
      INFO("point " << point << ": " << (restarted ? "" : restarted.error().message));
      REQUIRE(restarted.ok());
      REQUIRE(pipeline.curated->rows == all_curated);
      REQUIRE(pipeline.late_rows->rows == all_late);
    }
  }
}

TEST_CASE(
    "a snapshot that cannot be written beside the query ends it with its class, and the checkpoint stays usable") {
  const temporary_directory kept;
  const hand_made_pipeline pipeline = make_pipeline(kept / "checkpoint", always);
  {
    const snapshots_that_fail full(ENOSPC);
    const result<void> failed = pipeline.run();
    REQUIRE_FALSE(failed.ok());
    CHECK(failed.error().kind == failure_class::resource_exhausted);
    CHECK(failed.error().code == "PMSTREAM467");
    CHECK(failed.error().message.find("the snapshot of the state after batch ") == 0);
    CHECK(failed.error().help.find("Free space") == 0);
  }
  REQUIRE(pipeline.run().ok());
  CHECK(pipeline.curated->rows == all_curated);
  CHECK(pipeline.late_rows->rows == all_late);
}

TEST_CASE("records are kept back to a snapshot from which every retained batch can be computed again") {
  const temporary_directory kept;
  hand_made_pipeline pipeline = make_pipeline(kept / "checkpoint", always);
  pipeline.retained_batches = 2;
  for (int batch = 0; batch < 40; ++batch) pipeline.input->add({100.0 + batch});
  REQUIRE(pipeline.run().ok());
  const checkpoint_layout layout{pipeline.checkpoint};
  std::int64_t newest = 0;
  while (fs::exists(layout.plan(newest + 1)) || newest < 44) ++newest;
  const commit_record last = commit_in(pipeline, newest);
  CHECK(last.oldest_kept <= newest - 2);
  CHECK((last.oldest_kept == 0 || fs::exists(layout.snapshot(last.oldest_kept))));
  for (std::int64_t batch = 0; batch <= newest; ++batch) {
    CHECK(fs::exists(layout.plan(batch)) == (batch >= last.oldest_kept));
    CHECK(fs::exists(layout.commit(batch)) == (batch >= last.oldest_kept));
    CHECK((batch >= last.oldest_kept || !fs::exists(layout.snapshot(batch))));
  }
}

TEST_CASE("fewer snapshots are kept if the profile says so, with the records that the oldest of them needs") {
  const temporary_directory kept;
  hand_made_pipeline pipeline = make_pipeline(kept / "checkpoint", duration{0});
  pipeline.retained_batches = 4;
  hand_made_pipeline fewer = pipeline;
  fewer.retained_snapshots = 2;
  REQUIRE(fewer.run().ok());  // batches 0 to 5
  const checkpoint_layout layout{pipeline.checkpoint};
  for (std::int64_t batch = 0; batch <= 5; ++batch) {
    CHECK(fs::exists(layout.snapshot(batch)) == (batch >= 4));
    CHECK(fs::exists(layout.plan(batch)) == (batch >= 4));
  }
  CHECK(fewer.run().ok());
}

TEST_CASE("a pipeline that changed waits until what a crash left has been computed as it was") {
  const temporary_directory kept;
  const hand_made_pipeline pipeline = make_pipeline(kept / "checkpoint", never);
  REQUIRE(pipeline.run().ok());
  hand_made_pipeline changed = pipeline;
  changed.delay = 7 * second;  // a delay may change, but not what is done
  lose_snapshots(pipeline);
  const result<void> refused = changed.run();
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.error().kind == failure_class::checkpoint);
  CHECK(refused.error().code == "PMSTREAM468");
  CHECK(refused.error().message.find("batches 0 to 5 must be computed again as they were, but the pipeline changed: "
                                     "step 'windows' changed") != std::string::npos);
  REQUIRE(pipeline.run().ok());  // as the help says
  CHECK(changed.run().ok());
}

TEST_CASE("an input that changed since is found when a batch comes to something else") {
  const temporary_directory kept;
  const hand_made_pipeline pipeline = make_pipeline(kept / "checkpoint", never);
  REQUIRE(pipeline.run().ok());
  lose_snapshots(pipeline);
  SECTION("other rows") {
    pipeline.input->rows[0] = 41 * second;  // which moves the watermark past 36 s
    const result<void> refused = pipeline.run();
    REQUIRE_FALSE(refused.ok());
    CHECK(refused.error().code == "PMSTREAM469");
    CHECK(refused.error().message.find("batch 0 comes to something else when it is computed again") == 0);
    pipeline.input->rows[0] = 1 * second;
  }
  SECTION("no rows") {
    const std::vector<std::int64_t> rows = std::exchange(pipeline.input->rows, {});
    const std::vector<std::int64_t> ends = std::exchange(pipeline.input->batch_ends, {});
    const result<void> refused = pipeline.run();
    REQUIRE_FALSE(refused.ok());
    CHECK(refused.error().help.find("Batch 0 is committed, but the newest snapshot of the state is not there yet") !=
          std::string::npos);
    pipeline.input->rows = rows;
    pipeline.input->batch_ends = ends;
  }
  REQUIRE(pipeline.run().ok());
  CHECK(pipeline.curated->rows == all_curated);
}

TEST_CASE("a snapshot that lies behind another commit record is refused") {
  const temporary_directory kept;
  const hand_made_pipeline pipeline = make_pipeline(kept / "checkpoint", never);
  REQUIRE(pipeline.run().ok());
  const checkpoint_layout layout{pipeline.checkpoint};
  hand_made_pipeline other = make_pipeline(kept / "other", never);
  fs::create_directory(other.checkpoint);
  fs::copy_file(layout.identity(), checkpoint_layout{other.checkpoint}.identity());
  fs::create_directory(checkpoint_layout{other.checkpoint}.batches());
  fs::create_directory(checkpoint_layout{other.checkpoint}.states());
  other.input->rows[0] = 5 * second;
  other.clock = {1'800'000'000 * second};
  REQUIRE(other.run().ok());
  fs::copy_file(checkpoint_layout{other.checkpoint}.snapshot(5), layout.snapshot(5),
                fs::copy_options::overwrite_existing);
  const result<void> refused = pipeline.run();
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.error().code == "PMSTREAM461");
  CHECK(refused.error().message.find("not a snapshot behind the commit record of its batch") != std::string::npos);
}
