#include "support/temporary_directory.hpp"
#include "unit/kafka/fake_cluster.hpp"
#include "unit/kafka/support.hpp"

#include <etlantic/etlantic.hpp>

using namespace etlantic;
using namespace etlantic::test;

// Whole pipelines over a topic: state, quarantine and checkpoint.

namespace {

struct Click {
  text user;
  std::int64_t amount;
};

struct UserTotal {
  text user;
  std::int64_t clicks;
  std::int64_t amount;
  using key = primary_key<"user">;
};

struct AddClicks {
  input<Click> clicks;
  output<UserTotal> totals;
};

constexpr auto implement(const AddClicks& t) {
  return t.clicks | group_by<"user"> |
         aggregate<UserTotal>(named<"clicks"> = count(), named<"amount"> = sum(field<"amount">));
}

struct UserTotals {
  extract<Click, "clicks"> clicks;
  step<AddClicks, "clicks.valid"> add;
  load<UserTotal, "totals", "add.totals", output_mode::update> totals;
  load<rejected<Click>, "rejected", "clicks.invalid"> rejected_clicks;
};

struct run_of_totals {
  fake_cluster cluster;
  temporary_directory folder;
  std::shared_ptr<memory_sink<UserTotal>> totals = std::make_shared<memory_sink<UserTotal>>();
  std::shared_ptr<memory_sink<rejected<Click>>> rejected_clicks = std::make_shared<memory_sink<rejected<Click>>>();

  void add(std::int32_t number, const std::string& value) {
    fake_log& log = cluster.logs[{"clicks", number}];
    log.records[log.stable++] = value;
  }

  /// As a process of its own would: a source that knows nothing but the checkpoint.
  progress run_once() {
    kafka::source_settings settings;
    settings.topics = {"clicks"};
    profile where;
    where.trigger.kind = trigger_kind::available_now;
    where.checkpoint = folder.path() + "/checkpoint";
    where.workers = 3;
    where.assets["clicks"].made_source = cluster.source_of(settings);
    where.assets["totals"].made_sink = totals;
    where.assets["rejected"].made_sink = rejected_clicks;
    auto done = run(UserTotals{}, where);
    if (!done) FAIL(done.error().code + " " + done.error().message);
    return *done;
  }
};

}  // namespace

TEST_CASE("KS-15: a partition with wrong rows only is not read again") {
  run_of_totals of;
  for (const char* value : {"{}", "nothing", ""}) of.add(0, value);
  CHECK(of.run_once().extracts[0].invalid == 3);
  CHECK(of.run_once().rows_read() == 0);
  CHECK(of.rejected_clicks->rows().size() == 3);
  CHECK(of.rejected_clicks->rows()[2].position == 2);
  CHECK(of.rejected_clicks->rows()[2].split == "clicks/0");
}

TEST_CASE("KS-18: rows of one key are one group, whatever partitions they come from") {
  run_of_totals of;
  of.add(0, R"({"user":"other","amount":1})");
  of.add(1, R"({"user":"k","amount":5})");
  of.run_once();
  of.add(2, R"({"user":"other","amount":1})");
  of.add(3, R"({"user":"k","amount":7})");
  of.run_once();
  const auto rows = of.totals->rows();
  REQUIRE(!rows.empty());
  const auto last = std::find_if(rows.rbegin(), rows.rend(), [](const UserTotal& each) { return each.user == "k"; });
  CHECK(last->clicks == 2);
  CHECK(last->amount == 12);
}

TEST_CASE("records without a value are no rows and are in the progress") {
  run_of_totals of;
  of.add(0, R"({"user":"k","amount":5})");
  of.cluster.logs[{"clicks", 0}].records[of.cluster.logs[{"clicks", 0}].stable++] = std::nullopt;
  const progress done = of.run_once();
  CHECK(done.rows_read() == 1);
  CHECK(done.extracts[0].skipped == 1);
}
