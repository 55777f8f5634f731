#include "support.hpp"

#include <etlantic/connect/delta/source.hpp>
#include <etlantic/runtime/source.hpp>

using namespace etlantic;
using namespace etlantic::test;

namespace {

const field_description pair_fields[] = {plain_field("k", logical_type::int64), plain_field("v", logical_type::int64)};
const schema pairs{.id = "pairs", .version = "1", .fields = pair_fields};

/// JSON as it stands in a text of JSON.
std::string quoted_again(const std::string& text) {
  std::string made;
  for (const char c : text) made += (c == '"' || c == '\\' ? std::string("\\") : std::string()) + c;
  return made;
}

struct mapped_column {
  std::string name;
  std::string in_files;
  int id;
};

struct mapped_table : table_folder {
  /// A version that gives the columns of the files these names.
  void map(const std::string& mode, const std::vector<mapped_column>& columns) const {
    std::string fields;
    for (const mapped_column& each : columns)
      fields += (fields.empty() ? "" : ",") + std::string(R"({"name":")") + each.name +
                R"(","type":"long","nullable":true,"metadata":{"delta.columnMapping.id":)" + std::to_string(each.id) +
                R"(,"delta.columnMapping.physicalName":")" + each.in_files + R"("}})";
    const std::string id = state().metadata->id;
    std::ofstream(log(version() + 1))
        << R"({"protocol":{"minReaderVersion":2,"minWriterVersion":5}})"
        << "\n"
        << R"({"metaData":{"id":")" << id
        << R"(","format":{"provider":"parquet","options":{}},"schemaString":"{\"type\":\"struct\",\"fields\":[)"
        << quoted_again(fields) << R"(]}","partitionColumns":[],"configuration":{"delta.columnMapping.mode":")" << mode
        << R"("}}})"
        << "\n";
  }

  texts read(const schema& contract) const {
    const auto from = value_of(make_delta_source({.connector = "delta", .options = {{"path", path()}}}));
    succeed(from->open(contract));
    row_collector into;
    for (const split_range& each : value_of(from->plan({}))) succeed(from->read(each, into));
    CHECK(into.wrong.empty());
    return into.found;
  }
};

}  // namespace

TEST_CASE("delta: columns go by the names that the table has now, also where these are names of others in the files") {
  const mapped_table at;
  publish(*at.opened(pairs, output_mode::append),
          batch_of(0, output_mode::append, make_block(pairs, {{1, 10}, {2, 20}})));
  at.map("name", {{"v", "k", 1}, {"k", "v", 2}});
  CHECK(at.read(pairs) == texts{"10|1", "20|2"});
  at.map("name", {{"was_k", "k", 1}, {"v", "v", 2}, {"k", "col-1", 3}});
  const field_description with_new_fields[] = {nullable(plain_field("k", logical_type::int64)),
                                               plain_field("was_k", logical_type::int64)};
  const schema with_new{.id = "new", .version = "1", .fields = with_new_fields};
  CHECK(at.read(with_new) == texts{"null|1", "null|2"});
}

TEST_CASE(
    "delta: a table that maps columns by id is refused where a column has none, and its files where fields have none") {
  const mapped_table at;
  publish(*at.opened(pairs, output_mode::append), batch_of(0, output_mode::append, make_block(pairs, {{1, 10}})));
  at.map("id", {{"k", "k", 1}, {"v", "v", 2}});
  const delta::table_state table = at.state();
  const auto layout = value_of(delta::layout_of(*table.metadata, at.path()));
  const auto rows = delta::read_file_rows(at.store(), layout, table.files.begin()->second);
  REQUIRE_FALSE(rows.ok());
  CHECK(rows.error().code == "PMSTREAM451");
  CHECK(rows.error().message == "the columns have no field ids in the file, and the table goes by these");
  at.map("id", {{"k", "k", 1}, {"v", "v", 1}});
  CHECK(delta::layout_of(*at.state().metadata, "").error().message ==
        "the table maps columns by id, and column `v` has none of its own");
  at.map("colour", {{"k", "k", 1}});
  CHECK(delta::check_readable(at.state(), "").error().message.find("columnMapping (colour)") != std::string::npos);
}

TEST_CASE("delta: mapped by id, a column is found whatever it is called in the file") {
  const delta::folder_store store((data_folder() / "delta/table-with-columnmapping-mode-id/table").string());
  delta::table_state table = value_of(delta::load_table(store));
  const auto read = [&] {
    const auto layout = value_of(delta::layout_of(*table.metadata, ""));
    texts found;
    for (const auto& [key, file] : table.files)
      for (const block& each : value_of(delta::read_file_rows(store, layout, file)))
        for (std::size_t row = 0; row < each.rows; ++row) {
          std::string text;
          for (const column& of : each.columns) text += cell_text(of, row) + '|';
          found.push_back(text);
        }
    return found;
  };
  const texts before = read();
  CHECK(before.size() == 6);
  std::string& schema = table.metadata->schema;
  for (std::size_t at = 0; (at = schema.find("\"col-", at)) != std::string::npos; ++at)
    schema.replace(at + 1, 3, "other");
  CHECK(read() == before);
}
