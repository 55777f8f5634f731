#include "support/catch.hpp"
#include "support/failing_sink.hpp"
#include "support/split_source.hpp"

#include <etlantic/etlantic.hpp>
#include <etlantic/runtime/event_times.hpp>
#include <etlantic/runtime/query.hpp>

#include <unistd.h>

#include <filesystem>
#include <fstream>

// Inputs whose watermark is the smallest of those of their splits (`watermark_per: split`), in whole pipelines. What is
// expected is worked out by hand.

using namespace etlantic;
using namespace std::chrono_literals;
using etlantic::test::split_source;

namespace {

struct Event {
  std::int64_t id;
  timestamp time;
};
struct Count {
  timestamp window_start;
  std::int64_t events;
  bool operator==(const Count&) const = default;
};

timestamp at(std::int64_t seconds) { return {seconds * 1'000'000}; }
Event event(std::int64_t seconds) { return {seconds, at(seconds)}; }
/// What the filters of all pipelines here remove.
Event removed(std::int64_t seconds) { return {-1, at(seconds)}; }

struct CountEvents {
  input<Event> events;
  output<Count> counts;
};
constexpr auto implement(const CountEvents& t) {
  return t.events | etlantic::where(field<"id"> >= 0) | watermark<"time">(0s) | tumbling<"time">(10s) |
         aggregate<Count>(named<"events"> = count());
}
struct One {
  extract<Event, "left"> left;
  step<CountEvents, "left.valid"> count;
  load<Count, "counts", "count.counts", output_mode::append> counts;
  load<late<Event>, "late", "count.late"> late_events;
};

struct CountUnited {
  input<Event> left;
  input<Event> right;
  output<Count> counts;
};
constexpr auto implement(const CountUnited& t) {
  return union_all(t.left | watermark<"time">(0s), t.right | watermark<"time">(0s)) |
         etlantic::where(field<"id"> >= 0) | tumbling<"time">(10s) | aggregate<Count>(named<"events"> = count());
}
struct United {
  extract<Event, "left"> left;
  extract<Event, "right"> right;
  step<CountUnited, "left.valid", "right.valid"> count;
  load<Count, "counts", "count.counts", output_mode::append> counts;
  load<late<Event>, "late", "count.late"> late_events;
};

struct Unite {
  input<Event> left;
  input<Event> right;
  output<Event> united;
};
constexpr auto implement(const Unite& t) { return union_all(t.left, t.right); }
struct UnitedBefore {
  extract<Event, "left"> left;
  extract<Event, "right"> right;
  step<Unite, "left.valid", "right.valid"> unite;
  step<CountEvents, "unite.united"> count;
  load<Count, "counts", "count.counts", output_mode::append> counts;
  load<late<Event>, "late", "count.late"> late_events;
};

struct Pair {
  std::int64_t id;
  timestamp time;
};
struct JoinEvents {
  input<Event> left;
  input<Event> right;
  output<Pair> pairs;
};
constexpr auto implement(const JoinEvents& t) {
  return left_join(t.left | etlantic::where(field<"id"> >= 0) | watermark<"time">(0s), t.right | watermark<"time">(0s),
                   on<"id">, within(0s, 10s)) |
         select<Pair>(named<"id"> = etlantic::left<"id">, named<"time"> = etlantic::left<"time">);
}
struct Joined {
  extract<Event, "left"> left;
  extract<Event, "right"> right;
  step<JoinEvents, "left.valid", "right.valid"> join;
  load<Pair, "pairs", "join.pairs"> pairs;
};

struct Name {
  std::int64_t id;
  text name;
};
struct LookUp {
  input<Event> events;
  reference<Name> names;
  output<Event> found;
};
constexpr auto implement(const LookUp& t) { return left_lookup_join(t.events, t.names, on<"id">) | select<Event>(); }
struct LookedUp {
  extract<Event, "left"> left;
  extract<Name, "names"> names;
  step<LookUp, "left.valid", "names.valid"> look_up;
  step<CountEvents, "look_up.found"> count;
  load<Count, "counts", "count.counts", output_mode::append> counts;
};

/// A pipeline whose inputs and tables outlive its runs; each run is a process of its own, at a time of its own.
template <class Pipeline>
struct world {
  std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("etlantic_split_watermarks_" + std::to_string(::getpid()));
  std::shared_ptr<split_source<Event>> left = std::make_shared<split_source<Event>>();
  std::shared_ptr<split_source<Event>> right = std::make_shared<split_source<Event>>();
  std::shared_ptr<memory_sink<Count>> counts = std::make_shared<memory_sink<Count>>();
  std::shared_ptr<memory_sink<Pair>> pairs = std::make_shared<memory_sink<Pair>>();
  std::shared_ptr<memory_sink<late<Event>>> late_events = std::make_shared<memory_sink<late<Event>>>();
  std::shared_ptr<test::failing_sink> published = std::make_shared<test::failing_sink>(counts);
  profile where;

  world() {
    std::filesystem::remove_all(folder);
    where.trigger.kind = trigger_kind::available_now;
    where.snapshot_interval = duration::zero();
    where.checkpoint = (folder / "checkpoint").string();
    std::filesystem::create_directories(folder);
    where.assets["left"].made_source = left;
    where.assets["left"].watermark_per = watermark_unit::split;
    where.assets["right"].made_source = right;
    where.assets["counts"].made_sink = published;
    where.assets["pairs"].made_sink = pairs;
    where.assets["late"].made_sink = late_events;
  }
  ~world() { std::filesystem::remove_all(folder); }

  progress run(std::int64_t now = 1000) {
    query_environment environment;
    environment.now = [now] { return at(now); };
    auto started = start_program(*lower<Pipeline>(), where, {}, environment);
    INFO((started ? "" : started.error().message));
    REQUIRE(started.ok());
    started->await();
    const auto outcome = started->outcome();
    INFO((outcome ? "" : outcome.error().message));
    REQUIRE(outcome.ok() != (published->fails_before || published->fails_behind));
    return started->totals();
  }
  std::int64_t watermark(std::int64_t now = 1000) { return run(now).watermark.microseconds / 1'000'000; }
  std::size_t late_rows() const { return late_events->rows().size(); }

  /// The newest commit record, as text.
  std::string commit() const {
    std::filesystem::path newest;
    for (const auto& each : std::filesystem::directory_iterator(folder / "checkpoint" / "batches"))
      if (each.path().extension() == ".commit" && each.path() > newest) newest = each.path();
    std::ifstream file(newest);
    return {std::istreambuf_iterator<char>(file), {}};
  }
};

void append(const std::filesystem::path& file, std::initializer_list<std::int64_t> times) {
  std::ofstream to(file, std::ios::app);
  for (const std::int64_t each : times) {
    char time[32];
    std::snprintf(time, sizeof time, "1970-01-01T00:%02d:%02dZ", static_cast<int>(each / 60),
                  static_cast<int>(each % 60));
    to << "{\"id\":" << each << ",\"time\":\"" << time << "\"}\n";
  }
}

}  // namespace

TEST_CASE("a fast split makes the rows of a slow one late, unless each split has a watermark") {
  for (const bool per_split : {false, true}) {
    world<One> one;
    one.where.assets["left"].watermark_per = per_split ? watermark_unit::split : watermark_unit::input;
    one.left->add("fast", {event(5), event(95)});
    one.left->add("slow", {event(3)});
    const progress first = one.run();
    CHECK(first.watermark == at(per_split ? 3 : 95));
    REQUIRE(first.slowest_splits.size() == (per_split ? 1u : 0u));
    if (per_split) {
      CHECK(first.slowest_splits[0].watermark == "count");
      CHECK(first.slowest_splits[0].node == "left");
      CHECK(first.slowest_splits[0].split == "slow");
      CHECK(first.slowest_splits[0].reached == at(3));
    }
    one.left->add("slow", {event(27)});
    CHECK(one.watermark() == (per_split ? 27 : 95));
    CHECK(one.late_rows() == (per_split ? 0u : 1u));
    CHECK(one.counts->rows()[0] == Count{at(0), 2});
    CHECK(one.counts->rows().size() == 1);
    CHECK((one.commit().find("\"version\":2") != std::string::npos) == per_split);
  }
}

TEST_CASE("rows that a filter removes do not move the watermark of their split") {
  world<One> one;
  one.left->add("a", {event(50), removed(70)});
  one.left->add("b", {event(20), removed(90)});
  CHECK(one.watermark() == 20);
  one.left->add("b", {event(99)});
  CHECK(one.watermark() == 50);
}

TEST_CASE("a new split starts with the watermark of its input, and its rows behind it are late") {
  world<One> one;
  one.left->add("a", {event(50)});
  CHECK(one.watermark() == 50);
  one.left->add("a", {event(80)});
  one.left->add("b", {event(39), event(45), event(60)});
  CHECK(one.watermark() == 60);
  // By the watermark of the batch before, 50, the windows up to it are closed.
  CHECK(one.late_rows() == 2);
  CHECK(one.late_events->rows()[0].event.id == 39);
}

TEST_CASE("a split that is finished holds nothing back; when all are, the newest row closes what it allows") {
  world<One> one;
  one.left->add("a", {event(5), event(50)});
  one.left->add("b", {event(20)});
  CHECK(one.watermark() == 20);
  one.left->finish("b");
  CHECK(one.watermark() == 50);  // in a batch without data
  CHECK(one.counts->rows() == std::vector<Count>{{at(0), 1}, {at(20), 1}});
  one.left->add("c", {event(70)});
  one.left->finish("c");
  CHECK(one.watermark() == 50);
  one.left->finish("a");
  CHECK(one.watermark() == 70);
  CHECK(one.commit().find("{\"split\"") == std::string::npos);
}

TEST_CASE("splits fall idle one by one, over restarts, and come back") {
  world<One> one;
  one.where.assets["left"].idle_after = 30s;
  one.left->add("a", {event(55)});
  one.left->add("b", {event(12)});
  CHECK(one.watermark(1000) == 12);
  one.left->add("a", {event(58)});
  CHECK(one.watermark(1020) == 12);
  CHECK(one.run(1029).batch == 0);
  const progress ran = one.run(1030);
  CHECK(ran.watermark == at(58));
  CHECK(ran.warnings ==
        std::vector<std::string>{
            "split 'b' of 'left' is idle and holds its watermark back no more: its rows may come late from here on"});
  // Rows that wait end the silence, however long nobody looked; what the others have closed is late.
  one.left->add("a", {event(99)});
  one.left->add("b", {event(15), event(61)});
  CHECK(one.watermark(9000) == 61);
  CHECK(one.late_rows() == 1);
  // All of them fall silent.
  CHECK(one.watermark(9030) == 99);
  CHECK(one.commit().find("{\"split\"") == std::string::npos);
  CHECK(one.commit().find("input_split") == std::string::npos);
}

TEST_CASE("the warning that splits are idle is one sentence, however many they are") {
  world<One> one;
  one.where.assets["left"].idle_after = 30s;
  one.left->add("a", {event(55)});
  for (int i = 0; i < 50; ++i) one.left->add("quiet " + std::to_string(i), {event(12)});
  CHECK(one.watermark(1000) == 12);
  one.left->add("a", {event(58)});
  const progress ran = one.run(1030);
  CHECK(ran.watermark == at(58));
  CHECK(ran.warnings == std::vector<std::string>{
                            "50 splits of 'left' are idle and hold its watermark back no more, 'quiet 0' among them: "
                            "their rows may come late from here on"});
}

TEST_CASE("a batch that is replayed finds the same splits idle and finished") {
  for (const bool before : {true, false}) {
    world<One> one;
    one.where.assets["left"].idle_after = 30s;
    one.left->add("a", {event(5), event(55)});
    one.left->add("b", {event(12)});
    one.left->add("c", {event(8)});
    CHECK(one.watermark(1000) == 8);
    one.left->finish("c");
    one.left->add("a", {event(95)});
    (before ? one.published->fails_before : one.published->fails_behind) = true;
    one.run(1040);  // "b" is idle, "c" is finished: the batch closes up to 55
    CHECK(one.counts->rows().size() == (before ? 0u : 2u));
    one.published->fails_before = one.published->fails_behind = false;
    // By now both have rows again.
    one.left->go_on("c");
    one.left->add("c", {event(56), event(96)});
    one.left->add("b", {event(14), event(54), event(97)});
    const progress ran = one.run(1041);
    CHECK(ran.replayed);
    CHECK(ran.watermark == at(95));
    CHECK(one.counts->rows() == std::vector<Count>{{at(0), 2}, {at(10), 1}, {at(50), 3}});
    REQUIRE(one.late_rows() == 1);
    CHECK(one.late_events->rows()[0].event.id == 14);
  }
}

TEST_CASE("the number of workers changes nothing") {
  std::vector<std::vector<Count>> results;
  for (const std::size_t workers : {1u, 2u, 4u}) {
    world<One> one;
    one.where.workers = workers;
    one.left->in_single_rows = true;
    for (const std::int64_t start : {0, 100, 200}) {
      for (int split = 0; split < 5; ++split) {
        std::vector<Event> rows;
        for (int i = 0; i < 7; ++i) rows.push_back(event(start + split * 15 + i * 5));
        one.left->add("split " + std::to_string(split), rows);
      }
      CHECK(one.watermark() == start + 30);
    }
    CHECK(one.late_rows() == 0);
    results.push_back(one.counts->rows());
  }
  CHECK(results[0].size() == 23);
  CHECK(results[1] == results[0]);
  CHECK(results[2] == results[0]);
}

TEST_CASE("complete files do with the option what they do without it, in one batch or many") {
  for (const watermark_unit unit : {watermark_unit::input, watermark_unit::split})
    for (const std::int64_t most_files : {std::int64_t{1}, no_limit}) {
      world<One> one;
      std::filesystem::create_directories(one.folder / "in");
      append(one.folder / "in" / "a.ndjson", {5, 95});
      append(one.folder / "in" / "b.ndjson", {97});
      append(one.folder / "in" / "c.ndjson", {31});
      one.where.assets["left"] = {
          .connector = "file", .options = {{"path", (one.folder / "in").string()}}, .watermark_per = unit};
      one.where.limits.max_files = most_files;
      CHECK(one.watermark() == 97);
      CHECK(one.counts->rows()[0] == Count{at(0), 1});
      CHECK(one.counts->rows().size() == (most_files == 1 ? 1u : 2u));
      CHECK(one.late_rows() == (most_files == 1 ? 1u : 0u));
      CHECK(one.commit().find("{\"split\"") == std::string::npos);
      append(one.folder / "in" / "d.ndjson", {130});
      CHECK(one.watermark() == 130);
    }
}

TEST_CASE("a file that is read in parts holds the watermark until it is read to its end") {
  world<One> one;
  std::filesystem::create_directories(one.folder / "in");
  append(one.folder / "in" / "a.ndjson", {5, 25, 11, 12});
  one.where.assets["left"] = {
      .connector = "file", .options = {{"path", (one.folder / "in").string()}}, .watermark_per = watermark_unit::split};
  one.where.limits.max_rows = 2;
  one.where.trigger.kind = trigger_kind::once;
  CHECK(one.run().slowest_splits.size() == 1);
  CHECK(one.run().slowest_splits.empty());
}

TEST_CASE("files that are appended to are followed one by one, until they are removed") {
  world<One> one;
  std::filesystem::create_directories(one.folder / "in");
  const auto fast = one.folder / "in" / "fast.ndjson";
  const auto slow = one.folder / "in" / "slow.ndjson";
  append(fast, {5, 95});
  append(slow, {3});
  one.where.assets["left"] = {.connector = "file",
                              .options = {{"path", (one.folder / "in").string()}, {"tail", "true"}},
                              .watermark_per = watermark_unit::split};
  CHECK(one.watermark() == 3);
  append(slow, {27});
  CHECK(one.watermark() == 27);
  CHECK(one.late_rows() == 0);
  append(fast, {99});
  std::filesystem::remove(slow);
  CHECK(one.watermark() == 99);
  CHECK(one.counts->rows() == std::vector<Count>{{at(0), 2}, {at(20), 1}});
}

TEST_CASE("the parts of a union each wait for their splits, also those whose rows wait for the end of the batch") {
  world<United> two;
  two.where.assets["right"].watermark_per = watermark_unit::split;
  two.left->add("a", {event(60), removed(90)});
  two.left->add("b", {event(50)});
  two.right->add("a", {event(40), removed(99)});
  two.right->add("b", {event(30)});
  two.right->add("c", {event(70)});
  const progress ran = two.run();
  CHECK(ran.watermark == at(30));
  REQUIRE(ran.slowest_splits.size() == 2);
  CHECK(ran.slowest_splits[0].reached == at(50));
  CHECK(ran.slowest_splits[1].watermark == "count.right");
  CHECK(ran.slowest_splits[1].split == "b");
  two.right->add("b", {event(98)});
  CHECK(two.watermark() == 40);
  two.right->add("a", {event(98)});
  CHECK(two.watermark() == 50);  // the left one
  CHECK(two.late_rows() == 0);
  two.where.watermarks = watermark_policy::max;  // a checkpoint keeps its policy
  CHECK(two.run().batch == 0);
}

TEST_CASE("with the policy max the greatest of the inputs governs, each of which waits for its splits") {
  world<United> two;
  two.where.watermarks = watermark_policy::max;
  two.left->add("a", {event(60)});
  two.left->add("b", {event(20)});
  two.right->add("all", {event(10)});
  CHECK(two.watermark() == 20);
}

TEST_CASE("an input without the option that shares a watermark with splits counts as one of them") {
  world<UnitedBefore> two;
  two.left->add("a", {event(60)});
  two.left->add("b", {event(50)});
  two.right->add("a", {event(40)});
  two.right->add("b", {event(45)});
  const progress ran = two.run();
  CHECK(ran.watermark == at(45));
  REQUIRE(ran.slowest_splits.size() == 1);
  CHECK(ran.slowest_splits[0].node == "right");
  CHECK(ran.slowest_splits[0].split.empty());
  two.right->add("a", {event(95)});
  CHECK(two.watermark() == 50);
  // The profile changes what counts: the left extract as a whole and the splits of the right one, all from 50 on.
  two.where.assets["left"].watermark_per = watermark_unit::input;
  two.where.assets["right"].watermark_per = watermark_unit::split;
  two.left->add("a", {event(80)});
  two.right->add("a", {event(85)});
  CHECK(two.watermark() == 50);
  two.right->add("b", {event(70)});
  CHECK(two.watermark() == 70);
}

TEST_CASE("a row of a join goes without a match when all splits of the other side have passed its time") {
  world<Joined> two;
  two.where.assets["right"].watermark_per = watermark_unit::split;
  two.left->add("a", {event(5), event(70)});
  two.left->add("b", {event(60)});
  two.right->add("a", {event(80)});
  two.right->add("b", {event(12)});
  CHECK(two.watermark() == 12);
  CHECK(two.pairs->rows().empty());
  two.right->add("b", {event(16)});
  CHECK(two.watermark() == 16);
  REQUIRE(two.pairs->rows().size() == 1);
  CHECK(two.pairs->rows()[0].id == 5);
}

TEST_CASE("turned on, the splits that have been read start with the watermark; turned off, the fastest counts") {
  world<One> one;
  one.where.assets["left"].watermark_per = watermark_unit::input;
  one.left->add("a", {event(50)});
  one.left->add("b", {event(20)});
  one.left->add("done", {event(30)});
  one.left->finish("done");
  CHECK(one.watermark() == 50);
  CHECK(one.commit().find("reached") == std::string::npos);
  one.where.assets["left"].watermark_per = watermark_unit::split;
  one.left->add("a", {event(90)});
  CHECK(one.watermark() == 50);
  one.left->add("b", {event(70)});
  CHECK(one.watermark() == 70);
  one.where.assets["left"].watermark_per = watermark_unit::input;
  CHECK(one.watermark() == 90);  // in a batch without data
  CHECK(one.commit().find("\"version\":1") != std::string::npos);
  one.left->add("b", {event(75)});
  CHECK(one.watermark() == 90);
  CHECK(one.late_rows() == 1);
}

TEST_CASE("a watermark for each split where none follows the input is refused before anything runs") {
  struct Copy {
    std::int64_t id;
  };
  profile where;
  where.assets["in"].made_source = std::make_shared<memory_source<Event>>();
  where.assets["in"].watermark_per = watermark_unit::split;
  where.assets["out"].made_sink = std::make_shared<memory_sink<Copy>>();
  const auto ran = run(from<Event>("in") | select<Copy>() | into("out"), where);
  REQUIRE(!ran.ok());
  CHECK(ran.error().code == "PMPLAN210");
  CHECK(ran.error().where == "profile 'default', assets.in.watermark_per");
}

TEST_CASE("rows that are looked up move no watermark, those that look them up do") {
  const program what = *lower<LookedUp>();
  for (std::size_t i = 0; i < what.nodes.size(); ++i)
    if (what.nodes[i].kind == node_kind::extract) CHECK(moves_a_watermark(what, i) == (what.nodes[i].name == "left"));
}
