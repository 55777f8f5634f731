#include "support.hpp"

using namespace etlantic;
using namespace etlantic::test;

namespace {

const field_description flagged_fields[] = {
    keyed(plain_field("k", logical_type::int64)), nullable(plain_field("gone", logical_type::boolean)),
    plain_field("v", logical_type::int64), plain_field("other", logical_type::boolean)};
const schema flagged{.id = "flagged", .version = "1", .fields = flagged_fields};
const std::map<std::string, std::string> by_gone = {{"delete_when", "gone"}};

std::vector<cell> row(std::int64_t k, cell gone, std::int64_t v) { return {k, std::move(gone), v, true}; }

publication changes(std::int64_t batch, const std::vector<std::vector<cell>>& rows) {
  return batch_of(batch, output_mode::update, make_block(flagged, rows));
}

}  // namespace

TEST_CASE("delta: rows with the flag remove the row with their key, and the flag is no column") {
  const table_folder at;
  auto to = at.opened(flagged, output_mode::update, {"q", "n"}, by_gone);
  publish(*to, changes(0, {row(1, false, 1), row(2, nullptr, 2), row(3, false, 3)}));
  publish(*to, changes(1, {row(1, true, 9), row(3, false, 4), row(7, true, 0)}));
  CHECK(at.rows() == texts{"2|2|true", "3|4|true"});
  CHECK(at.state().metadata->schema.find("gone") == std::string::npos);
  publish(*to, changes(1, {row(2, true, 9)}));  // a replay changes nothing
  CHECK(at.rows().size() == 2);
  publish(*to, changes(2, {row(2, true, 0), row(3, true, 0)}));
  CHECK(at.rows().empty());
  CHECK(at.state().files.empty());
  publish(*to, changes(3, {row(2, false, 5)}));
  CHECK(at.rows() == texts{"2|5|true"});
}

TEST_CASE("delta: of several rows of one key the last one says whether the key is gone") {
  const table_folder at;
  auto to = at.opened(flagged, output_mode::update, {"q", "n"}, by_gone);
  publish(*to, changes(0, {row(1, true, 1), row(1, false, 2), row(2, false, 1), row(2, true, 2), row(3, false, 1)}));
  CHECK(at.rows() == texts{"1|2|true", "3|1|true"});
  publication two = changes(1, {row(3, true, 0), row(1, false, 7)});
  two.blocks.push_back(make_block(flagged, {row(3, false, 8), row(1, true, 0)}));
  publish(*to, two);
  CHECK(at.rows() == texts{"3|8|true"});
}

TEST_CASE("delta: deletes of keys that are not there write no file, and the batch is noted") {
  const table_folder at;
  auto to = at.opened(flagged, output_mode::update, {"q", "n"}, by_gone);
  publish(*to, changes(0, {row(1, false, 1)}));
  publish(*to, changes(1, {row(5, true, 1)}));
  CHECK(at.state().files.size() == 1);
  CHECK(at.data_files() == 1);
  CHECK(value_of(to->published({"q", "n"})) == 1);
}

TEST_CASE("delta: a delete that another writer overtakes is done again") {
  const table_folder at;
  auto ours = at.opened(flagged, output_mode::update, {"a", "n"}, by_gone);
  publish(*ours, changes(0, {row(1, false, 1), row(2, false, 2)}));
  auto theirs = at.opened(flagged, output_mode::update, {"b", "n"}, by_gone);
  succeed(ours->prepare(changes(1, {row(1, true, 0), row(3, true, 0)})));
  publish(*theirs, changes(0, {row(3, false, 3), row(2, true, 0)}));
  succeed(ours->commit(1));
  CHECK(at.rows().empty());
}

TEST_CASE(
    "delta: values of columns that the contract lacks stay where rows are replaced and go where they are deleted") {
  const field_description wide_fields[] = {flagged_fields[0], nullable(plain_field("extra", logical_type::text)),
                                           flagged_fields[2], flagged_fields[3]};
  const schema wide{.id = "wide", .version = "1", .fields = wide_fields};
  const table_folder at;
  publish(*at.opened(wide),
          batch_of(0, output_mode::update,
                   make_block(wide, {{1, "one", 1, true}, {2, "two", 2, true}, {3, "three", 3, true}})));
  auto to = at.opened(flagged, output_mode::update, {"b", "n"}, by_gone);
  publish(*to, changes(0, {row(4, false, 4), row(1, true, 0), row(2, false, 7), row(5, true, 0)}));
  CHECK(at.rows() == texts{"2|two|7|true", "3|three|3|true", "4|null|4|true"});
}

TEST_CASE("delta: a flag that cannot be one is refused before anything is written") {
  const auto why = [](const std::string& name, std::map<std::string, std::string> more = {},
                      output_mode mode = output_mode::update) {
    const table_folder at;
    more["delete_when"] = name;
    const auto opened = at.sink_for(std::move(more))->open(flagged, mode, {"q", "n"});
    REQUIRE_FALSE(opened.ok());
    CHECK(opened.error().code == "PMSTREAM430");
    CHECK_FALSE(std::filesystem::exists(at.path()));
    return opened.error().message + " / " + opened.error().help;
  };
  CHECK(why("deleted") == "delete_when names `deleted`, which is no bool field of the contract / valid: gone, other");
  CHECK(why("v").find("no bool field") != std::string::npos);
  CHECK(why("gone", {{"mode", "append"}}).find("merged by a primary key") != std::string::npos);
  CHECK(why("gone", {}, output_mode::complete).find("merged by a primary key") != std::string::npos);
}
