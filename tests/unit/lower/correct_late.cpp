#include "recovery/hand_made_pipeline.hpp"
#include "support/catch.hpp"
#include "support/data.hpp"
#include "support/temporary_directory.hpp"

#include <etlantic/etlantic.hpp>
#include <etlantic/runtime/checkpoint_identity.hpp>
#include <etlantic/runtime/checkpoint_layout.hpp>
#include <etlantic/runtime/checkpoint_lock.hpp>
#include <etlantic/runtime/durable_file.hpp>
#include <etlantic/runtime/missed_windows_file.hpp>

#include <filesystem>
#include <map>
#include <random>

// Windows that late rows missed are kept, and a correction run computes them again.

using namespace etlantic;
using namespace std::chrono_literals;

namespace {

struct Event {
  std::int64_t number;
  std::int64_t id;
  timestamp time;
};
struct Count {
  std::int64_t id;
  timestamp window_start, window_end;
  std::int64_t events, sum;
  using key = primary_key<"id", "window_start">;
  bool operator==(const Count&) const = default;
};

timestamp at(std::int64_t seconds) { return {seconds * 1'000'000}; }
Event event(std::int64_t seconds, std::int64_t number, std::int64_t id = 1) { return {number, id, at(seconds)}; }

template <class Window>
auto counted(Window window, duration delay = 0s) {
  return from<Event>("in") | watermark<"time">(delay) | group_by<"id"> | window | correct_late() |
         aggregate<Count>(named<"events"> = count(), named<"sum"> = sum(field<"number">));
}

struct world {
  test::temporary_directory folder;
  std::shared_ptr<memory_source<Event>> in = std::make_shared<memory_source<Event>>();
  std::shared_ptr<memory_sink<Count>> out = std::make_shared<memory_sink<Count>>();

  profile where() const {
    profile made;
    made.trigger.kind = trigger_kind::available_now;
    made.checkpoint = folder.path() + "/checkpoint";
    made.assets["in"].made_source = in;
    made.assets["out"].made_sink = out;
    return made;
  }
  checkpoint_layout layout() const { return {where().checkpoint}; }

  /// Batch by batch, each with the batch without input behind it.
  void run(const auto& pipeline, const std::vector<std::vector<Event>>& batches) {
    for (const auto& each : batches) {
      in->add(each);
      const auto ran = etlantic::run(pipeline, where());
      INFO((ran ? "" : ran.error().message + " " + ran.error().where));
      REQUIRE(ran.ok());
    }
  }
  correction corrected(const auto& pipeline) {
    const auto made = correct(pipeline, where());
    INFO((made ? "" : made.error().message + " " + made.error().where));
    REQUIRE(made.ok());
    return *made;
  }

  /// What a table with the contract's key holds: of each key the row that came last.
  std::map<std::pair<std::int64_t, std::int64_t>, Count> table() const {
    std::map<std::pair<std::int64_t, std::int64_t>, Count> made;
    for (const Count& each : out->rows()) made[{each.id, each.window_start.microseconds}] = each;
    return made;
  }
  std::size_t waiting_files() const {
    std::size_t count = 0;
    if (std::filesystem::exists(layout().corrections()))
      for (const auto& each : std::filesystem::directory_iterator(layout().corrections()))
        count += each.path().extension() == ".windows" || each.path().extension() == ".taken";
    return count;
  }
};

}  // namespace

TEST_CASE("a correction run computes the windows again that late rows missed, and no others") {
  world made;
  const auto pipeline = counted(tumbling<"time">(10s)) | into<output_mode::append>("out");
  made.run(pipeline, {{event(1, 1), event(2, 2)}, {event(15, 4)}, {event(3, 8)}, {event(25, 16)}, {event(31, 32)}});
  CHECK(made.out->rows() ==
        std::vector<Count>{{1, at(0), at(10), 2, 3}, {1, at(10), at(20), 1, 4}, {1, at(20), at(30), 1, 16}});

  const correction first = made.corrected(pipeline);
  CHECK(first.windows == 1);
  CHECK(first.done.rows_read() == 6);
  CHECK(made.out->rows().back() == Count{1, at(0), at(10), 3, 11});
  CHECK(made.out->rows().size() == 4);

  CHECK(made.corrected(pipeline).windows == 0);
  CHECK(made.out->rows().size() == 4);

  // The query goes on where it was, and only what is missed from here on is corrected next.
  made.in->add({event(12, 64)});
  made.run(pipeline, {{event(13, 128)}});
  CHECK(made.waiting_files() == 1);  // both missed one window
  CHECK(made.corrected(pipeline).windows == 1);
  CHECK(made.table().at({1, at(10).microseconds}) == Count{1, at(10), at(20), 3, 196});
  CHECK(made.table().at({1, at(0).microseconds}).sum == 11);
  CHECK(made.waiting_files() == 0);
}

TEST_CASE("windows of the calendar are corrected too") {
  world made;
  const auto pipeline = counted(tumbling<"time">(calendar::day)) | into<output_mode::append>("out");
  made.run(pipeline, {{event(1, 1)}, {event(86'400, 2)}, {event(5, 4)}});
  CHECK(made.corrected(pipeline).windows == 1);
  CHECK(made.table().at({1, 0}) == Count{1, at(0), at(86'400), 2, 5});
}

TEST_CASE("in update mode a window that is still open is not published by a correction") {
  world made;
  const auto pipeline = counted(tumbling<"time">(10s)) | into<output_mode::update>("out");
  made.run(pipeline, {{event(1, 1)}, {event(15, 2)}, {event(2, 4)}, {event(16, 8)}});
  const std::size_t before = made.out->rows().size();
  CHECK(made.corrected(pipeline).windows == 1);
  CHECK(made.out->rows().size() == before + 1);
  CHECK(made.out->rows().back() == Count{1, at(0), at(10), 2, 5});
}

TEST_CASE("a correction that was killed is done again") {
  world made;
  const auto pipeline = counted(tumbling<"time">(10s)) | into<output_mode::append>("out");
  made.run(pipeline, {{event(1, 1)}, {event(15, 2)}, {event(2, 4)}});
  const auto owner = read_identity_record(*read_file(made.layout().identity()), "identity.json");
  REQUIRE(owner.ok());
  const auto taken = take_missed_windows(made.layout(), owner->query);  // and no more
  REQUIRE(taken.ok());
  CHECK(taken->windows.size() == 1);
  CHECK(made.waiting_files() == 1);
  CHECK(made.corrected(pipeline).windows == 1);
  CHECK(made.table().at({1, 0}).events == 2);
  CHECK(made.waiting_files() == 0);
}

TEST_CASE("a second correction at the same time is refused and changes nothing") {
  world made;
  const auto pipeline = counted(tumbling<"time">(10s)) | into<output_mode::append>("out");
  made.run(pipeline, {{event(1, 1)}, {event(15, 2)}, {event(2, 4)}});
  const std::size_t before = made.out->rows().size();
  {
    const auto held = checkpoint_lock::take(made.layout().corrections());
    REQUIRE(held.ok());
    const auto refused = correct(pipeline, made.where());
    REQUIRE(!refused.ok());
    CHECK(refused.error().code == "PMSTREAM460");
  }
  CHECK(made.out->rows().size() == before);
  CHECK(made.corrected(pipeline).windows == 1);
}

TEST_CASE("whatever write fails, of the query or of a correction, the windows are corrected in the end") {
  for (int at = 0;; ++at) {
    INFO("failure at operation " << at);
    world made;
    const auto pipeline = counted(tumbling<"time">(10s)) | into<output_mode::append>("out");
    made.run(pipeline, {{event(1, 1)}, {event(15, 2)}});
    made.in->add({event(2, 4)});
    bool struck = false;
    {
      test::crash_point failing(at);
      static_cast<void>(run(pipeline, made.where()));
      static_cast<void>(correct(pipeline, made.where()));
      struck = failing.struck();
    }
    made.run(pipeline, {{event(16, 8)}});
    static_cast<void>(made.corrected(pipeline));
    CHECK(made.table().at({1, 0}) == Count{1, ::at(0), ::at(10), 2, 5});
    CHECK(made.waiting_files() == 0);
    if (!struck) {
      CHECK(at > 10);
      break;
    }
  }
}

TEST_CASE("a late row that comes while its window is being corrected is not forgotten") {
  world made;
  const auto pipeline = counted(tumbling<"time">(10s)) | into<output_mode::append>("out");
  made.run(pipeline, {{event(1, 1)}, {event(15, 2)}, {event(2, 4)}});
  kept_missed_windows kept;
  missed_windows window;
  window.add("transform", {0, at(10).microseconds});
  const auto owner = read_identity_record(*read_file(made.layout().identity()), "identity.json");
  REQUIRE(kept.keep(made.layout(), 100, owner->query, window).ok());
  REQUIRE(kept.keep(made.layout(), 101, owner->query, window).ok());
  CHECK(made.waiting_files() == 2);  // that of the query and 100: 101 has nothing new
  REQUIRE(take_missed_windows(made.layout(), owner->query).ok());
  REQUIRE(kept.keep(made.layout(), 102, owner->query, window).ok());
  CHECK(std::filesystem::exists(made.layout().missed(102)));
}

TEST_CASE("what was kept is refused where it is damaged or of another query") {
  world made;
  const auto pipeline = counted(tumbling<"time">(10s)) | into<output_mode::append>("out");
  made.run(pipeline, {{event(1, 1)}, {event(15, 2)}, {event(2, 4)}});
  std::string path;
  for (const auto& each : std::filesystem::directory_iterator(made.layout().corrections())) path = each.path().string();
  const std::string whole = *read_file(path);
  CHECK(take_missed_windows(made.layout(), "another").error().message.find("was written by query") !=
        std::string::npos);
  REQUIRE(write_durably(path, whole.substr(0, whole.size() / 2)).ok());
  const auto refused = correct(pipeline, made.where());
  REQUIRE(!refused.ok());
  CHECK(refused.error().kind == failure_class::checkpoint);
  CHECK(refused.error().message.find(path) != std::string::npos);
}

TEST_CASE("retries, quality gates and reports of the query do not concern a correction") {
  world made;
  const auto pipeline = counted(tumbling<"time">(10s)) | into<output_mode::append>("out");
  made.run(pipeline, {{event(1, 1)}, {event(15, 2)}, {event(2, 4)}});
  profile where = made.where();
  where.retry.attempts = 3;
  where.quality.push_back({.name = "many", .of = "in", .metric = quality_metric::row_count, .at_least = 1e6});
  const auto corrected = correct(pipeline, where);
  INFO((corrected ? "" : corrected.error().message));
  REQUIRE(corrected.ok());
  CHECK(corrected->windows == 1);
}

TEST_CASE("corrections need a checkpoint and a pipeline that asks for them") {
  world made;
  const auto pipeline = counted(tumbling<"time">(10s)) | into("out");
  profile forgetful = made.where();
  forgetful.checkpoint.clear();
  CHECK(run(pipeline, forgetful).error().code == "PMPLAN208");
  CHECK(correct(pipeline, forgetful).error().code == "PMPLAN208");
  CHECK(correct(pipeline, made.where()).error().code == "PMPLAN208");  // the query has never run
  const auto other = from<Event>("in") | watermark<"time">(0s) | group_by<"id"> | tumbling<"time">(10s) |
                     aggregate<Count>(named<"events"> = count(), named<"sum"> = sum(field<"number">)) | into("out");
  CHECK(correct(other, made.where()).error().code == "PMPLAN209");
}

namespace {

struct CountEvents {
  input<Event> events;
  output<Count> hourly;
  output<Count> all;
};
constexpr auto implement(const CountEvents& t) {
  const auto timed = t.events | watermark<"time">(0s);
  return outputs(named<"hourly"> = timed | group_by<"id"> | tumbling<"time">(10s) | correct_late() |
                                   aggregate<Count>(named<"events"> = count(), named<"sum"> = sum(field<"number">)),
                 named<"all"> = t.events | watermark<"time">(0s) | group_by<"id"> | tumbling<"time">(20s) |
                                aggregate<Count>(named<"events"> = count(), named<"sum"> = sum(field<"number">)));
}
struct KeepBusy {
  input<Count> counts;
  output<Count> busy;
};
constexpr auto implement(const KeepBusy& t) { return t.counts | where(field<"events"> > 1); }

struct Counting {
  extract<Event, "in"> in;
  step<CountEvents, "in.valid"> counting;
  step<KeepBusy, "counting.hourly"> keep;
  load<Count, "busy", "keep.busy"> busy;
  load<Count, "hourly", "counting.hourly", output_mode::append> hourly;
  load<Count, "all", "counting.all"> all;
  load<late<Event>, "late", "counting.late"> late_events;
};

}  // namespace

TEST_CASE("a correction reaches the loads of corrected results, through steps without state, and leaves others alone") {
  world made;
  profile where = made.where();
  auto busy = std::make_shared<memory_sink<Count>>(), hourly = std::make_shared<memory_sink<Count>>(),
       all = std::make_shared<memory_sink<Count>>();
  auto late_events = std::make_shared<memory_sink<late<Event>>>();
  where.assets["busy"].made_sink = busy;
  where.assets["hourly"].made_sink = hourly;
  where.assets["all"].made_sink = all;
  where.assets["late"].made_sink = late_events;
  for (const Event& each : {event(1, 1), event(25, 2), event(2, 4), event(50, 8)}) {
    made.in->add({each});
    const auto ran = run(Counting{}, where);
    INFO((ran ? "" : ran.error().message));
    REQUIRE(ran.ok());
  }
  CHECK(busy->rows().empty());
  CHECK(late_events->rows().size() == 2);  // it missed a window of each result
  const std::size_t others = all->rows().size();

  const auto first = correct<Counting>(where);
  REQUIRE(first.ok());
  CHECK(busy->rows() == std::vector<Count>{{1, at(0), at(10), 2, 5}});
  CHECK(hourly->rows().back() == Count{1, at(0), at(10), 2, 5});
  CHECK(all->rows().size() == others);
  CHECK(late_events->rows().size() == 2);  // it missed a window of each result
}

TEST_CASE("after a correction a table holds what all rows come to, whatever the order they came in") {
  for (unsigned seed = 1; seed <= 60; ++seed) {
    INFO("seed " << seed);
    std::mt19937_64 random(seed);
    const auto below = [&](std::int64_t end) {
      return std::uniform_int_distribution<std::int64_t>(0, end - 1)(random);
    };
    world made;
    const auto pipeline = counted(tumbling<"time">(7s, 2s), 3s) | into<output_mode::append>("out");
    std::vector<Event> all;
    std::int64_t now = 0;
    for (int round = 0; round < 3; ++round) {
      std::vector<std::vector<Event>> batches;
      for (std::int64_t i = below(6) + 1; i > 0; --i) {
        std::vector<Event>& batch = batches.emplace_back();
        for (std::int64_t row = below(8) + 1; row > 0; --row) {
          now += below(4);
          batch.push_back(event(std::max<std::int64_t>(0, now - below(40)), below(1000), below(3)));
          all.push_back(batch.back());
        }
      }
      made.run(pipeline, batches);
      if (below(2) == 0) static_cast<void>(made.corrected(pipeline));
    }
    static_cast<void>(made.corrected(pipeline));

    std::map<std::pair<std::int64_t, std::int64_t>, std::pair<std::int64_t, std::int64_t>> expected;  // count, sum
    std::int64_t newest = 0;
    for (const Event& each : all) {
      newest = std::max(newest, each.time.microseconds / 1'000'000);
      const std::int64_t seconds = each.time.microseconds / 1'000'000;
      const std::int64_t shifted = seconds - 2;
      const std::int64_t start = (shifted >= 0 ? shifted / 7 : -((-shifted + 6) / 7)) * 7 + 2;
      auto& [events, sum] = expected[{each.id, start * 1'000'000}];
      ++events, sum += each.number;
    }
    // What the watermark has not closed is not out.
    std::erase_if(expected, [&](const auto& each) { return each.first.second / 1'000'000 + 7 > newest - 3; });
    std::map<std::pair<std::int64_t, std::int64_t>, std::pair<std::int64_t, std::int64_t>> found;
    for (const auto& [key, row] : made.table()) found[key] = {row.events, row.sum};
    CHECK(found == expected);
  }
}

TEST_CASE("the file of missed windows has the bytes of version 1") {
  test::temporary_directory folder;
  const checkpoint_layout layout{folder.path()};
  missed_windows missed;
  missed.add("totals", {at(0).microseconds, at(10).microseconds});
  missed.add("totals", {at(-10).microseconds, at(0).microseconds});
  missed.add("by day", {0, at(86'400).microseconds});
  kept_missed_windows kept;
  REQUIRE(kept.keep(layout, 12, "0123456789abcdef0123456789abcdef", missed).ok());
  const std::string golden = *read_file((test::golden_folder() / "checkpoint" / "missed_windows-version-1").string());
  CHECK(*read_file(layout.missed(12)) == golden);
  const auto taken = take_missed_windows(layout, "0123456789abcdef0123456789abcdef");
  REQUIRE(taken.ok());
  CHECK(taken->newest_batch == 12);
  CHECK(taken->windows.by_step().size() == 2);
  CHECK(taken->windows.of("totals").contains({at(-10).microseconds, 0}));
  CHECK(taken->windows.of("by day").size() == 1);
}
