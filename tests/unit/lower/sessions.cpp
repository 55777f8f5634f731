#include "support/catch.hpp"

#include <etlantic/etlantic.hpp>

#include <limits>

// What sessions are in a whole pipeline, beyond what the cases show.

using namespace etlantic;
using namespace std::chrono_literals;

namespace {

struct Click {
  std::int64_t user;
  timestamp time;
  std::int64_t value = 1;
  std::optional<duration> patience = std::nullopt;
};

struct Visit {
  std::int64_t user;
  timestamp window_start, window_end;
  std::int64_t clicks;
  bool operator==(const Visit&) const = default;
};
struct KeyedVisit {
  std::int64_t user;
  timestamp window_start;
  std::int64_t clicks;
  using key = primary_key<"user", "window_start">;
};
struct Worth {
  std::int64_t user;
  timestamp window_start, window_end;
  std::int64_t worth;
};

timestamp at(double seconds) { return {static_cast<std::int64_t>(seconds * 1e6)}; }

/// What a bare pipeline from `in` into `out` published; every vector of rows is a batch.
template <class Result>
struct outcome {
  std::shared_ptr<memory_source<Click>> in = std::make_shared<memory_source<Click>>();
  std::shared_ptr<memory_sink<Result>> out = std::make_shared<memory_sink<Result>>();
  std::shared_ptr<memory_sink<late<Click>>> late_clicks = std::make_shared<memory_sink<late<Click>>>();
  std::shared_ptr<memory_sink<rejected<Result>>> wrong = std::make_shared<memory_sink<rejected<Result>>>();
  stage_counts counts;

  void run(const auto& pipeline, const std::vector<std::vector<Click>>& batches) {
    for (const auto& each : batches) in->add(each);
    profile where;
    where.name = "test";
    where.trigger.kind = trigger_kind::available_now;
    where.assets["in"].made_source = in;
    where.assets["out"].made_sink = out;
    where.assets["late"].made_sink = late_clicks;
    where.assets["wrong"].made_sink = wrong;
    const auto done = etlantic::run(pipeline, where);
    INFO((done ? "" : done.error().message + " " + done.error().where));
    REQUIRE(done.ok());
    counts = done->steps.at(0).counts;
    CHECK(counts.received == accounted_for(counts));
  }
};

constexpr side_assets sides{.late = "late", .invalid_results = "wrong"};

}  // namespace

TEST_CASE("a late row is late by its own session, also where an open session reaches around it") {
  outcome<Visit> test;
  // The third batch ran behind one under watermark 100: [92, 102) is open, and a row at 90 would extend it, but its own
  // session [90, 100) is closed. The row at 90.5 is not late.
  test.run(from<Click>("in") | watermark<"time">(0s) | group_by<"user"> | session<"time">(10s) |
               aggregate<Visit>(named<"clicks"> = count()) | into("out", sides),
           {{{1, at(92)}, {2, at(100)}}, {{2, at(101)}}, {{1, at(90)}, {1, at(90.5)}, {2, at(500)}}, {{2, at(600)}}});
  const auto rows = test.out->rows();
  REQUIRE(rows.size() == 3);
  CHECK(rows[0] == Visit{1, at(90.5), at(102), 2});
  CHECK(rows[1] == Visit{2, at(100), at(111), 2});
  CHECK(rows[2] == Visit{2, at(500), at(510), 1});
  REQUIRE(test.late_clicks->rows().size() == 1);
  const late<Click> row = test.late_clicks->rows()[0];
  CHECK(row.event.time == at(90));
  CHECK(row.window_start == at(90));
  CHECK(row.window_end == at(100));
  CHECK(row.watermark == at(100));
}

TEST_CASE("sessions with gaps of their rows reach as far as the row that waits longest") {
  outcome<Visit> test;
  test.run(from<Click>("in") | watermark<"time">(0s) | group_by<"user"> | session<"time">(field<"patience">) |
               aggregate<Visit>(named<"clicks"> = count()) | into("out", sides),
           {{{1, at(0), 1, 100s}, {1, at(10), 1, 1s}, {1, at(60), 1, 5s}, {1, at(100), 1, 1us}, {1, at(101), 1, 1us}},
            {{2, at(1000), 1, 1s}}});
  const auto rows = test.out->rows();
  REQUIRE(rows.size() == 2);
  CHECK(rows[0] == Visit{1, at(0), at(100.000001), 4});
  CHECK(rows[1] == Visit{1, at(101), at(101.000001), 1});
}

TEST_CASE("a row without a gap has no session and still moves the watermark, as by a filter on the event time") {
  outcome<Visit> test;
  test.run(from<Click>("in") | watermark<"time">(0s) | group_by<"user"> | session<"time">(field<"patience">) |
               aggregate<Visit>(named<"clicks"> = count()) | into("out", sides),
           {{{1, at(5), 1, 1s}, {1, at(100), 1, std::nullopt}, {1, at(50), 1, 0s}, {1, at(50), 1, -1s}}});
  REQUIRE(test.out->rows().size() == 1);
  CHECK(test.out->rows()[0] == Visit{1, at(5), at(6), 1});
  CHECK(test.counts.filtered == 3);
  CHECK(test.counts.kept == 1);
}

TEST_CASE("a gap that cannot be computed makes its row invalid") {
  constexpr duration most = duration::max();
  outcome<Visit> test;
  test.run(from<Click>("in") | watermark<"time">(0s) | group_by<"user"> | session<"time">(field<"patience"> + 1s) |
               aggregate<Visit>(named<"clicks"> = count()) | into("out", sides),
           {{{1, at(5), 1, 1s}, {1, at(6), 1, most}}, {{2, at(100), 1, 1s}}});
  REQUIRE(test.out->rows().size() == 1);
  CHECK(test.out->rows()[0] == Visit{1, at(5), at(7), 1});
  REQUIRE(test.wrong->rows().size() == 1);
  CHECK(test.wrong->rows()[0].code == text("PMSTREAM480"));
  CHECK(test.counts.invalid == 1);
}

TEST_CASE("DC-13: a session whose sum does not fit is rejected with key and bounds when it closes, once") {
  constexpr std::int64_t greatest = std::numeric_limits<std::int64_t>::max();
  outcome<Worth> test;
  test.run(from<Click>("in") | watermark<"time">(0s) | group_by<"user"> | session<"time">(10s) |
               aggregate<Worth>(named<"worth"> = sum(field<"value">)) | into("out", sides),
           {{{1, at(0), greatest}, {2, at(0), 5}}, {{1, at(5), 1}}, {{3, at(50), 1}}, {{3, at(90), 1}}});
  REQUIRE(test.out->rows().size() == 2);
  CHECK(test.out->rows()[0].user == 2);
  REQUIRE(test.wrong->rows().size() == 1);
  CHECK(test.wrong->rows()[0].payload.value == R"({"user":1,"window_start":"1970-01-01T00:00:00.000000Z",)"
                                               R"("window_end":"1970-01-01T00:00:15.000000Z"})");
  CHECK(test.counts.rejected_results == 1);
}

TEST_CASE("SES-07: sessions without a key, and those into a contract with a key, come out once") {
  struct Count {
    timestamp window_start, window_end;
    std::int64_t clicks;
  };
  outcome<Count> alone;
  alone.run(from<Click>("in") | watermark<"time">(0s) | session<"time">(10s) |
                aggregate<Count>(named<"clicks"> = count()) | into("out", sides),
            {{{1, at(0)}, {2, at(5)}}, {{3, at(14)}, {4, at(100)}}});
  REQUIRE(alone.out->rows().size() == 1);
  CHECK(alone.out->rows()[0].window_end == at(24));
  CHECK(alone.out->rows()[0].clicks == 3);

  outcome<KeyedVisit> keyed;
  keyed.run(from<Click>("in") | watermark<"time">(0s) | group_by<"user"> | session<"time">(10s) |
                aggregate<KeyedVisit>(named<"clicks"> = count()) | into("out", sides),
            {{{1, at(0)}}, {{1, at(5)}}, {{1, at(100)}}});
  REQUIRE(keyed.out->rows().size() == 1);
  CHECK(keyed.out->rows()[0].clicks == 2);
}

TEST_CASE("what stands behind sessions works on their results") {
  outcome<Visit> test;
  test.run(from<Click>("in") | watermark<"time">(0s) | group_by<"user"> | session<"time">(10s) |
               aggregate<Visit>(named<"clicks"> = count()) | where(field<"clicks"> > 1) | into("out", sides),
           {{{1, at(0)}, {2, at(0)}, {2, at(1)}}, {{3, at(100)}}});
  REQUIRE(test.out->rows().size() == 1);
  CHECK(test.out->rows()[0] == Visit{2, at(0), at(11), 2});
}

TEST_CASE("sessions of the results of windows, and windows of the results of sessions") {
  struct PerSecond {
    std::int64_t user;
    timestamp window_end;
    std::int64_t clicks;
  };
  struct Busy {
    std::int64_t user;
    timestamp window_start, window_end;
    std::int64_t seconds;
    std::int64_t clicks;
    bool operator==(const Busy&) const = default;
  };
  outcome<Busy> busy;
  busy.run(from<Click>("in") | watermark<"time">(0s) | group_by<"user"> | tumbling<"time">(1s) |
               aggregate<PerSecond>(named<"clicks"> = count()) | group_by<"user"> | session<"window_time">(2s) |
               aggregate<Busy>(named<"seconds"> = count(), named<"clicks"> = sum(field<"clicks">)) | into("out", sides),
           {{{1, at(0)}, {1, at(0.5)}, {1, at(1)}, {1, at(2.9)}, {1, at(5)}}, {{2, at(50)}}, {{2, at(100)}}});
  const auto rows = busy.out->rows();
  REQUIRE(rows.size() == 3);
  CHECK(rows[0] == Busy{1, at(0.999999), at(4.999999), 3, 4});
  CHECK(rows[1] == Busy{1, at(5.999999), at(7.999999), 1, 1});
  CHECK(rows[2] == Busy{2, at(50.999999), at(52.999999), 1, 1});

  struct PerMinute {
    timestamp window_start;
    std::int64_t visits, clicks;
    bool operator==(const PerMinute&) const = default;
  };
  outcome<PerMinute> minutes;
  minutes.run(
      from<Click>("in") | watermark<"time">(0s) | group_by<"user"> | session<"time">(10s) |
          aggregate<Visit>(named<"clicks"> = count()) | tumbling<"window_time">(1min) |
          aggregate<PerMinute>(named<"visits"> = count(), named<"clicks"> = sum(field<"clicks">)) | into("out", sides),
      {{{1, at(0)}, {1, at(5)}, {2, at(50)}, {2, at(51)}, {3, at(49)}}, {{3, at(55)}}, {{4, at(500)}}, {{4, at(600)}}});
  const auto totals = minutes.out->rows();
  REQUIRE(totals.size() == 3);
  CHECK(totals[0] == PerMinute{at(0), 1, 2});   // [0, 15)
  CHECK(totals[1] == PerMinute{at(60), 2, 4});  // [50, 61) and [49, 65)
  CHECK(totals[2] == PerMinute{at(480), 1, 1});
}

TEST_CASE("sessions at the ends of the range of times stop there") {
  constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min(),
                         greatest = std::numeric_limits<std::int64_t>::max();
  outcome<Visit> test;
  test.run(from<Click>("in") | session<"time">(10s) | group_by<"user"> | aggregate<Visit>(named<"clicks"> = count()) |
               into<output_mode::complete>("out", sides),
           {{{1, {greatest - 1}},
             {1, {greatest}},
             {1, {least}},
             {1, {greatest - 20'000'000}},
             {1, {-5'000'000}},
             {1, {5'000'000}}}});
  const auto rows = test.out->rows();
  REQUIRE(rows.size() == 4);
  CHECK(rows[0] == Visit{1, {least}, {least + 10'000'000}, 1});
  CHECK(rows[1] == Visit{1, {-5'000'000}, {15'000'000}, 2});
  CHECK(rows[2] == Visit{1, {greatest - 20'000'000}, {greatest - 10'000'000}, 1});
  CHECK(rows[3] == Visit{1, {greatest - 1}, {greatest}, 2});
}

TEST_CASE("the gap of sessions is shown, and is part of what saved state must agree with") {
  const auto step_of = [](const auto& gap) {
    return lower(from<Click>("in") | watermark<"time">(1s) | group_by<"user"> | session<"time">(gap) |
                 aggregate<Visit>(named<"clicks"> = count()) | into("out"))
        ->nodes.at(1);
  };
  const program_node step = step_of(30min);
  CHECK(step.state_schema == "key user int64; session time gap 30min duration; aggregate clicks = count() int64");
  const auto shown = std::find_if(step.operators.begin(), step.operators.end(),
                                  [](const auto& each) { return each.name == "session"; });
  REQUIRE(shown != step.operators.end());
  std::vector<std::pair<std::string, std::string>> settings;
  for (const setting& each : shown->settings) settings.emplace_back(each.name, each.value);
  CHECK(settings == std::vector<std::pair<std::string, std::string>>{{"event_time", "time"}, {"gap", "30min"}});
  CHECK(step_of(31min).state_schema != step.state_schema);
  CHECK(step_of(field<"patience">).state_schema != step.state_schema);
  CHECK(step_of(field<"value">).state_schema != step_of(field<"patience">).state_schema);
}

TEST_CASE("a gap of a bare pipeline that cannot work is a failure before anything runs") {
  const auto with = [](duration gap) {
    return lower(from<Click>("in") | watermark<"time">(1s) | group_by<"user"> | session<"time">(gap) |
                 aggregate<Visit>(named<"clicks"> = count()) | into("out"));
  };
  CHECK(with(1us).ok());
  CHECK(with(0s).error().message == "the gap of a session must be greater than zero");
  CHECK(with(-5s).error().code == "PMPIPE310");
}
