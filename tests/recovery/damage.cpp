#include "recovery/hand_made_pipeline.hpp"
#include "support/catch.hpp"
#include "support/files.hpp"

#include <etlantic/runtime/batch_record_text.hpp>
#include <etlantic/runtime/checkpoint_layout.hpp>

#include <algorithm>
#include <fstream>
#include <iterator>

using namespace etlantic;
using namespace etlantic::test;
namespace fs = std::filesystem;

namespace {

/// A checkpoint with batches 0 to 4 done.
struct checkpoint_to_damage {
  temporary_directory kept;
  hand_made_pipeline pipeline{.checkpoint = kept / "checkpoint"};
  checkpoint_layout layout{pipeline.checkpoint};

  checkpoint_to_damage() {
    pipeline.input->pause_after_batch = false;
    for (int batch = 0; batch < 4; ++batch) pipeline.input->add({static_cast<double>(batch)});
    REQUIRE(pipeline.run().ok());
    REQUIRE(fs::exists(layout.commit(4)));
  }

  failure refusal() {
    pipeline.input->reads.clear();
    const int commits = pipeline.curated->commits;
    const result<void> refused = pipeline.run();
    REQUIRE_FALSE(refused.ok());
    CHECK(refused.error().kind == failure_class::checkpoint);
    CHECK_FALSE(refused.error().help.empty());
    CHECK(pipeline.input->reads.empty());
    CHECK(pipeline.curated->commits == commits);
    return refused.error();
  }
};

}  // namespace

TEST_CASE("RC-05: every file of a checkpoint is refused when it is empty, cut, or has a wrong byte") {
  checkpoint_to_damage damaged;
  const checkpoint_layout& layout = damaged.layout;
  for (const std::string& path :
       {layout.identity(), layout.plan(4), layout.plan(3), layout.commit(4), layout.commit(3), layout.snapshot(4)}) {
    const std::string whole = contents(path);
    std::string wrong = whole;
    wrong[whole.size() / 2] = static_cast<char>(wrong[whole.size() / 2] ^ 1);
    for (const std::string& bytes : {std::string(), whole.substr(0, 7), whole.substr(0, whole.size() / 2),
                                     whole.substr(0, whole.size() - 1), whole + "x", wrong}) {
      write(path, bytes);
      const failure refused = damaged.refusal();
      CHECK(refused.code == "PMSTREAM461");
      CHECK(refused.where == path);
      CHECK(refused.message.find("'" + path + "' is damaged at byte ") != std::string::npos);
    }
    write(path, whole);
  }
  CHECK(damaged.pipeline.run().ok());
}

TEST_CASE("a file of a checkpoint that is missing is named, and nothing starts from the beginning") {
  checkpoint_to_damage damaged;
  const checkpoint_layout& layout = damaged.layout;
  for (const std::string& path :
       {layout.identity(), layout.plan(4), layout.plan(0), layout.commit(3), layout.snapshot(4), layout.snapshot(2)}) {
    const std::string whole = contents(path);
    fs::remove(path);
    const failure refused = damaged.refusal();
    CHECK(refused.code == "PMSTREAM462");
    CHECK(refused.where == path);
    write(path, whole);
  }
  CHECK(damaged.pipeline.run().ok());
}

TEST_CASE("all commit records gone is not a fresh start") {
  checkpoint_to_damage damaged;
  for (std::int64_t batch = 0; batch <= 4; ++batch) fs::remove(damaged.layout.commit(batch));
  CHECK(damaged.refusal().code == "PMSTREAM462");
}

TEST_CASE("a plan that vanished while its snapshot is there is not planned again") {
  checkpoint_to_damage damaged;
  fs::remove(damaged.layout.commit(4));
  fs::remove(damaged.layout.plan(4));
  CHECK(damaged.refusal().where == damaged.layout.plan(4));
}

TEST_CASE("a file that came from elsewhere is told apart from a damaged one") {
  checkpoint_to_damage damaged;
  const checkpoint_layout& layout = damaged.layout;
  SECTION("a stray name") { write(layout.batches() + "/notes.txt", "hello"); }
  SECTION("other contents") { write(layout.commit(4), "hello world\n"); }
  SECTION("a record of another batch") { write(layout.commit(4), contents(layout.commit(3))); }
  SECTION("a record of another kind") { write(layout.commit(4), contents(layout.plan(4))); }
  SECTION("a record of another query") {
    checkpoint_to_damage other;
    write(layout.commit(4), contents(other.layout.commit(4)));
  }
  CHECK(damaged.refusal().code == "PMSTREAM463");
}

TEST_CASE("a snapshot of another time is not the one that the commit names") {
  checkpoint_to_damage damaged;
  checkpoint_to_damage other;
  const std::string id = contents(damaged.layout.identity());
  // The same batch of the same query, but other state: only the checksum in the commit record tells.
  std::string snapshot = contents(damaged.layout.snapshot(4));
  const std::size_t head_end = snapshot.find('\n', snapshot.find("\n{\"length\":") + 1) + 1;
  record_writer head("snapshot", 1);
  const std::size_t query_at = id.find("\"query\":\"") + 9;
  head.line().put("batch", 4).put("query", id.substr(query_at, 32)).line().put("extract", "events");
  write(damaged.layout.snapshot(4), std::move(head).close());
  CHECK(damaged.refusal().code == "PMSTREAM461");
  CHECK(head_end > 1);
}

TEST_CASE("RC-16: a newer format is refused with its version") {
  checkpoint_to_damage damaged;
  record_writer newer("commit", 3);
  newer.line().put("something", "unknown");
  write(damaged.layout.commit(4), std::move(newer).close());
  const failure refused = damaged.refusal();
  CHECK(refused.code == "PMSTREAM464");
  CHECK(refused.message.find("has format version 3; this program reads versions up to 2") != std::string::npos);
}

TEST_CASE("a directory that holds something else is not taken for an empty checkpoint") {
  const temporary_directory kept;
  hand_made_pipeline pipeline{.checkpoint = kept.path()};
  write(kept / "thesis.tex", "years of work");
  const result<void> refused = pipeline.run();
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.error().code == "PMSTREAM463");
  CHECK(refused.error().where == kept / "thesis.tex");
}

TEST_CASE("what a crash before the first identity leaves is taken for an empty checkpoint") {
  const temporary_directory kept;
  hand_made_pipeline pipeline{.checkpoint = kept.path()};
  fs::create_directory(kept / "batches");
  write(kept / "identity.json.tmp", "{\"etlan");
  CHECK(pipeline.run().ok());
}

TEST_CASE("a checkpoint path that is a file is refused with what to do") {
  const temporary_directory kept;
  write(kept / "file", "");
  hand_made_pipeline pipeline{.checkpoint = kept / "file"};
  CHECK(pipeline.run().error().help == "A part of this path is a file: name a directory in the profile.");
  pipeline.checkpoint = kept / "file/checkpoint";
  CHECK(pipeline.run().error().help == "A part of this path is a file: name a directory in the profile.");
}
