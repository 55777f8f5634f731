#include "support.hpp"

using namespace etlantic;
using namespace etlantic::test;

namespace {

/// A copy of a table that others wrote, without the commits that its checkpoint has.
struct copied_table {
  explicit copied_table(const std::string& name) {
    std::filesystem::copy(data_folder() / "delta" / name / "table", path(), std::filesystem::copy_options::recursive);
    for (std::int64_t version = 0; version < 2; ++version)
      std::filesystem::remove(path() + '/' + delta::commit_name(version));
  }

  std::string path() const { return folder / "table"; }
  std::string log() const { return path() + "/_delta_log/"; }
  result<delta::table_state> load() const { return delta::load_table(delta::folder_store(path())); }

  std::string checkpoint() const {
    for (const auto& each : std::filesystem::directory_iterator(log()))
      if (each.path().filename().string().find(".checkpoint.") != std::string::npos) return each.path().string();
    FAIL("there is no checkpoint");
    return {};
  }

  temporary_directory folder;
};

}  // namespace

TEST_CASE("delta: a V2 checkpoint is read with the files beside it, as JSON, as Parquet, and under the classic name") {
  for (const char* name : {"v2-checkpoint-json", "v2-checkpoint-parquet"}) {
    INFO(name);
    const copied_table at(name);
    const delta::table_state table = value_of(at.load());
    CHECK(table.version == 2);
    CHECK(table.files.size() == 4);
    CHECK(table.protocol->reader_features == texts{"v2Checkpoint"});
    CHECK(table.metadata->configuration.at("delta.checkpointPolicy") == "v2");
    succeed(delta::check_readable(table, ""));
    const field_description fields[] = {nullable(plain_field("id", logical_type::int64))};
    const schema ids{.id = "ids", .version = "1", .fields = fields};
    const auto writer = value_of(make_delta_sink({.connector = "delta", .options = {{"path", at.path()}}}));
    const auto refused = writer->open(ids, output_mode::append, {"q", "n"});
    REQUIRE_FALSE(refused.ok());
    CHECK(refused.error().message.find("v2Checkpoint") != std::string::npos);
  }
  const copied_table at("v2-checkpoint-parquet");
  std::filesystem::rename(at.checkpoint(), at.log() + "00000000000000000002.checkpoint.parquet");
  CHECK(value_of(at.load()).files.size() == 4);
}

TEST_CASE("delta: a V2 checkpoint whose files are gone or damaged is a failure that names the file") {
  for (const char* name : {"v2-checkpoint-json", "v2-checkpoint-parquet"}) {
    const copied_table at(name);
    const std::string first = std::filesystem::directory_iterator(at.log() + "_sidecars")->path().string();
    std::filesystem::resize_file(first, 100);
    CHECK(at.load().error().code == "PMSTREAM451");
    CHECK(at.load().error().where == first);
    std::filesystem::remove(first);
    CHECK(at.load().error().code == "PMSTREAM433");
    CHECK(at.load().error().message.find(first) != std::string::npos);
  }
  const copied_table at("v2-checkpoint-json");
  std::ofstream(at.checkpoint()) << "{\"checkpointMetadata\":{\"version\":2}}\n{\"sidecar\":{\"pa";
  CHECK(at.load().error().code == "PMSTREAM444");
  std::filesystem::remove(at.checkpoint());
  CHECK(at.load().error().message.find("version 0 is missing") != std::string::npos);
}
