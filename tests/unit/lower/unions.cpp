#include "support/catch.hpp"

#include <etlantic/etlantic.hpp>

// Unions in pipelines: in which order their rows go on, and where late rows come out.

using namespace etlantic;
using namespace std::chrono_literals;

namespace {

struct Event {
  std::int64_t id;
  text name;
  timestamp time;

  bool operator==(const Event&) const = default;
};

Event event(std::int64_t id, std::int64_t second) {
  return {id, text("an event with a name that is long, number " + std::to_string(id)), {second * 1'000'000}};
}

// Of one input, read twice.
struct EvenFirst {
  input<Event> events;
  output<Event> united;
};
constexpr auto implement(const EvenFirst& t) {
  return union_all(t.events | etlantic::where(field<"id"> % 2 == 0), t.events | etlantic::where(field<"id"> % 2 == 1));
}
struct OneInput {
  extract<Event, "in"> in;
  step<EvenFirst, "in.valid"> unite;
  load<Event, "out", "unite.united"> out;
};

// Of two inputs that one extract feeds.
struct OddFirst {
  input<Event> odd, even;
  output<Event> united;
};
constexpr auto implement(const OddFirst& t) {
  return union_all(t.odd | etlantic::where(field<"id"> % 2 == 1), t.even | etlantic::where(field<"id"> % 2 == 0));
}
struct TwoInputs {
  extract<Event, "in"> in;
  step<OddFirst, "in.valid", "in.valid"> unite;
  load<Event, "out", "unite.united"> out;
};

template <class Pipeline>
std::vector<std::int64_t> ids_of(const std::vector<std::vector<Event>>& batches) {
  auto source = std::make_shared<memory_source<Event>>();
  auto sink = std::make_shared<memory_sink<Event>>();
  for (const auto& each : batches) source->add(each);
  profile where;
  where.trigger.kind = trigger_kind::available_now;
  where.assets["in"].made_source = source;
  where.assets["out"].made_sink = sink;
  const auto done = run(Pipeline{}, where);
  REQUIRE(done.ok());
  CHECK(accounted_for(done->steps[0].counts) == done->steps[0].counts.received);
  std::vector<std::int64_t> ids;
  for (const Event& each : sink->rows()) {
    CHECK(each == event(each.id, each.id));
    ids.push_back(each.id);
  }
  return ids;
}

}  // namespace

TEST_CASE("a union gives the rows of a batch stream by stream, however many blocks they come in") {
  constexpr std::int64_t many = 50'000;  // blocks
  std::vector<Event> first, second{event(many, many), event(many + 1, many + 1), event(many + 2, many + 2)};
  for (std::int64_t id = 0; id < many; ++id) first.push_back(event(id, id));
  std::vector<std::int64_t> even_first, odd_first;
  for (std::int64_t id = 0; id < many; id += 2) even_first.push_back(id);
  for (std::int64_t id = 1; id < many; id += 2) even_first.push_back(id), odd_first.push_back(id);
  for (std::int64_t id = 0; id < many; id += 2) odd_first.push_back(id);
  for (std::int64_t id : {many, many + 2, many + 1}) even_first.push_back(id);
  for (std::int64_t id : {many + 1, many, many + 2}) odd_first.push_back(id);

  CHECK(ids_of<OneInput>({first, second}) == even_first);
  CHECK(ids_of<TwoInputs>({first, second}) == odd_first);
}

namespace {

struct Count {
  timestamp window_start;
  std::int64_t count;
};
struct CountTwice {
  input<Event> web, shop;
  output<Count> by_second, by_minute;
};
constexpr auto implement(const CountTwice& t) {
  const auto both = union_all(t.web | watermark<"time">(1s), t.shop | watermark<"time">(1s));
  constexpr auto counts = aggregate<Count>(named<"count"> = count());
  return outputs(named<"by_second"> = both | tumbling<"time">(1s) | counts,
                 named<"by_minute"> = both | tumbling<"time">(1min) | counts);
}
struct Counts {
  extract<Event, "web"> web;
  extract<Event, "shop"> shop;
  step<CountTwice, "web.valid", "shop.valid"> count;
  load<Count, "by_second", "count.by_second"> by_second;
  load<Count, "by_minute", "count.by_minute"> by_minute;
  load<late<Event>, "late", "count.late"> late_events;
};

}  // namespace

TEST_CASE("late rows of two unions of one contract share an output") {
  auto web = std::make_shared<memory_source<Event>>();
  auto shop = std::make_shared<memory_source<Event>>();
  auto seconds = std::make_shared<memory_sink<Count>>();
  auto minutes = std::make_shared<memory_sink<Count>>();
  auto late_events = std::make_shared<memory_sink<late<Event>>>();
  web->add({event(1, 100)});
  shop->add({event(2, 100)});
  web->add({event(5, 100)});
  shop->add({event(6, 100)});
  web->add({event(3, 70)});  // for the window of its second, not for that of its minute
  shop->add({event(4, 1)});  // for both
  profile where;
  where.trigger.kind = trigger_kind::available_now;
  where.assets["web"].made_source = web;
  where.assets["shop"].made_source = shop;
  where.assets["by_second"].made_sink = seconds;
  where.assets["by_minute"].made_sink = minutes;
  where.assets["late"].made_sink = late_events;
  const auto done = run(Counts{}, where);
  REQUIRE(done.ok());
  std::vector<std::pair<std::int64_t, std::int64_t>> found;  // id, and the window missed
  for (const late<Event>& each : late_events->rows()) {
    CHECK(each.event == event(each.event.id, each.event.time.microseconds / 1'000'000));
    found.emplace_back(each.event.id, each.window_end.microseconds / 1'000'000);
  }
  std::sort(found.begin(), found.end());
  CHECK(found == std::vector<std::pair<std::int64_t, std::int64_t>>{{3, 71}, {4, 2}, {4, 60}});
}
