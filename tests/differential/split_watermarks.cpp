#include "support/catch.hpp"
#include "support/failing_sink.hpp"
#include "support/split_source.hpp"

#include <etlantic/etlantic.hpp>
#include <etlantic/runtime/query.hpp>

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <random>
#include <set>

// Watermarks by split against a model that keeps every split for good and knows nothing of records: random rows in
// random splits, some of them filtered, slow, silent or finished, over restarts and crashes.

using namespace etlantic;
using namespace std::chrono_literals;

namespace {

struct Event {
  std::int64_t id;
  timestamp time;
};
struct Count {
  timestamp window_start;
  std::int64_t events;
};

struct CountUnited {
  input<Event> left;
  input<Event> right;
  output<Count> counts;
};
// The rows of the left input, which is followed by split, wait for the end of the batch.
constexpr auto implement(const CountUnited& t) {
  return union_all(t.right | watermark<"time">(5s), t.left | watermark<"time">(3s)) |
         etlantic::where(field<"id"> >= 0) | tumbling<"time">(10s) | aggregate<Count>(named<"events"> = count());
}
struct United {
  extract<Event, "left"> left;
  extract<Event, "right"> right;
  step<CountUnited, "left.valid", "right.valid"> count;
  load<Count, "counts", "count.counts", output_mode::append> counts;
  load<late<Event>, "late", "count.late"> late_events;
};

/// All times of the model are milliseconds.
using milliseconds_of_model = std::int64_t;

struct model {
  struct row {
    std::int64_t id;
    milliseconds_of_model time;
  };
  struct split {
    std::vector<row> rows;
    std::size_t taken = 0;
    bool is_known = false;  // read, and not finished since
    bool is_finished = false;
    milliseconds_of_model mark = 0;
    milliseconds_of_model last = 0;
  };

  std::map<std::string, split> left;
  std::map<std::string, split> right;
  std::size_t most_rows = SIZE_MAX;
  milliseconds_of_model idle_after = 0;
  bool greatest_governs = false;

  milliseconds_of_model left_mark = 0, right_mark = 0, whole = 0, in_force = 0, left_last = 0, greatest = 0;
  std::map<milliseconds_of_model, std::int64_t> open;
  std::vector<std::pair<milliseconds_of_model, std::int64_t>> published;
  std::vector<std::int64_t> late;

  static std::vector<row> take(split& from, std::size_t most) {
    const std::size_t end = std::min(from.rows.size(), most > from.rows.size() ? from.rows.size() : from.taken + most);
    std::vector<row> taken(from.rows.begin() + static_cast<std::ptrdiff_t>(from.taken),
                           from.rows.begin() + static_cast<std::ptrdiff_t>(end));
    from.taken = end;
    return taken;
  }

  milliseconds_of_model governing(milliseconds_of_model left_now, bool left_is_idle) const {
    if (greatest_governs) return std::max({whole, left_now, right_mark});
    return std::max(whole, left_is_idle ? right_mark : std::min(left_now, right_mark));
  }
  template <class IsWaitedFor>
  milliseconds_of_model left_watermark(IsWaitedFor is_waited_for) const {
    milliseconds_of_model least = INT64_MAX;
    for (const auto& [name, each] : left)
      if (each.is_known && is_waited_for(name, each)) least = std::min(least, each.mark);
    return std::max(left_mark, least == INT64_MAX ? greatest : least);
  }

  void judge(const row& of) {
    const milliseconds_of_model start = of.time / 10'000 * 10'000;
    if (start + 10'000 <= in_force)
      late.push_back(of.id);
    else
      ++open[start];
  }

  /// Plans and runs a batch at that time; false if there is nothing to do.
  bool batch(milliseconds_of_model now) {
    std::map<std::string, std::vector<row>> left_rows;
    std::vector<row> right_rows;
    for (auto& [name, each] : left)
      if (auto rows = take(each, most_rows); !rows.empty()) left_rows[name] = rows;
    for (auto& [name, each] : right)
      for (const row& one : take(each, most_rows)) right_rows.push_back(one);
    if (!left_rows.empty()) left_last = now;
    for (auto& [name, rows] : left_rows) {
      split& of = left[name];
      if (!of.is_known) of.mark = left_mark;
      of.is_known = true;
      of.last = now;
    }
    const bool left_is_idle = idle_after != 0 && now - left_last >= idle_after;
    const auto lasts = [&](const std::string&, const split& of) {
      const bool is_done = of.is_finished && of.taken == of.rows.size();
      return !is_done && !(idle_after != 0 && now - of.last >= idle_after);
    };
    const milliseconds_of_model begun = left_watermark(
        [&](const std::string& name, const split& of) { return left_rows.count(name) != 0 || lasts(name, of); });
    const milliseconds_of_model before = governing(begun, left_is_idle);
    if (left_rows.empty() && right_rows.empty() && before <= in_force) return false;

    left_mark = begun;
    whole = before;
    for (const auto& [name, rows] : left_rows)
      for (const row& each : rows) {
        if (each.id < 0) continue;
        judge(each);
        milliseconds_of_model& mark = left[name].mark;
        mark = std::max(mark, each.time - 3'000);
        greatest = std::max(greatest, mark);
      }
    for (const row& each : right_rows) {
      if (each.id < 0) continue;
      judge(each);
      right_mark = std::max(right_mark, each.time - 5'000);
    }
    for (const auto& [name, each] : left)
      if (each.is_known) greatest = std::max(greatest, each.mark);
    left_mark = left_watermark(lasts);
    for (auto& [name, each] : left)
      if (each.is_finished && each.taken == each.rows.size()) each.is_known = false;
    in_force = before;
    whole = governing(left_mark, left_is_idle);
    while (!open.empty() && open.begin()->first + 10'000 <= before) {
      published.push_back(*open.begin());
      open.erase(open.begin());
    }
    return true;
  }
};

class world {
 public:
  explicit world(unsigned seed) : random_(seed) {
    std::filesystem::remove_all(folder_);
    if (chance(2)) expected_.most_rows = static_cast<std::size_t>(between(1, 3));
    if (chance(2)) expected_.idle_after = between(5, 30) * 1'000;
    expected_.greatest_governs = chance(5);
    for (auto& each : {left_, right_})
      if (expected_.most_rows != SIZE_MAX) each->most_rows = static_cast<std::int64_t>(expected_.most_rows);
    left_->in_single_rows = chance(2);
    where_.workers = static_cast<std::size_t>(between(1, 3));
    where_.trigger.kind = trigger_kind::available_now;
    where_.checkpoint = folder_.string();
    where_.watermarks = expected_.greatest_governs ? watermark_policy::max : watermark_policy::min;
    where_.assets["left"].made_source = left_;
    where_.assets["left"].watermark_per = watermark_unit::split;
    where_.assets["left"].idle_after = std::chrono::milliseconds{expected_.idle_after};
    where_.assets["right"].made_source = right_;
    where_.assets["counts"].made_sink = published_;
    where_.assets["late"].made_sink = late_;
  }
  ~world() { std::filesystem::remove_all(folder_); }

  void live() {
    std::int64_t now = 1'000'000;
    const auto splits = between(1, 5);
    bool replays = false;
    for (int step = 0; step < 25; ++step) {
      now += between(0, 20) * 1'000;
      for (std::int64_t i = 0; i < splits; ++i)
        if (step == 0 ? i == 0 : chance(3))
          add_rows(expected_.left, *left_, "split " + std::to_string(i), i * 4'000, step);
      if (!chance(4)) add_rows(expected_.right, *right_, "right", 0, step);
      if (chance(4)) finish("split " + std::to_string(between(0, splits - 1)));

      const bool dies = chance(4);
      int batches = replays ? 1 : 0;
      bool died = false;
      if (dies && !replays)
        died = expected_.batch(now);
      else
        while (expected_.batch(now)) ++batches;
      (chance(2) ? published_->fails_before : published_->fails_behind) = died;
      const progress ran = run(now);
      published_->fails_before = published_->fails_behind = false;
      replays = died;
      if (died) continue;
      INFO("step " << step);
      REQUIRE(ran.batch == batches);
      if (batches != 0) REQUIRE(ran.watermark.microseconds == expected_.whole * 1'000);
      compare();
      seen_late += late_->rows().size();
    }
  }

  std::size_t seen_late = 0;

 private:
  std::int64_t between(std::int64_t least, std::int64_t most) {
    return std::uniform_int_distribution<std::int64_t>(least, most)(random_);
  }
  bool chance(std::int64_t of) { return between(1, of) == 1; }

  void add_rows(std::map<std::string, model::split>& to, test::split_source<Event>& source, const std::string& name,
                milliseconds_of_model behind, int step) {
    std::vector<Event> rows;
    for (auto count = between(1, 4); count > 0; --count) {
      const milliseconds_of_model time = std::max<std::int64_t>(0, step * 5'000 + between(-9'000, 9'000) - behind);
      const std::int64_t id = chance(5) ? -1 : next_id_++;
      rows.push_back({id, {time * 1'000 + between(0, 999)}});
      to[name].rows.push_back({id, time});
    }
    to[name].is_finished = false;
    source.go_on(name);
    source.add(name, rows);
  }

  void finish(const std::string& name) {
    if (expected_.left.count(name) == 0) return;
    expected_.left[name].is_finished = true;
    left_->finish(name);
  }

  progress run(std::int64_t now) {
    query_environment environment;
    environment.now = [now] { return timestamp{now * 1'000}; };
    auto started = start_program(*lower<United>(), where_, {}, environment);
    REQUIRE(started.ok());
    started->await();
    REQUIRE(started->outcome().ok() != (published_->fails_before || published_->fails_behind));
    return started->totals();
  }

  void compare() {
    std::vector<std::pair<std::int64_t, std::int64_t>> counts;
    for (const Count& each : counts_->rows()) counts.emplace_back(each.window_start.microseconds / 1'000, each.events);
    REQUIRE(counts == expected_.published);
    std::multiset<std::int64_t> late;
    for (const auto& each : late_->rows()) late.insert(each.event.id);
    REQUIRE(late == std::multiset<std::int64_t>(expected_.late.begin(), expected_.late.end()));
  }

  /// Hundreds of checkpoints: in memory, where that can be had, what is forced to disk takes no time.
  static std::filesystem::path place() {
    const std::filesystem::path memory = "/dev/shm";
    std::error_code unknown;
    return std::filesystem::is_directory(memory, unknown) ? memory : std::filesystem::temp_directory_path();
  }

  std::mt19937 random_;
  model expected_;
  std::int64_t next_id_ = 0;
  std::filesystem::path folder_ = place() / ("etlantic_random_splits_" + std::to_string(::getpid()));
  std::shared_ptr<test::split_source<Event>> left_ = std::make_shared<test::split_source<Event>>();
  std::shared_ptr<test::split_source<Event>> right_ = std::make_shared<test::split_source<Event>>();
  std::shared_ptr<memory_sink<Count>> counts_ = std::make_shared<memory_sink<Count>>();
  std::shared_ptr<memory_sink<late<Event>>> late_ = std::make_shared<memory_sink<late<Event>>>();
  std::shared_ptr<test::failing_sink> published_ = std::make_shared<test::failing_sink>(counts_);
  profile where_;
};

}  // namespace

TEST_CASE("watermarks by split are those of a model that forgets nothing, over restarts and crashes") {
  std::size_t seen_late = 0;
  for (unsigned seed = 0; seed < 60; ++seed) {
    INFO("seed " << seed);
    world random(seed);
    random.live();
    seen_late += random.seen_late;
  }
  CHECK(seen_late > 100);
}
