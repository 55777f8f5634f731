#include "unit/kafka/fake_cluster.hpp"
#include "unit/kafka/support.hpp"

using namespace etlantic;
using namespace etlantic::test;

namespace {

using texts = std::vector<std::string>;

kafka::partition p(std::int32_t number) { return {"orders", number}; }

kafka::source_settings orders() {
  kafka::source_settings settings;
  settings.topics = {"orders"};
  settings.reaching.timeout_ms = 500;
  return settings;
}

kafka::source_settings orders_from(const std::string& start) {
  kafka::source_settings settings = orders();
  settings.start = *kafka::parse_start(start);
  return settings;
}

/// What a start after a restart knows.
void restart(source& again, const std::vector<split_range>& read) { REQUIRE(again.restore(read).ok()); }

std::string failure_of(const result<std::vector<split_range>>& planned) {
  REQUIRE_FALSE(planned.ok());
  CHECK(planned.error().kind == failure_class::source_data);
  CHECK(planned.error().code == "PMSTREAM428");
  return planned.error().message;
}

}  // namespace

TEST_CASE("KS-01: a range that ends on a marker ends there") {
  fake_cluster cluster;
  cluster.logs[p(0)] = fake_log::filled(0, 5);
  cluster.logs[p(0)].stable = 6;
  const auto from = cluster.source_of(orders());
  const auto ranges = planned(*from);
  CHECK(texts_of(ranges) == texts{"orders/0 0..6"});
  CHECK(read_all(*from, ranges).by_split["orders/0"] == texts{"0:0", "1:1", "2:2", "3:3", "4:4"});
  CHECK(planned(*from).empty());
  const auto again = cluster.source_of(orders());
  restart(*again, ranges);
  CHECK(planned(*again).empty());
}

TEST_CASE("what came while a query waited is planned without a question to the cluster") {
  fake_cluster cluster;
  cluster.logs[p(0)] = fake_log::filled(0, 5);
  cluster.logs[p(1)] = fake_log::filled(0, 2);
  const auto from = cluster.source_of(orders());
  (void)read_all(*from, planned(*from));
  REQUIRE(from->await_rows(duration(1)) == true);
  const int asked = cluster.times_asked;
  cluster.logs[p(0)] = fake_log::filled(0, 8);
  cluster.logs[p(0)].stable = 7;  // the last one is of a transaction that is open
  const auto ranges = planned(*from);
  CHECK(texts_of(ranges) == texts{"orders/0 5..7"});
  CHECK(read_all(*from, ranges).by_split["orders/0"] == texts{"5:5", "6:6"});
  CHECK(planned(*from).empty());
  CHECK(cluster.times_asked == asked);
}

TEST_CASE("a partition that nothing has been planned of is not waited for, and the cluster is asked") {
  fake_cluster cluster;
  cluster.logs[p(0)] = fake_log::filled(0, 5);
  const auto from = cluster.source_of(orders());
  (void)read_all(*from, planned(*from));
  REQUIRE(from->await_rows(duration(1)) == true);
  cluster.logs[p(1)] = fake_log::filled(0, 2);
  CHECK(texts_of(planned(*from)) == texts{"orders/1 0..2"});
}

TEST_CASE("holes within a range are passed over, and offsets stay positions") {
  fake_cluster cluster;
  cluster.logs[p(0)] = {0, 20, {{2, "a"}, {3, "b"}, {11, "c"}, {12, std::nullopt}, {17, "d"}}};
  const auto from = cluster.source_of(orders());
  auto first = read_all(*from, {{"orders/0", 0, 5}});
  CHECK(first.by_split["orders/0"] == texts{"2:a", "3:b"});
  auto second = read_all(*from, {{"orders/0", 5, 10}});
  CHECK(second.count() == 0);
  auto third = read_all(*from, {{"orders/0", 10, 20}});
  CHECK(third.by_split["orders/0"] == texts{"11:c", "17:d"});
  CHECK(third.skipped_records == 1);
  CHECK(cluster.times_read_from == 1);
}

TEST_CASE("all partitions of a batch are begun before the first one is waited for, and taken from meanwhile") {
  fake_cluster cluster;
  for (std::int32_t number = 0; number < 3; ++number) cluster.logs[p(number)] = fake_log::filled(0, 3);
  const auto from = cluster.source_of(orders());
  const auto ranges = planned(*from);
  REQUIRE(ranges.size() == 3);
  CHECK(read_all(*from, {ranges[0]}).count() == 3);
  CHECK(cluster.times_read_from == 3);
  cluster.logs[p(1)] = cluster.logs[p(2)] = fake_log{3, 3, {}};  // expired, but it was fetched before
  CHECK(read_all(*from, {ranges[1]}).by_split["orders/1"] == texts{"0:0", "1:1", "2:2"});
  CHECK(read_all(*from, {ranges[2]}).by_split["orders/2"] == texts{"0:0", "1:1", "2:2"});
  CHECK(cluster.times_read_from == 3);
}

TEST_CASE("what is taken of other partitions is bounded") {
  fake_cluster cluster;
  for (std::int32_t number = 0; number < 2; ++number) cluster.logs[p(number)] = fake_log::filled(0, 600);
  auto settings = orders();
  settings.chunk_bytes = 30;
  settings.ahead_bytes = 200;  // a hundred for each, of records of two to four bytes
  const auto from = cluster.source_of(settings);
  const auto ranges = planned(*from);
  CHECK(read_all(*from, {ranges[0]}).count() == 600);
  CHECK(cluster.taken[p(1)] >= 20);
  CHECK(cluster.taken[p(1)] <= 50);
  CHECK(read_all(*from, {ranges[1]}).count() == 600);
}

TEST_CASE("KS-03: a log that begins where the query stopped has lost nothing") {
  fake_cluster cluster;
  cluster.logs[p(0)] = fake_log::filled(102, 110);
  const auto from = cluster.source_of(orders());
  restart(*from, {{"orders/0", 100, 102}});
  CHECK(texts_of(planned(*from)) == texts{"orders/0 102..110"});
}

TEST_CASE("KS-03: a log that begins behind it may have") {
  fake_cluster cluster;
  cluster.logs[p(0)] = fake_log::filled(102, 110);
  const auto from = cluster.source_of(orders());
  restart(*from, {{"orders/0", 100, 101}});
  CHECK(failure_of(from->plan({})) ==
        "the partition orders/0 begins at offset 102, but had been read up to 101 only: up to 1 records expired before "
        "they were read");
  auto settings = orders();
  settings.continues_after_loss = true;
  const auto lenient = cluster.source_of(settings);
  restart(*lenient, {{"orders/0", 100, 101}});
  CHECK(texts_of(planned(*lenient)) == texts{"orders/0 102..110"});
  CHECK(lenient->take_warnings().size() == 1);
  CHECK(planned(*lenient).empty());
  CHECK(lenient->take_warnings().empty());
}

TEST_CASE("KS-04: what a transaction has not decided is not planned") {
  fake_cluster cluster;
  cluster.logs[p(0)] = fake_log::filled(0, 10);
  cluster.logs[p(0)].stable = 4;
  const auto from = cluster.source_of(orders());
  REQUIRE(from->freeze().ok());
  const auto ranges = planned(*from);
  CHECK(texts_of(ranges) == texts{"orders/0 0..4"});
  CHECK(read_all(*from, ranges).count() == 4);
  cluster.logs[p(0)].stable = 10;
  CHECK(planned(*from).empty());
}

TEST_CASE("KS-06: a topic that was created anew is a loss") {
  fake_cluster cluster;
  cluster.logs[p(0)] = fake_log::filled(0, 3);
  const auto from = cluster.source_of(orders());
  restart(*from, {{"orders/0", 0, 10}});
  CHECK(failure_of(from->plan({})) ==
        "the partition orders/0 ends at offset 3, but had been read up to 10: the topic was cut or created anew, and "
        "how many records are lost is not known");
  auto settings = orders();
  settings.continues_after_loss = true;
  const auto lenient = cluster.source_of(settings);
  restart(*lenient, {{"orders/0", 0, 10}});
  const auto ranges = planned(*lenient);
  CHECK(texts_of(ranges) == texts{"orders/0 0..3"});
  CHECK(read_all(*lenient, ranges).by_split["orders/0"] == texts{"0:0", "1:1", "2:2"});
  const auto warnings = lenient->take_warnings();
  REQUIRE(warnings.size() == 1);
  CHECK(warnings[0].starts_with("PMSTREAM428: the partition orders/0 ends at offset 3"));
}

TEST_CASE("a topic that was created anew with fewer partitions is a loss") {
  fake_cluster cluster;
  cluster.logs[p(0)] = fake_log::filled(0, 30);
  const auto from = cluster.source_of(orders());
  restart(*from, {{"orders/0", 0, 10}, {"orders/1", 0, 10}});
  CHECK(failure_of(from->plan({})).starts_with("the partition orders/1 is not there any more"));
}

TEST_CASE("records that expire between plan and read are a loss") {
  for (const bool continues : {false, true}) {
    fake_cluster cluster;
    cluster.logs[p(0)] = fake_log::filled(0, 10);
    auto settings = orders();
    settings.continues_after_loss = continues;
    const auto from = cluster.source_of(settings);
    const auto ranges = planned(*from);
    cluster.logs[p(0)] = fake_log::filled(7, 12);
    taken_documents taken;
    const auto done = from->read(ranges[0], taken);
    if (continues) {
      REQUIRE(done.ok());
      CHECK(taken.by_split["orders/0"] == texts{"7:7", "8:8", "9:9"});
      CHECK(from->take_warnings().size() == 1);
      CHECK(texts_of(planned(*from)) == texts{"orders/0 10..12"});
    } else {
      REQUIRE_FALSE(done.ok());
      CHECK(done.error().code == "PMSTREAM428");
      CHECK(done.error().message.find("up to 7 records expired") != std::string::npos);
    }
  }
}

TEST_CASE("a range that the topic does not reach any more does not wait for ever") {
  fake_cluster cluster;
  cluster.logs[p(0)] = fake_log::filled(0, 3);
  const auto from = cluster.source_of(orders());
  taken_documents taken;
  const auto done = from->read({"orders/0", 0, 10}, taken);
  REQUIRE_FALSE(done.ok());
  CHECK(done.error().code == "PMSTREAM428");
}

TEST_CASE("KS-07: a partition that is added is read from its first record, also after latest") {
  fake_cluster cluster;
  cluster.logs[p(0)] = fake_log::filled(0, 50);
  const auto from = cluster.source_of(orders_from("latest"));
  // Kept in the checkpoint, so that a restart before the first record begins at the same place.
  CHECK(texts_of(planned(*from)) == texts{"orders/0 50..50"});
  CHECK(planned(*from).empty());
  cluster.logs[p(1)] = fake_log::filled(0, 7);
  const auto ranges = planned(*from);
  CHECK(texts_of(ranges) == texts{"orders/1 0..7"});
  CHECK(read_all(*from, ranges).count() == 7);

  const auto again = cluster.source_of(orders_from("latest"));
  restart(*again, {{"orders/0", 50, 50}});
  CHECK(texts_of(planned(*again)) == texts{"orders/1 0..7"});

  cluster.logs[p(2)] = fake_log::filled(3, 7);
  CHECK(
      failure_of(again->plan({})).starts_with("the partition orders/2 begins at offset 3, but had been read up to 0"));
}

TEST_CASE("KS-08: a limit is shared in proportion, and none starves") {
  fake_cluster cluster;
  cluster.logs[p(0)] = fake_log::filled(100, 201);
  cluster.logs[p(1)] = fake_log::filled(10, 21);
  cluster.logs[p(2)] = fake_log::filled(1, 2);
  const intake_limits ten{.max_rows = 10};
  const auto from = cluster.source_of(orders());
  CHECK_FALSE(from->waiting().known());
  CHECK(texts_of(planned(*from, ten)) == texts{"orders/0 100..108", "orders/1 10..11", "orders/2 1..2"});
  CHECK(from->waiting() == waiting_input{.rows = 113 - 10});
  const auto second = planned(*from, ten);
  CHECK(from->waiting() == waiting_input{.rows = 113 - 20});
  CHECK(texts_of(second) == texts{"orders/0 108..117", "orders/1 11..12"});
  const texts third{"orders/0 117..126", "orders/1 12..13"};
  CHECK(texts_of(planned(*from, ten)) == third);
  const auto again = cluster.source_of(orders());
  restart(*again, {{"orders/0", 108, 117}, {"orders/1", 11, 12}, {"orders/2", 1, 2}});
  CHECK(texts_of(planned(*again, ten)) == third);
}

TEST_CASE("KS-11: the checkpoint counts, and the group is only told") {
  fake_cluster cluster;
  cluster.logs[p(0)] = fake_log::filled(0, 12);
  cluster.shown[p(0)] = 9;
  auto settings = orders_from("latest");
  settings.reaching.group = "shown";
  const auto from = cluster.source_of(settings);
  restart(*from, {{"orders/0", 0, 5}});
  const auto ranges = planned(*from);
  CHECK(texts_of(ranges) == texts{"orders/0 5..12"});
  CHECK(read_all(*from, ranges).count() == 7);
  CHECK(cluster.shown[p(0)] == 9);  // the batch may not be committed yet
  CHECK(planned(*from).empty());
  CHECK(cluster.shown[p(0)] == 12);
}

TEST_CASE("KS-13: a tombstone is skipped and counted, an empty record is a row") {
  fake_cluster cluster;
  cluster.logs[p(0)] = {0, 3, {{0, std::nullopt}, {1, ""}, {2, "{}"}}};
  const auto from = cluster.source_of(orders());
  const auto ranges = planned(*from);
  CHECK(texts_of(ranges) == texts{"orders/0 0..3"});
  auto taken = read_all(*from, ranges);
  CHECK(taken.by_split["orders/0"] == texts{"1:", "2:{}"});
  CHECK(taken.skipped_records == 1);
}

TEST_CASE("a replay reads the same records again") {
  fake_cluster cluster;
  cluster.logs[p(0)] = fake_log::filled(0, 30);
  const auto from = cluster.source_of(orders());
  auto first = read_all(*from, {{"orders/0", 5, 12}});
  read_all(*from, {{"orders/0", 12, 20}});
  auto again = read_all(*from, {{"orders/0", 5, 12}});
  CHECK(first.by_split == again.by_split);
  CHECK(again.count() == 7);
}

TEST_CASE("starts: a time, offsets, and what the cluster does not have") {
  fake_cluster cluster;
  cluster.logs[p(0)] = {0, 30, {{5, "a"}, {12, "b"}}};
  cluster.logs[p(1)] = fake_log::filled(0, 3);
  CHECK(texts_of(planned(*cluster.source_of(orders_from("1970-01-01T00:00:00.006Z")))) ==
        texts{"orders/0 12..30", "orders/1 3..3"});
  CHECK(texts_of(planned(*cluster.source_of(orders_from("orders/0=12")))) == texts{"orders/0 12..30", "orders/1 0..3"});
  const auto wrong = cluster.source_of(orders_from("orders/1=4"))->plan({});
  REQUIRE_FALSE(wrong.ok());
  CHECK(wrong.error().code == "PMSTREAM429");
  auto missing = orders();
  missing.topics = {"refunds"};
  const auto nothing = cluster.source_of(missing)->plan({});
  REQUIRE_FALSE(nothing.ok());
  CHECK(nothing.error().code == "PMSTREAM427");
  CHECK(nothing.error().kind == failure_class::configuration);
}

TEST_CASE("a start that cannot be read is refused") {
  for (const char* text : {"earlyest", "orders/0", "orders/0=", "orders=3", "orders/0=-1", "orders/0=1,", "2026-03-01"})
    CHECK_FALSE(kafka::parse_start(text).ok());
  CHECK(kafka::parse_start("orders/0=1, refunds/12=7")->offsets ==
        std::map<kafka::partition, std::int64_t>{{{"orders", 0}, 1}, {{"refunds", 12}, 7}});
}

TEST_CASE("a large range is handed over in parts, and a batch is bounded by bytes too") {
  fake_cluster cluster;
  cluster.logs[p(0)] = fake_log::filled(0, 1000);
  auto settings = orders();
  settings.chunk_bytes = 100;
  const auto from = cluster.source_of(settings);
  auto taken = read_all(*from, {{"orders/0", 0, 1000}});
  CHECK(taken.count() == 1000);
  CHECK(taken.calls > 30);
  REQUIRE(from->restore({}).ok());
  // Records have two or three bytes by now: 2890 of 1000.
  CHECK(texts_of(planned(*from, {.max_bytes = 200})) == texts{"orders/0 0..100"});
}

TEST_CASE("frozen partitions that have been planned to their end are finished") {
  fake_cluster cluster;
  cluster.logs[p(0)] = fake_log::filled(0, 5);
  cluster.logs[p(1)] = fake_log::filled(0, 1);
  const auto from = cluster.source_of(orders());
  const std::vector<std::string> both{"orders/0", "orders/1"};
  CHECK(from->finished(both).empty());
  REQUIRE(from->freeze().ok());
  planned(*from, {.max_rows = 2});
  CHECK(from->finished(both) == texts{"orders/1"});
  planned(*from);
  CHECK(from->finished(both) == both);
}
