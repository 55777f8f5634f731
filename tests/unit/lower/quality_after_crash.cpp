#include "support/catch.hpp"
#include "support/failing_sink.hpp"
#include "support/temporary_directory.hpp"

#include <etlantic/etlantic.hpp>

// Quality gates remember batches that were committed, also where a restart has to compute these again.

using namespace etlantic;
using namespace std::chrono_literals;

namespace {

struct Event {
  std::int64_t id;
};

struct world {
  test::temporary_directory folder;
  std::shared_ptr<memory_source<Event>> in = std::make_shared<memory_source<Event>>();
  std::shared_ptr<memory_sink<Event>> out = std::make_shared<memory_sink<Event>>();
  std::shared_ptr<test::failing_sink> sink = std::make_shared<test::failing_sink>(out);
  profile where;

  explicit world(quality_gate gate) {
    where.trigger.kind = trigger_kind::available_now;
    where.checkpoint = folder / "checkpoint";
    where.snapshot_interval = 24h;  // none but the one of a clean end
    where.assets["in"].made_source = in;
    where.assets["out"].made_sink = sink;
    where.quality.push_back(std::move(gate));
  }

  void add(std::size_t rows) { in->add(std::vector<Event>(rows, Event{1})); }
  result<progress> run() { return etlantic::run(from<Event>("in") | into("out"), where); }
};

quality_gate at_most_8_rows(std::int64_t batches, gate_outcome otherwise) {
  return {.name = "few",
          .of = "in",
          .metric = quality_metric::row_count,
          .at_most = 8,
          .batches = batches,
          .otherwise = otherwise};
}

}  // namespace

TEST_CASE("a gate over several batches says the same after a restart that computes them again") {
  world made(at_most_8_rows(2, gate_outcome::fail));
  for (const std::size_t rows : {std::size_t{5}, std::size_t{3}, std::size_t{6}}) made.add(rows);
  for (int start = 0; start < 3; ++start) {
    const auto ran = made.run();
    REQUIRE(!ran.ok());
    INFO(ran.error().message);
    CHECK(ran.error().code == "PMSTREAM416");
    CHECK(ran.error().message.find("row_count is 9 over 9 rows of up to 2 batches") != std::string::npos);
    CHECK(made.out->rows().size() == 8);
  }
  made.where.quality.clear();
  REQUIRE(made.run().ok());
  CHECK(made.out->rows().size() == 14);
}

TEST_CASE("a batch that was accepted is computed again without being asked for") {
  world made(at_most_8_rows(1, gate_outcome::pause));
  made.add(10);
  CHECK(made.run().error().code == "PMSTREAM417");
  CHECK(made.out->rows().empty());

  made.where.accepted_batch = 0;
  made.add(2);
  made.sink->fails_behind = true;  // behind the publication of batch 0, which is replayed and accepted once more
  CHECK(made.run().error().code == "TEST");
  made.sink->fails_behind = false;
  REQUIRE(made.run().ok());
  CHECK(made.out->rows().size() == 12);

  // Batch 2 is accepted and committed behind the snapshot of the clean end; then batch 3 dies.
  made.add(9);
  made.where.accepted_batch = 2;
  made.add(1);
  std::size_t batches = 0;
  query::listener die_after_first = [&](const progress&) { made.sink->fails_before = ++batches == 1; };
  auto started = start(from<Event>("in") | into("out"), made.where, die_after_first);
  REQUIRE(started.ok());
  started->await();
  REQUIRE(!started->outcome().ok());
  CHECK(started->outcome().error().code == "TEST");
  made.sink->fails_before = false;
  made.where.accepted_batch = -1;
  const auto ran = made.run();
  INFO((ran ? "" : ran.error().message));
  REQUIRE(ran.ok());
  REQUIRE(!ran->warnings.empty());
  CHECK(made.out->rows().size() == 22);
}
