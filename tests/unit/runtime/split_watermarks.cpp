#include "support/catch.hpp"

#include <etlantic/runtime/split_activity.hpp>
#include <etlantic/runtime/watermark_clock.hpp>

// The watermark of an input whose splits each have one. All values are worked out by hand.

using namespace etlantic;
using namespace std::chrono_literals;

namespace {

timestamp at(std::int64_t seconds) { return {seconds * 1'000'000}; }
split_name of(const char* split) { return {"in", split}; }

/// One watermark, 10 s behind the greatest time of each split of `in`.
struct followed {
  watermark_clock clock;

  followed() { clock.add("w", 10s, {"in"}); }

  /// Ends a batch in which the splits saw these times, in seconds; gives the watermark after it.
  std::int64_t batch(const std::vector<std::pair<const char*, std::int64_t>>& seen, std::vector<split_name> idle = {},
                     std::vector<split_name> finished = {}) {
    split_batch planned{{}, std::move(idle), std::move(finished)};
    for (const auto& [split, time] : seen) planned.read.push_back(of(split));
    clock.begin_batch(planned);
    for (const auto& [split, time] : seen) clock.saw("w", of(split), at(time));
    clock.end_batch(clock.watermark());
    return clock.watermark().microseconds / 1'000'000;
  }
  std::size_t kept() const { return clock.steps()[0].splits.size(); }
  std::int64_t reached() const { return clock.steps()[0].reached->microseconds / 1'000'000; }

  /// The same after a restart.
  followed restarted() const {
    followed made;
    made.clock.restore(clock.watermark(), clock.in_force(), clock.steps());
    return made;
  }
};

}  // namespace

TEST_CASE("the slowest split holds the watermark of its input") {
  followed input;
  CHECK(input.batch({{"fast", 100}, {"slow", 30}}) == 20);
  CHECK(input.batch({{"fast", 200}}) == 20);
  CHECK(input.batch({{"slow", 60}}) == 50);
  CHECK(input.batch({{"slow", 40}}) == 50);  // its own never moves back
  CHECK(input.batch({{"slow", 500}}) == 190);
  REQUIRE(input.clock.slowest_splits().size() == 1);
  CHECK(input.clock.slowest_splits()[0].watermark == "w");
  CHECK(input.clock.slowest_splits()[0].of == of("fast"));
  CHECK(input.clock.slowest_splits()[0].reached == at(190));
}

TEST_CASE("a split watermark is rounded down to the millisecond and starts at 0") {
  watermark_clock clock;
  clock.add("w", 0s, {"in"});
  clock.begin_batch({{of("a"), of("b")}, {}, {}});
  clock.saw("w", of("a"), timestamp{10'000'999});
  clock.saw("w", of("b"), timestamp{INT64_MIN});
  clock.end_batch({});
  CHECK(clock.watermark() == timestamp{0});
  clock.begin_batch({{of("b")}, {}, {}});
  clock.saw("w", of("b"), timestamp{20'000'000});
  clock.end_batch({});
  CHECK(clock.watermark() == timestamp{10'000'000});
}

TEST_CASE("a split that is read but shows no event time is waited for") {
  followed input;
  input.clock.begin_batch({{of("a"), of("b")}, {}, {}});
  input.clock.saw("w", of("a"), at(100));
  input.clock.saw("w", of("b"), std::nullopt);
  input.clock.end_batch({});
  CHECK(input.clock.watermark() == at(0));
  CHECK(input.batch({{"b", 50}}) == 40);
}

TEST_CASE("a new split starts with the watermark that its input has") {
  followed input;
  CHECK(input.batch({{"a", 100}}) == 90);
  CHECK(input.batch({{"a", 200}, {"new", 60}}) == 90);  // and not at 50, nor at 190
  CHECK(input.batch({{"new", 130}}) == 120);
}

TEST_CASE("finished splits hold nothing back; when all are, the newest row counts") {
  followed input;
  CHECK(input.batch({{"a", 100}, {"b", 30}}) == 20);
  CHECK(input.batch({{"b", 40}}, {}, {of("b")}) == 90);
  CHECK(input.batch({{"c", 95}}) == 90);
  CHECK(input.batch({{"a", 150}}, {}, {of("a")}) == 90);
  CHECK(input.batch({}, {}, {of("c")}) == 140);  // what "a" had reached
  CHECK(input.kept() == 0);
}

TEST_CASE("all files of a batch that are read to their end do what they do without the option") {
  followed input;
  CHECK(input.batch({{"a", 100}, {"b", 30}}, {}, {of("a"), of("b")}) == 90);
  CHECK(input.kept() == 0);
}

TEST_CASE("a finished split that has rows again is a new one") {
  followed input;
  CHECK(input.batch({{"a", 300}, {"b", 50}}, {}, {of("a")}) == 40);
  CHECK(input.batch({{"b", 500}}) == 490);
  CHECK(input.batch({{"a", 310}}) == 490);
  CHECK(input.batch({{"a", 600}, {"b", 700}}) == 590);
}

TEST_CASE("idle splits hold nothing back, and count again when they have rows") {
  followed input;
  CHECK(input.batch({{"a", 100}, {"b", 30}}) == 20);
  CHECK(input.batch({{"a", 110}}, {of("b")}) == 100);
  CHECK(input.batch({{"a", 120}, {"b", 50}}) == 100);  // "b" is late and is waited for
  CHECK(input.batch({{"a", 130}}) == 100);
  CHECK(input.batch({{"b", 125}}) == 115);
}

TEST_CASE("when the last splits fall idle the greatest of what they have reached counts") {
  followed input;
  CHECK(input.batch({{"a", 100}, {"b", 30}}) == 20);
  CHECK(input.batch({}, {of("a")}) == 20);
  CHECK(input.kept() == 2);  // "a" is ahead of the input, which must be known when it comes back
  CHECK(input.batch({}, {of("a"), of("b")}) == 90);
  CHECK(input.kept() == 0);
  CHECK(input.reached() == 90);
}

TEST_CASE("an idle split that is ahead of its input keeps what it has reached") {
  followed input;
  CHECK(input.batch({{"a", 100}, {"b", 30}}) == 20);
  CHECK(input.batch({{"b", 40}}, {of("a")}) == 30);
  CHECK(input.batch({{"a", 50}}) == 30);
  CHECK(input.batch({{"b", 200}}) == 90);  // not 40, where "a" would be if it were new
}

TEST_CASE("what a split has let go moves the watermark before the rows of the batch, and not behind those it reads") {
  followed input;
  CHECK(input.batch({{"a", 100}, {"b", 30}}) == 20);
  input.clock.begin_batch({{}, {of("b")}, {}});
  input.clock.let_go({});
  CHECK(input.clock.watermark() == at(90));

  followed other;
  CHECK(other.batch({{"a", 100}, {"b", 30}}) == 20);
  other.clock.begin_batch({{of("b")}, {}, {of("a"), of("b")}});  // "b" has its last rows in this batch
  other.clock.let_go({});
  CHECK(other.clock.watermark() == at(20));
  other.clock.saw("w", of("b"), at(40));
  other.clock.end_batch(other.clock.watermark());
  CHECK(other.clock.watermark() == at(90));

  // A new split that is about to be read keeps the idle ones from jumping to the newest row.
  followed third;
  CHECK(third.batch({{"a", 100}, {"b", 30}}) == 20);
  third.clock.begin_batch({{of("c")}, {of("a"), of("b")}, {}});
  third.clock.let_go({});
  CHECK(third.clock.watermark() == at(20));
}

TEST_CASE("ten thousand files leave nothing behind") {
  followed input;
  for (std::int64_t file = 0; file < 10'000; ++file) {
    const std::string name = "file " + std::to_string(file);
    CHECK(input.batch({{name.c_str(), 100 + file}}, {}, {of(name.c_str())}) == 90 + file);
  }
  CHECK(input.kept() == 0);
  CHECK(input.reached() == 90 + 9'999);
}

TEST_CASE("splits come back from what a commit recorded") {
  followed input;
  CHECK(input.batch({{"a", 100}, {"b", 30}, {"c", 300}}, {}, {of("c")}) == 20);
  followed again = input.restarted();
  CHECK(again.clock.watermark() == at(20));
  CHECK(again.kept() == 2);
  CHECK(again.batch({{"b", 200}}) == 90);
  CHECK(again.batch({}, {}, {of("a"), of("b")}) == 290);
}

TEST_CASE("watermarks by split and by input stand side by side, and rows of no split only count at the end") {
  watermark_clock clock;
  clock.add("w", 0s, {"in"});
  clock.add("v", 0s);
  clock.begin_batch({{of("a"), {"other", "a"}}, {}, {}});
  clock.saw("w", of("a"), at(50));
  clock.saw("w", {}, at(80));
  clock.saw("v", {"other", "a"}, at(60));
  clock.end_batch({});
  CHECK(clock.watermark() == at(50));
  CHECK_FALSE(clock.steps()[1].reached);
  CHECK(clock.splits() == std::vector<split_name>{of("a")});
  clock.begin_batch({{}, {}, {of("a")}});
  clock.saw("v", std::optional(at(100)));
  clock.end_batch(clock.watermark());
  CHECK(clock.watermark() == at(80));
}

TEST_CASE("by policy the greatest of several watermarks governs, each of which waits for its splits") {
  watermark_clock clock;
  clock.set_policy(watermark_policy::max);
  clock.add("w", 0s, {"in"});
  clock.add("v", 0s);
  clock.begin_batch({{of("a"), of("b")}, {}, {}});
  clock.saw("w", of("a"), at(500));
  clock.saw("w", of("b"), at(20));
  clock.saw("v", std::optional(at(15)));
  clock.end_batch({});
  CHECK(clock.watermark() == at(20));
}

TEST_CASE("a split is idle when batches have been planned without it for so long") {
  split_activity splits;
  splits.watch("in", 30s);
  splits.watch("patient", 0s);
  const std::vector<split_name> all = {of("a"), of("b"), {"patient", "a"}};
  splits.had_rows(of("a"), at(1000));
  splits.had_rows({"patient", "a"}, at(0));
  CHECK(splits.idle(all, at(1010)).empty());  // the silence of "b" begins here
  CHECK(splits.idle(all, at(1029)).empty());
  CHECK(splits.idle(all, at(1030)) == std::vector<split_name>{of("a")});
  CHECK(splits.idle(all, at(1040)) == std::vector<split_name>{of("a"), of("b")});

  split_activity again;
  again.watch("in", 30s);
  again.restore(splits.stored());
  again.had_rows(of("a"), at(1035));
  CHECK(again.idle(all, at(1040)) == std::vector<split_name>{of("b")});
  again.keep_only({of("a")});
  CHECK(again.stored() == std::vector<split_last_rows>{{of("a"), at(1035)}});
}
