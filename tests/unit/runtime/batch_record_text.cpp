#include "support/catch.hpp"

#include <etlantic/runtime/batch_record.hpp>
#include <etlantic/runtime/batch_record_text.hpp>

#include <limits>
#include <string>

using namespace etlantic;

namespace {

std::string sample() {
  record_writer record("plan", 1);
  record.line().put("batch", 12).put("name", "a b");
  record.line().put("split", "/data/1").put("begin", -7);
  return std::move(record).close();
}

/// Reads the sample; gives the failure's code, or nothing.
std::string read_sample(const std::string& bytes) {
  result<record_reader> opened = record_reader::open(bytes, "plan", 1, "file");
  if (!opened) return opened.error().code;
  if (opened->size() != bytes.size()) return "more follows";
  record_reader& record = *opened;
  record.line().integer("batch");
  record.text("name");
  record.line().text("split");
  record.integer("begin");
  const result<void> whole = record.finish();
  return whole ? "" : whole.error().code;
}

}  // namespace

TEST_CASE("a record is lines of JSON with kind and version first, length and checksum last") {
  const std::string body =
      "{\"etlantic\":\"plan\",\"version\":1}\n{\"batch\":12,\"name\":\"a b\"}\n{\"split\":\"/data/1\",\"begin\":-7}\n";
  CHECK(sample().substr(0, body.size()) == body);
  CHECK(sample().substr(body.size(), 12) == "{\"length\":" + std::to_string(body.size()).substr(0, 2));
  CHECK(read_sample(sample()).empty());
}

TEST_CASE("every byte that a text can have survives a record") {
  std::string all;
  for (int byte = 0; byte < 256; ++byte) all += static_cast<char>(byte);
  all += "{\"length\":1}\n%41";
  record_writer writer("plan", 1);
  writer.line().put("text", all).put("least", std::numeric_limits<std::int64_t>::min());
  const std::string bytes = std::move(writer).close();
  result<record_reader> record = record_reader::open(bytes, "plan", 1, "file");
  REQUIRE(record.ok());
  CHECK(record->line().text("text") == all);
  CHECK(record->integer("least") == std::numeric_limits<std::int64_t>::min());
  CHECK(record->finish().ok());
}

TEST_CASE("a record that is cut anywhere is refused") {
  const std::string whole = sample();
  for (std::size_t size = 0; size < whole.size(); ++size) {
    INFO(size);
    CHECK(read_sample(whole.substr(0, size)) == "PMSTREAM461");
  }
}

TEST_CASE("a record with any wrong bit is refused") {
  const std::string whole = sample();
  for (std::size_t at = 0; at < whole.size(); ++at) {
    for (int bit = 0; bit < 8; ++bit) {
      std::string wrong = whole;
      wrong[at] = static_cast<char>(wrong[at] ^ (1 << bit));
      INFO(at << " bit " << bit);
      CHECK_FALSE(read_sample(wrong).empty());
    }
  }
}

TEST_CASE("a member that is not the expected one is named with its place") {
  const std::string bytes = sample();
  result<record_reader> record = record_reader::open(bytes, "plan", 1, "file");
  REQUIRE(record.ok());
  record->line().integer("bunch");
  record->text("name");
  const result<void> read = record->finish();
  REQUIRE_FALSE(read.ok());
  CHECK(read.error().message == "checkpoint file 'file' is damaged at byte 33: expected '\"bunch\":'");
}

TEST_CASE("plans name idle watermarks and commits when inputs had rows last; without any the records are as before") {
  plan_record plan;
  plan.batch = 3;
  plan.query = "q";
  plan.extracts = {{"left", {{"split", 1, 2}}}};
  CHECK(to_record(plan).find("idle") == std::string::npos);
  plan.idle = {"count.left", "count.right"};
  const auto read = read_plan_record(to_record(plan), "plan");
  REQUIRE(read.ok());
  CHECK(*read == plan);

  commit_record commit;
  commit.batch = 3;
  commit.query = "q";
  commit.steps = {{"count", timestamp{5}, {4}}};
  CHECK(to_record(commit).find("last_rows_at") == std::string::npos);
  commit.activity = {{"left", {17}}, {"right", {-1}}};
  const auto committed = read_commit_record(to_record(commit), "commit");
  REQUIRE(committed.ok());
  CHECK(*committed == commit);
}
