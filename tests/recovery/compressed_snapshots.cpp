#include "recovery/hand_made_pipeline.hpp"
#include "support/catch.hpp"
#include "support/data.hpp"

#include <etlantic/runtime/checkpoint_layout.hpp>
#include <etlantic/runtime/checkpoint_snapshot.hpp>

#include <cstdlib>
#include <fstream>
#include <iterator>

using namespace etlantic;
using namespace etlantic::test;
namespace fs = std::filesystem;

namespace {

hand_made_pipeline make_pipeline(const std::string& checkpoint, duration interval, snapshot_compression compression) {
  hand_made_pipeline pipeline{.window = 10 * second,
                              .delay = 5 * second,
                              .checkpoint = checkpoint,
                              .no_data_batches = false,
                              .snapshot_interval = interval,
                              .compression = compression};
  pipeline.input->pause_after_batch = false;
  pipeline.input->add({1, 2, 12, 3, 25, 11});
  return pipeline;
}

std::string contents(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

fs::path snapshot_path(const std::string& checkpoint, std::int64_t batch) {
  return checkpoint_layout{checkpoint}.snapshot(batch);
}

snapshot with_state(std::vector<std::string_view> pieces) {
  snapshot made{"0011", 7, 0x12345678u, {}, {}, snapshot_compression::zstd};
  made.states.push_back({"windows", std::move(pieces)});
  return made;
}

}  // namespace

TEST_CASE("a query goes on from a compressed snapshot, and compression may come and go") {
  const auto order = GENERATE(std::vector{snapshot_compression::zstd, snapshot_compression::zstd},
                              std::vector{snapshot_compression::zstd, snapshot_compression::none},
                              std::vector{snapshot_compression::none, snapshot_compression::zstd});
  const duration interval = GENERATE(duration{0}, duration{std::chrono::hours{24}});
  const temporary_directory kept;
  hand_made_pipeline pipeline = make_pipeline(kept / "checkpoint", interval, order[0]);
  REQUIRE(pipeline.run().ok());
  const bool is_first_compressed = order[0] == snapshot_compression::zstd;
  CHECK(contents(snapshot_path(pipeline.checkpoint, 0)).find("\"compression\":\"zstd\"") !=
        (is_first_compressed ? std::string::npos : 0));
  CHECK(contents(snapshot_path(pipeline.checkpoint, 0))
            .starts_with(is_first_compressed      ? "{\"etlantic\":\"snapshot\",\"version\":3}"
                         : interval == duration{} ? "{\"etlantic\":\"snapshot\",\"version\":1}"
                                                  : "{\"etlantic\":\"snapshot\",\"version\":2}"));
  // 25 moved the watermark to 20: [0,10) and [10,20) leave with the next batch; [20,30) waits for the one behind it.
  pipeline.compression = order[1];
  pipeline.input->add({40});
  REQUIRE(pipeline.run().ok());
  pipeline.input->add({60});
  REQUIRE(pipeline.run().ok());
  CHECK(pipeline.curated->rows == table_rows{{0, 10, 3}, {10, 20, 2}, {20, 30, 1}});
}

TEST_CASE("states of many pieces and of none are compressed to one frame each") {
  const temporary_directory kept;
  const std::string zeros(1'000'000, '\0');
  std::string numbers;
  for (std::int64_t i = 0; i < 300'000; ++i) numbers += std::to_string(i * 7919 % 100'003);
  snapshot made = with_state({zeros, "and", numbers, ""});
  made.states.push_back({"empty", {}});
  const checkpoint_layout layout{kept / "checkpoint"};
  fs::create_directories(layout.states());
  const result<snapshot_receipt> written = write_snapshot_file(layout, made);
  REQUIRE(written.ok());
  CHECK(written->bytes == static_cast<std::int64_t>(fs::file_size(layout.snapshot(7))));
  CHECK(written->bytes < static_cast<std::int64_t>(numbers.size()));
  const result<loaded_snapshot> read = loaded_snapshot::read(contents(layout.snapshot(7)), "here");
  REQUIRE(read.ok());
  CHECK(read->contents().commit == 0x12345678u);
  CHECK(read->contents().compression == snapshot_compression::zstd);
  REQUIRE(read->contents().states.size() == 2);
  CHECK((read->contents().states[0].bytes() == zeros + "and" + numbers));
  CHECK(read->contents().states[1].bytes().empty());
}

TEST_CASE("a compressed snapshot that is cut, changed or says another size is refused") {
  const temporary_directory kept;
  const checkpoint_layout layout{kept / "checkpoint"};
  fs::create_directories(layout.states());
  REQUIRE(write_snapshot_file(layout, with_state({"0123456789", std::string_view("0123456789")})).ok());
  const std::string whole = contents(layout.snapshot(7));
  REQUIRE(loaded_snapshot::read(whole, "here").ok());
  for (std::size_t size = 0; size < whole.size(); ++size)
    CHECK_FALSE(loaded_snapshot::read(whole.substr(0, size), "here").ok());
  for (std::size_t at = 0; at < whole.size(); ++at) {
    std::string changed = whole;
    changed[at] = static_cast<char>(changed[at] ^ 0x10);
    CHECK_FALSE(loaded_snapshot::read(changed, "here").ok());
  }
}

TEST_CASE("a frame takes no more memory than it can fill") {
  const std::string zeros(100'000, '\0');
  const std::string_view piece = zeros;
  const result<std::string> frame = compress({&piece, 1}, "here");
  REQUIRE(frame.ok());
  CHECK(frame->size() < 100);
  CHECK(*decompress(*frame, 100'000, "here") == zeros);
  for (const std::int64_t size : {std::int64_t{-1}, std::int64_t{0}, std::int64_t{99'999}, std::int64_t{100'001},
                                  std::int64_t{1} << 60, INT64_MAX}) {
    const result<std::string> refused = decompress(*frame, size, "here");
    REQUIRE_FALSE(refused.ok());
    CHECK(refused.error().message.find("not as long as it says") != std::string::npos);
  }
  CHECK_FALSE(decompress("no frame", 8, "here").ok());
  CHECK_FALSE(decompress("", 0, "here").ok());
  // A frame of four bytes of magic, a descriptor and eight bytes of size that says 2^60.
  const std::string bomb("\x28\xb5\x2f\xfd\xe0\0\0\0\0\0\0\0\x10", 13);
  CHECK_FALSE(decompress(bomb, std::int64_t{1} << 60, "here").ok());
}

TEST_CASE("a snapshot written by format version 3 is read back to the last detail") {
  const fs::path path = golden_folder() / "checkpoint" / "version-3" / "00000000000000000007.snapshot";
  const result<loaded_snapshot> read = loaded_snapshot::read(contents(path), path.string());
  INFO((read ? std::string() : read.error().message));
  REQUIRE(read.ok());
  CHECK(read->contents().query == "0011");
  CHECK(read->contents().batch == 7);
  CHECK(read->contents().commit == 0x12345678u);
  REQUIRE(read->contents().states.size() == 1);
  CHECK(read->contents().states[0].step == "windows");
  CHECK(read->contents().states[0].bytes() == "what a stage wrote, what a stage wrote");
}
// Run by name to write the golden snapshot into the working directory, when the format gets another version.
TEST_CASE("write the golden snapshot of version 3", "[.]") {
  const checkpoint_layout layout{"version-3"};
  fs::create_directories(layout.states());
  REQUIRE(write_snapshot_file(layout, with_state({"what a stage wrote", ", ", "what a stage wrote"})).ok());
}
