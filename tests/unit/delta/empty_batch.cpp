#include "support.hpp"

using namespace etlantic;
using namespace etlantic::test;

namespace {

const field_description fields[] = {keyed(plain_field("k", logical_type::int64)),
                                    plain_field("v", logical_type::int64)};
const schema totals{.id = "totals", .version = "1", .fields = fields};

publication rows_of(std::int64_t batch, output_mode mode, const std::vector<std::vector<cell>>& rows) {
  return batch_of(batch, mode, make_block(totals, rows));
}

}  // namespace

// A restart compares the newest batch in the log with the checkpoint: a batch that is not there counts as lost.
TEST_CASE("delta: a batch without rows writes its id and nothing else") {
  for (const output_mode mode : {output_mode::append, output_mode::update}) {
    const table_folder at;
    auto to = at.opened(totals, mode, {"q", "n"}, {{"mode", mode == output_mode::append ? "append" : "merge"}});
    publish(*to, rows_of(0, mode, {{1, 1}}));
    publish(*to, rows_of(1, mode, {}));
    publish(*to, {2, mode, {}});  // not even a block
    for (const std::int64_t version : {2, 3}) {
      const std::string log = contents_of(at.log(version));
      CHECK(log.find(R"({"txn":{"appId":"etlantic/q/n","version":)" + std::to_string(version - 1)) !=
            std::string::npos);
      CHECK(log.find(R"("add")") == std::string::npos);
      CHECK(log.find(R"("remove")") == std::string::npos);
    }
    CHECK(at.data_files() == 1);
    CHECK(value_of(at.sink_for()->published({"q", "n"})) == 2);
    publish(*to, rows_of(2, mode, {}));  // replayed: planned from the same ranges, it is as empty as before
    CHECK(at.version() == 3);
    publish(*to, rows_of(3, mode, {{2, 2}}));
    CHECK(at.rows() == texts{"1|1", "2|2"});
  }
}
